//! From the command line to a running controller, and to its end.
//!
//! # Flow
//!
//! 1. Flags and log; a wrong flag ends here.
//! 2. Ports are listened on and served: `/readyz` says what is still missing.
//! 3. Key Secrets and SealedSecrets are listed and followed, then the metadata of Secrets.
//! 4. The leader makes a key where one is due, and its workers begin.
//! 5. SIGTERM: workers end what they have begun, the Lease is given back, ports close.

use std::{future::Future, process::ExitCode, sync::Arc, time::Duration};

use thiserror::Error;
use tokio::{signal::unix, task::JoinSet};
use tracing::{error, info, warn};

use crate::{
    args::{Args, Scope},
    client::{self, ConnectError, Place},
    context::{Context, Settings},
    events::{self, Events},
    health::Health,
    http::{
        Endpoints,
        serve::{self, Port, ServeError, Timeouts},
    },
    identity, keys,
    lease::{self, Candidate, Leadership},
    metrics::{Metrics, state::State},
    pool::Pool,
    ring::Ring,
    rival::Rivals,
    shutdown::{Shutdown, Trigger},
    store::{SealedSecrets, Targets},
    watch,
    work::Work,
    workers,
};

/// Time that the parts have to end after a signal, shorter than the 30 s of a pod.
const PATIENCE: Duration = Duration::from_secs(25);

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

/// The parts that run side by side.
struct Parts {
    tasks: JoinSet<()>,
    shutdown: Shutdown,
}

impl Parts {
    /// A part that ends by itself after the shutdown has begun.
    fn add(&mut self, part: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(part);
    }

    /// A part that never ends by itself and may be dropped.
    fn add_endless(&mut self, part: impl Future<Output = ()> + Send + 'static) {
        let shutdown = self.shutdown.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = part => {}
                () = shutdown.requested() => {}
            }
        });
    }
}

async fn run(args: Args) -> Result<(), RunError> {
    let (client, place, configured) = client::connect(&args).await?;
    let namespace = identity::namespace(&args, place, configured);
    let settings = Settings::new(&args, namespace.clone());
    info!(version = identity::VERSION, %namespace, observe = settings.observe, "starting");

    let (trigger, shutdown) = Shutdown::new();
    let mut parts = Parts {
        tasks: JoinSet::new(),
        shutdown: shutdown.clone(),
    };
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
    let metrics = Metrics::new(identity::VERSION, vec![Box::new(state)]);
    let health = Arc::new(Health::new(ring.clone(), args.keys.require_existing_key));
    expect_watches(&health, &settings);
    let endpoints = Endpoints::new(
        health.clone(),
        ring.clone(),
        metrics.clone(),
        settings.policy.clone(),
        (args.http.rate_limit, args.http.rate_limit_burst),
    );
    ports(&args, &endpoints, &mut parts).await?;

    let (events, waiting) = Events::channel();
    // The lease is given back and the last events are written when the workers are done, not before.
    let (workers_done, done) = Shutdown::new();
    let leadership = elect(
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
    let context = Arc::new(Context {
        work: Work::new(metrics.clone()),
        targets: Targets::default(),
        keys: keys::Loaded::new(&args.keys),
        pool: Pool::of_cores(),
        rivals: Rivals::default(),
        gone: std::sync::Mutex::default(),
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
    parts.add_endless(keys::keep(context.clone(), args.keys.clone()));
    let workers = usize::from(args.watch.workers);
    parts.add(async move {
        work(context, workers, shutdown).await;
        workers_done.pull();
    });
    until_the_end(parts, trigger).await
}

/// Workers begin when everything has been seen once, so that what is unchanged is known to be.
async fn work(context: Arc<Context>, number: usize, shutdown: Shutdown) {
    let synced = async {
        context.health.wait_synced("").await;
        info!(
            sealed_secrets = context.sealed.len(),
            keys = context.ring.now().len(),
            "everything has been seen once"
        );
    };
    tokio::select! {
        () = synced => {}
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

async fn ports(args: &Args, endpoints: &Endpoints, parts: &mut Parts) -> Result<(), RunError> {
    let http = &args.http;
    let timeouts = Timeouts {
        read: http.read_timeout,
    };
    let shutdown = parts.shutdown.clone();
    let main = Port::listen(http.listen_addr)?;
    let metrics = Port::listen(http.listen_metrics_addr)?;
    info!(http = %main.address(), metrics = %metrics.address(), "listening");
    let router = endpoints.router(http.write_timeout);
    parts.add(ended(main.serve(
        router.clone(),
        timeouts,
        shutdown.clone(),
    )));
    parts.add(ended(metrics.serve(
        endpoints.metrics_router(),
        timeouts,
        shutdown.clone(),
    )));
    if let (Some(cert), Some(key)) = (&http.tls_cert, &http.tls_key) {
        let tls = serve::tls(cert, key).await?;
        let port = Port::listen(http.tls_addr)?;
        info!(https = %port.address(), "listening");
        parts.add(ended(port.serve_tls(router, timeouts, tls, shutdown)));
    }
    Ok(())
}

async fn ended(served: impl Future<Output = Result<(), ServeError>>) {
    if let Err(error) = served.await {
        error!(%error, "a port is no longer served");
    }
}

/// The leadership of this replica: elected, or without election its own.
fn elect(
    args: &Args,
    place: Place,
    client: &kube::Client,
    namespace: &str,
    metrics: &Metrics,
    parts: &mut Parts,
    done: Shutdown,
) -> Leadership {
    let leader = &args.leader;
    let elects = leader.leader_elect.unwrap_or(place == Place::Inside) && !args.watch.observe;
    let (sender, leadership) = Leadership::channel(!elects);
    metrics.set_leader(!elects);
    if elects {
        let candidate = Candidate {
            namespace: namespace.to_owned(),
            name: leader.leader_elect_resource_name.clone(),
            identity: leader
                .leader_elect_identity
                .clone()
                .unwrap_or_else(identity::replica),
            lease_duration: leader.leader_elect_lease_duration,
            renew_deadline: leader.leader_elect_renew_deadline,
            retry_period: leader.leader_elect_retry_period,
        };
        parts.add(lease::run(client.clone(), candidate, sender, done));
        parts.add_endless(show(leadership.clone(), metrics.clone()));
    }
    leadership
}

/// Shows in the metrics whether this replica writes.
async fn show(mut leadership: Leadership, metrics: Metrics) {
    loop {
        leadership.acquired().await;
        metrics.set_leader(true);
        leadership.lost().await;
        metrics.set_leader(false);
    }
}

/// Waits for a signal or for a part to end that should not, then for all parts.
async fn until_the_end(mut parts: Parts, trigger: Trigger) -> Result<(), RunError> {
    let mut terminate = unix::signal(unix::SignalKind::terminate())?;
    let mut interrupt = unix::signal(unix::SignalKind::interrupt())?;
    let outcome = tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
        _ = parts.tasks.join_next() => Err(RunError::Ended),
    };
    info!("stopping");
    trigger.pull();
    let all = async { while parts.tasks.join_next().await.is_some() {} };
    if tokio::time::timeout(PATIENCE, all).await.is_err() {
        warn!("some work did not end in time, it is left");
    }
    outcome
}
