//! Encrypting a SealedSecret anew for another key, for `/v1/rotate` and `signet reseal`.
//!
//! Decryption and encryption alone: `template.data` stays as it is written and is never rendered
//! (rendered text would end up in the items, dropped text would be missing from the Secret).

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use signet_crds::constants::annotation;
use signet_crds::sealed_secret::{SealedSecret, SecretTemplate, TemplateMetadata};
use signet_keys::keyring::KeyRing;
use signet_keys::rsa::PublicKey;
use signet_keys::sealed::{self, SealError};
use signet_keys::{Fingerprint, Plaintext};

use crate::items::{self, Place};
use crate::pace::{Pace, Stopped};
use crate::policy::Policy;
use crate::unseal::{self, Cause, Hints, Problem, UnsealError};

/// Which items to encrypt anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that are sealed for another key than the new one.
    Stale,
    /// All.
    All,
}

/// The new ciphertexts.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Resealed {
    /// Base64 of each item that changes.
    pub changed: BTreeMap<String, String>,
    /// Items that stay, as they are sealed for the new key already.
    pub kept: Vec<String>,
    /// Template of the Secret inside the deprecated form; `None` for the present form.
    pub template: Option<SecretTemplate>,
}

/// Why an object cannot be sealed anew. Nothing of it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResealError {
    /// It does not open.
    #[error("{0}")]
    Open(UnsealError),
    /// The pace ended it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The encryption failed.
    #[error("cannot encrypt {item}: {source}")]
    Seal {
        /// Name of the item.
        item: String,
        /// What failed.
        source: SealError,
    },
}

/// New ciphertexts of a SealedSecret for the key `to`, opened with the keys of `ring`. Their scope is
/// that of the object's own annotations, as it was.
pub fn reseal(
    sealed: &SealedSecret,
    ring: &KeyRing,
    to: &PublicKey,
    which: Which,
    policy: &Policy,
    pace: &mut dyn Pace,
) -> Result<Resealed, ResealError> {
    let unreadable = items::unreadable(sealed).map(Problem::unreadable).collect();
    UnsealError::unless_empty(unreadable, 0).map_err(ResealError::Open)?;
    let fail = |cause| Err(ResealError::Open(UnsealError::whole(cause, 0)));
    match &sealed.spec.data {
        None => reseal_items(sealed, ring, to, which, pace),
        Some(_) if !sealed.spec.encrypted_data.is_empty() => fail(Cause::BothForms),
        Some(_) if !policy.accept_deprecated_v1_data => fail(Cause::DeprecatedForm),
        Some(blob) => reseal_legacy(sealed, blob, ring, to),
    }
}

/// The SealedSecret with its new ciphertexts, as `/v1/rotate` answers it: everything of the author's
/// as it was, nothing of the server's.
pub fn object(sealed: &SealedSecret, resealed: Resealed) -> SealedSecret {
    let mut new = SealedSecret {
        status: None,
        ..sealed.clone()
    };
    new.metadata = ObjectMeta {
        name: sealed.metadata.name.clone(),
        namespace: sealed.metadata.namespace.clone(),
        labels: sealed.metadata.labels.clone(),
        annotations: sealed.metadata.annotations.clone().map(|mut annotations| {
            annotations.retain(|name, _| !annotation::LAST_APPLIED.contains(&name.as_str()));
            annotations
        }),
        ..ObjectMeta::default()
    };
    new.spec.encrypted_data.extend(resealed.changed);
    if let Some(template) = resealed.template {
        new.spec.data = None;
        new.spec.template = template;
    }
    new
}

fn reseal_items(
    sealed: &SealedSecret,
    ring: &KeyRing,
    to: &PublicKey,
    which: Which,
    pace: &mut dyn Pace,
) -> Result<Resealed, ResealError> {
    let hints = hint_all(sealed, to.fingerprint());
    let items::Items {
        opened,
        failed,
        attempts,
    } = items::open(sealed, ring, &hints, pace)?;
    let problems = unseal::undiagnosed(failed);
    UnsealError::unless_empty(problems, attempts).map_err(ResealError::Open)?;
    let is_stale = |by| which == Which::All || by != to.fingerprint();
    let (stale, kept): (Vec<_>, Vec<_>) =
        opened.into_iter().partition(|(_, (_, by))| is_stale(*by));
    let values = stale.into_iter().map(|(key, (value, _))| (key, value));
    Ok(Resealed {
        changed: seal(sealed, values, to)?,
        kept: kept.into_iter().map(|(key, _)| key).collect(),
        template: None,
    })
}

/// The deprecated form becomes the present one: the shape of the Secret inside becomes the template.
fn reseal_legacy(
    sealed: &SealedSecret,
    blob: &str,
    ring: &KeyRing,
    to: &PublicKey,
) -> Result<Resealed, ResealError> {
    let mut secret = unseal::open_legacy(sealed, blob, ring).map_err(ResealError::Open)?;
    let values = unseal::legacy_values(&mut secret);
    let mut annotations = secret.metadata.annotations.take().unwrap_or_default();
    annotations.retain(|name, _| !annotation::LAST_APPLIED.contains(&name.as_str()));
    let template = SecretTemplate {
        metadata: TemplateMetadata {
            name: sealed.metadata.name.clone(),
            namespace: sealed.metadata.namespace.clone(),
            labels: secret.metadata.labels.take().unwrap_or_default(),
            annotations,
            ..TemplateMetadata::default()
        },
        type_: secret.type_.take(),
        immutable: secret.immutable,
        ..SecretTemplate::default()
    };
    let changed = seal(sealed, values, to)?;
    Ok(Resealed {
        changed,
        kept: Vec::new(),
        template: Some(template),
    })
}

fn seal(
    sealed: &SealedSecret,
    values: impl IntoIterator<Item = (String, Plaintext)>,
    to: &PublicKey,
) -> Result<BTreeMap<String, String>, ResealError> {
    let label = Place::of(sealed).label();
    let seal_one =
        |(item, value): (String, Plaintext)| match sealed::seal(to, &label, value.expose()) {
            Ok(ciphertext) => Ok((item, sealed::encode(&ciphertext))),
            Err(source) => Err(ResealError::Seal { item, source }),
        };
    values.into_iter().map(seal_one).collect()
}

fn hint_all(sealed: &SealedSecret, to: Fingerprint) -> Hints {
    let items = sealed.spec.encrypted_data.keys();
    Hints::from(
        items
            .map(|item| (item.clone(), to))
            .collect::<BTreeMap<_, _>>(),
    )
}

#[cfg(test)]
mod tests;
