//! Keys of AWS KMS, by the official SDK: `Encrypt` and `Decrypt` with the encryption context of the
//! document.
//!
//! Credentials are those that the SDK finds: variables, the profile (the document's, or `AWS_PROFILE`),
//! web identity, the container's, the instance's. A role that the document names is assumed with them,
//! in a session `sops@HOST`. Keys, profiles, files and endpoints are taken from the [`Environment`];
//! the rest of the chain, which the SDK reads by itself, only if it is that of the process.

#[cfg(feature = "s3")]
mod s3;
mod session;

use std::collections::HashMap;

use aws_config::SdkConfig;
use aws_sdk_kms::Client;
use aws_sdk_kms::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_kms::primitives::Blob;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;

use crate::Environment;
#[cfg(feature = "s3")]
pub use s3::{S3, S3Error};

/// Why AWS KMS did not wrap or unwrap.
#[derive(Debug, thiserror::Error)]
pub enum AwsError {
    /// The answer lacks what was asked for.
    #[error("the answer for {arn} is empty")]
    Answer {
        /// The key.
        arn: String,
    },
    /// It is no ARN of a key or of an alias.
    #[error("`{arn}` is not the ARN of a KMS key or alias")]
    Arn {
        /// What stands there.
        arn: String,
    },
    /// What was wrapped is not base64.
    #[error("what was wrapped for {arn} is not base64")]
    Base64 {
        /// The key.
        arn: String,
    },
    /// Nothing in the environment gives credentials.
    #[error("there are no AWS credentials in the environment that is given")]
    NoCredentials,
    /// KMS, or STS before it, said no, or did not answer.
    #[error("{arn}: {code}{}", said(.message))]
    Refused {
        /// The key.
        arn: String,
        /// The service's name for it, such as `AccessDeniedException`.
        code: String,
        /// What it said.
        message: String,
    },
}

impl AwsError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let Self::Refused { code, message, .. } = self else {
            return match self {
                Self::Base64 { .. } => Some("restore the metadata of the file from history".into()),
                Self::NoCredentials => {
                    Some("set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY".into())
                }
                _ => None,
            };
        };
        let hint = match code.as_str() {
            "AccessDeniedException" => {
                "allow kms:Encrypt and kms:Decrypt on this key for the identity that `aws sts get-caller-identity` shows"
            }
            "InvalidCiphertextException" => {
                "the encryption context is not the one it was encrypted with, or the entry was changed"
            }
            "ExpiredTokenException" | "ExpiredToken" => "get new credentials: `aws sso login`",
            "NotFoundException" => "check the ARN and its region",
            "KMSInvalidStateException" | "DisabledException" => {
                "enable the key, or use another one"
            }
            _ if message.contains("credentials") => "set AWS_PROFILE, or run `aws sso login`",
            _ => return None,
        };
        Some(hint.into())
    }
}

/// Speaks with any number of regions, profiles and roles.
pub(crate) struct Aws {
    environment: Environment,
    clients: futures::lock::Mutex<HashMap<Account, Client>>,
}

/// What decides about credentials and region.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Account {
    region: String,
    profile: Option<String>,
    role: Option<String>,
}

/// The parts of a key that are needed here.
struct Key<'a> {
    arn: &'a str,
    account: Account,
    context: Option<HashMap<String, String>>,
}

