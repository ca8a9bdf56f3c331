//! Names that people, scripts, dashboards and other controllers rely on.
//!
//! Those of the group `sealedsecrets.bitnami.com` are the ones that installed clusters already use;
//! those of `signet.dev` are additions.

/// Annotations on a SealedSecret, on its template or on the target Secret.
pub mod annotation {
    /// On a SealedSecret, `"true"`: its items open under any name in any namespace.
    pub const CLUSTER_WIDE: &str = "sealedsecrets.bitnami.com/cluster-wide";
    /// On a SealedSecret, `"true"`: its items open under any name in their namespace.
    pub const NAMESPACE_WIDE: &str = "sealedsecrets.bitnami.com/namespace-wide";
    /// On an existing Secret, `"true"`: the SealedSecret of the same name may take it over.
    pub const MANAGED: &str = "sealedsecrets.bitnami.com/managed";
    /// On an existing Secret, `"true"`: the SealedSecret of the same name may add to it; what else it
    /// holds stays, and so does its owner unless [`MANAGED`] is there too.
    pub const PATCH: &str = "sealedsecrets.bitnami.com/patch";
    /// On the template of a SealedSecret, `"true"`: the Secret gets no owner and stays when the
    /// SealedSecret is deleted.
    pub const SKIP_SET_OWNER_REFERENCES: &str =
        "sealedsecrets.bitnami.com/skip-set-owner-references";

    /// On a SealedSecret, `"true"`: it is left alone, its Secret too, until the annotation goes.
    pub const SUSPEND: &str = "signet.dev/suspend";
    /// On a SealedSecret, `"false"`: changes that others make to its Secret are left standing; only a
    /// change of the SealedSecret writes it again. A deleted Secret is made again all the same.
    pub const DRIFT_REPAIR: &str = "signet.dev/drift-repair";
    /// On a SealedSecret, `"true"`: a Secret of its own that is immutable, or of another type, and
    /// must change is deleted and made again, which Kubernetes allows no other way.
    pub const RECREATE_IMMUTABLE: &str = "signet.dev/recreate-immutable";
    /// On a SealedSecret, `"true"`: Deployments, StatefulSets and DaemonSets that use its Secret are
    /// rolled when its data changes.
    pub const RESTART_WORKLOADS: &str = "signet.dev/restart-workloads";
    /// On the pod template of a workload rolled by [`RESTART_WORKLOADS`]: the time of the change.
    pub const RESTARTED_AT: &str = "signet.dev/restarted-at";

    /// Copies of a whole object that kubectl and kubecfg leave in it; they would hold plaintext.
    pub const LAST_APPLIED: [&str; 2] = [
        "kubectl.kubernetes.io/last-applied-configuration",
        "kubecfg.ksonnet.io/last-applied-configuration",
    ];
}

/// Labels on Secrets that hold a sealing key.
pub mod label {
    /// Marks a Secret in the controller's namespace as a sealing key; see [`SEALING_KEY_ACTIVE`].
    pub const SEALING_KEY: &str = "sealedsecrets.bitnami.com/sealed-secrets-key";
    /// The one value of [`SEALING_KEY`] that is loaded; any other retires the key.
    pub const SEALING_KEY_ACTIVE: &str = "active";
}

/// Types of the conditions in a status.
pub mod condition {
    /// The Secret is what the SealedSecret describes. First in the list, where Argo CD and the
    /// printer columns look.
    pub const SYNCED: &str = "Synced";
    /// Same as [`SYNCED`], under the name that kstatus, Flux and `kubectl wait` know.
    pub const READY: &str = "Ready";
    /// Only a person can fix it; until then it is tried again, but seldom.
    pub const STALLED: &str = "Stalled";
    /// Work goes on: it will be tried again without anybody's help.
    pub const RECONCILING: &str = "Reconciling";
}

/// Values of `status` in a condition.
pub mod condition_status {
    /// It holds.
    pub const TRUE: &str = "True";
    /// It does not hold.
    pub const FALSE: &str = "False";
    /// Not known yet.
    pub const UNKNOWN: &str = "Unknown";
}

/// Values of `reason` in a condition.
pub mod reason {
    /// The Secret is as described.
    pub const UNSEALED: &str = "Unsealed";
    /// First attempt under way.
    pub const PROGRESSING: &str = "Progressing";
    /// Reconciliation is switched off by [`annotation::SUSPEND`](super::annotation::SUSPEND).
    pub const SUSPENDED: &str = "Suspended";
    /// Some ciphertext is not what it must be, or no key opens it under its label.
    pub const UNSEAL_FAILED: &str = "UnsealFailed";
    /// The object has a value of the wrong kind, or asks for what is not there.
    pub const INVALID: &str = "Invalid";
    /// There is no sealing key at all.
    pub const NO_KEY: &str = "NoSealingKey";
    /// A Secret of this name exists and is not ours to write.
    pub const CONFLICT: &str = "Conflict";
    /// The Secret is immutable and would have to change.
    pub const IMMUTABLE: &str = "Immutable";
    /// The type of the Secret would have to change, which Kubernetes does not allow.
    pub const TYPE_CHANGE: &str = "TypeChange";
    /// The Secret that was patched, and belonged to somebody else, is gone.
    pub const TARGET_GONE: &str = "TargetGone";
    /// The API server refused or failed the write.
    pub const UPDATE_FAILED: &str = "UpdateFailed";
    /// The Secret differs from what is described and drift repair is switched off.
    pub const DRIFTED: &str = "Drifted";
    /// Another controller writes the same Secret or status.
    pub const OTHER_WRITER: &str = "OtherWriter";
}

/// Events on a SealedSecret.
pub mod event {
    /// Source component of all events, as dashboards filter by it.
    pub const COMPONENT: &str = "sealed-secrets";
    /// Normal: the Secret was written.
    pub const UNSEALED: &str = "Unsealed";
    /// Message of [`UNSEALED`].
    pub const UNSEALED_MESSAGE: &str = "SealedSecret unsealed successfully";
    /// Warning: the items could not be opened.
    pub const ERR_UNSEAL_FAILED: &str = "ErrUnsealFailed";
    /// Warning: the Secret could not be written.
    pub const ERR_UPDATE_FAILED: &str = "ErrUpdateFailed";
    /// Warning: the workloads that use the changed Secret could not be restarted.
    pub const ERR_RESTART_FAILED: &str = "ErrRestartFailed";
}

/// Where the current certificate is published beside the HTTP endpoint.
pub mod certificate {
    /// Name of the ConfigMap in the controller's namespace, unless the administrator chose another.
    pub const CONFIG_MAP: &str = "sealed-secrets-certificate";
    /// Item with the PEM certificate.
    pub const ITEM: &str = "cert.pem";
}

/// What a Secret with a sealing key looks like.
pub mod sealing_key {
    /// Type of the Secret.
    pub const SECRET_TYPE: &str = "kubernetes.io/tls";
    /// Item with the PEM private key.
    pub const PRIVATE_KEY: &str = "tls.key";
    /// Item with the PEM certificate; the first one counts.
    pub const CERTIFICATE: &str = "tls.crt";
    /// Prefix of the generated name, and name of the one key that very old installations have.
    pub const DEFAULT_PREFIX: &str = "sealed-secrets-key";
}
