//! From what an ExternalSecret needs to the answers: stores, and objects with templates.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use kube::Api;
use signet_crds::external::refs::{StoreKind, StoreRef};
use signet_engine::{
    external::{
        answers::{Answers, Failure, Fetched},
        needs::{Find, Needs, Read, Source, SourceKind},
        outcome, store,
    },
    manifest::SecretManifest,
};
use signet_keys::Plaintext;
use signet_providers::store::{
    Part, Query, Reference, SharedStore, StoreError, StoreErrorKind, Value,
};

use super::{External, build::BuildError, key::StoreKey};
use crate::api::{ApiError, ask};

/// Reads of one resource that are under way at the same time.
const AT_ONCE: usize = 8;

/// The stores of a resource, open.
type Open = BTreeMap<StoreRef, Arc<SharedStore>>;

/// Asks for all that a resource of a namespace needs. Answers that were asked for at `since` or later
/// will do.
pub(super) async fn answers(
    external: &External,
    namespace: &str,
    needs: &Needs,
    since: Instant,
) -> Result<Answers, outcome::Failure> {
    use futures::stream::{self, StreamExt};

    let mut open = Open::new();
    for store in stores_of(needs) {
        open.insert(store.clone(), self::open(external, store, namespace).await?);
    }
    let ask = &Ask {
        external,
        namespace,
        open: &open,
        since,
    };
    let reads = stream::iter(needs.reads.iter().cloned())
        .map(|read| async move { (read.clone(), ask.read(&read).await) })
        .buffer_unordered(AT_ONCE);
    let finds = stream::iter(needs.finds.iter().cloned())
        .map(|find| async move { (find.clone(), ask.find(&find).await) })
        .buffer_unordered(AT_ONCE);
    let sources = stream::iter(needs.sources.iter().cloned())
        .map(|source| async move { (source.clone(), ask.source(&source).await) })
        .buffer_unordered(AT_ONCE);
    let generated = needs.generated.iter().map(|generated| {
        let message = format!(
            "this version does not generate `{}`; the resource is kept as it is",
            generated.kind
        );
        let failed = Failure::Failed {
            message,
            transient: false,
            retry_after: None,
        };
        (generated.index, Err(failed))
    });
    Ok(Answers {
        reads: reads.collect().await,
        finds: finds.collect().await,
        sources: sources.collect().await,
        generated: generated.collect(),
    })
}

fn stores_of(needs: &Needs) -> Vec<&StoreRef> {
    let reads = needs.reads.iter().map(|read| &read.store);
    let mut stores: Vec<_> = reads
        .chain(needs.finds.iter().map(|find| &find.store))
        .collect();
    stores.sort();
    stores.dedup();
    stores
}

/// Opens a store, if a resource of the namespace may use it. This is asked before every use, whatever is
/// known of the store already.
async fn open(
    external: &External,
    reference: &StoreRef,
    namespace: &str,
) -> Result<Arc<SharedStore>, outcome::Failure> {
    let refused = |message: String, transient| outcome::Failure::Store { message, transient };
    let key = StoreKey::of(reference, namespace);
    let Some(found) = external.objects.store(&key) else {
        let place = match key.kind {
            StoreKind::SecretStore => format!(" in the namespace `{namespace}`"),
            StoreKind::ClusterSecretStore => String::new(),
        };
        return Err(refused(format!("there is no {key}{place}"), false));
    };
    if !store::is_ours(found.spec.controller.as_deref(), &external.settings.policy) {
        return Err(refused(
            format!("{key} is for another controller, by its spec.controller"),
            false,
        ));
    }
    if key.kind == StoreKind::ClusterSecretStore && !found.spec.conditions.is_empty() {
        let conditions = &found.spec.conditions;
        let by_labels = conditions
            .iter()
            .any(|one| one.namespace_selector.is_some());
        let labels = if by_labels {
            labels_of(external, namespace).await?
        } else {
            BTreeMap::new()
        };
        let may = store::may_use(&found.spec, namespace, &labels);
        if !may.map_err(|error| refused(format!("{key}: {error}"), false))? {
            return Err(refused(
                format!(
                    "{key} may not be used from the namespace `{namespace}`, by its conditions"
                ),
                false,
            ));
        }
    }
    if !store::is_usable(found.status.as_ref()) {
        return Err(refused(
            format!("{key} is not ready; its status says why"),
            true,
        ));
    }
    let opened = external.stores.get(&key, &found, namespace).await;
    opened.map_err(|error: BuildError| refused(format!("{key}: {error}"), error.is_transient()))
}

async fn labels_of(
    external: &External,
    namespace: &str,
) -> Result<BTreeMap<String, String>, outcome::Failure> {
    let api: Api<Namespace> = Api::all(external.shared.client.clone());
    let found = ask(api.get_metadata(namespace)).await;
    match found {
        Ok(found) => Ok(found.metadata.labels.unwrap_or_default()),
        Err(error) => Err(outcome::Failure::Store {
            message: format!("cannot read the namespace `{namespace}`: {error}"),
            transient: true,
        }),
    }
}

