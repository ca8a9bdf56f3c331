//! Tokens of ServiceAccounts, asked for when a store logs in.

use std::{fmt, time::Duration};

use futures::future::{BoxFuture, FutureExt};
use k8s_openapi::api::{
    authentication::v1::{TokenRequest, TokenRequestSpec},
    core::v1::ServiceAccount,
};
use kube::{Api, Client, api::PostParams};
use signet_keys::Plaintext;
use signet_providers::store::{StoreError, StoreErrorKind, TokenSource};

use crate::api::{ApiError, ask};

/// Asks the API server for tokens of one ServiceAccount.
pub struct ServiceAccountTokens {
    client: Client,
    namespace: String,
    name: String,
}

impl ServiceAccountTokens {
    pub(super) fn new(client: Client, namespace: String, name: String) -> Self {
        Self {
            client,
            namespace,
            name,
        }
    }

    async fn request(
        &self,
        audiences: &[String],
        lifetime: Duration,
    ) -> Result<Plaintext, StoreError> {
        let api: Api<ServiceAccount> = Api::namespaced(self.client.clone(), &self.namespace);
        let request = TokenRequest {
            spec: TokenRequestSpec {
                audiences: audiences.to_vec(),
                expiration_seconds: i64::try_from(lifetime.as_secs()).ok(),
                bound_object_ref: None,
            },
            ..TokenRequest::default()
        };
        let made =
            ask(api.create_token_request(&self.name, &PostParams::default(), &request)).await;
        let made = made.map_err(|error| self.refused(&error))?;
        let token = made.status.map(|status| status.token).unwrap_or_default();
        Ok(Plaintext::new(token.into_bytes()))
    }

    fn refused(&self, error: &ApiError) -> StoreError {
        let kind = match error {
            ApiError::NotFound => StoreErrorKind::Unauthenticated,
            ApiError::Forbidden(_) => StoreErrorKind::NotAllowed,
            _ => StoreErrorKind::Unavailable,
        };
        StoreError::new(
            kind,
            format!(
                "cannot get a token of the ServiceAccount `{}/{}`: {error}",
                self.namespace, self.name
            ),
        )
    }
}

impl TokenSource for ServiceAccountTokens {
    fn token<'a>(
        &'a self,
        audiences: &'a [String],
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<Plaintext, StoreError>> {
        self.request(audiences, lifetime).boxed()
    }
}

impl fmt::Debug for ServiceAccountTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceAccountTokens({}/{})", self.namespace, self.name)
    }
}
