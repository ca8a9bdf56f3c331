//! What is published of a file, and where to.
//!
//! ```text
//! destination      what goes there
//! bucket           the encrypted file as it is, or encrypted anew if the rule names recipients
//! Vault            the values, decrypted
//! ```
//!
//! Whatever is decrypted on the way is proven first.

use std::path::Path;

use signet_documents::emit::sops::{self as emit, EmitError};
use signet_documents::rules::{CreationRule, Destination, DestinationRule};
use signet_documents::sops::readers::KeyDiff;
use signet_documents::sops::{Decrypted, MacCheck, Warning};
use signet_keys::Plaintext;
use signet_keys::sops::LastModified;
use signet_keys::sops::master_key::DecryptionOrder;
use zeroize::Zeroizing;

use crate::{Env, Hint};

use super::{
    EncryptError, KeysError, LockedError, OpenError, PlainFile, Recipients, SecretFile, Services,
    encrypt,
};

#[cfg(not(feature = "full"))]
#[path = "publish/absent.rs"]
mod upload;
#[cfg(feature = "full")]
mod upload;

pub use upload::Uploader;

/// What is to be published.
#[derive(Debug)]
pub struct Plan {
    /// The file.
    pub secret: SecretFile,
    /// Where to, and for whom.
    pub rule: DestinationRule,
    /// Its name there, behind the prefix of the rule.
    pub name: String,
}

/// A file that was opened as far as it must be, and proven so far.
#[derive(Debug)]
pub enum Opened<'p> {
    /// The file goes to a bucket.
    Object {
        /// Which object.
        to: Object<'p>,
        /// For whom it is encrypted anew, and what is in it.
        anew: Option<(&'p CreationRule, Box<Decrypted>)>,
    },
    /// Its values go to a Vault.
    Secret(Secret<'p>),
}

/// What goes to the destination.
#[derive(Debug)]
pub enum Content<'p> {
    /// An object of a bucket, and its bytes.
    Object(Object<'p>, Vec<u8>),
    /// A secret of a Vault.
    Secret(Secret<'p>),
}

/// An object of a bucket.
#[derive(Debug)]
pub struct Object<'p> {
    /// Whose bucket.
    pub service: Service,
    /// The bucket.
    pub bucket: &'p str,
    /// Its name there.
    pub name: String,
}

/// Who has buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Google Cloud Storage.
    Gcs,
    /// S3, and servers that are like it.
    S3,
}

/// A secret of a Vault.
#[derive(Debug)]
pub struct Secret<'p> {
    /// The server, if the rule names one.
    pub server: Option<&'p str>,
    /// Where the engine is mounted.
    pub mount: &'p str,
    /// Version of the engine, 1 or 2.
    pub version: u8,
    /// The path in it.
    pub path: String,
    /// A JSON object of values in the clear.
    pub values: Plaintext,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was written.
    Written {
        /// Whether nobody could say what was there before.
        unseen: bool,
    },
    /// It was there already.
    Same,
}

/// What has to be done with a file before it is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// It goes as it is.
    Nothing,
    /// Its values go.
    Decryption,
    /// It is encrypted anew.
    Recreation,
}

/// Why a file was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// It was not encrypted anew.
    #[error(transparent)]
    Encrypt(#[from] EncryptError),
    /// Its data key.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// It does not decrypt, or is not as it was encrypted.
    #[error(transparent)]
    Locked(#[from] LockedError),
    /// What was decrypted cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The destination did not take it.
    #[error("{message}")]
    Upload {
        /// Why.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Its values cannot be said in JSON.
    #[error(transparent)]
    Values(#[from] EmitError),
}

impl Hint for PublishError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Encrypt(error) => error.hint(),
            Self::Keys(error) => error.hint(),
            Self::Locked(error) => error.hint(),
            Self::Open(error) => error.hint(),
            Self::Upload { hint, .. } => hint.clone(),
            Self::Values(_) => Some("publish it to a bucket, as a file".to_owned()),
        }
    }
}

