//! The controller against a real API server: one binary, so that its tests can share a control plane.
//!
//! Most tests share one control plane and one cluster-wide controller, and keep apart by namespace.
//! Tests of flags run a controller of one namespace beside others on a second control plane; tests that
//! kill things have their own.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]
#![allow(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    reason = "metrics count in whole numbers"
)]

mod canary;
mod chaos_kill;
mod create;
mod deletion;
mod drift;
mod existing_secret;
mod fairness;
mod faults;
mod gc;
mod ha;
mod http;
mod immutable;
mod kinds;
mod kubeseal;
mod meanwhile;
mod memory;
mod metrics;
mod modes;
mod peer_suite;
mod restart;
mod ring;
mod scopes;
mod stage;
mod status;
mod takeover;
