//! What this machine can do by itself, with its own identities and credentials.

#[cfg(feature = "age")]
pub mod age;
#[cfg(feature = "gpg")]
pub mod gpg;

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;

use crate::{Environment, KeyError, KeyService, Policy, Prompt};

/// The key service of this machine: it looks at the kind of a key, asks the policy, and hands the work
/// to the backend. Clients, tokens and identities are made when they are first needed and kept.
pub struct Local {
    policy: Policy,
    #[cfg(feature = "age")]
    age: Arc<age::AgeKeys>,
    #[cfg(feature = "aws")]
    aws: crate::aws::Aws,
    #[cfg(feature = "azure")]
    azure: crate::azure::Azure,
    #[cfg(feature = "gcp")]
    gcp: crate::gcp::Gcp,
    #[cfg(feature = "gpg")]
    gpg: gpg::Gpg,
    #[cfg(feature = "vault")]
    vault: crate::vault::Vault,
}

impl Local {
    /// Nothing is read or started yet.
    pub fn new(environment: &Environment, policy: Policy, prompt: &Arc<dyn Prompt>) -> Self {
        Self {
            #[cfg(feature = "age")]
            age: Arc::new(age::AgeKeys::new(
                environment.clone(),
                policy.clone(),
                Arc::clone(prompt),
            )),
            #[cfg(feature = "aws")]
            aws: crate::aws::Aws::new(environment.clone()),
            #[cfg(feature = "azure")]
            azure: crate::azure::Azure::new(environment.clone(), &policy),
            #[cfg(feature = "gcp")]
            gcp: crate::gcp::Gcp::new(environment.clone()),
            #[cfg(feature = "gpg")]
            gpg: gpg::Gpg::new(environment.clone()),
            #[cfg(feature = "vault")]
            vault: crate::vault::Vault::new(environment.clone(), &policy),
            policy,
        }
    }

    async fn wrap_for(&self, key: &MasterKey, secret: &Plaintext) -> Result<String, KeyError> {
        self.policy.check(key)?;
        match key {
            #[cfg(feature = "age")]
            MasterKey::Age { recipient } => age::wrap(&self.age, recipient, secret).await,
            #[cfg(feature = "azure")]
            MasterKey::AzureKv {
                vault_url,
                name,
                version,
            } => Ok(self
                .azure
                .wrap(vault_url, name, version.as_deref(), secret)
                .await?),
            #[cfg(feature = "gcp")]
            MasterKey::GcpKms { resource_id } => Ok(self.gcp.wrap(resource_id, secret).await?),
            #[cfg(feature = "vault")]
            MasterKey::HcVault {
                vault_address,
                engine_path,
                key_name,
            } => Ok(self
                .vault
                .wrap(vault_address, engine_path, key_name, secret)
                .await?),
            #[cfg(feature = "aws")]
            MasterKey::Kms { .. } => Ok(self.aws.wrap(key, secret).await?),
            #[cfg(feature = "gpg")]
            MasterKey::Pgp { fingerprint } => self.gpg.wrap(fingerprint, secret).await,
            other => Err(unusable(other)),
        }
    }

    async fn unwrap_for(&self, key: &MasterKey, wrapped: &str) -> Result<Plaintext, KeyError> {
        self.policy.check(key)?;
        match key {
            #[cfg(feature = "age")]
            MasterKey::Age { recipient } => age::unwrap(&self.age, recipient, wrapped).await,
            #[cfg(feature = "azure")]
            MasterKey::AzureKv {
                vault_url,
                name,
                version,
            } => Ok(self
                .azure
                .unwrap(vault_url, name, version.as_deref(), wrapped)
                .await?),
            #[cfg(feature = "gcp")]
            MasterKey::GcpKms { resource_id } => Ok(self.gcp.unwrap(resource_id, wrapped).await?),
            #[cfg(feature = "vault")]
            MasterKey::HcVault {
                vault_address,
                engine_path,
                key_name,
            } => Ok(self
                .vault
                .unwrap(vault_address, engine_path, key_name, wrapped)
                .await?),
            #[cfg(feature = "aws")]
            MasterKey::Kms { .. } => Ok(self.aws.unwrap(key, wrapped).await?),
            #[cfg(feature = "gpg")]
            MasterKey::Pgp { .. } => self.gpg.unwrap(wrapped).await,
            other => Err(unusable(other)),
        }
    }

    #[cfg(feature = "azure")]
    async fn completed(&self, key: &MasterKey) -> Result<MasterKey, KeyError> {
        let MasterKey::AzureKv {
            vault_url,
            name,
            version: None,
        } = key
        else {
            return Ok(key.clone());
        };
        self.policy.check(key)?;
        Ok(MasterKey::AzureKv {
            vault_url: vault_url.clone(),
            name: name.clone(),
            version: Some(self.azure.newest_version(vault_url, name).await?),
        })
    }
}

impl KeyService for Local {
    fn name(&self) -> &'static str {
        "this machine"
    }

    fn wrap<'a>(
        &'a self,
        key: &'a MasterKey,
        secret: &'a Plaintext,
    ) -> BoxFuture<'a, Result<String, KeyError>> {
        self.wrap_for(key, secret).boxed()
    }

    fn unwrap<'a>(
        &'a self,
        key: &'a MasterKey,
        wrapped: &'a str,
    ) -> BoxFuture<'a, Result<Plaintext, KeyError>> {
        self.unwrap_for(key, wrapped).boxed()
    }

    #[cfg(feature = "azure")]
    fn complete<'a>(&'a self, key: &'a MasterKey) -> BoxFuture<'a, Result<MasterKey, KeyError>> {
        self.completed(key).boxed()
    }
}

/// A kind of key that nothing here serves.
fn unusable(key: &MasterKey) -> KeyError {
    match key {
        MasterKey::HcKms { .. } => KeyError::Huawei,
        other => KeyError::NotBuilt {
            kind: other.key_type(),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{NoPrompt, block_on};

    fn nobody() -> Arc<dyn Prompt> {
        Arc::new(NoPrompt)
    }

    #[test]
    fn a_key_of_huawei_cloud_is_told_that_it_cannot_be_used() {
        let local = Local::new(&Environment::default(), Policy::everything(), &nobody());
        let key = MasterKey::HcKms {
            key_id: "cn-north-1:1234".into(),
        };
        let error = block_on(local.unwrap(&key, "x")).unwrap_err();
        assert!(matches!(error, KeyError::Huawei));
        assert!(error.hint().unwrap().contains("--keyservice"));
        let error = block_on(local.wrap(&key, &b"x".to_vec().into())).unwrap_err();
        assert!(matches!(error, KeyError::Huawei));
    }

    #[test]
    fn what_the_policy_does_not_list_is_refused_before_anything_is_started() {
        let local = Local::new(
            &Environment::default(),
            Policy::listed([] as [&str; 0]),
            &nobody(),
        );
        let key = MasterKey::Pgp {
            fingerprint: "FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4".into(),
        };
        let error = block_on(local.unwrap(&key, "x")).unwrap_err();
        assert!(matches!(error, KeyError::NotAllowed(_)));
        let error = block_on(local.wrap(&key, &b"x".to_vec().into())).unwrap_err();
        assert!(matches!(error, KeyError::NotAllowed(_)));
    }
}
