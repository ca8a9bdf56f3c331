//! The Secret to write where there is one: what is described over what is there.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use signet_crds::sealed_secret::SealedSecret;

use crate::desired::{DesiredSecret, OPAQUE};
use crate::manifest::SecretManifest;
use crate::ownership::Relation;

/// What the API server would refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    Immutable,
    Type { from: String, to: String },
}

/// The existing Secret as it should become.
pub(super) fn merge(
    sealed: &SealedSecret,
    desired: &DesiredSecret,
    secret: &Secret,
    relation: Relation,
) -> SecretManifest {
    let mut merged = secret.clone();
    merged.string_data = None;
    match relation {
        Relation::Patched { handed, .. } => {
            let data = merged.data.get_or_insert_default();
            data.extend(desired.bytes());
            extend(&mut merged.metadata.labels, &desired.labels);
            extend(&mut merged.metadata.annotations, &desired.annotations);
            if handed {
                merged.metadata.owner_references = desired.owner.clone().map(|owner| vec![owner]);
            }
        }
        Relation::Handed => {
            merged.data = Some(desired.bytes());
            merged.metadata.labels = Some(desired.labels.clone());
            merged.metadata.annotations = Some(desired.annotations.clone());
            merged.metadata.owner_references = desired.owner.clone().map(|owner| vec![owner]);
        }
        Relation::Owned | Relation::Released | Relation::Orphaned | Relation::Foreign => {
            merged.data = Some(desired.bytes());
            own_metadata(sealed, desired, &mut merged.metadata);
        }
    }
    // Whoever adds to a Secret and names no type has no opinion on it.
    if desired.type_.is_some() || !matches!(relation, Relation::Patched { .. }) {
        merged.type_ = Some(desired.effective_type().to_owned());
    }
    merged.immutable = desired.immutable.or(merged.immutable);
    if is_token(secret) && is_token(&merged) {
        keep_token(secret, &mut merged);
    }
    SecretManifest::new(merged)
}

/// Type of the Secrets to which Kubernetes itself adds the token of a ServiceAccount.
const TOKEN_TYPE: &str = "kubernetes.io/service-account-token";

/// The items that it adds, and puts back when they are changed.
const TOKEN_ITEMS: [&str; 3] = ["ca.crt", "namespace", "token"];

fn is_token(secret: &Secret) -> bool {
    type_of(secret) == TOKEN_TYPE
}

/// The items of the server stay as the server has them: to take them away would be undone, again and
/// again.
fn keep_token(secret: &Secret, merged: &mut Secret) {
    let theirs = secret.data.iter().flatten();
    let theirs = theirs.filter(|(item, _)| TOKEN_ITEMS.contains(&item.as_str()));
    let theirs = theirs.map(|(item, value)| (item.clone(), value.clone()));
    merged.data.get_or_insert_default().extend(theirs);
}

/// Whether writing would change nothing.
pub(super) fn is_same(merged: &Secret, secret: &Secret) -> bool {
    let (new, old) = (&merged.metadata, &secret.metadata);
    same(merged.data.as_ref(), secret.data.as_ref())
        && same(new.labels.as_ref(), old.labels.as_ref())
        && same(new.annotations.as_ref(), old.annotations.as_ref())
        && new
            .owner_references
            .iter()
            .flatten()
            .eq(old.owner_references.iter().flatten())
        && type_of(merged) == type_of(secret)
        && merged.immutable.unwrap_or_default() == secret.immutable.unwrap_or_default()
}

/// What would make the API server refuse the write.
pub(super) fn obstacle(merged: &Secret, secret: &Secret) -> Option<Obstacle> {
    let thaws = merged.immutable != Some(true);
    let changes = !same(merged.data.as_ref(), secret.data.as_ref());
    if type_of(merged) != type_of(secret) {
        let (from, to) = (type_of(secret).to_owned(), type_of(merged).to_owned());
        Some(Obstacle::Type { from, to })
    } else if secret.immutable == Some(true) && (thaws || changes) {
        Some(Obstacle::Immutable)
    } else {
        None
    }
}

/// The merged Secret as one to create: without what the server sets, and immutable only if asked for.
pub(super) fn anew(merged: &SecretManifest, desired: &DesiredSecret) -> SecretManifest {
    let mut secret = merged.expose().clone();
    secret.metadata = ObjectMeta {
        name: secret.metadata.name.take(),
        namespace: secret.metadata.namespace.take(),
        labels: secret.metadata.labels.take(),
        annotations: secret.metadata.annotations.take(),
        finalizers: secret.metadata.finalizers.take(),
        owner_references: secret.metadata.owner_references.take(),
        ..ObjectMeta::default()
    };
    secret.immutable = desired.immutable;
    if is_token(&secret) {
        // They were for the old one.
        let old = |item: &str| TOKEN_ITEMS.contains(&item) && !desired.data.contains_key(item);
        let data = secret.data.get_or_insert_default();
        data.retain(|item, _| !old(item));
    }
    SecretManifest::new(secret)
}

/// Metadata of a Secret of our own: ours is set, what we set before and no longer want is taken off,
/// and all else, which other tools set, stays.
fn own_metadata(sealed: &SealedSecret, desired: &DesiredSecret, metadata: &mut ObjectMeta) {
    let applied = sealed
        .status
        .as_ref()
        .and_then(|status| status.applied.as_ref());
    let (labels, annotations) = match applied {
        Some(applied) => (
            &applied.metadata.labels[..],
            &applied.metadata.annotations[..],
        ),
        None => Default::default(),
    };
    remove(&mut metadata.labels, labels);
    remove(&mut metadata.annotations, annotations);
    extend(&mut metadata.labels, &desired.labels);
    extend(&mut metadata.annotations, &desired.annotations);

    let is_ours = |owner: &OwnerReference| Some(&owner.uid) == sealed.metadata.uid.as_ref();
    let mut owners = metadata.owner_references.take().unwrap_or_default();
    match (owners.iter().position(is_ours), &desired.owner) {
        (Some(index), Some(ours)) => owners[index] = ours.clone(),
        (Some(index), None) => drop(owners.remove(index)),
        (None, Some(ours)) => owners.insert(0, ours.clone()),
        (None, None) => {}
    }
    metadata.owner_references = Some(owners).filter(|owners| !owners.is_empty());
}

type Texts = Option<BTreeMap<String, String>>;

fn extend(texts: &mut Texts, with: &BTreeMap<String, String>) {
    if !with.is_empty() {
        texts.get_or_insert_default().extend(with.clone());
    }
}

fn remove(texts: &mut Texts, names: &[String]) {
    if let Some(texts) = texts {
        texts.retain(|name, _| !names.contains(name));
    }
}

/// Whether two maps are equal, an absent one being an empty one.
fn same<V: PartialEq>(a: Option<&BTreeMap<String, V>>, b: Option<&BTreeMap<String, V>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        (Some(only), None) | (None, Some(only)) => only.is_empty(),
        (None, None) => true,
    }
}

fn type_of(secret: &Secret) -> &str {
    secret
        .type_
        .as_deref()
        .filter(|name| !name.is_empty())
        .unwrap_or(OPAQUE)
}