impl Plan {
    /// Where it goes, in full.
    pub fn place(&self, env: &Env) -> String {
        let vault = env.var("VAULT_ADDR").and_then(|address| address.to_str());
        let vault = vault.unwrap_or("https://127.0.0.1:8200");
        self.rule.destination.place(&self.name, vault)
    }

    /// What has to be done with it.
    pub fn work(&self) -> Work {
        match (&self.rule.destination, &self.rule.recreation) {
            (Destination::Vault { .. }, _) => Work::Decryption,
            (_, Some(_)) => Work::Recreation,
            (_, None) => Work::Nothing,
        }
    }

    /// How its recipients will differ there, if it is encrypted anew for others.
    pub fn difference(&self) -> Option<KeyDiff> {
        let rule = self.rule.recreation.as_ref()?;
        let diff = KeyDiff::between(&self.secret.metadata, rule);
        Some(diff).filter(|diff| self.work() == Work::Recreation && diff.needs_wrapping())
    }

    /// Decrypts and proves the file, if what is published is not the file itself.
    pub fn open(
        &self,
        services: &Services,
        order: &DecryptionOrder,
    ) -> Result<Opened<'_>, PublishError> {
        let decrypted = || {
            let cipher = self.secret.unlock(services, order)?;
            Ok::<_, PublishError>(self.secret.decrypt(&cipher, MacCheck::Verify)?)
        };
        let object = |service, bucket| {
            let rule = self.rule.recreation.as_ref();
            let anew = rule.map(|rule| Ok::<_, PublishError>((rule, Box::new(decrypted()?))));
            Ok(Opened::Object {
                to: Object {
                    service,
                    bucket,
                    name: self.object(),
                },
                anew: anew.transpose()?,
            })
        };
        match &self.rule.destination {
            Destination::Gcs { bucket, .. } => object(Service::Gcs, bucket),
            Destination::S3 { bucket, .. } => object(Service::S3, bucket),
            Destination::Vault {
                address,
                mount,
                version,
                ..
            } => Ok(Opened::Secret(Secret {
                server: address.as_deref(),
                mount,
                version: *version,
                path: self.object(),
                values: emit::object(&decrypted()?.tree)?,
            })),
        }
    }

    /// What goes to the destination, and what the user should know about it.
    pub fn content<'p>(
        &'p self,
        opened: Opened<'p>,
        services: &Services,
        now: &LastModified,
    ) -> Result<(Content<'p>, Vec<Warning>), PublishError> {
        match opened {
            Opened::Secret(secret) => Ok((Content::Secret(secret), Vec::new())),
            Opened::Object { to, anew: None } => {
                let bytes = self.secret.bytes.to_vec();
                Ok((Content::Object(to, bytes), Vec::new()))
            }
            Opened::Object {
                to,
                anew: Some((rule, decrypted)),
            } => {
                let secret = &self.secret;
                let text = Zeroizing::new(decrypted.text.expose().to_vec());
                let plain = PlainFile::parse(&secret.input, secret.file.format(), text)?;
                let recipients = Recipients::from(rule.clone());
                let encrypted = encrypt(&plain, &recipients, services, now)?;
                Ok((Content::Object(to, encrypted.bytes), encrypted.warnings))
            }
        }
    }

    fn object(&self) -> String {
        self.rule.destination.object(&self.name)
    }
}

/// The name of a file without its extension. What begins with a dot has a name all the same.
pub fn without_extension(name: &str) -> String {
    let path = Path::new(name);
    let stem = path.file_stem().unwrap_or_default();
    path.with_file_name(stem).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_one_extension_and_never_all_of_itself() {
        for (name, without) in [
            ("a.yaml", "a"),
            ("b/a.enc.yaml", "b/a.enc"),
            ("b.d/a", "b.d/a"),
            (".env", ".env"),
            ("b/.env.json", "b/.env"),
        ] {
            assert_eq!(without_extension(name), without);
        }
    }
}
