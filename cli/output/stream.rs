//! Several resources as one output.

use serde_json::Value;
use signet_documents::emit::{kubernetes_json, kubernetes_yaml};
use signet_documents::manifest::Resource;
use signet_documents::value::{ConvertError, to_json};
use signet_documents::yaml;
use zeroize::{Zeroize as _, Zeroizing};

use super::ManifestFormat;

/// Resources in the order in which they are printed. Wiped from memory when dropped.
#[derive(Default)]
pub struct Stream {
    parts: Vec<Part>,
    /// Whether a part came from YAML. Then the usual form of the output is YAML.
    yaml: bool,
}

enum Part {
    Value(Value),
    /// YAML that is printed as it is, with its comments, and the same as a value.
    Text(Zeroizing<String>, Value),
}

impl Stream {
    /// Adds a resource of our own making.
    pub fn push(&mut self, value: Value) {
        self.parts.push(Part::Value(value));
    }

    /// Adds a resource of an input as it is. One that is a document keeps its bytes.
    pub fn pass(&mut self, resource: &Resource<'_>) -> Result<(), ConvertError> {
        let value = to_json(resource.node)?;
        let document = resource.document_node();
        let is_yaml = document.format() == yaml::Format::Yaml;
        self.yaml |= is_yaml;
        let part = if is_yaml && resource.item.is_none() {
            let mut text = Zeroizing::new(document.source()[document.content_range()].to_owned());
            if !text.ends_with('\n') {
                text.push('\n');
            }
            Part::Text(text, value)
        } else {
            Part::Value(value)
        };
        self.parts.push(part);
        Ok(())
    }

    /// Says that the input was YAML, so that the output is YAML unless told otherwise.
    pub fn like(&mut self, format: yaml::Format) {
        self.yaml |= format == yaml::Format::Yaml;
    }

    /// The output in the form that was asked for, or else in that of the input.
    pub fn finish(self, format: Option<ManifestFormat>) -> Zeroizing<Vec<u8>> {
        let usual = if self.yaml {
            ManifestFormat::Yaml
        } else {
            ManifestFormat::Json
        };
        let format = format.unwrap_or(usual);
        let mut out = Zeroizing::new(Vec::new());
        for part in &self.parts {
            let text = part.text(format);
            if format == ManifestFormat::Yaml && !out.is_empty() {
                out.extend_from_slice(b"---\n");
            }
            out.extend_from_slice(text.as_bytes());
        }
        out
    }
}

impl Part {
    fn text(&self, format: ManifestFormat) -> Zeroizing<String> {
        match (self, format) {
            (Self::Text(text, _), ManifestFormat::Yaml) => text.clone(),
            (Self::Value(value), ManifestFormat::Yaml) => Zeroizing::new(kubernetes_yaml(value)),
            (Self::Text(_, value) | Self::Value(value), ManifestFormat::Json) => {
                Zeroizing::new(kubernetes_json(value))
            }
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let (Self::Value(value) | Self::Text(_, value)) = self;
        wipe(value);
    }
}

/// Overwrites every text in a value.
fn wipe(value: &mut Value) {
    match value {
        Value::String(text) => text.zeroize(),
        Value::Array(items) => items.iter_mut().for_each(wipe),
        Value::Object(entries) => entries.values_mut().for_each(wipe),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
