//! `--re-encrypt`: asks the controller to seal every document again, to its newest key.
//!
//! Only ciphertext is taken from the answer. The peer's controller leaves `template.data` out of
//! it; applied, that would delete the rendered items from the Secret. With `-f` and without `-w`
//! that file is changed in place, and only its ciphertext.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use signet_documents::edit::{EditError, Editor};
use signet_documents::manifest::Resource;
use signet_documents::splice::{self, Overlap};

use crate::cluster::{Cluster, ClusterError};
use crate::files::{self, ReadError};
use crate::manifest::{Manifest, ManifestError, Place};
use crate::{Context, Failure, Hint};

use super::dispatch::Given;
use super::options::Options;
use super::output::{Format, FormatError, Output, Secrecy};
use super::remote::{read_all, told};
use super::sealed::{ITEMS, SPEC, Sealed, SealedError};

/// Why nothing was sealed again. The texts are the peer's, as far as scripts see them.
#[derive(Debug, thiserror::Error)]
enum ReEncryptError {
    /// The controller's answer is not what it must be.
    #[error(
        "cannot re-encrypt secret: the controller's answer is not a SealedSecret with the same items"
    )]
    Answer,
    /// The controller cannot be reached.
    #[error("{}", told(.0))]
    Cluster(ClusterError),
    #[error("{place}: {source}")]
    Edit { place: Place, source: EditError },
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{0} holds no SealedSecret")]
    None(String),
    #[error(transparent)]
    Overlap(#[from] Overlap),
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The controller did not do it.
    #[error("cannot re-encrypt secret: {0}")]
    Refused(ClusterError),
    #[error(transparent)]
    Sealed(#[from] SealedError),
    /// The controller cannot open it.
    #[error("unable to rotate secret")]
    Undecryptable,
}

impl Hint for ReEncryptError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Cluster(error) | Self::Refused(error) => error.hint(),
            Self::Edit { source, .. } => source.hint().map(str::to_owned),
            Self::Manifest(error) => error.hint(),
            Self::Undecryptable => Some(
                "the controller has no key for it: it was sealed for another cluster, name or \
                 namespace, or the key was deleted"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// Seals the input again and writes it.
pub(super) fn run(options: &Options, given: Given, context: &mut Context) -> Result<(), Failure> {
    let cluster =
        Cluster::connect(&options.connection, &context.env).map_err(ReEncryptError::Cluster)?;
    let input = given.input.clone();
    let bytes = given.read(context)?;
    let manifest = Manifest::parse(&input, bytes)?;
    let sealed = re_encrypt(options, &manifest, &cluster)?;
    if options.sealed_secret_file.is_empty() && !options.secret_file.is_empty() {
        let text = in_place(options, &manifest, &sealed)?;
        let path = Path::new(&options.secret_file);
        Ok(files::rewrite(
            path,
            &manifest.bytes,
            &manifest.text.encode(&text),
        )?)
    } else {
        let text = print(Format::of(options)?, sealed);
        Output::of(options).write(text.as_bytes(), Secrecy::Public, context)
    }
}

/// All documents, sealed again.
fn re_encrypt<'a>(
    options: &Options,
    manifest: &'a Manifest,
    cluster: &Cluster,
) -> Result<Vec<(Resource<'a>, Sealed)>, ReEncryptError> {
    let mut documents = read_all(manifest)?;
    if documents.is_empty() {
        return Err(ReEncryptError::None(manifest.input.to_string()));
    }
    for (_, document) in &mut documents {
        let body = document.to_value().to_string();
        let answer = cluster
            .rotate(&options.controller, body.as_bytes())
            .map_err(|error| match error.code() {
                _ if error.is_about_service() => ReEncryptError::Cluster(error),
                Some(409) => ReEncryptError::Undecryptable,
                _ => ReEncryptError::Refused(error),
            })?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|_| ReEncryptError::Answer)?;
        take_ciphertext(document, &answer)?;
    }
    Ok(documents)
}

fn take_ciphertext(document: &mut Sealed, answer: &Value) -> Result<(), ReEncryptError> {
    let items = answer["spec"]["encryptedData"]
        .as_object()
        .filter(|items| items.values().all(Value::is_string))
        .ok_or(ReEncryptError::Answer)?;
    if document.is_deprecated_form() {
        // One ciphertext for the whole Secret becomes one for each item, with a template.
        document.set(SPEC, answer["spec"].clone());
        return Ok(());
    }
    // The document is arranged, and so its items are sorted; the answer's need not be.
    let sorted: BTreeMap<_, _> = items.iter().collect();
    let names = document.entries(ITEMS).map(|(name, _)| name);
    if !names.eq(sorted.keys().copied()) {
        return Err(ReEncryptError::Answer);
    }
    let sorted = sorted
        .into_iter()
        .map(|(name, item)| (name.clone(), item.clone()));
    document.set(ITEMS, Value::Object(sorted.collect()));
    Ok(())
}

/// The text of the file with the new ciphertext. Only `-o`, or a name that asks for another form,
/// makes it be written anew.
fn in_place(
    options: &Options,
    manifest: &Manifest,
    sealed: &[(Resource<'_>, Sealed)],
) -> Result<String, ReEncryptError> {
    let own = Format::of_document(sealed[0].0.document_node());
    let wanted = Format::of_file(&options.secret_file, options.format.as_deref())?;
    let asked_for = options.format.is_some() || wanted == Format::Yaml;
    if asked_for && wanted != own {
        return Ok(print(wanted, sealed.to_vec()).to_string());
    }
    let mut splices = Vec::new();
    for (resource, document) in sealed {
        let mut editor = Editor::new(resource.document_node());
        let mut edit = |path: &[&str], value| editor.set(resource.node, path, value);
        let edited = if resource
            .node
            .get("spec")
            .is_some_and(|spec| spec.get("data").is_some())
        {
            document.value(SPEC).map_or(Ok(()), |spec| edit(SPEC, spec))
        } else {
            document.entries(ITEMS).try_for_each(|(name, item)| {
                let path: Vec<_> = ITEMS.iter().copied().chain([name.as_str()]).collect();
                edit(&path, item)
            })
        };
        let new = edited
            .and_then(|()| editor.into_splices())
            .map_err(|source| ReEncryptError::Edit {
                place: manifest.place(resource),
                source,
            })?;
        splices.extend(new);
    }
    Ok(splice::apply(manifest.stream.text(), splices)?)
}

fn print(format: Format, sealed: Vec<(Resource<'_>, Sealed)>) -> zeroize::Zeroizing<String> {
    let objects: Vec<Value> = sealed
        .into_iter()
        .map(|(_, document)| document.without_server_fields().to_value())
        .collect();
    format.print_all(&objects)
}

#[cfg(test)]
mod tests;
