//! `--validate` and `--re-encrypt`: what the controller does, through the API server.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::cluster::{Cluster, ClusterError};
use crate::files::ReadError;
use crate::manifest::{Manifest, ManifestError};
use crate::{Context, Failure, Hint};

use super::dispatch::Given;
use super::options::Options;
use super::output::{Format, Output, Secrecy};
use super::sealed::{ITEMS, Sealed, SealedError};

/// Why the controller did not do what was asked. The texts are the peer's, as far as scripts see
/// them.
#[derive(Debug, thiserror::Error)]
enum RemoteError {
    /// The controller cannot be reached.
    #[error("{}", told(.0))]
    Cluster(ClusterError),
    /// The controller's answer is not what it must be.
    #[error("cannot re-encrypt secret: the controller's answer is no SealedSecret")]
    Answer,
    #[error(transparent)]
    Manifest(ManifestError),
    #[error("{0} holds no SealedSecret")]
    None(String),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("cannot re-encrypt secret: {0}")]
    Rotate(ClusterError),
    #[error(transparent)]
    Sealed(SealedError),
    #[error("unable to rotate secret")]
    Undecryptable,
    #[error("unable to decrypt sealed secret: {0}")]
    Invalid(String),
    #[error("unable to decrypt sealed secret")]
    Unreadable { why: String },
    #[error("cannot validate sealed secret: {0}")]
    Validate(ClusterError),
}

impl Hint for RemoteError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Cluster(error) | Self::Rotate(error) | Self::Validate(error) => error.hint(),
            Self::Manifest(error) => error.hint(),
            Self::Unreadable { why } => Some(why.clone()),
            Self::Undecryptable => Some(
                "the controller has no key for it: it was sealed for another cluster, name or \
                 namespace, or the key was deleted"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// An error on the way to the controller, with the words that scripts know.
pub(super) fn told(error: &ClusterError) -> String {
    if error.is_about_service() {
        format!(
            "cannot get sealed secret service: {error}.\nPlease, use the flag --controller-name \
             and --controller-namespace to set up the name and namespace of the sealed secrets \
             controller"
        )
    } else {
        error.to_string()
    }
}

/// Asks whether the controller can open every document.
pub(super) fn validate(
    options: &Options,
    given: Given,
    context: &mut Context,
) -> Result<(), Failure> {
    Ok(validate_all(options, given, context)?)
}

fn validate_all(options: &Options, given: Given, context: &mut Context) -> Result<(), RemoteError> {
    let unreadable = |error: &dyn std::error::Error| RemoteError::Unreadable {
        why: crate::error::chain(error),
    };
    let cluster =
        Cluster::connect(&options.connection, &context.env).map_err(RemoteError::Cluster)?;
    let input = given.input.clone();
    let bytes = given.read(context)?;
    let manifest = Manifest::parse(&input, bytes).map_err(|error| unreadable(&error))?;
    let sealed = read_all(&manifest).map_err(|error| unreadable(&error))?;
    for document in sealed {
        let body = document.to_value().to_string().into_bytes();
        match cluster.verify(&options.controller, body) {
            Ok(()) => {}
            Err(error) if error.is_about_service() => return Err(RemoteError::Cluster(error)),
            Err(error) if error.code() == Some(409) => {
                return Err(RemoteError::Invalid(document.name().to_owned()));
            }
            Err(error) => return Err(RemoteError::Validate(error)),
        }
    }
    Ok(())
}

/// Asks the controller to seal every document again; with `-f` and without `-w` that file is
/// replaced.
pub(super) fn re_encrypt(
    options: &Options,
    given: Given,
    context: &mut Context,
) -> Result<(), Failure> {
    let in_place = options.sealed_secret_file.is_empty() && !options.secret_file.is_empty();
    let cluster =
        Cluster::connect(&options.connection, &context.env).map_err(RemoteError::Cluster)?;
    let input = given.input.clone();
    let bytes = given.read(context)?;
    let manifest = Manifest::parse(&input, bytes).map_err(RemoteError::Manifest)?;
    let objects = re_encrypt_all(options, &manifest, &cluster)?;
    let target = if in_place {
        options.secret_file.as_str()
    } else {
        options.sealed_secret_file.as_str()
    };
    let format = Format::of_file(target, options.format.as_deref())?;
    let text = format.print_all(&objects);
    let output = if in_place {
        Output::Back {
            path: Path::new(&options.secret_file),
            read: &manifest.bytes,
        }
    } else {
        Output::of(options)
    };
    output.write(text.as_bytes(), Secrecy::Public, context)
}

fn re_encrypt_all(
    options: &Options,
    manifest: &Manifest,
    cluster: &Cluster,
) -> Result<Vec<Value>, RemoteError> {
    let mut objects = Vec::new();
    for document in read_all(manifest).map_err(RemoteError::Sealed)? {
        let body = document.to_value().to_string().into_bytes();
        let answer =
            cluster
                .rotate(&options.controller, body)
                .map_err(|error| match error.code() {
                    _ if error.is_about_service() => RemoteError::Cluster(error),
                    Some(409) => RemoteError::Undecryptable,
                    _ => RemoteError::Rotate(error),
                })?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|_| RemoteError::Answer)?;
        objects.push(re_encrypted(document, &answer)?.to_value());
    }
    if objects.is_empty() {
        return Err(RemoteError::None(manifest.input.to_string()));
    }
    Ok(objects)
}

/// The document with the answer's ciphertext. The peer's controller leaves `template.data` out of
/// its answer; applied, that would delete the rendered items from the Secret. So everything but the
/// ciphertext stays as it was in the document.
fn re_encrypted(mut document: Sealed, answer: &Value) -> Result<Sealed, RemoteError> {
    let items = answer["spec"]["encryptedData"]
        .as_object()
        .filter(|items| items.values().all(Value::is_string))
        .ok_or(RemoteError::Answer)?;
    if document.is_deprecated_form() {
        // One ciphertext for the whole Secret becomes one for each item, with a template.
        document.set(&["spec"], answer["spec"].clone());
    } else {
        // The document is arranged, and so its items are sorted; the answer's need not be.
        let sorted: BTreeMap<_, _> = items.iter().collect();
        let names = document.entries(ITEMS).map(|(name, _)| name);
        if !names.eq(sorted.keys().copied()) {
            return Err(RemoteError::Answer);
        }
        let sorted = sorted
            .into_iter()
            .map(|(name, item)| (name.clone(), item.clone()));
        document.set(ITEMS, Value::Object(sorted.collect()));
    }
    Ok(document.without_server_fields())
}

fn read_all(manifest: &Manifest) -> Result<Vec<Sealed>, SealedError> {
    manifest
        .resources()
        .map(|resource| Sealed::read(manifest, &resource))
        .collect()
}
