//! From the command line to a running controller, and to its end.
//!
//! # Flow
//!
//! 1. Flags and log; a wrong flag ends here.
//! 2. Ports are listened on and served: `/readyz` says what is still missing.
//! 3. Key Secrets and SealedSecrets are listed and followed, then the metadata of Secrets.
//! 4. The leader makes a key where one is due, and its workers begin.
//! 5. SIGTERM: workers end what they have begun, the Lease is given back, ports close.

use std::{process::ExitCode, sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::Namespace;
use kube::Api;
use thiserror::Error;
use tracing::{error, info, warn};

use self::parts::Parts;
use crate::{
    api::{ApiError, ask},
    args::{Args, Scope},
    certificate,
    client::{self, ConnectError},
    context::{Context, Settings},
    events::{self, Events},
    external::{self, External},
    health::Health,
    http::{Endpoints, serve::ServeError},
    identity, keys,
    metrics::{Metrics, process::Process, state::State},
    pool::Pool,
    ring::Ring,
    rival::Rivals,
    shutdown::Shutdown,
    store::{SealedSecrets, Targets},
    unwritten::Unwritten,
    vacancy::Vacancies,
    watch,
    work::Work,
    workers,
};

mod election;
mod parts;
mod ports;

/// Time in which the first key should be there; objects need not be told that it is not.
const FIRST_KEY: Duration = Duration::from_secs(30);

/// Why the controller does not run.
#[derive(Debug, Error)]
pub enum RunError {
    /// There is no connection.
    #[error("{0}")]
    Connect(#[from] ConnectError),
    /// A port is not served.
    #[error("{0}")]
    Serve(#[from] ServeError),
    /// The runtime or its signals fail.
    #[error("cannot start: {0}")]
    Start(#[from] std::io::Error),
    /// A part that must not end has ended.
    #[error("internal error: a part of the controller has ended")]
    Ended,
}

impl RunError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Connect(error) => Some(error.hint()),
            Self::Serve(ServeError::Listen { .. }) => {
                Some("choose other ports with --listen-addr and --listen-metrics-addr")
            }
            Self::Serve(ServeError::Tls { .. }) | Self::Start(_) | Self::Ended => None,
        }
    }
}

/// Runs until a signal says to stop.
pub fn to_the_end(args: Args) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            error!(%error, "cannot start the runtime");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error!(%error, hint = error.hint(), "the controller does not run");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> Result<(), RunError> {
    let (client, place, configured) = client::connect(&args).await?;
    let namespace = identity::namespace(&args, place, configured);
    let settings = Settings::new(&args, namespace.clone());
    info!(version = identity::VERSION, %namespace, observe = settings.observe, "starting");

    let (trigger, shutdown) = Shutdown::new();
    let mut parts = Parts::new(shutdown.clone());
    let (sealed, ring) = (
        Arc::new(SealedSecrets::default()),
        Arc::new(Ring::default()),
    );
    let omit_names = args.http.metrics_omit_secret_labels;
    let state = State {
        sealed: sealed.clone(),
        ring: ring.clone(),
        omit_names,
    };
    let metrics = Metrics::new(identity::VERSION, vec![Box::new(state), Box::new(Process)]);
    let health = Arc::new(Health::new(ring.clone(), args.keys.require_existing_key));
    expect_watches(&health, &settings);
    let endpoints = Endpoints::new(
        health.clone(),
        ring.clone(),
        metrics.clone(),
        settings.policy.clone(),
        (args.http.rate_limit, args.http.rate_limit_burst),
    );
    ports::open(&args, &endpoints, &mut parts)?;

    let (events, waiting) = Events::channel();
    // The lease is given back and the last events are written when the workers are done, not
    // before.
    let (workers_done, done) = Shutdown::new();
    let leadership = election::elect(
        &args,
        place,
        &client,
        &namespace,
        &metrics,
        &mut parts,
        done.clone(),
    );
    parts.add(events::write(
        client.clone(),
        waiting,
        metrics.clone(),
        done,
    ));
    let workers = usize::from(args.watch.workers);
    let context = Arc::new(Context {
        work: Work::new(workers, metrics.show_queue()),
        targets: Targets::default(),
        keys: keys::Loaded::new(&args.keys),
        pool: Pool::of_cores(),
        rivals: Rivals::default(),
        gone: std::sync::Mutex::default(),
        vacancies: Vacancies::default(),
        unwritten: Unwritten::default(),
        client,
        settings,
        sealed,
        ring,
        metrics,
        health,
        leadership,
        events,
    });
    watches(&context, &mut parts);
    parts.add_endless(look_up_namespaces(context.clone()));
    parts.add_endless(keys::keep(context.clone(), args.keys.clone()));
    let publisher = context.clone();
    parts.add_endless(async move { certificate::publish(&publisher).await });
    let external = args.external.settings().map(|settings| {
        for watch in external::WATCHES {
            context.health.expect(watch);
        }
        let metrics = context.metrics.external();
        let external = External::new(context.clone(), settings, metrics);
        parts.add_endless(external.clone().follow());
        external
    });
    let mints = !args.keys.require_existing_key && !args.watch.observe;
    parts.add(async move {
        let externals = async {
            if let Some(external) = external {
                external.work(shutdown.clone()).await;
            }
        };
        tokio::join!(work(context, workers, mints, shutdown.clone()), externals);
        workers_done.pull();
    });
    parts::until_the_end(parts, trigger).await
}

/// Workers begin when everything has been seen once, so that what is unchanged is known to be, and
/// when the first key is made, if one is to be.
async fn work(context: Arc<Context>, number: usize, mints: bool, shutdown: Shutdown) {
    let begin = async {
        for watches in [
            "SealedSecrets",
            &watch::targets_name(None),
            watch::KEY_WATCHES_PREFIX,
        ] {
            context.health.wait_synced(watches).await;
        }
        let sealed_secrets = context.sealed.len();
        info!(sealed_secrets, "everything has been seen once");
        let mut ring = context.ring.subscribe();
        let first_key = ring.wait_for(|ring| !ring.is_empty() || !mints);
        if tokio::time::timeout(FIRST_KEY, first_key).await.is_err() {
            warn!("there is still no sealing key, what is sealed cannot be opened");
        }
    };
    tokio::select! {
        () = begin => {}
        () = shutdown.requested() => return,
    }
    workers::run(context, number, shutdown).await;
}

fn namespaces(scope: &Scope) -> Vec<Option<String>> {
    match scope {
        Scope::All => vec![None],
        Scope::Only(names) => names.iter().cloned().map(Some).collect(),
    }
}

fn expect_watches(health: &Health, settings: &Settings) {
    for namespace in namespaces(&settings.scope) {
        health.expect(&watch::sealed_name(namespace.as_deref()));
        if !settings.skip_recreate {
            health.expect(&watch::targets_name(namespace.as_deref()));
        }
    }
    for name in watch::KEY_WATCHES {
        health.expect(name);
    }
}

fn watches(context: &Arc<Context>, parts: &mut Parts) {
    let keys = context.clone();
    parts.add_endless(async move { watch::follow_keys(&keys).await });
    for namespace in namespaces(&context.settings.scope) {
        let (sealed, targets, name) = (context.clone(), context.clone(), namespace.clone());
        parts.add_endless(
            async move { watch::follow_sealed_secrets(&sealed, name.as_deref()).await },
        );
        if context.settings.skip_recreate {
            continue;
        }
        parts.add_endless(async move {
            // Which Secrets matter is known when the SealedSecrets are.
            targets
                .health
                .wait_synced(&watch::sealed_name(namespace.as_deref()))
                .await;
            watch::follow_targets(&targets, namespace.as_deref()).await;
        });
    }
}

/// Says which of the namespaces that were named do not exist. They are watched all the same, so
/// that what comes to be in them later is seen. Then there is nothing left to do.
async fn look_up_namespaces(context: Arc<Context>) {
    let api: Api<Namespace> = Api::all(context.client.clone());
    for name in namespaces(&context.settings.scope).into_iter().flatten() {
        // Roles of single namespaces do not allow the question: then nothing is said.
        if let Err(ApiError::NotFound) = ask(api.get_metadata(&name)).await {
            warn!(namespace = %name, "a namespace to watch does not exist yet, waiting for it");
        }
    }
    std::future::pending::<()>().await;
}