struct Ask<'a> {
    external: &'a External,
    namespace: &'a str,
    open: &'a Open,
    since: Instant,
}

impl Ask<'_> {
    async fn read(&self, read: &Read) -> Result<Fetched, Failure> {
        let store = self.store(&read.store)?;
        let reference = Reference {
            key: read.key.clone(),
            version: read.version.clone(),
            part: if read.metadata {
                Part::Metadata
            } else {
                Part::Value
            },
        };
        let (answer, asked) = store.read(&reference, self.since).await;
        self.count(store, "get", asked, answer.is_ok());
        match &*answer {
            Ok(value) => Ok(fetched(value)),
            Err(error) => Err(self.failed(&read.store, error).await),
        }
    }

    async fn find(&self, find: &Find) -> Result<BTreeMap<String, Fetched>, Failure> {
        let store = self.store(&find.store)?;
        let query = Query {
            path: find.path.clone(),
            name: find.name.clone(),
            tags: find.tags.clone(),
        };
        let (answer, asked) = store.find(&query, self.since).await;
        self.count(store, "find", asked, answer.is_ok());
        match &*answer {
            Ok(found) => Ok(found
                .iter()
                .map(|(name, value)| (name.clone(), fetched(value)))
                .collect()),
            Err(error) => Err(self.failed(&find.store, error).await),
        }
    }

    async fn source(&self, source: &Source) -> Result<BTreeMap<String, Plaintext>, Failure> {
        let client = self.external.shared.client.clone();
        let name = &source.name;
        match source.kind {
            SourceKind::ConfigMap => {
                let api: Api<ConfigMap> = Api::namespaced(client, self.namespace);
                let found = ask(api.get(name))
                    .await
                    .map_err(|error| cannot_read(&format!("ConfigMap `{name}`"), &error))?;
                let texts = found.data.unwrap_or_default().into_iter();
                let texts = texts.map(|(key, text)| (key, Plaintext::new(text.into_bytes())));
                let bytes = found.binary_data.unwrap_or_default().into_iter();
                let bytes = bytes.map(|(key, bytes)| (key, Plaintext::new(bytes.0)));
                Ok(texts.chain(bytes).collect())
            }
            SourceKind::Secret => {
                let api: Api<Secret> = Api::namespaced(client, self.namespace);
                let found = ask(api.get(name))
                    .await
                    .map_err(|error| cannot_read(&format!("Secret `{name}`"), &error))?;
                let found = SecretManifest::new(found);
                let data = found.expose().data.iter().flatten();
                Ok(data
                    .map(|(key, value)| (key.clone(), Plaintext::new(value.0.clone())))
                    .collect())
            }
        }
    }

    fn store(&self, reference: &StoreRef) -> Result<&SharedStore, Failure> {
        let found = self.open.get(reference);
        found.map(|store| &**store).ok_or_else(|| Failure::Failed {
            message: format!("{} `{}` is not open", reference.kind, reference.name),
            transient: true,
            retry_after: None,
        })
    }

    fn count(&self, store: &SharedStore, call: &'static str, asked: bool, ok: bool) {
        if asked {
            let provider = store.store().provider();
            self.external.metrics.count_call(provider, call, ok);
        }
    }

    async fn failed(&self, reference: &StoreRef, error: &StoreError) -> Failure {
        if error.is_gone() {
            return Failure::Missing;
        }
        if matches!(
            error.kind(),
            StoreErrorKind::Unauthenticated | StoreErrorKind::Denied
        ) {
            let key = StoreKey::of(reference, self.namespace);
            self.external.stores.doubt(&key, self.namespace).await;
        }
        let message = match error.hint() {
            Some(hint) => format!("{error}; {hint}"),
            None => error.to_string(),
        };
        let retry_after = match error.kind() {
            StoreErrorKind::Throttled { retry_after } => retry_after,
            _ => None,
        };
        Failure::Failed {
            message,
            transient: error.is_transient(),
            retry_after,
        }
    }
}

fn fetched(value: &Value) -> Fetched {
    match value {
        Value::Bytes(bytes) => Fetched::Bytes(bytes.clone()),
        Value::Fields(fields) => Fetched::Fields(fields.clone()),
    }
}

fn cannot_read(what: &str, error: &ApiError) -> Failure {
    let (message, transient) = match error {
        ApiError::NotFound => (format!("there is no {what}"), false),
        error => (format!("cannot read the {what}: {error}"), true),
    };
    Failure::Failed {
        message,
        transient,
        retry_after: error.retry_after(),
    }
}

/// How old an answer of a store may be for a resource that is due by its interval: every value is asked
/// for at most once in the shortest interval of those who want it. First refreshes come a tenth early.
pub(super) fn age(interval: Option<Duration>) -> Duration {
    interval.map_or(Duration::ZERO, |interval| interval.mul_f64(0.85))
}
