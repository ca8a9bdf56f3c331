//! Who this program is: its version, its namespace, its name among replicas.

use crate::{args::Args, client::Place};

/// The version, with the `v` that scripts expect.
pub const VERSION: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// The namespace of the keys: as told, else the pod's; outside a cluster that of the kubeconfig's
/// context is somebody's workplace, so the peer's own is taken.
pub fn namespace(args: &Args, place: Place, configured: String) -> String {
    let told = args
        .namespace
        .clone()
        .filter(|namespace| !namespace.is_empty());
    told.unwrap_or_else(|| match place {
        Place::Inside => configured,
        Place::Outside => "kube-system".to_owned(),
    })
}

/// The name among replicas. In a pod it is the pod's, so that a container that is restarted in it
/// finds its own lease; elsewhere one that no other process has.
pub fn replica() -> String {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(pod) = variable("POD_NAME") {
        return pod;
    }
    let host = variable("HOSTNAME").unwrap_or_else(|| "signet".to_owned());
    let started = jiff::Timestamp::now().as_nanosecond();
    format!("{host}_{}_{started:x}", std::process::id())
}
