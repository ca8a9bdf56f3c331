//! Private keys in whichever form people have kept them.
//!
//! - PEM, PKCS#1 or PKCS#8, one key or several, certificates beside them or not;
//! - a key Secret of the controller, YAML or JSON;
//! - a List of them, as `kubectl get secret -l sealedsecrets.bitnami.com/sealed-secrets-key -o yaml`
//!   prints it, or several documents;
//! - any of these encrypted with age, as `signet keys backup` writes it.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use signet_documents::manifest::Resource;
use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::keyring::{KeyRing, SealingKey};
use signet_keys::rsa::{KeyError, PrivateKey};
use signet_keys::sealed;
use zeroize::Zeroizing;

use crate::age_files::{self, AgeError};
use crate::files::{Input, ReadError};
use crate::manifest::{Manifest, ManifestError, Place};
use crate::{Hint, Ui};

/// The options that name private keys.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct KeyOptions {
    /// Private keys: PEM, a key Secret, a List of them, or one of these encrypted with age
    #[arg(long = "private-key", value_name = "FILE")]
    pub private_keys: Vec<PathBuf>,
    /// The age identity file that opens an encrypted backup
    #[arg(long, value_name = "FILE")]
    pub identity: Vec<PathBuf>,
}

impl KeyOptions {
    /// Whether any private key was named.
    pub fn given(&self) -> bool {
        !self.private_keys.is_empty()
    }

    /// Reads all keys that were named.
    pub fn load(&self, ui: &mut Ui) -> Result<KeyRing, PrivateKeyError> {
        let mut keys = Vec::new();
        for path in &self.private_keys {
            let input = Input::from_argument(path.clone());
            let mut bytes = input.read(ui)?;
            if age_files::is_encrypted(&bytes) {
                bytes = age_files::decrypt(&input, &bytes, &self.identity)?;
            }
            keys.extend(read(&input, bytes)?);
        }
        Ok(KeyRing::new(keys))
    }
}

/// Why private keys could not be had.
#[derive(Debug, thiserror::Error)]
pub enum PrivateKeyError {
    /// The encrypted backup does not open.
    #[error(transparent)]
    Age(#[from] AgeError),
    /// The value of `tls.key` is not base64.
    #[error("{0}: `tls.key` is not base64")]
    Base64(Place),
    /// A certificate could not be made for a key that has none.
    #[error("`{0}`: the private key does not work")]
    Broken(Input),
    /// The key is no usable RSA key.
    #[error("{place}")]
    Key {
        /// Where the key is.
        place: String,
        /// What is wrong with it.
        source: KeyError,
    },
    /// The file is neither PEM nor YAML nor JSON.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The file has no key in it.
    #[error("`{0}` holds no private key")]
    None(Input),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Hint for PrivateKeyError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Age(error) => error.hint(),
            Self::Key { source, .. } => source.hint().map(str::to_owned),
            Self::Manifest(error) => error.hint(),
            Self::None(_) => Some(
                "a private key is a PEM file, or the Secrets that \
                 `kubectl get secret -l sealedsecrets.bitnami.com/sealed-secrets-key -o yaml` prints"
                    .to_owned(),
            ),
            Self::Read(error) => error.hint(),
            Self::Base64(_) | Self::Broken(_) => None,
        }
    }
}

/// Reads the keys of one file.
pub fn read(input: &Input, bytes: Zeroizing<Vec<u8>>) -> Result<Vec<SealingKey>, PrivateKeyError> {
    let keys = if starts_with_pem(&bytes) {
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

/// PEM allows text before the first block; a YAML file has its PEM indented or in base64.
fn starts_with_pem(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines().any(|line| line.starts_with(BEGIN))
}

/// Every private key of a PEM text. A certificate of the same key gives its dates.
fn from_pem(input: &Input, bytes: &[u8]) -> Result<Vec<SealingKey>, PrivateKeyError> {
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
            sealing_key(input, input.to_string(), key, own.cloned())
        })
        .collect()
}

/// Every key Secret of a manifest. Other resources are passed over: backups hold them too.
fn from_secrets(manifest: &Manifest) -> Result<Vec<SealingKey>, PrivateKeyError> {
    manifest
        .resources()
        .filter_map(|resource| of_secret(manifest, &resource).transpose())
        .collect()
}

/// The key of a key Secret; nothing when the resource is none.
pub fn of_secret(
    manifest: &Manifest,
    secret: &Resource<'_>,
) -> Result<Option<SealingKey>, PrivateKeyError> {
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
    sealing_key(&manifest.input, name, key, certificate).map(Some)
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
