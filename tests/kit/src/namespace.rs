//! A namespace of one test.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use k8s_openapi::api::core::v1::{Event, Namespace as Resource, Secret};
use kube::api::{
    DeleteParams, DynamicObject, ListParams, ObjectMeta, Patch, PatchParams, PostParams,
};
use kube::{Api, Client};
use serde_json::{Value, json};

use crate::control_plane::ControlPlane;
use crate::diagnose;
use crate::error::KitError;
use crate::sealed::{self, SealedSecret};
use crate::wait::{PATIENCE, wait_for};

/// A namespace that no other test uses, with the verbs that tests need.
#[derive(Clone, Debug)]
pub struct Namespace {
    name: String,
    client: ClientOf,
    logs: PathBuf,
}

/// A client without `Debug` noise.
#[derive(Clone)]
struct ClientOf(Client);

impl std::fmt::Debug for ClientOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Client")
    }
}

impl Namespace {
    /// Makes a namespace whose name begins with `prefix`.
    pub async fn create(plane: &ControlPlane, prefix: &str) -> Result<Self, KitError> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self::create_named(plane, &format!("{prefix}-{}-{number}", process::id())).await
    }

    /// Makes a namespace of this name.
    pub async fn create_named(plane: &ControlPlane, name: &str) -> Result<Self, KitError> {
        let resource = Resource {
            metadata: ObjectMeta {
                name: Some(name.into()),
                ..ObjectMeta::default()
            },
            ..Resource::default()
        };
        let client = plane.client().await?;
        Api::<Resource>::all(client)
            .create(&PostParams::default(), &resource)
            .await?;
        Self::existing(plane, name).await
    }

    /// One that exists already.
    pub async fn existing(plane: &ControlPlane, name: &str) -> Result<Self, KitError> {
        let client = ClientOf(plane.client().await?);
        Ok(Self {
            name: name.into(),
            client,
            logs: plane.workdir().path().into(),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// An administrator's client.
    pub fn client(&self) -> Client {
        self.client.0.clone()
    }

    /// The SealedSecrets in it.
    pub fn sealed_secrets(&self) -> Api<DynamicObject> {
        Api::namespaced_with(self.client(), &self.name, &sealed::resource())
    }

    /// The Secrets in it.
    pub fn secrets(&self) -> Api<Secret> {
        Api::namespaced(self.client(), &self.name)
    }

    /// An empty SealedSecret of this namespace.
    pub fn sealed(&self, name: &str) -> SealedSecret {
        SealedSecret::new(&self.name, name)
    }

    /// Creates a SealedSecret, or makes it equal to this one, as `kubectl apply --server-side` does.
    ///
    /// # Panics
    /// When the API server refuses it.
    pub async fn apply(&self, sealed: &SealedSecret) -> DynamicObject {
        let name = sealed.name();
        self.try_apply(sealed)
            .await
            .unwrap_or_else(|error| panic!("SealedSecret {name}: {error}"))
    }

    /// The same, where it may be refused.
    pub async fn try_apply(&self, sealed: &SealedSecret) -> Result<DynamicObject, KitError> {
        let params = PatchParams::apply("signet-test").force();
        let patch = Patch::Apply(sealed.to_json());
        Ok(self
            .sealed_secrets()
            .patch(sealed.name(), &params, &patch)
            .await?)
    }

    /// Merges a patch into a SealedSecret.
    pub async fn patch_sealed(&self, name: &str, patch: Value) -> Result<DynamicObject, KitError> {
        Ok(self
            .sealed_secrets()
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await?)
    }

    /// Merges a patch into a Secret.
    pub async fn patch_secret(&self, name: &str, patch: Value) -> Result<Secret, KitError> {
        Ok(self
            .secrets()
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await?)
    }

    /// Creates a Secret of text items.
    pub async fn create_secret(
        &self,
        name: &str,
        annotations: Value,
        data: Value,
    ) -> Result<Secret, KitError> {
        let value = json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": name, "annotations": annotations},
            "stringData": data,
        });
        let secret: Secret = serde_json::from_value(value).map_err(kube::Error::SerdeError)?;
        Ok(self
            .secrets()
            .create(&PostParams::default(), &secret)
            .await?)
    }

    /// Deletes a SealedSecret.
    pub async fn delete_sealed(&self, name: &str) -> Result<(), KitError> {
        self.sealed_secrets()
            .delete(name, &DeleteParams::default())
            .await?;
        Ok(())
    }

    /// Deletes a Secret.
    pub async fn delete_secret(&self, name: &str) -> Result<(), KitError> {
        self.secrets()
            .delete(name, &DeleteParams::default())
            .await?;
        Ok(())
    }

    /// A Secret, if it exists and the API server answers.
    pub async fn secret(&self, name: &str) -> Option<Secret> {
        self.secrets().get_opt(name).await.ok().flatten()
    }

    /// The status of a SealedSecret; null when it has none.
    pub async fn status(&self, name: &str) -> Value {
        let object = self.sealed_secrets().get_opt(name).await.ok().flatten();
        object
            .map(|object| object.data["status"].clone())
            .unwrap_or_default()
    }

    /// The events about an object of that name, oldest first.
    pub async fn events(&self, name: &str) -> Vec<Event> {
        let params = ListParams::default().fields(&format!("involvedObject.name={name}"));
        let events = Api::<Event>::namespaced(self.client(), &self.name)
            .list(&params)
            .await;
        events.map(|list| list.items).unwrap_or_default()
    }

    /// Waits until a Secret exists and holds exactly these items.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn expect_data(&self, name: &str, items: &[(&str, &str)]) -> Secret {
        let wanted: BTreeMap<String, String> = items
            .iter()
            .map(|(key, value)| ((*key).into(), (*value).into()))
            .collect();
        let what = format!("Secret {name} with {:?}", wanted.keys());
        self.expect_secret(name, &what, |secret| text(secret) == wanted)
            .await
    }

    /// Waits until a Secret exists and satisfies `is`.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn expect_secret(
        &self,
        name: &str,
        what: &str,
        is: impl Fn(&Secret) -> bool,
    ) -> Secret {
        let probe = async || self.secret(name).await.filter(|secret| is(secret));
        self.or_panic(what, wait_for(PATIENCE, probe).await).await
    }

    /// Waits until there is no Secret of that name.
    ///
    /// # Panics
    /// When it stays.
    pub async fn expect_no_secret(&self, name: &str) {
        let probe = async || matches!(self.secrets().get_opt(name).await, Ok(None)).then_some(());
        self.or_panic(
            &format!("no Secret {name}"),
            wait_for(PATIENCE, probe).await,
        )
        .await;
    }

    /// Waits until the condition `Synced` of the current generation has this status, and returns the
    /// whole status.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn expect_synced(&self, name: &str, status: &str) -> Value {
        self.expect_condition(name, "Synced", status).await
    }

    /// The same for any condition.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn expect_condition(&self, name: &str, kind: &str, status: &str) -> Value {
        let what = format!("{kind}={status} of SealedSecret {name} at its generation");
        let holds = |seen: &Value| {
            condition(seen, kind).is_some_and(|condition| condition["status"] == status)
        };
        self.expect_status(name, &what, holds).await
    }

    /// Waits until the status speaks of the current generation and satisfies `is`, and returns it.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn expect_status(
        &self,
        name: &str,
        what: &str,
        is: impl Fn(&Value) -> bool,
    ) -> Value {
        let probe = async || {
            let object = self.sealed_secrets().get_opt(name).await.ok().flatten()?;
            let status = &object.data["status"];
            let current = status["observedGeneration"].as_i64() == object.metadata.generation;
            (current && is(status)).then(|| status.clone())
        };
        self.or_panic(what, wait_for(PATIENCE, probe).await).await
    }

    /// Waits for an event with this reason whose message contains `text`.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn expect_event(&self, name: &str, reason: &str, text: &str) -> Event {
        let probe = async || {
            self.events(name).await.into_iter().find(|event| {
                event.reason.as_deref() == Some(reason)
                    && event.message.as_deref().unwrap_or_default().contains(text)
            })
        };
        let what = format!("event {reason} with {text:?} about {name}");
        self.or_panic(&what, wait_for(PATIENCE, probe).await).await
    }

    /// Shows that `wrong` stays false for `time`.
    ///
    /// # Panics
    /// When it does not.
    pub async fn expect_never(
        &self,
        what: &str,
        time: Duration,
        wrong: impl AsyncFnMut() -> Option<()>,
    ) {
        let happened = wait_for(time, wrong).await.is_some();
        let known = if happened {
            diagnose::namespace(self, &self.logs).await
        } else {
            String::new()
        };
        assert!(
            !happened,
            "must not happen: {what}
{known}"
        );
    }

    async fn or_panic<T>(&self, what: &str, found: Option<T>) -> T {
        match found {
            Some(value) => value,
            None => panic!(
                "waited {PATIENCE:?} for: {what}\n{}",
                diagnose::namespace(self, &self.logs).await
            ),
        }
    }
}

/// A condition of a status.
pub fn condition<'a>(status: &'a Value, kind: &str) -> Option<&'a Value> {
    status["conditions"]
        .as_array()?
        .iter()
        .find(|condition| condition["type"] == kind)
}

/// The items of a Secret as text.
pub fn text(secret: &Secret) -> BTreeMap<String, String> {
    let data = secret.data.iter().flatten();
    data.map(|(key, value)| (key.clone(), String::from_utf8_lossy(&value.0).into_owned()))
        .collect()
}
