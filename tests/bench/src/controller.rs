//! The controllers, one after the other, each over a cluster of its own with the same load.

use std::time::{Duration, Instant};

use signet_kit::controller::Usage;
use signet_kit::{Controller, ControllerOptions, PeerController};

use crate::cluster::Cluster;
use crate::load::{ITEMS, Keys, SECRETS};
use crate::row::{Row, Unit};
use crate::{Plan, Result, median};

/// The peer's client waits by default after ten requests; these flags take the limit away.
const RAISED: [&str; 2] = ["--kubeclient-qps=500", "--kubeclient-burst=1000"];
const DEFAULT: [&str; 2] = ["--kubeclient-qps=5", "--kubeclient-burst=10"];

/// What one side did with the load once.
struct Measured {
    new: Cost,
    restart: Cost,
    restart_events: f64,
    resident: f64,
    resident_with_unrelated: f64,
}

#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Ours,
    Peer { patient_restart: bool },
}

pub async fn rows(plan: Plan, keys: &Keys) -> Result<Vec<Row>> {
    let (mut theirs, mut own) = (Vec::new(), Vec::new());
    for run in 0..plan.runs {
        // The one measurement of minutes is made once.
        let patient_restart = run == 0 && !plan.quick;
        theirs.push(measure(Side::Peer { patient_restart }, keys).await?);
        own.push(measure(Side::Ours, keys).await?);
    }
    let work = format!("{SECRETS} new SealedSecrets of {ITEMS} items, peer's client limit raised");
    let again = format!("restart over {SECRETS} unchanged");
    let patient = (!plan.quick).then(|| &theirs[0]);
    let quick: Vec<&Measured> = theirs.iter().skip(usize::from(!plan.quick)).collect();
    let of =
        |side: &[Measured], what: fn(&Measured) -> f64| median(side.iter().map(what).collect());
    let raised = |what: fn(&Measured) -> f64| {
        (!quick.is_empty()).then(|| median(quick.iter().map(|one| what(one)).collect()))
    };
    let both = |work: &str, unit, what: fn(&Measured) -> f64| {
        Row::new(work, unit, Some(of(&theirs, what)), of(&own, what))
    };
    let restart = |flags: &str, peer: Option<f64>, unit, what: &str, ours: f64| {
        Row::new(format!("{again}, peer's {flags}: {what}"), unit, peer, ours)
    };
    let wall: fn(&Measured) -> f64 = |one| one.restart.wall;
    let cpu: fn(&Measured) -> f64 = |one| one.restart.cpu;
    Ok(vec![
        both(&format!("{work}: wall"), Unit::Seconds, |one| one.new.wall),
        both(&format!("{work}: CPU"), Unit::Seconds, |one| one.new.cpu),
        restart(
            "default limit",
            patient.map(wall),
            Unit::Seconds,
            "wall",
            of(&own, wall),
        ),
        restart(
            "default limit",
            patient.map(cpu),
            Unit::Seconds,
            "CPU",
            of(&own, cpu),
        ),
        restart(
            "limit raised",
            raised(wall),
            Unit::Seconds,
            "wall",
            of(&own, wall),
        ),
        both(&format!("{again}: events posted"), Unit::Count, |one| {
            one.restart_events
        }),
        both(
            &format!("memory with {SECRETS} objects"),
            Unit::MiB,
            |one| one.resident,
        ),
        both("the same beside 20 MB of other Secrets", Unit::MiB, |one| {
            one.resident_with_unrelated
        }),
    ])
}

async fn measure(side: Side, keys: &Keys) -> Result<Measured> {
    let cluster = Cluster::with_load(keys).await?;

    let start = Instant::now();
    let first = Running::start(side, &cluster, &RAISED).await?;
    cluster.until_all_synced().await?;
    let new = Cost {
        wall: start.elapsed().as_secs_f64(),
        cpu: first.usage().cpu.as_secs_f64(),
    };
    first.stop();

    let before = cluster.events().await?;
    let flags = match side {
        Side::Peer {
            patient_restart: true,
        } => DEFAULT,
        _ => RAISED,
    };
    let start = Instant::now();
    let second = Running::start(side, &cluster, &flags).await?;
    cluster
        .until("all objects to be looked at", async || {
            Ok(second.seen().await? >= SECRETS)
        })
        .await?;
    let restart = Cost {
        wall: start.elapsed().as_secs_f64(),
        cpu: second.usage().cpu.as_secs_f64(),
    };
    // Events are posted beside the work.
    tokio::time::sleep(Duration::from_secs(2)).await;
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let restart_events = (cluster.events().await? - before) as f64;
    let resident = second.mebibytes();
    cluster.add_unrelated_secrets().await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let resident_with_unrelated = second.mebibytes();
    second.stop();
    Ok(Measured {
        new,
        restart,
        restart_events,
        resident,
        resident_with_unrelated,
    })
}

/// A running controller of either side.
enum Running {
    Ours(Controller),
    Peer(PeerController),
}

impl Running {
    async fn start(side: Side, cluster: &Cluster, limit: &[&str; 2]) -> Result<Self> {
        Ok(match side {
            // Our defaults: no limit.
            Side::Ours => {
                Self::Ours(Controller::start(&cluster.plane, ControllerOptions::default()).await?)
            }
            Side::Peer { .. } => Self::Peer(PeerController::start(&cluster.plane, limit).await?),
        })
    }

    fn usage(&self) -> Usage {
        match self {
            Self::Ours(controller) => controller.usage(),
            Self::Peer(controller) => controller.usage(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "megabytes")]
    fn mebibytes(&self) -> f64 {
        self.usage().resident as f64 / 1024.0 / 1024.0
    }

    /// Objects that were worked on or recognised as done.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a counter"
    )]
    async fn seen(&self) -> Result<usize> {
        let metrics = match self {
            Self::Ours(controller) => controller.metrics().await?,
            Self::Peer(controller) => controller.metrics().await?,
        };
        let name = match self {
            Self::Ours(_) => "signet_reconcile_duration_seconds_count",
            Self::Peer(_) => "sealed_secrets_controller_unseal_requests_total",
        };
        let counted: f64 = metrics.series(name).map(|sample| sample.value).sum();
        Ok(counted as usize)
    }

    fn stop(self) {
        match self {
            Self::Ours(mut controller) => {
                controller.stop();
            }
            Self::Peer(controller) => controller.stop(),
        }
    }
}
