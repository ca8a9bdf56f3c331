//! The Secret as it should be, beside what is there.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use signet_crds::external::constants::{annotation, label};
use signet_crds::external::external_secret::{CreationPolicy, ExternalSecret};
use signet_keys::Plaintext;

use crate::desired::OPAQUE;
use crate::external::managed::Managed;
use crate::external::template::Shaped;
use crate::external::{hash, ownership};
use crate::manifest::SecretManifest;

/// The Secret where there is none.
pub(super) fn made(external: &ExternalSecret, shaped: &Shaped) -> SecretManifest {
    let own = external.metadata.name.clone().unwrap_or_default();
    let mut secret = Secret {
        metadata: ObjectMeta {
            name: Some(external.spec.target.name(&own).to_owned()),
            namespace: external.metadata.namespace.clone(),
            ..ObjectMeta::default()
        },
        type_: Some(shaped.type_.clone().unwrap_or_else(|| OPAQUE.to_owned())),
        ..Secret::default()
    };
    apply(external, shaped, &mut secret);
    SecretManifest::new(secret)
}

/// The Secret that is there, changed to what it should be.
pub(super) fn merged(
    external: &ExternalSecret,
    shaped: &Shaped,
    observed: &Secret,
) -> SecretManifest {
    let mut secret = observed.clone();
    let own = external.metadata.name.as_deref().unwrap_or_default();
    let managed = Managed::by(own, &observed.metadata);
    // The server knows what to make of none: it keeps what others wrote.
    secret.metadata.managed_fields = None;
    let data = secret.data.get_or_insert_default();
    match external.spec.target.creation_policy {
        CreationPolicy::Merge | CreationPolicy::CreateOrMerge => {
            data.retain(|key, _| !managed.data.contains(key));
        }
        _ => data.clear(),
    }
    let labels = secret.metadata.labels.get_or_insert_default();
    labels.retain(|name, _| !managed.labels.contains(name));
    let annotations = secret.metadata.annotations.get_or_insert_default();
    annotations.retain(|name, _| !managed.annotations.contains(name));
    if let Some(type_) = &shaped.type_ {
        secret.type_ = Some(type_.clone());
    }
    apply(external, shaped, &mut secret);
    SecretManifest::new(secret)
}

/// Puts in what the ExternalSecret says, and the marks by which it is known.
fn apply(external: &ExternalSecret, shaped: &Shaped, secret: &mut Secret) {
    let target = &external.spec.target;
    let data = secret.data.get_or_insert_default();
    let bytes = |value: &Plaintext| ByteString(value.expose().to_vec());
    data.extend(
        shaped
            .data
            .iter()
            .map(|(key, value)| (key.clone(), bytes(value))),
    );
    let data_hash = hash::of_data(&borrowed(data));

    let is_owner = target.creation_policy == CreationPolicy::Owner;
    let metadata = &mut secret.metadata;
    let labels = metadata.labels.get_or_insert_default();
    labels.extend(shaped.labels.clone());
    labels.insert(label::MANAGED.to_owned(), label::MANAGED_VALUE.to_owned());
    if is_owner {
        let part = |text: &Option<String>| text.clone().unwrap_or_default();
        let (namespace, name) = (
            part(&external.metadata.namespace),
            part(&external.metadata.name),
        );
        let creator = hash::of_creator(&namespace, &name);
        labels.insert(label::CREATED_BY.to_owned(), creator);
    } else {
        labels.remove(label::CREATED_BY);
    }
    let annotations = metadata.annotations.get_or_insert_default();
    annotations.extend(shaped.annotations.clone());
    annotations.insert(annotation::DATA_HASH.to_owned(), data_hash);

    let mut finalizers = metadata.finalizers.take().unwrap_or_default();
    for finalizer in &shaped.finalizers {
        if !finalizers.contains(finalizer) {
            finalizers.push(finalizer.clone());
        }
    }
    metadata.finalizers = Some(finalizers).filter(|all| !all.is_empty());

    let mut owners = metadata.owner_references.take().unwrap_or_default();
    let ours = ownership::owner(external).filter(|_| is_owner);
    let is_there = |owner: &OwnerReference| {
        let uid = ours.as_ref().map(|ours| &ours.uid);
        owner.controller == Some(true) && Some(&owner.uid) == uid
    };
    owners.retain(|owner| is_there(owner) || !ownership::is(owner, external));
    if !owners.iter().any(is_there) {
        owners.extend(ours);
    }
    metadata.owner_references = Some(owners).filter(|all| !all.is_empty());
    if target.immutable {
        secret.immutable = Some(true);
    }
}

fn borrowed(data: &BTreeMap<String, ByteString>) -> BTreeMap<String, &[u8]> {
    data.iter()
        .map(|(key, value)| (key.clone(), value.0.as_slice()))
        .collect()
}

/// Whether writing would change nothing.
pub(super) fn is_same(merged: &Secret, observed: &Secret) -> bool {
    let (a, b) = (&merged.metadata, &observed.metadata);
    same_maps(a.labels.as_ref(), b.labels.as_ref())
        && same_maps(a.annotations.as_ref(), b.annotations.as_ref())
        && same_owners(a, b)
        && a.finalizers
            .iter()
            .flatten()
            .eq(b.finalizers.iter().flatten())
        && merged.immutable.unwrap_or_default() == observed.immutable.unwrap_or_default()
        && type_of(merged) == type_of(observed)
        && !changes_data(merged, observed)
}

/// In any order: the one that was taken out and put in again is the last.
fn same_owners(a: &ObjectMeta, b: &ObjectMeta) -> bool {
    let (a, b) = (&a.owner_references, &b.owner_references);
    let count = |owners: &Option<Vec<_>>| owners.as_ref().map_or(0, Vec::len);
    let has = |owner| b.iter().flatten().any(|other| other == owner);
    count(a) == count(b) && a.iter().flatten().all(has)
}

/// Whether the items differ.
pub(super) fn changes_data(merged: &Secret, observed: &Secret) -> bool {
    !same_maps(merged.data.as_ref(), observed.data.as_ref())
}

/// Keys that are there and are not to be.
pub(super) fn removed(merged: &Secret, observed: &Secret) -> Vec<String> {
    let stays = |key: &&String| {
        merged
            .data
            .as_ref()
            .is_some_and(|data| data.contains_key(*key))
    };
    let keys = observed.data.iter().flat_map(|data| data.keys());
    keys.filter(|key| !stays(key)).cloned().collect()
}

pub(super) fn type_of(secret: &Secret) -> &str {
    let type_ = secret.type_.as_deref();
    type_.filter(|name| !name.is_empty()).unwrap_or(OPAQUE)
}

/// Whether two maps are equal, an absent one being an empty one.
fn same_maps<V: PartialEq>(
    a: Option<&BTreeMap<String, V>>,
    b: Option<&BTreeMap<String, V>>,
) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        (Some(only), None) | (None, Some(only)) => only.is_empty(),
        (None, None) => true,
    }
}
