//! A cluster with the load in it, and how far a controller is with it.

use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt, stream};
use k8s_openapi::api::core::v1::{Event, Secret};
use kube::api::{ListParams, ObjectMeta, PostParams};
use kube::{Api, Client};
use signet_kit::controller::NAMESPACE as CONTROLLER_NAMESPACE;
use signet_kit::{ControlPlane, Namespace, PlaneOptions, SealedSecret, key_secret};

use crate::Result;
use crate::load::{Keys, NAMESPACE, SECRETS};

/// Requests that are in flight at a time while the load is put in.
const AT_ONCE: usize = 16;

pub struct Cluster {
    pub plane: ControlPlane,
    client: Client,
}

impl Cluster {
    /// A new cluster that has the key and the SealedSecrets, and no Secret of theirs.
    pub async fn with_load(keys: &Keys) -> Result<Self> {
        let plane = ControlPlane::with_deployment(PlaneOptions::default()).await?;
        let client = plane.client().await?;
        let cluster = Self { plane, client };
        let key = key_secret::secret(
            CONTROLLER_NAMESPACE,
            "sealed-secrets-key-bench",
            &keys.certificate,
            &keys.private_key,
        );
        let secrets: Api<Secret> = Api::namespaced(cluster.client.clone(), CONTROLLER_NAMESPACE);
        secrets.create(&PostParams::default(), &key).await?;

        cluster
            .plane
            .kubectl(["create", "namespace", NAMESPACE])
            .await?;
        let namespace = Namespace::existing(&cluster.plane, NAMESPACE).await?;
        let objects: Vec<_> = keys
            .sealed_secrets()?
            .iter()
            .map(SealedSecret::object)
            .collect();
        let api = namespace.sealed_secrets();
        let created = stream::iter(&objects)
            .map(async |object| api.create(&PostParams::default(), object).await);
        created
            .buffer_unordered(AT_ONCE)
            .try_collect::<Vec<_>>()
            .await?;
        Ok(cluster)
    }

    /// Waits until every Secret exists and every status says so.
    pub async fn until_all_synced(&self) -> Result<()> {
        let namespace = Namespace::existing(&self.plane, NAMESPACE).await?;
        let all = ListParams::default();
        self.until("all Secrets to be there", async || {
            Ok(namespace.secrets().list_metadata(&all).await?.items.len() >= SECRETS)
        })
        .await?;
        self.until("all statuses to be true", async || {
            let objects = namespace.sealed_secrets().list(&all).await?.items;
            let synced = objects.iter().filter(|object| {
                let conditions = object.data["status"]["conditions"].as_array();
                conditions.is_some_and(|list| {
                    list.iter()
                        .any(|one| one["type"] == "Synced" && one["status"] == "True")
                })
            });
            Ok(synced.count() >= SECRETS)
        })
        .await
    }

    /// Tries ten times a second, for up to ten minutes.
    pub async fn until(&self, what: &str, mut is: impl AsyncFnMut() -> Result<bool>) -> Result<()> {
        let deadline = Instant::now() + Duration::from_mins(10);
        while !is().await? {
            if Instant::now() > deadline {
                return Err(format!("waited ten minutes for {what}").into());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    /// Events on the load, each as often as it was posted.
    pub async fn events(&self) -> Result<i64> {
        let events: Api<Event> = Api::namespaced(self.client.clone(), NAMESPACE);
        let list = events.list(&ListParams::default()).await?;
        Ok(list
            .items
            .iter()
            .map(|event| i64::from(event.count.unwrap_or(1)))
            .sum())
    }

    /// Puts Secrets beside the load that no controller has anything to do with: 20 MB of them.
    pub async fn add_unrelated_secrets(&self) -> Result<()> {
        let secrets: Api<Secret> = Api::namespaced(self.client.clone(), "default");
        let made = stream::iter(0..1000).map(async |number| {
            let secret = Secret {
                metadata: ObjectMeta {
                    name: Some(format!("unrelated-{number}")),
                    ..ObjectMeta::default()
                },
                string_data: Some([("blob".to_owned(), "x".repeat(20_000))].into()),
                ..Secret::default()
            };
            secrets.create(&PostParams::default(), &secret).await
        });
        made.buffer_unordered(AT_ONCE)
            .try_collect::<Vec<_>>()
            .await?;
        Ok(())
    }
}
