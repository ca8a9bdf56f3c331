//! Private keys in whichever form people have kept them.
//!
//! - PEM, PKCS#1 or PKCS#8, one key or several, certificates beside them or not;
//! - a key Secret of the controller, YAML or JSON;
//! - a List of them, as `kubectl get secret -l sealedsecrets.bitnami.com/sealed-secrets-key -o yaml`
//!   prints it, or several documents;
//! - any of these encrypted with age, as `signet keys backup` writes it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use signet_crds::constants::label::SEALING_KEY_ACTIVE;
use signet_keys::Fingerprint;
use signet_keys::keyring::{KeyRing, SealingKey};
use signet_keys::rsa::KeyError;

use crate::age_files::{self, AgeError};
use crate::files::{Input, ReadError};
use crate::manifest::{ManifestError, Place};
use crate::{Hint, Ui};

mod read;

pub use read::{is_dateless, is_pem, of_secret, read};

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
    pub fn load(&self, ui: &mut Ui) -> Result<PrivateKeys, PrivateKeyError> {
        let mut keys = Vec::new();
        for path in &self.private_keys {
            let input = Input::from_argument(path.clone());
            let mut bytes = input.read(ui)?;
            if age_files::is_encrypted(&bytes) {
                bytes = age_files::decrypt(&input, &bytes, &self.identity)?;
            }
            keys.extend(read(&input, bytes)?);
        }
        Ok(keys.into_iter().collect())
    }
}

/// A key, and what the label of its Secret says of it.
#[derive(Debug)]
pub struct KeptKey {
    /// The key.
    pub key: SealingKey,
    /// Value of the label that makes a Secret a key of the controller; nothing without one, as in a
    /// PEM file.
    pub label: Option<String>,
}

impl KeptKey {
    /// `active`, or what retired it. A key without a label was never retired.
    pub fn state(&self) -> &str {
        self.label.as_deref().unwrap_or(SEALING_KEY_ACTIVE)
    }
}

/// Private keys, and which of them are retired.
#[derive(Debug, Default)]
pub struct PrivateKeys {
    ring: KeyRing,
    retired: BTreeMap<Fingerprint, String>,
}

impl FromIterator<KeptKey> for PrivateKeys {
    /// A key that is there twice is retired when one of its Secrets says so.
    fn from_iter<I: IntoIterator<Item = KeptKey>>(keys: I) -> Self {
        let mut retired = BTreeMap::new();
        let mut all = Vec::new();
        for kept in keys {
            if kept.state() != SEALING_KEY_ACTIVE {
                retired.insert(kept.key.fingerprint(), kept.state().to_owned());
            }
            all.push(kept.key);
        }
        Self {
            ring: KeyRing::new(all),
            retired,
        }
    }
}

impl PrivateKeys {
    /// All of them: what was sealed for a retired key opens with it all the same.
    pub fn ring(&self) -> &KeyRing {
        &self.ring
    }

    /// All of them.
    pub fn into_ring(self) -> KeyRing {
        self.ring
    }

    /// `active`, or the label that retired the key.
    pub fn state(&self, key: &Fingerprint) -> &str {
        self.retired.get(key).map_or(SEALING_KEY_ACTIVE, |it| it)
    }

    /// The key to seal for: a retired one may be known to others.
    pub fn newest_active(&self) -> Option<&SealingKey> {
        self.ring
            .iter()
            .find(|key| self.state(&key.fingerprint()) == SEALING_KEY_ACTIVE)
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
