//! Where results go, and in which form.

use std::path::Path;

use serde_json::Value;
use signet_documents::emit::{kubernetes_json, kubernetes_yaml};
use signet_documents::yaml::{Document, Format as Syntax};
use zeroize::Zeroizing;

use crate::files::{self, WriteError};
use crate::{Context, Failure, Hint};

use super::options::Options;

/// The form of a Kubernetes object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Objects one after the other.
    Json,
    /// Documents that begin with `---`.
    Yaml,
}

/// A value of `-o` that is neither JSON nor YAML.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported output format: {0}")]
pub(super) struct FormatError(String);

impl Hint for FormatError {}

impl Format {
    /// The form of a new file or of standard output. A file's name decides over `-o`.
    pub(super) fn of(options: &Options) -> Result<Self, FormatError> {
        Self::of_file(&options.sealed_secret_file, options.format.as_deref())
    }

    /// The same for a file of another name.
    pub(super) fn of_file(path: &str, given: Option<&str>) -> Result<Self, FormatError> {
        if is_yaml_name(path) {
            Ok(Self::Yaml)
        } else {
            Self::parse(given.unwrap_or_default())
        }
    }

    /// The form of what was read.
    pub(super) fn of_document(document: &Document) -> Self {
        match document.format() {
            Syntax::Json => Self::Json,
            Syntax::Yaml => Self::Yaml,
        }
    }

    /// A value of `-o`; nothing means JSON.
    pub(super) fn parse(text: &str) -> Result<Self, FormatError> {
        match text.to_lowercase().as_str() {
            "" | "json" => Ok(Self::Json),
            "yaml" => Ok(Self::Yaml),
            _ => Err(FormatError(text.to_owned())),
        }
    }

    /// The text of one object. Wiped from memory when dropped: it may be a Secret.
    pub(super) fn print(self, object: &Value) -> Zeroizing<String> {
        Zeroizing::new(match self {
            Self::Json => kubernetes_json(object),
            Self::Yaml => format!("---\n{}", kubernetes_yaml(object)),
        })
    }

    /// The text of several.
    pub(super) fn print_all<'a>(
        self,
        objects: impl IntoIterator<Item = &'a Value>,
    ) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::new());
        for object in objects {
            text.push_str(&self.print(object));
        }
        text
    }
}

fn is_yaml_name(path: &str) -> bool {
    // Not `Path::extension`: a file named `.yaml` counts for the peer too.
    [".yaml", ".yml"].iter().any(|end| path.ends_with(end))
}

/// Whether others may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Secrecy {
    /// Certificates and sealed items.
    Public,
    /// Plaintext.
    Private,
}

/// Where the result goes.
pub(super) enum Output<'a> {
    /// Standard output.
    Stdout,
    /// A file.
    File(&'a Path),
}

impl<'a> Output<'a> {
    /// `-w`, or standard output.
    pub(super) fn of(options: &'a Options) -> Self {
        if options.sealed_secret_file.is_empty() {
            Self::Stdout
        } else {
            Self::File(Path::new(&options.sealed_secret_file))
        }
    }

    /// Writes all of it or, into a file, nothing.
    pub(super) fn write(
        &self,
        bytes: &[u8],
        secrecy: Secrecy,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let written: Result<(), WriteError> = match (self, secrecy) {
            (Self::Stdout, _) => return context.ui.data(bytes),
            // What is no regular file, such as /dev/stdout, has no mode to speak of.
            (Self::File(path), Secrecy::Private) if path.is_file() || !path.exists() => {
                files::write_private(path, bytes)
            }
            (Self::File(path), _) => files::write(path, bytes),
        };
        Ok(written?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn format(file: &str, given: Option<&str>) -> Result<Format, FormatError> {
        Format::of(&Options {
            sealed_secret_file: file.to_owned(),
            format: given.map(str::to_owned),
            ..Options::default()
        })
    }

    #[test]
    fn the_form_is_that_of_the_files_name_then_of_the_flag_then_json() {
        assert_eq!(format("", None).unwrap(), Format::Json);
        assert_eq!(format("", Some("YAML")).unwrap(), Format::Yaml);
        assert_eq!(format("a.yml", Some("json")).unwrap(), Format::Yaml);
        assert_eq!(format("a.YAML", None).unwrap(), Format::Json);
        assert_eq!(
            format("a.json", Some("toml")).unwrap_err().to_string(),
            "unsupported output format: toml"
        );
    }

    #[test]
    fn yaml_documents_begin_with_a_marker_and_json_objects_end_with_a_line_break() {
        let objects = [json!({"b": 1, "a": "<"}), json!({})];
        assert_eq!(
            *Format::Yaml.print_all(&objects),
            "---\na: <\nb: 1\n---\n{}\n"
        );
        assert_eq!(
            *Format::Json.print_all(&objects),
            "{\n  \"b\": 1,\n  \"a\": \"\\u003c\"\n}\n{}\n"
        );
    }
}
