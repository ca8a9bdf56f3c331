//! The deprecated form: one ciphertext over the JSON of a whole Secret, in `spec.data`.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use signet_crds::sealed_secret::SealedSecret;
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::OpenError;
use signet_keys::{Fingerprint, Plaintext};

use super::diagnosis::Search;
use super::{Cause, Hints, UnsealError, Unsealed};
use crate::desired::{self, DesiredSecret};
use crate::items::{self, Place};
use crate::policy::Policy;

/// The Secret inside, under the name, namespace and owner that the SealedSecret gives it.
pub(super) fn unseal(
    sealed: &SealedSecret,
    blob: &str,
    ring: &KeyRing,
    hints: &Hints,
    policy: &Policy,
) -> Result<Unsealed, UnsealError> {
    let mut attempts = 0;
    let (json, key) = open(sealed, blob, ring, hints, &mut attempts).map_err(|cause| {
        let cause = match cause {
            Cause::Undecryptable(OpenError::Undecryptable, _) => Cause::Undecryptable(
                OpenError::Undecryptable,
                Search::new(sealed, ring).text(blob),
            ),
            other => other,
        };
        UnsealError::whole(cause, attempts)
    })?;
    let inside = parse(&json).map_err(|cause| UnsealError::whole(cause, attempts))?;
    Ok(Unsealed {
        secret: secret(sealed, inside, policy),
        opened_by: BTreeMap::from([(String::new(), key)]),
        attempts,
        warnings: Vec::new(),
    })
}

/// Decrypts the whole.
pub(super) fn open(
    sealed: &SealedSecret,
    blob: &str,
    ring: &KeyRing,
    hints: &Hints,
    attempts: &mut usize,
) -> Result<(Plaintext, Fingerprint), Cause> {
    let label = Place::of(sealed).label();
    Ok(items::open_one(blob, ring, &label, hints.of(""), attempts)?)
}

/// Reads the JSON inside. What the parser has to say would quote plaintext, so it says nothing.
pub(super) fn parse(json: &Plaintext) -> Result<Secret, Cause> {
    serde_json::from_slice(json.expose()).map_err(|_| Cause::NotASecret)
}

/// The items of a Secret, `stringData` winning as in the API server.
pub(crate) fn values(secret: &mut Secret) -> BTreeMap<String, Plaintext> {
    let data = secret.data.take().unwrap_or_default();
    let text = secret.string_data.take().unwrap_or_default();
    let bytes = data
        .into_iter()
        .map(|(key, ByteString(value))| (key, value));
    let text = text
        .into_iter()
        .map(|(key, value)| (key, value.into_bytes()));
    bytes
        .chain(text)
        .map(|(key, value)| (key, Plaintext::new(value)))
        .collect()
}

fn secret(sealed: &SealedSecret, mut inside: Secret, policy: &Policy) -> DesiredSecret {
    let data = values(&mut inside);
    let mut labels = policy.default_labels.clone();
    labels.extend(inside.metadata.labels.unwrap_or_default());
    DesiredSecret {
        namespace: sealed.metadata.namespace.clone(),
        name: sealed.metadata.name.clone().unwrap_or_default(),
        type_: inside.type_,
        immutable: inside.immutable,
        data,
        labels,
        annotations: inside.metadata.annotations.unwrap_or_default(),
        finalizers: inside.metadata.finalizers.unwrap_or_default(),
        owner: desired::owner(sealed),
    }
}
