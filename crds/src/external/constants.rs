//! Names on the wire. All of them are in installed clusters: a changed one would make every Secret be
//! read and written anew, or leave keys and finalizers behind that nobody removes.

/// The API group of ExternalSecrets and stores.
pub const GROUP: &str = "external-secrets.io";
/// The API group of generators.
pub const GENERATORS_GROUP: &str = "generators.external-secrets.io";
/// `apiVersion` of generators.
pub const GENERATORS_API_VERSION: &str = "generators.external-secrets.io/v1alpha1";

/// Name of the controller that an object without a `controller` field is for.
pub const DEFAULT_CONTROLLER_CLASS: &str = "default";

/// Labels.
pub mod label {
    /// On a target, `"true"`: an ExternalSecret writes it.
    pub const MANAGED: &str = "reconcile.external-secrets.io/managed";
    /// The one value of [`MANAGED`].
    pub const MANAGED_VALUE: &str = "true";
    /// On a target that belongs to an ExternalSecret: SHA3-224 of its `namespace/name`, in hex.
    pub const CREATED_BY: &str = "reconcile.external-secrets.io/created-by";
    /// On all CustomResourceDefinitions.
    pub const COMPONENT: &str = "external-secrets.io/component";
    /// The one value of [`COMPONENT`].
    pub const COMPONENT_VALUE: &str = "controller";
    /// On a Secret that a webhook may read: its [`TYPE_WEBHOOK`] value is required.
    pub const TYPE: &str = "external-secrets.io/type";
    /// Value of [`TYPE`].
    pub const TYPE_WEBHOOK: &str = "webhook";
    /// On a GeneratorState: the resource that it was generated for.
    pub const GENERATOR_STATE_OWNER: &str = "generators.external-secrets.io/owner-key";
}

/// Annotations.
pub mod annotation {
    /// On a target: SHA3-224 of its data in Go's print of a map, in hex.
    pub const DATA_HASH: &str = "reconcile.external-secrets.io/data-hash";
    /// On an ExternalSecret: any new value makes it read its store at once. On a
    /// ClusterExternalSecret it is copied to the ExternalSecrets.
    pub const FORCE_SYNC: &str = "external-secrets.io/force-sync";
    /// On a store: no events about the state of its provider's upkeep.
    pub const IGNORE_MAINTENANCE_CHECKS: &str = "external-secrets.io/ignore-maintenance-checks";
    /// On an existing Secret that no ExternalSecret made, `"true"`: the ExternalSecret whose target it is
    /// may take it over, and replace what it holds.
    pub const ADOPT: &str = "signet.dev/adopt";
}

/// Who wrote a field, in `managedFields`.
pub mod field_manager {
    /// Prefix before the name of the ExternalSecret.
    pub const PREFIX: &str = "externalsecrets.external-secrets.io/";
    /// Prefix before the SHA3-224 of the name, for names that are too long for [`PREFIX`].
    pub const HASH_PREFIX: &str = "externalsecrets.external-secrets.io/sha3/";
    /// The longest text with [`PREFIX`], in bytes.
    pub const LONGEST: usize = 63;
}

/// Finalizers that objects in installed clusters have.
pub mod finalizer {
    /// On an ExternalSecret.
    pub const EXTERNAL_SECRET: &str = "externalsecrets.external-secrets.io/externalsecret-cleanup";
    /// On a ClusterExternalSecret.
    pub const CLUSTER_EXTERNAL_SECRET: &str =
        "externalsecrets.external-secrets.io/clusterexternalsecret-cleanup";
    /// On a Namespace, before the name of the ClusterExternalSecret.
    pub const NAMESPACE_PREFIX: &str = "externalsecrets.external-secrets.io/ces-";
    /// On a SecretStore or ClusterSecretStore.
    pub const STORE: &str = "secretstore.externalsecrets.io/finalizer";
    /// On a PushSecret.
    pub const PUSH_SECRET: &str = "pushsecret.externalsecrets.io/finalizer";
    /// On a GeneratorState.
    pub const GENERATOR_STATE: &str = "generatorstate.externalsecrets.io/finalizer";
}

/// Types of conditions.
pub mod condition {
    /// The resource is as it should be.
    pub const READY: &str = "Ready";
    /// Of an ExternalSecret: its target is gone. Counted in metrics, never stored.
    pub const DELETED: &str = "Deleted";
}

/// Reasons in the `Ready` condition.
pub mod reason {
    /// The target holds what the store has.
    pub const SECRET_SYNCED: &str = "SecretSynced";
    /// The target is as it was: something failed.
    pub const SECRET_SYNCED_ERROR: &str = "SecretSyncedError";
    /// The target was deleted, since nothing is left in the store.
    pub const SECRET_DELETED: &str = "SecretDeleted";
    /// There is no Secret to merge into.
    pub const SECRET_MISSING: &str = "SecretMissing";
    /// As [`SECRET_SYNCED`], for other kinds of target.
    pub const RESOURCE_SYNCED: &str = "ResourceSynced";
    /// As [`SECRET_SYNCED_ERROR`], for other kinds of target.
    pub const RESOURCE_SYNCED_ERROR: &str = "ResourceSyncedError";
    /// As [`SECRET_DELETED`], for other kinds of target.
    pub const RESOURCE_DELETED: &str = "ResourceDeleted";
    /// As [`SECRET_MISSING`], for other kinds of target.
    pub const RESOURCE_MISSING: &str = "ResourceMissing";

    /// Of a store: it can be used.
    pub const STORE_VALID: &str = "Valid";
    /// Of a store: its settings are wrong, or its server refused them.
    pub const STORE_INVALID_PROVIDER_CONFIG: &str = "InvalidProviderConfig";
    /// Of a store: it cannot be checked without an ExternalSecret. It counts as ready.
    pub const STORE_VALIDATION_UNKNOWN: &str = "ValidationUnknown";

    /// Of a PushSecret: all is in the stores.
    pub const PUSH_SYNCED: &str = "Synced";
    /// Of a PushSecret: something failed.
    pub const PUSH_ERRORED: &str = "Errored";
    /// Of a PushSecret: its source is gone, and what was pushed with it.
    pub const PUSH_SOURCE_DELETED: &str = "SourceDeleted";
}

/// Messages in the `Ready` condition that scripts compare.
pub mod message {
    /// With [`SECRET_SYNCED`](super::reason::SECRET_SYNCED).
    pub const SECRET_SYNCED: &str = "secret synced";
    /// With [`SECRET_SYNCED`](super::reason::SECRET_SYNCED), when the store is empty.
    pub const SECRET_RETAINED: &str = "secret retained due to DeletionPolicy=Retain";
    /// Of a ClusterExternalSecret.
    pub const NAMESPACES_FAILED: &str = "one or more namespaces failed";
}

/// Events on an ExternalSecret.
pub mod event {
    /// Source component of all events, as dashboards filter by it.
    pub const COMPONENT: &str = "external-secrets";
    /// Normal: the target was created.
    pub const CREATED: &str = "Created";
    /// Normal: the target was updated.
    pub const UPDATED: &str = "Updated";
    /// Normal: the target was deleted.
    pub const DELETED: &str = "Deleted";
    /// Warning: it failed.
    pub const UPDATE_FAILED: &str = "UpdateFailed";
    /// Warning: the store does not have what is asked for, and the resource says to go on.
    pub const MISSING_PROVIDER_SECRET: &str = "MissingProviderSecret";
}
