//! Where the sealed form goes.

use std::collections::HashMap;
use std::path::PathBuf;

use signet_documents::manifest::sealed::Sealed;
use signet_documents::splice;
use signet_documents::yaml::Format;

use super::comments;
use super::previous::Previous;
use crate::files::{self, Input};
use crate::manifest::Manifest;
use crate::output::{ManifestFormat, Stream};
use crate::{Context, Failure};

/// Where the sealed form goes.
#[derive(Debug)]
pub(super) enum Place {
    /// Into the inputs themselves.
    Inputs,
    /// To one file.
    File(PathBuf),
    /// To standard output.
    Stdout,
}

/// What is to be written. Nothing is until all of it is known.
pub(super) enum Output {
    /// A file, and what it held when it was read.
    Replace {
        path: PathBuf,
        read: Vec<u8>,
        bytes: Vec<u8>,
    },
    /// A file.
    Write { path: PathBuf, bytes: Vec<u8> },
    /// Standard output.
    Print(Vec<u8>),
    /// Several.
    All(Vec<Output>),
}

const NAME: &str = "{cert}";

/// Whether a pattern tells certificates apart.
pub(super) fn has_name(pattern: &str) -> bool {
    pattern.contains(NAME)
}

/// The file of one certificate.
pub(super) fn named(pattern: &str, certificate: &str) -> PathBuf {
    pattern.replace(NAME, certificate).into()
}

impl Place {
    /// What is there already.
    pub(super) fn previous(
        &self,
        inputs: &[Manifest],
        namespace: Option<&str>,
    ) -> Result<Previous, Failure> {
        match self {
            Self::File(path) if path.is_file() => Ok(Previous::read(path, inputs, namespace)?),
            _ => Ok(Previous::default()),
        }
    }

    /// The texts with the Secrets replaced.
    pub(super) fn output(
        &self,
        mut sealed: HashMap<(usize, usize, Option<usize>), Sealed>,
        manifests: &[Manifest],
        format: Option<ManifestFormat>,
        warnings: &mut Vec<String>,
    ) -> Result<Output, Failure> {
        let bytes = if manifests.iter().all(|it| is_of(it, format)) {
            let mut texts = Vec::new();
            for (index, manifest) in manifests.iter().enumerate() {
                let splices = sealed
                    .extract_if(|(at, _, _), _| *at == index)
                    .map(|(_, it)| it.splice)
                    .collect();
                let text = splice::apply(manifest.stream.text(), splices)
                    .map_err(|error| Failure::new(format!("`{}`: {error}", manifest.input)))?;
                warnings.extend(comments::dropped(manifest, &text));
                texts.push(text);
            }
            if let Self::Inputs = self {
                return Ok(in_place(manifests, &texts));
            }
            join(manifests, &texts)
        } else {
            values(sealed, manifests, format)?
        };
        Ok(match self {
            Self::File(path) => Output::Write {
                path: path.clone(),
                bytes,
            },
            Self::Inputs | Self::Stdout => Output::Print(bytes),
        })
    }
}

impl Output {
    /// Writes it.
    pub(super) fn write(self, context: &mut Context) -> Result<(), Failure> {
        match self {
            Self::All(all) => all.into_iter().try_for_each(|it| it.write(context)),
            Self::Print(bytes) => context.ui.data(&bytes),
            Self::Replace { path, read, bytes } => Ok(files::rewrite(&path, &read, &bytes)?),
            Self::Write { path, bytes } => Ok(files::write(&path, &bytes)?),
        }
    }
}

/// Whether the text of an input can be kept: it is in the form that is asked for.
fn is_of(manifest: &Manifest, format: Option<ManifestFormat>) -> bool {
    let wanted = match format {
        None => return true,
        Some(ManifestFormat::Json) => Format::Json,
        Some(ManifestFormat::Yaml) => Format::Yaml,
    };
    let documents = manifest.stream.documents();
    documents.iter().all(|document| document.format() == wanted)
}

fn in_place(manifests: &[Manifest], texts: &[String]) -> Output {
    let replace = |(manifest, text): (&Manifest, &String)| match &manifest.input {
        Input::File(path) => Output::Replace {
            path: path.clone(),
            read: manifest.bytes.to_vec(),
            bytes: manifest.text.encode(text),
        },
        // Refused before anything was read.
        Input::Stdin => Output::Print(manifest.text.encode(text)),
    };
    Output::All(manifests.iter().zip(texts).map(replace).collect())
}

/// Several texts as one stream.
fn join(manifests: &[Manifest], texts: &[String]) -> Vec<u8> {
    let is_json = |manifest: &Manifest| {
        let documents = manifest.stream.documents();
        documents.iter().all(|it| it.format() == Format::Json)
    };
    let all_json = manifests.iter().all(is_json);
    let mut out = String::new();
    for text in texts {
        if !out.is_empty() {
            if !out.ends_with('\n') {
                out.push('\n');
            }
            if !all_json && !text.starts_with("---") {
                out.push_str("---\n");
            }
        }
        out.push_str(text);
    }
    out.into_bytes()
}

/// The resources in another form than the inputs have: layout and comments cannot be kept.
fn values(
    mut sealed: HashMap<(usize, usize, Option<usize>), Sealed>,
    manifests: &[Manifest],
    format: Option<ManifestFormat>,
) -> Result<Vec<u8>, Failure> {
    let mut stream = Stream::default();
    for (index, manifest) in manifests.iter().enumerate() {
        for resource in manifest.resources() {
            match sealed.remove(&(index, resource.document, resource.item)) {
                Some(it) => stream.push(it.value),
                None => stream.pass(&resource).map_err(|error| {
                    Failure::new(format!("{}: {error}", manifest.place(&resource)))
                })?,
            }
        }
    }
    Ok(stream.finish(format).to_vec())
}
