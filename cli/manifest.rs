//! A file of Kubernetes manifests: read, decoded, parsed, with a name for every place in it.

use std::fmt;

use signet_documents::manifest::{Resource, resources};
use signet_documents::source::{self, DecodeError, Text};
use signet_documents::yaml::{ParseError, Stream};
use zeroize::Zeroizing;

use crate::files::{Input, ReadError};
use crate::{Hint, Ui};

/// A file, as it was read and as it is understood.
#[derive(Debug)]
pub struct Manifest {
    /// Where it came from.
    pub input: Input,
    /// The bytes that were read. Wiped from memory when dropped.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The text, which remembers a byte order mark.
    pub text: Text,
    /// The documents.
    pub stream: Stream,
}

impl Manifest {
    /// Reads and parses an input.
    pub fn read(input: &Input, ui: &mut Ui) -> Result<Self, ManifestError> {
        let bytes = input.read(ui)?;
        Self::parse(input, bytes)
    }

    /// Parses what was read from `input`.
    pub fn parse(input: &Input, bytes: Zeroizing<Vec<u8>>) -> Result<Self, ManifestError> {
        let text = source::decode(&bytes).map_err(|cause| ManifestError::Decode {
            input: input.clone(),
            cause,
        })?;
        let stream = Stream::parse(text.as_str()).map_err(|cause| ManifestError::Parse {
            place: Place {
                input: input.clone(),
                document: document_at(text.as_str(), cause.line),
                line: cause.line,
            },
            cause,
        })?;
        Ok(Self {
            input: input.clone(),
            bytes,
            text,
            stream,
        })
    }

    /// The resources of all documents; a list gives its items.
    pub fn resources(&self) -> impl Iterator<Item = Resource<'_>> {
        resources(&self.stream)
    }

    /// Where a resource stands.
    pub fn place(&self, resource: &Resource<'_>) -> Place {
        Place {
            input: self.input.clone(),
            document: (self.stream.documents().len() > 1).then_some(resource.document + 1),
            line: resource.position().line,
        }
    }
}

/// A place in an input, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub input: Input,
    /// The document, from 1; nothing when the input has but one.
    pub document: Option<usize>,
    /// The line, from 1.
    pub line: usize,
}

impl Place {
    /// The file and document without the line, for errors that name the line themselves.
    pub fn outer(&self) -> String {
        let input = Named(&self.input);
        match self.document {
            Some(document) => format!("{input}, document {document}"),
            None => input.to_string(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.outer(), self.line)
    }
}

/// An input as it stands in a message: file names in backticks.
pub(crate) struct Named<'a>(pub &'a Input);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Input::File(path) => write!(f, "`{}`", path.display()),
            Input::Stdin => f.write_str("standard input"),
        }
    }
}

/// Why a file is no manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is not UTF-8 text.
    #[error("{}: {cause}", Named(.input))]
    Decode {
        /// The file.
        input: Input,
        /// What it is instead.
        cause: DecodeError,
    },
    /// It is neither YAML nor JSON.
    #[error("{place}: {}", .cause.reason)]
    Parse {
        /// Where it goes wrong.
        place: Place,
        /// Why.
        cause: ParseError,
    },
    /// It cannot be read at all.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Hint for ManifestError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Decode { cause, .. } => cause.hint().map(str::to_owned),
            Self::Parse { cause, .. } => cause.hint().map(str::to_owned),
            Self::Read(error) => error.hint(),
        }
    }
}

/// The number of the document that a line is in, when the text has several. The text could not be
/// parsed, so the `---` lines are all there is to go by.
fn document_at(text: &str, line: usize) -> Option<usize> {
    let is_marker = |line: &str| line.trim_end() == "---" || line.starts_with("--- ");
    let markers: Vec<usize> = text
        .lines()
        .enumerate()
        // A marker on the first line begins the first document.
        .filter(|(index, line)| *index > 0 && is_marker(line))
        .map(|(index, _)| index + 1)
        .collect();
    (!markers.is_empty()).then(|| 1 + markers.iter().filter(|marker| **marker <= line).count())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn parse(text: &str) -> Result<Manifest, ManifestError> {
        let input = Input::File("a.yaml".into());
        Manifest::parse(&input, Zeroizing::new(text.as_bytes().to_vec()))
    }

    #[test]
    fn an_error_names_file_document_and_line() {
        let error = parse("a: 1\n---\nb: 'open\n").unwrap_err();
        let told = error.to_string();
        assert!(told.starts_with("`a.yaml`, document 2, line "), "{told}");
    }

    #[test]
    fn a_place_names_the_document_only_where_there_are_several() {
        let one = parse("kind: A\n").unwrap();
        let place = one.place(&one.resources().next().unwrap());
        assert_eq!(place.to_string(), "`a.yaml`, line 1");
        let two = parse("kind: A\n---\nkind: B\n").unwrap();
        let place = two.place(&two.resources().nth(1).unwrap());
        assert_eq!(place.to_string(), "`a.yaml`, document 2, line 3");
    }
}
