//! Secrets, as metadata only, and of those only the ones that a SealedSecret is named like.

use std::{collections::HashSet, time::Instant};

use k8s_openapi::{api::core::v1::Secret, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use kube::{
    Api,
    core::PartialObjectMeta,
    runtime::watcher::{Config, Event},
};

use super::stream;
use crate::{context::Context, object::ObjectKey, queue::Priority};

/// Follows the Secrets of one namespace, or of all. The label selector of SealedSecrets does not
/// count here (D15).
pub async fn follow(context: &Context, namespace: Option<&str>) {
    let client = context.client.clone();
    let api: Api<PartialObjectMeta<Secret>> = match namespace {
        Some(namespace) => Api::namespaced(client, namespace),
        None => Api::all(client),
    };
    let name = watch_name(namespace);
    let mut listed = HashSet::new();
    stream::follow(
        &name,
        api,
        Config::default(),
        &context.health,
        |event| match event {
            Event::Init => listed.clear(),
            Event::InitApply(object) => {
                let key = ObjectKey::of(&object);
                if context.sealed.contains(&key) {
                    listed.insert(key.clone());
                    found(context, key, object.metadata);
                }
            }
            Event::Apply(object) => changed(context, ObjectKey::of(&object), object.metadata),
            Event::Delete(object) => deleted(context, ObjectKey::of(&object), &object.metadata),
            // What was deleted while nobody watched is noticed here (D14).
            Event::InitDone => {
                let here =
                    |key: &ObjectKey| namespace.is_none_or(|namespace| key.namespace == namespace);
                for key in context.targets.retain(here, &listed) {
                    vacated(context, key);
                }
                listed = HashSet::new();
            }
        },
    )
    .await;
}

/// Name of the watch in [`crate::health::Health`].
pub fn watch_name(namespace: Option<&str>) -> String {
    namespace.map_or_else(
        || "Secrets".to_owned(),
        |namespace| format!("Secrets in {namespace}"),
    )
}

/// A Secret was deleted: the way of its SealedSecret is free, or its Secret is missing.
pub fn deleted(context: &Context, key: ObjectKey, meta: &ObjectMeta) {
    if context.targets.deleted(&key, meta) {
        vacated(context, key);
    }
}

/// A name has become free: its SealedSecret, if there is one, makes a Secret when it may.
fn vacated(context: &Context, key: ObjectKey) {
    let now = Instant::now();
    if !context.sealed.contains(&key) {
        context.vacancies.note(key, now);
        return;
    }
    let wait = context.vacancies.note_loss(key.clone(), now);
    if context.vacancies.is_lost_often(&key, now) {
        // It is told at once, and made again later.
        context.work.add(key.clone(), Priority::Routine);
    }
    context.work.add_after(key, Priority::Urgent, wait);
}

/// Somebody wrote a Secret. Our own writes are known before they come by here, and are not news.
pub fn changed(context: &Context, key: ObjectKey, meta: ObjectMeta) {
    if context.sealed.contains(&key) {
        let left = is_as_left(context, &key, &meta);
        if context.targets.put(key.clone(), meta) && !left {
            context.work.add(key, Priority::Routine);
        }
    }
}

/// A list has a Secret.
fn found(context: &Context, key: ObjectKey, meta: ObjectMeta) {
    let left = is_as_left(context, &key, &meta);
    if context.targets.set(key.clone(), meta) && !left {
        context.work.add(key, Priority::Routine);
    }
}

/// Whether a Secret is as the last attempt on its SealedSecret has left it.
fn is_as_left(context: &Context, key: &ObjectKey, meta: &ObjectMeta) -> bool {
    let sealed = context.sealed.get(key);
    let status = sealed.as_ref().and_then(|sealed| sealed.status.as_ref());
    status
        .and_then(|status| status.applied.as_ref())
        .is_some_and(|applied| {
            Some(&applied.secret_uid) == meta.uid.as_ref()
                && Some(&applied.secret_resource_version) == meta.resource_version.as_ref()
        })
}
