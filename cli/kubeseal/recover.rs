//! `--recovery-unseal`: opening sealed files with private keys from a backup, without a cluster.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use signet_crds::sealed_secret::SealedSecret;
use signet_engine::policy::Policy;
use signet_engine::unseal::{Hints, UnsealError, unseal};
use signet_keys::keyring::{KeyRing, SealingKey};
use signet_keys::sealed as envelope;

use crate::files::{Input, ReadError};
use crate::manifest::{Manifest, ManifestError};
use crate::private_keys::{self, PrivateKeyError};
use crate::{Context, Failure, Hint};

use super::arrange::{ShapeError, Unknown, arrange};
use super::certificate::reason;
use super::dispatch::Given;
use super::options::Options;
use super::output::{Format, FormatError, Output, Secrecy};
use super::schema::SECRET;
use super::sealed::{Sealed, SealedError, TEMPLATE_METADATA};
use super::secret::Wiped;

/// Why nothing was opened. The texts are the peer's, as far as scripts see them.
#[derive(Debug, thiserror::Error)]
enum RecoverError {
    #[error("cannot read the SealedSecret {0}")]
    Decode(String),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Key(#[from] PrivateKeyError),
    #[error("open {path}: {}", reason(.cause))]
    KeyFile { path: String, cause: std::io::Error },
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{0} holds no SealedSecret")]
    None(String),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Sealed(#[from] SealedError),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// `no key could decrypt secret (a, b)`
    #[error("{}", .0.brief())]
    Unseal(UnsealError),
}

impl Hint for RecoverError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Key(error) => error.hint(),
            Self::Manifest(error) => error.hint(),
            Self::Unseal(error) => {
                let details: Vec<_> = error
                    .problems()
                    .iter()
                    .filter_map(signet_engine::unseal::Problem::detail)
                    .collect();
                Some(details.join("; ")).filter(|text| !text.is_empty())
            }
            _ => None,
        }
    }
}

/// Opens every document and prints the Secrets.
pub(super) fn run(options: &Options, given: Given, context: &mut Context) -> Result<(), Failure> {
    let ring = keys(&options.recovery_private_keys, context)?;
    let secrets = recover(given, &ring, context)?;
    let format = Format::of(options)?;
    let text = format.print_all(secrets.iter().map(|secret| &secret.0));
    Output::of(options).write(text.as_bytes(), Secrecy::Private, context)
}

/// All keys of all files. A file that has none is an error only when no other has any: a backup
/// with one broken key in it must still open what the others open.
fn keys(paths: &[String], context: &mut Context) -> Result<KeyRing, RecoverError> {
    let mut keys: Vec<SealingKey> = Vec::new();
    let mut failed = None;
    for path in paths {
        let bytes = match Input::File(PathBuf::from(path)).read(&mut context.ui) {
            Err(ReadError::File { source, .. }) => {
                return Err(RecoverError::KeyFile {
                    path: path.clone(),
                    cause: source,
                });
            }
            other => other?,
        };
        match private_keys::read(&Input::File(PathBuf::from(path)), bytes) {
            Ok(found) => keys.extend(found.into_iter().map(|kept| kept.key)),
            Err(error) => {
                let told = crate::error::chain(&error);
                context.ui.message(&format!("warning: {told}"));
                failed.get_or_insert(error);
            }
        }
    }
    match failed {
        Some(error) if keys.is_empty() => Err(error.into()),
        _ => Ok(KeyRing::new(keys)),
    }
}

fn recover(
    given: Given,
    ring: &KeyRing,
    context: &mut Context,
) -> Result<Vec<Wiped>, RecoverError> {
    let input = given.input.clone();
    let bytes = given.read(context)?;
    let manifest = Manifest::parse(&input, bytes)?;
    let mut secrets = Vec::new();
    for resource in manifest.resources() {
        let sealed = Sealed::read(&manifest, &resource)?;
        secrets.push(secret(&sealed, ring)?);
    }
    if secrets.is_empty() {
        return Err(RecoverError::None(input.to_string()));
    }
    Ok(secrets)
}

/// The Secret of one `SealedSecret`, its fields in the peer's order. Without owner: outside of a
/// cluster there is no UID, and `kubectl apply` refuses a reference without one.
fn secret(sealed: &Sealed, ring: &KeyRing) -> Result<Wiped, RecoverError> {
    let resource: SealedSecret = serde_json::from_value(sealed.to_value())
        .map_err(|_| RecoverError::Decode(sealed.name().to_owned()))?;
    let unsealed = unseal(&resource, ring, &Hints::default(), &Policy::default())
        .map_err(RecoverError::Unseal)?
        .secret;

    let mut metadata: Map<String, Value> = sealed
        .entries(TEMPLATE_METADATA)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    metadata.shift_remove("ownerReferences");
    if sealed.is_deprecated_form() {
        // Labels and annotations were sealed together with the data.
        metadata.insert("labels".to_owned(), json!(unsealed.labels));
        metadata.insert("annotations".to_owned(), json!(unsealed.annotations));
    }
    metadata.insert("name".to_owned(), sealed.name().into());
    metadata.insert("namespace".to_owned(), sealed.namespace().into());
    let data: Map<String, Value> = unsealed
        .data
        .iter()
        .map(|(item, value)| (item.clone(), envelope::encode(value.expose()).into()))
        .collect();
    let value = Wiped(json!({
        "kind": "Secret",
        "apiVersion": "v1",
        "metadata": metadata,
        "immutable": unsealed.immutable,
        "data": data,
        "type": unsealed.type_,
    }));
    let arranged = arrange(&value.0, SECRET, Unknown::Drop)?;
    Ok(Wiped(Value::Object(arranged)))
}