impl Aws {
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            environment,
            clients: futures::lock::Mutex::default(),
        }
    }

    pub(crate) async fn wrap(
        &self,
        key: &MasterKey,
        secret: &Plaintext,
    ) -> Result<String, AwsError> {
        let key = parts(key)?;
        let client = self.client(&key.account).await?;
        let answer = client
            .encrypt()
            .key_id(key.arn)
            .plaintext(Blob::new(secret.expose()))
            .set_encryption_context(key.context)
            .send()
            .await
            .map_err(|error| refused(key.arn, &error))?;
        let blob = answer.ciphertext_blob.ok_or_else(|| AwsError::Answer {
            arn: key.arn.to_owned(),
        })?;
        Ok(STANDARD.encode(blob))
    }

    pub(crate) async fn unwrap(
        &self,
        key: &MasterKey,
        wrapped: &str,
    ) -> Result<Plaintext, AwsError> {
        let key = parts(key)?;
        let arn = || key.arn.to_owned();
        let blob = STANDARD
            .decode(wrapped.trim())
            .map_err(|_| AwsError::Base64 { arn: arn() })?;
        let client = self.client(&key.account).await?;
        let answer = client
            .decrypt()
            .key_id(key.arn)
            .ciphertext_blob(Blob::new(blob))
            .set_encryption_context(key.context)
            .send()
            .await
            .map_err(|error| refused(key.arn, &error))?;
        let plaintext = answer
            .plaintext
            .ok_or_else(|| AwsError::Answer { arn: arn() })?;
        Ok(Plaintext::new(plaintext.into_inner()))
    }

    async fn client(&self, account: &Account) -> Result<Client, AwsError> {
        let mut clients = self.clients.lock().await;
        if let Some(client) = clients.get(account) {
            return Ok(client.clone());
        }
        let config = self.config(account).await?;
        let mut builder = aws_sdk_kms::config::Builder::from(&config);
        if let Some(url) = self.environment.var("AWS_ENDPOINT_URL_KMS") {
            builder = builder.endpoint_url(url);
        }
        let client = Client::from_conf(builder.build());
        clients.insert(account.clone(), client.clone());
        Ok(client)
    }

    async fn config(&self, account: &Account) -> Result<SdkConfig, AwsError> {
        let config = session::config(
            &self.environment,
            &account.region,
            account.profile.as_deref(),
        );
        let config = config.await.ok_or(AwsError::NoCredentials)?;
        Ok(match &account.role {
            Some(role) => session::assume(&config, role).await,
            None => config,
        })
    }
}

fn parts(key: &MasterKey) -> Result<Key<'_>, AwsError> {
    let MasterKey::Kms {
        arn,
        role,
        context,
        aws_profile,
    } = key
    else {
        return Err(AwsError::Arn {
            arn: key.to_string(),
        });
    };
    let region = key
        .aws_region()
        .ok_or_else(|| AwsError::Arn { arn: arn.clone() })?;
    let pairs = context
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()));
    Ok(Key {
        arn,
        account: Account {
            region: region.to_owned(),
            profile: aws_profile.clone(),
            role: role.clone(),
        },
        context: (!context.is_empty()).then(|| pairs.collect()),
    })
}

fn refused<E, R>(arn: &str, error: &SdkError<E, R>) -> AwsError
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug,
{
    let (code, message) = match error.as_service_error() {
        Some(error) => (
            error.code().unwrap_or("refused"),
            error.message().unwrap_or_default().to_owned(),
        ),
        None => ("no answer", root_cause(error)),
    };
    AwsError::Refused {
        arn: arn.to_owned(),
        code: code.to_owned(),
        message,
    }
}

/// The innermost cause says what happened: no credentials, no route, a role that may not be assumed.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

fn said(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use super::*;
    use crate::block_on;

    fn key(arn: &str) -> MasterKey {
        MasterKey::Kms {
            arn: arn.into(),
            role: None,
            context: BTreeMap::from([("app".into(), "web".into())]),
            aws_profile: None,
        }
    }

    #[test]
    fn the_region_is_that_of_the_arn_and_the_context_goes_along() {
        let key = key("arn:aws-us-gov:kms:us-gov-west-1:111122223333:alias/a");
        let parts = parts(&key).unwrap();
        assert_eq!(parts.account.region, "us-gov-west-1");
        assert_eq!(parts.context.unwrap()["app"], "web");
    }

    #[test]
    fn what_is_no_arn_or_no_base64_is_refused_before_anybody_is_asked() {
        let aws = Aws::new(Environment::default());
        let secret = Plaintext::from(vec![7; 32]);
        let error = block_on(aws.wrap(&key("arn:aws:s3:::bucket"), &secret)).unwrap_err();
        assert!(matches!(error, AwsError::Arn { .. }));
        let arn = "arn:aws:kms:eu-central-1:111122223333:key/1234";
        let error = block_on(aws.unwrap(&key(arn), "not base64!")).unwrap_err();
        assert!(matches!(error, AwsError::Base64 { .. }));
    }

    #[test]
    fn an_environment_without_credentials_gets_none_from_the_process() {
        let aws = Aws::new(Environment::default());
        let arn = "arn:aws:kms:eu-central-1:111122223333:key/1234";
        let error = block_on(aws.unwrap(&key(arn), "AAAA")).unwrap_err();
        assert!(matches!(error, AwsError::NoCredentials));
    }
}
