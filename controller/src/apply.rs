//! Writing Secrets: what the plan says, guarded so that nothing is lost that came in between.

use k8s_openapi::{api::core::v1::Secret, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use kube::{
    Api, Client,
    api::{DeleteParams, PostParams, Preconditions},
};
use signet_engine::{manifest::SecretManifest, plan::Action};

use crate::{
    api::{ApiError, ask, optional},
    client::FIELD_MANAGER,
    metrics::{Metrics, Written},
    object::ObjectKey,
};

/// The Secrets of one namespace, as far as they are written.
#[derive(Debug, Clone)]
pub struct Secrets {
    api: Api<Secret>,
    name: String,
    metrics: Metrics,
}

impl Secrets {
    /// For the Secret of this name.
    pub fn of(key: &ObjectKey, client: Client, metrics: Metrics) -> Self {
        Self {
            api: Api::namespaced(client, &key.namespace),
            name: key.name.clone(),
            metrics,
        }
    }

    /// The Secret as it is now.
    pub async fn get(&self) -> Result<Option<SecretManifest>, ApiError> {
        optional(ask(self.api.get(&self.name)).await).map(|found| found.map(SecretManifest::new))
    }

    /// Its metadata as they are now.
    pub async fn get_metadata(&self) -> Result<Option<ObjectMeta>, ApiError> {
        optional(ask(self.api.get_metadata(&self.name)).await)
            .map(|found| found.map(|found| found.metadata))
    }

    /// Does what the plan says. Returns the metadata of the Secret if it was written.
    ///
    /// [`ApiError::AlreadyExists`], [`ApiError::Conflict`] and [`ApiError::NotFound`] say that the
    /// Secret is not as it was observed: look again.
    pub async fn apply(&self, action: &Action) -> Result<Option<ObjectMeta>, ApiError> {
        match action {
            Action::Create(secret) => self.create(secret).await.map(Some),
            Action::Replace(secret) => {
                let replaced =
                    ask(self.api.replace(&self.name, &params(), secret.expose())).await?;
                self.metrics.count_write(Written::SecretReplaced);
                Ok(Some(metadata(replaced)))
            }
            Action::Recreate {
                uid,
                resource_version,
                create,
            } => {
                self.delete(uid, Some(resource_version)).await?;
                self.create(create).await.map(Some)
            }
            Action::Keep | Action::LeaveDrift | Action::Refuse(_) => Ok(None),
        }
    }

    /// Deletes the Secret if it is still this one.
    pub async fn delete(&self, uid: &str, resource_version: Option<&str>) -> Result<(), ApiError> {
        let preconditions = Preconditions {
            uid: Some(uid.to_owned()),
            resource_version: resource_version.map(str::to_owned),
        };
        ask(self.api.delete(
            &self.name,
            &DeleteParams::default().preconditions(preconditions),
        ))
        .await?;
        self.metrics.count_write(Written::SecretDeleted);
        Ok(())
    }

    async fn create(&self, secret: &SecretManifest) -> Result<ObjectMeta, ApiError> {
        let created = ask(self.api.create(&params(), secret.expose())).await?;
        self.metrics.count_write(Written::SecretCreated);
        Ok(metadata(created))
    }
}

fn params() -> PostParams {
    PostParams {
        field_manager: Some(FIELD_MANAGER.into()),
        ..Default::default()
    }
}

/// The metadata of an answer; the values in it are wiped.
fn metadata(answer: Secret) -> ObjectMeta {
    SecretManifest::new(answer).expose().metadata.clone()
}
