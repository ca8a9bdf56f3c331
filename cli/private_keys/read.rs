//! Private keys from the text of a file.

use jiff::{SignedDuration, Timestamp};
use signet_crds::constants::label::SEALING_KEY;
use signet_documents::manifest::Resource;
use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::keyring::SealingKey;
use signet_keys::rsa::PrivateKey;
use signet_keys::sealed;
use zeroize::Zeroizing;

use super::{KeptKey, PrivateKeyError};
use crate::files::Input;
use crate::manifest::Manifest;

/// Reads the keys of one file.
pub fn read(input: &Input, bytes: Zeroizing<Vec<u8>>) -> Result<Vec<KeptKey>, PrivateKeyError> {
    let keys = if is_pem(&bytes) {
        from_pem(input, &bytes)?
    } else {
        from_secrets(&Manifest::parse(input, bytes)?)?
    };
    if keys.is_empty() {
        return Err(PrivateKeyError::None(input.clone()));
    }
    Ok(keys)
}

const BEGIN: &str = "-----BEGIN ";

/// Whether a file is PEM, which allows text before the first block; a YAML file has its PEM indented
/// or in base64.
pub fn is_pem(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines().any(|line| line.starts_with(BEGIN))
}

/// Every private key of a PEM text. A certificate of the same key gives its dates.
fn from_pem(input: &Input, bytes: &[u8]) -> Result<Vec<KeptKey>, PrivateKeyError> {
    let text = Zeroizing::new(String::from_utf8_lossy(bytes).into_owned());
    let starts = || text.match_indices(BEGIN).map(|(start, _)| start);
    let blocks = starts().zip(starts().skip(1).chain([text.len()]));
    let (mut keys, mut certificates) = (Vec::new(), Vec::new());
    for (start, end) in blocks {
        let block = &text[start..end];
        let label = block.lines().next().unwrap_or_default();
        if label.contains("PRIVATE KEY") {
            let key =
                PrivateKey::from_pem(block.as_bytes()).map_err(|source| PrivateKeyError::Key {
                    place: format!("`{input}`"),
                    source,
                })?;
            keys.push(key);
        } else if let Ok(certificate) = Certificate::from_pem(block.as_bytes()) {
            certificates.push(certificate);
        }
    }
    keys.into_iter()
        .map(|key| {
            let own = certificates
                .iter()
                .find(|certificate| certificate.public_key() == key.public_key());
            let key = sealing_key(input, input.to_string(), key, own.cloned())?;
            Ok(KeptKey { key, label: None })
        })
        .collect()
}

/// Every key Secret of a manifest. Other resources are passed over: backups hold them too.
fn from_secrets(manifest: &Manifest) -> Result<Vec<KeptKey>, PrivateKeyError> {
    manifest
        .resources()
        .filter_map(|resource| of_secret(manifest, &resource).transpose())
        .collect()
}

/// The key of a key Secret; nothing when the resource is none.
pub fn of_secret(
    manifest: &Manifest,
    secret: &Resource<'_>,
) -> Result<Option<KeptKey>, PrivateKeyError> {
    // An item of a SecretList may leave its kind out: the list says it.
    if secret.kind().is_some_and(|kind| kind != "Secret") {
        return Ok(None);
    }
    let Some(pem) = value(manifest, secret, "tls.key")? else {
        return Ok(None);
    };
    let place = manifest.place(secret);
    let key = PrivateKey::from_pem(&pem).map_err(|source| PrivateKeyError::Key {
        place: format!("{place}: `tls.key`"),
        source,
    })?;
    let certificate = value(manifest, secret, "tls.crt")?
        .and_then(|pem| Certificate::from_pem(&pem).ok())
        .filter(|certificate| certificate.public_key() == key.public_key());
    let name = secret
        .name()
        .map_or_else(|| place.to_string(), str::to_owned);
    let key = sealing_key(&manifest.input, name, key, certificate)?;
    let labels = secret.node.get("metadata").and_then(|it| it.get("labels"));
    let label = labels.and_then(|it| it.get(SEALING_KEY)?.text());
    Ok(Some(KeptKey {
        key,
        label: label.map(str::to_owned),
    }))
}

/// One value of a Secret, decoded.
fn value(
    manifest: &Manifest,
    secret: &Resource<'_>,
    item: &str,
) -> Result<Option<Zeroizing<Vec<u8>>>, PrivateKeyError> {
    let of = |field| secret.node.get(field)?.get(item)?.text();
    if let Some(text) = of("stringData") {
        return Ok(Some(Zeroizing::new(text.as_bytes().to_vec())));
    }
    of("data")
        .map(|text| {
            sealed::decode(text)
                .map(Zeroizing::new)
                .map_err(|_| PrivateKeyError::Base64(manifest.place(secret)))
        })
        .transpose()
}

/// Whether a key came without a certificate, so that nothing is known of its age.
pub fn is_dateless(key: &SealingKey) -> bool {
    key.certificate.not_before() == Timestamp::UNIX_EPOCH
}

/// A key without a certificate gets one that says as little as possible.
fn sealing_key(
    input: &Input,
    name: String,
    private: PrivateKey,
    certificate: Option<Certificate>,
) -> Result<SealingKey, PrivateKeyError> {
    let certificate = match certificate {
        Some(certificate) => certificate,
        None => Certificate::self_signed(
            &private,
            &SelfSigned {
                common_name: String::new(),
                not_before: Timestamp::UNIX_EPOCH,
                lifetime: SignedDuration::from_hours(24),
            },
        )
        .map_err(|_| PrivateKeyError::Broken(input.clone()))?,
    };
    Ok(SealingKey {
        name,
        ordering: certificate.not_before(),
        private,
        certificate,
    })
}
