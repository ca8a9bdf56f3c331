//! Stores that are open: one login for all who may use it, and shared reads.
//!
//! A store is open for one identity: the resource (UID and generation), the namespace that its references
//! are resolved in, and the credentials themselves, of which a keyed digest is kept. Nobody gets what
//! somebody else's credentials have read.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use kube::Client;
use signet_crds::external::refs::StoreKind;
use signet_providers::store::SharedStore;

use super::{
    build::{self, BuildError, Resolver},
    key::StoreKey,
    objects::Store,
};

/// Credentials that were looked up this long ago are looked up again before they are used.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// How stores are opened.
#[derive(Debug, Clone)]
pub struct StoreSettings {
    /// Bytes of values that are kept for each open store.
    pub kept_bytes: usize,
    /// Whether stores may be at addresses of the machine itself and of its metadata service.
    pub danger_local_addresses: bool,
}

/// The stores that are open.
pub struct Stores {
    client: Client,
    settings: StoreSettings,
    /// Of this process alone: a digest of credentials says nothing outside of it.
    secret: [u8; 32],
    open: Mutex<HashMap<Identity, Arc<Slot>>>,
}

/// A store and where its references are resolved.
type Identity = (StoreKey, String);
/// Locked while somebody opens it, so that all others wait for that.
type Slot = tokio::sync::Mutex<Option<Open>>;

struct Open {
    uid: Option<String>,
    generation: Option<i64>,
    digest: [u8; 32],
    looked: Instant,
    store: Arc<SharedStore>,
}

impl Stores {
    pub(super) fn new(client: Client, settings: StoreSettings) -> Self {
        let mut secret = [0; 32];
        build::fill(&mut secret);
        Self {
            client,
            settings,
            secret,
            open: Mutex::default(),
        }
    }

    /// The open store, for a resource of this namespace.
    pub(super) async fn get(
        &self,
        key: &StoreKey,
        store: &Store,
        namespace: &str,
    ) -> Result<Arc<SharedStore>, BuildError> {
        let identity = identity(key, namespace);
        let slot = self.slot(&identity);
        let mut open = slot.lock().await;
        let (uid, generation) = (&store.metadata.uid, store.metadata.generation);
        if let Some(open) = &*open
            && open.uid == *uid
            && open.generation == generation
            && open.looked.elapsed() < LOOK_AGAIN
        {
            return Ok(open.store.clone());
        }
        let mut resolver = Resolver::new(self.client.clone(), key.kind, &identity.1, &self.secret);
        let built = build::store(&store.spec.provider, &mut resolver, &self.settings).await;
        let built = match built {
            Ok(built) => built,
            Err(error) => {
                // What cannot be resolved any more is not used any longer.
                close(open.take());
                return Err(error);
            }
        };
        let digest = resolver.digest();
        if let Some(open) = &mut *open
            && open.uid == *uid
            && open.generation == generation
            && open.digest == digest
        {
            open.looked = Instant::now();
            return Ok(open.store.clone());
        }
        close(open.take());
        let shared = Arc::new(SharedStore::new(built, self.settings.kept_bytes));
        *open = Some(Open {
            uid: uid.clone(),
            generation,
            digest,
            looked: Instant::now(),
            store: shared.clone(),
        });
        Ok(shared)
    }

    /// The store refuses its credentials: the next one who asks looks them up again.
    pub(super) async fn doubt(&self, key: &StoreKey, namespace: &str) {
        let slot = self.slot(&identity(key, namespace));
        if let Some(open) = &mut *slot.lock().await {
            open.looked = open.looked.checked_sub(LOOK_AGAIN).unwrap_or(open.looked);
        }
    }

    /// A store is gone.
    pub(super) fn forget(&self, key: &StoreKey) {
        let mut all = self.slots();
        let gone: Vec<Identity> = all
            .keys()
            .filter(|(store, _)| store == key)
            .cloned()
            .collect();
        for identity in gone {
            if let Some(slot) = all.remove(&identity) {
                tokio::spawn(async move { close(slot.lock().await.take()) });
            }
        }
    }

    /// Gives back what stores have lent.
    pub(super) async fn close(&self) {
        let all: Vec<_> = self.slots().drain().map(|(_, slot)| slot).collect();
        let close = all.into_iter().map(|slot| async move {
            if let Some(open) = slot.lock().await.take() {
                open.store.store().close().await;
            }
        });
        // Tokens end by themselves in time: the end is not held up by a store that does not answer.
        let _ =
            tokio::time::timeout(Duration::from_secs(5), futures::future::join_all(close)).await;
    }

    fn slot(&self, identity: &Identity) -> Arc<Slot> {
        self.slots().entry(identity.clone()).or_default().clone()
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<Identity, Arc<Slot>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The identity under which a store is asked for a resource of a namespace.
fn identity(key: &StoreKey, namespace: &str) -> Identity {
    let namespace = match key.kind {
        StoreKind::SecretStore => &key.namespace,
        // References without a namespace are resolved in that of who asks.
        StoreKind::ClusterSecretStore => namespace,
    };
    (key.clone(), namespace.to_owned())
}

/// Closes a store beside the work. Who still reads from it ends first, or logs in once more.
fn close(open: Option<Open>) {
    if let Some(open) = open {
        tokio::spawn(async move { open.store.store().close().await });
    }
}
