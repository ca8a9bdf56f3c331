//! Destinations.

use signet_providers::aws::{S3, S3Error};
use signet_providers::gcp::{CloudStorage, StorageError};
use signet_providers::vault::{self, Data, KeyValue, VaultError};
use signet_providers::{Policy, block_on};

use super::{Content, Object, Outcome, PublishError, Secret, Service};
use crate::Context;
use crate::error::chain;
use crate::secrets::environment;

/// Everywhere that files are published to. Nothing is connected before it is needed.
pub struct Uploader {
    s3: S3,
    gcs: CloudStorage,
    vault: KeyValue,
}

impl Uploader {
    /// With the credentials of the environment.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "a build without a network has no destinations"
    )]
    pub fn open(context: &Context) -> Result<Self, PublishError> {
        let environment = environment(context);
        Ok(Self {
            s3: S3::new(&environment),
            gcs: CloudStorage::new(&environment),
            vault: KeyValue::new(&environment, &Policy::everything()),
        })
    }

    /// Whether a Vault has these values already.
    pub fn has(&self, secret: &Secret<'_>) -> Result<bool, PublishError> {
        let there = block_on(self.vault.read(&place(secret)))?;
        Ok(there == Some(data(secret)?))
    }

    /// Writes it there. What a Vault has already is not written again.
    pub fn upload(&self, content: &Content<'_>) -> Result<Outcome, PublishError> {
        let secret = match content {
            Content::Object(to, bytes) => {
                self.put(to, bytes)?;
                return Ok(Outcome::Written { unseen: false });
            }
            Content::Secret(secret) => secret,
        };
        let (place, data) = (place(secret), data(secret)?);
        // Who may write need not be allowed to read.
        let there = block_on(self.vault.read(&place));
        if let Ok(Some(there)) = &there
            && *there == data
        {
            return Ok(Outcome::Same);
        }
        block_on(self.vault.write(&place, &data))?;
        Ok(Outcome::Written {
            unseen: there.is_err(),
        })
    }

    fn put(&self, to: &Object<'_>, bytes: &[u8]) -> Result<(), PublishError> {
        match to.service {
            Service::Gcs => block_on(self.gcs.put(to.bucket, &to.name, bytes))?,
            Service::S3 => block_on(self.s3.put(to.bucket, &to.name, bytes))?,
        }
        Ok(())
    }
}

fn place(secret: &Secret<'_>) -> vault::Secret {
    vault::Secret {
        server: secret.server.map(str::to_owned),
        mount: secret.mount.to_owned(),
        version: secret.version,
        path: secret.path.clone(),
    }
}

fn data(secret: &Secret<'_>) -> Result<Data, PublishError> {
    Data::parse(&secret.values).ok_or_else(|| PublishError::Upload {
        message: format!("the values for `{}` are no JSON object", secret.path),
        hint: None,
    })
}

impl From<S3Error> for PublishError {
    fn from(error: S3Error) -> Self {
        Self::Upload {
            message: chain(&error),
            hint: error.hint(),
        }
    }
}

impl From<StorageError> for PublishError {
    fn from(error: StorageError) -> Self {
        Self::Upload {
            message: chain(&error),
            hint: error.hint(),
        }
    }
}

impl From<VaultError> for PublishError {
    fn from(error: VaultError) -> Self {
        Self::Upload {
            message: chain(&error),
            hint: error.hint(),
        }
    }
}
