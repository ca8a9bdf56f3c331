//! What the parts share.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use kube::Client;
use signet_crds::sealed_secret::SealedSecret;
use signet_engine::policy::Policy;

use crate::{
    args::{Args, Scope},
    events::Events,
    health::Health,
    keys::Loaded,
    lease::Leadership,
    metrics::Metrics,
    object::ObjectKey,
    pool::Pool,
    ring::Ring,
    rival::Rivals,
    store::{SealedSecrets, Targets},
    unwritten::Unwritten,
    vacancy::Vacancies,
    work::Work,
};

/// What the parts share: made once at start.
pub struct Context {
    /// The cluster.
    pub client: Client,
    /// What the flags say.
    pub settings: Settings,
    /// The SealedSecrets in scope.
    pub sealed: Arc<SealedSecrets>,
    /// Metadata of their Secrets.
    pub targets: Targets,
    /// Names of Secrets that were deleted a moment ago.
    pub vacancies: Vacancies,
    /// Statuses that cannot be written.
    pub unwritten: Unwritten,
    /// The key Secrets.
    pub keys: Loaded,
    /// The sealing keys in use.
    pub ring: Arc<Ring>,
    /// What is to be done.
    pub work: Work,
    /// Where private-key work is done.
    pub pool: Pool,
    /// What is counted.
    pub metrics: Metrics,
    /// Whether the program can do its work.
    pub health: Arc<Health>,
    /// Whether this replica may write.
    pub leadership: Leadership,
    /// Where events go.
    pub events: Events,
    /// Other controllers that write what we write.
    pub rivals: Rivals,
    /// Deleted SealedSecrets whose Secret is still to be deleted here.
    pub gone: Mutex<HashMap<ObjectKey, Arc<SealedSecret>>>,
}

impl Context {
    /// Keeps a deleted SealedSecret until its Secret is deleted.
    pub fn keep_gone(&self, key: ObjectKey, object: Arc<SealedSecret>) {
        self.gone
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, object);
    }

    /// The deleted SealedSecret of this name whose Secret is still to be deleted.
    pub fn take_gone(&self, key: &ObjectKey) -> Option<Arc<SealedSecret>> {
        self.gone
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key)
    }
}

/// What the flags say about the work on SealedSecrets.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// Namespace of the keys.
    pub namespace: String,
    /// Namespaces that are watched.
    pub scope: Scope,
    /// Selector of SealedSecrets; empty for all.
    pub label_selector: String,
    /// Where the current certificate is published; nowhere for none, and when nothing is written.
    pub certificate_config_map: Option<ObjectKey>,
    /// Start of the names of key Secrets.
    pub key_prefix: String,
    /// Whether statuses are written.
    pub update_status: bool,
    /// Whether Secrets are left unwatched.
    pub skip_recreate: bool,
    /// Whether the Secret of a deleted SealedSecret is deleted here.
    pub old_gc_behavior: bool,
    /// Whether nothing is written.
    pub observe: bool,
    /// What the engine is to know.
    pub policy: Policy,
}

impl Settings {
    /// From the flags, for a controller that runs in `namespace`.
    pub fn new(args: &Args, namespace: String) -> Self {
        let watch = &args.watch;
        let certificate = args.keys.certificate_config_map.from(&namespace);
        Self {
            scope: watch.scope(&namespace),
            namespace: namespace.clone(),
            label_selector: watch.label_selector.clone(),
            certificate_config_map: certificate.filter(|_| !watch.observe),
            key_prefix: args.keys.key_prefix.clone(),
            update_status: watch.update_status,
            skip_recreate: watch.skip_recreate,
            old_gc_behavior: watch.old_gc_behavior,
            observe: watch.observe,
            policy: Policy {
                accept_deprecated_v1_data: watch.accept_deprecated_v1_data,
                default_labels: watch.default_labels.0.clone(),
                unlabelled_key: Some((namespace, args.keys.key_prefix.clone())),
                ..Policy::default()
            },
        }
    }
}
