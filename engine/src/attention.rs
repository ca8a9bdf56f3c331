//! Whether an object is to be worked on at all.

use signet_crds::constants::annotation;
use signet_crds::sealed_secret::SealedSecret;

/// What an object wants of us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// It goes away: its Secret follows by garbage collection, and nothing is written any more.
    Deleting,
    /// Its author asks to leave it alone.
    Suspended,
    /// Work on it.
    Work,
}

/// Decides by the deletion mark and the annotation `signet.dev/suspend`.
pub fn of(sealed: &SealedSecret) -> Attention {
    if sealed.metadata.deletion_timestamp.is_some() {
        Attention::Deleting
    } else if has(sealed, annotation::SUSPEND, "true") {
        Attention::Suspended
    } else {
        Attention::Work
    }
}

/// Annotations that ask for something, and have another value than one that says yes or no.
pub(crate) fn misspelt(sealed: &SealedSecret) -> impl Iterator<Item = (&str, &str)> {
    let annotations = sealed.metadata.annotations.iter().flatten();
    annotations
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .filter(|(name, value)| SWITCHES.contains(name) && !matches!(*value, "true" | "false"))
}

const SWITCHES: [&str; 6] = [
    annotation::CLUSTER_WIDE,
    annotation::NAMESPACE_WIDE,
    annotation::SUSPEND,
    annotation::DRIFT_REPAIR,
    annotation::RECREATE_IMMUTABLE,
    annotation::RESTART_WORKLOADS,
];

/// Whether an annotation of the object has this exact value.
pub(crate) fn has(sealed: &SealedSecret, name: &str, value: &str) -> bool {
    let annotations = sealed.metadata.annotations.as_ref();
    annotations
        .and_then(|all| all.get(name))
        .is_some_and(|found| found == value)
}
