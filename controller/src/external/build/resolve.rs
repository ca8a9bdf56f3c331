//! What stores refer to: items of Secrets and ConfigMaps.
//!
//! A SecretStore reaches its own namespace alone, whatever namespace its references name. Those of a
//! ClusterSecretStore count; without one they are resolved where the store is used.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{Api, Client};
use sha2::{Digest, Sha256};
use signet_crds::external::refs::{
    CaProvider, CaProviderType, SecretKeySelector, ServiceAccountSelector, StoreKind,
};
use signet_engine::manifest::SecretManifest;
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use super::{BuildError, token::ServiceAccountTokens};
use crate::api::ask;

/// Looks up what one store refers to, and remembers a digest of all that it found.
pub struct Resolver {
    client: Client,
    kind: StoreKind,
    namespace: String,
    digest: Sha256,
    secrets: BTreeMap<(String, String), SecretManifest>,
}

impl Resolver {
    pub(in super::super) fn new(
        client: Client,
        kind: StoreKind,
        namespace: &str,
        secret: &[u8; 32],
    ) -> Self {
        Self {
            client,
            kind,
            namespace: namespace.to_owned(),
            digest: Sha256::new_with_prefix(secret),
            secrets: BTreeMap::new(),
        }
    }

    /// An item of a Secret; `default` is the item when none is named.
    pub(super) async fn secret(
        &mut self,
        reference: &SecretKeySelector,
        default: Option<&str>,
    ) -> Result<Plaintext, BuildError> {
        let namespace = self.namespace_of(reference.namespace.as_deref());
        let key = reference.key.as_deref().or(default).unwrap_or_default();
        let place = (namespace.clone(), reference.name.clone());
        let what = format!("the Secret `{namespace}/{}`", reference.name);
        if !self.secrets.contains_key(&place) {
            let api: Api<Secret> = Api::namespaced(self.client.clone(), &namespace);
            let found = ask(api.get(&reference.name)).await;
            let found = found.map_err(|error| BuildError::Api {
                what: what.clone(),
                error,
            })?;
            self.secrets
                .insert(place.clone(), SecretManifest::new(found));
        }
        let data = self
            .secrets
            .get(&place)
            .and_then(|secret| secret.expose().data.as_ref());
        let item = data
            .and_then(|data| data.get(key))
            .ok_or_else(|| BuildError::NoItem {
                what,
                key: key.to_owned(),
            })?;
        let value = Plaintext::new(item.0.clone());
        self.note(value.expose());
        Ok(value)
    }

    /// The same as text, without the line break that files end with.
    pub(super) async fn text(
        &mut self,
        reference: &SecretKeySelector,
        default: Option<&str>,
    ) -> Result<Zeroizing<String>, BuildError> {
        let value = self.secret(reference, default).await?;
        let text = std::str::from_utf8(value.expose()).map_err(|_| {
            BuildError::Invalid(format!("an item of `{}` is not UTF-8 text", reference.name))
        })?;
        Ok(Zeroizing::new(
            text.trim_end_matches(['\r', '\n']).to_owned(),
        ))
    }

    /// Certificates of an object, in PEM.
    pub(super) async fn authorities(&mut self, from: &CaProvider) -> Result<Vec<u8>, BuildError> {
        let reference = SecretKeySelector {
            name: from.name.clone(),
            namespace: from.namespace.clone(),
            key: from.key.clone(),
        };
        if from.type_ == CaProviderType::Secret {
            let value = self.secret(&reference, Some("ca.crt")).await?;
            return Ok(value.expose().to_vec());
        }
        let namespace = self.namespace_of(from.namespace.as_deref());
        let what = format!("the ConfigMap `{namespace}/{}`", from.name);
        let api: Api<ConfigMap> = Api::namespaced(self.client.clone(), &namespace);
        let found = ask(api.get(&from.name)).await;
        let found = found.map_err(|error| BuildError::Api {
            what: what.clone(),
            error,
        })?;
        let key = from.key.as_deref().unwrap_or("ca.crt");
        let text = found.data.and_then(|mut data| data.remove(key));
        let text = text.ok_or_else(|| BuildError::NoItem {
            what,
            key: key.to_owned(),
        })?;
        self.note(text.as_bytes());
        Ok(text.into_bytes())
    }

    /// Tokens of a ServiceAccount.
    pub(super) fn tokens(&mut self, of: &ServiceAccountSelector) -> ServiceAccountTokens {
        let namespace = self.namespace_of(of.namespace.as_deref());
        self.note(format!("{namespace}/{}", of.name).as_bytes());
        ServiceAccountTokens::new(self.client.clone(), namespace, of.name.clone())
    }

    /// A digest of all that was found.
    pub(in super::super) fn digest(self) -> [u8; 32] {
        self.digest.finalize().into()
    }

    fn namespace_of(&self, named: Option<&str>) -> String {
        match (self.kind, named) {
            (StoreKind::ClusterSecretStore, Some(named)) => named.to_owned(),
            _ => self.namespace.clone(),
        }
    }

    fn note(&mut self, value: &[u8]) {
        self.digest.update((value.len() as u64).to_be_bytes());
        self.digest.update(value);
    }
}
