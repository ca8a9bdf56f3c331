//! Answers as text, JSON or YAML.

use clap::ValueEnum;
use serde::Serialize;

use crate::ui::harmless;
use crate::{Context, Failure};

mod stream;

pub use stream::Stream;

/// Form of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For programs and people
    Yaml,
}

/// The option that says the form of an answer.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct FormatOption {
    /// Form of the answer
    #[arg(
        short = 'o',
        long = "format",
        value_name = "text|json|yaml",
        hide_possible_values = true,
        default_value_t
    )]
    pub format: Format,
}

/// Form of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestFormat {
    /// YAML, as Git repositories have it
    Yaml,
    /// JSON
    Json,
}

impl std::str::FromStr for ManifestFormat {
    type Err = String;

    /// A file name is what people put there.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "yaml" => Ok(Self::Yaml),
            "json" => Ok(Self::Json),
            _ => {
                Err("it is yaml or json; a file to write to is named by `--output FILE`".to_owned())
            }
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Yaml => "yaml",
        })
    }
}

/// Prints an answer on standard output. In the text for people names that others gave do not steer the
/// terminal.
pub fn print<T: Serialize + ?Sized>(
    format: Format,
    answer: &T,
    text: impl FnOnce(&T) -> String,
    context: &mut Context,
) -> Result<(), Failure> {
    let printed = match format {
        Format::Text => harmless(&text(answer)),
        Format::Json => signet_documents::emit::kubernetes_json(&to_value(answer)?),
        Format::Yaml => signet_documents::emit::kubernetes_yaml(&to_value(answer)?),
    };
    context.ui.data(printed.as_bytes())
}

fn to_value<T: Serialize + ?Sized>(answer: &T) -> Result<serde_json::Value, Failure> {
    serde_json::to_value(answer)
        .map_err(|error| Failure::new(format!("cannot print the answer: {error}")))
}
