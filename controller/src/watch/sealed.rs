//! SealedSecrets: which of their changes are work.

use std::time::Instant;

use kube::{Api, runtime::watcher::Config};
use signet_crds::sealed_secret::SealedSecret;

use tracing::debug;

use super::stream::{self, Seen};
use crate::{
    context::Context,
    object::{ObjectKey, is_newer},
    queue::Priority,
    rival,
    store::Put,
    vacancy::SETTLED,
};

/// Follows the SealedSecrets of one namespace, or of all.
pub async fn follow(context: &Context, namespace: Option<&str>) {
    let client = context.client.clone();
    let api: Api<SealedSecret> = match namespace {
        Some(namespace) => Api::namespaced(client, namespace),
        None => Api::all(client),
    };
    let selector = &context.settings.label_selector;
    let config = if selector.is_empty() {
        Config::default()
    } else {
        Config::default().labels(selector)
    };
    let name = watch_name(namespace);
    let here = |key: &ObjectKey| namespace.is_none_or(|namespace| key.namespace == namespace);
    let kept = || context.sealed.keys().into_iter().filter(here).collect();
    let watch = (name.as_str(), api, config, &*context.health);
    stream::follow_kept(watch, ObjectKey::of, kept, |seen| match seen {
        Seen::Listed(object) => keep(context, object, Source::List),
        Seen::Changed(object) => {
            notice_rival(context, &object);
            let source = source_of(context, &object);
            keep(context, object, source);
        }
        Seen::Gone(key) => deleted(context, &key),
    })
    .await;
}

/// Name of the watch in [`crate::health::Health`].
pub fn watch_name(namespace: Option<&str>) -> String {
    namespace.map_or_else(
        || "SealedSecrets".to_owned(),
        |namespace| format!("SealedSecrets in {namespace}"),
    )
}

/// Notes that somebody wrote over our status.
fn notice_rival(context: &Context, object: &SealedSecret) {
    let key = ObjectKey::of(object);
    let fields = object
        .metadata
        .managed_fields
        .as_deref()
        .unwrap_or_default();
    if written_over(context.sealed.get(&key).as_deref(), object)
        && let Some(writer) = rival::last_other_writer(fields, Some("status"))
    {
        context.metrics.count_rival();
        context.rivals.note(&key, &writer, Instant::now());
        debug!(object = %key, %writer, "another controller wrote over our status");
    }
}

/// Where the state of an object comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The answer to a status that we wrote.
    OwnWrite,
    /// A list at the beginning of a watch.
    List,
    /// The watch, of an object that nobody has worked on yet.
    New,
    /// The watch.
    Watch,
}

/// Keeps the state of an object, and asks for work if it needs any.
pub fn keep(context: &Context, mut object: SealedSecret, source: Source) {
    object.metadata.managed_fields = None;
    let key = ObjectKey::of(&object);
    let after = object.clone();
    let put = match source {
        Source::List => Put::Kept {
            before: context.sealed.set(object),
        },
        Source::New | Source::Watch => context.sealed.put(object),
        Source::OwnWrite => context.sealed.update(object),
    };
    let Put::Kept { before } = put else { return };
    match (source, wish(before.as_deref(), &after)) {
        // The status is what we wrote; the rest may have been edited just before.
        (Source::OwnWrite, Some(Priority::Routine)) | (_, None) => {}
        (Source::New, Some(priority)) => context.work.add_after(key, priority, SETTLED),
        (_, Some(priority)) => context.work.add(key, priority),
    }
}

fn source_of(context: &Context, object: &SealedSecret) -> Source {
    let known = context.sealed.contains(&ObjectKey::of(object));
    if known || object.status.is_some() {
        Source::Watch
    } else {
        Source::New
    }
}

/// An object was deleted.
pub fn deleted(context: &Context, key: &ObjectKey) {
    let Some(object) = context.sealed.remove(key) else {
        return;
    };
    if context.settings.old_gc_behavior {
        context.keep_gone(key.clone(), object);
    }
    context.work.add(key.clone(), Priority::Routine);
}

/// Whether somebody took out of the status what we had put in: a controller that does not know of
/// it. An event that is older than what we put in tells nothing.
fn written_over(before: Option<&SealedSecret>, after: &SealedSecret) -> bool {
    let has_applied = |object: &SealedSecret| {
        object
            .status
            .as_ref()
            .is_some_and(|status| status.applied.is_some())
    };
    before.is_some_and(|before| {
        let (old, new) = (&before.metadata, &after.metadata);
        old.uid == new.uid
            && is_newer(
                new.resource_version.as_deref(),
                old.resource_version.as_deref(),
            )
            && has_applied(before)
            && !has_applied(after)
    })
}

/// How soon a changed object is to be looked at, if at all. Annotations count (D3), and the status
/// too, for somebody else may have written it.
fn wish(before: Option<&SealedSecret>, after: &SealedSecret) -> Option<Priority> {
    let observed = |object: &SealedSecret| {
        object
            .status
            .as_ref()
            .and_then(|status| status.observed_generation)
    };
    let Some(before) = before.filter(|before| before.metadata.uid == after.metadata.uid) else {
        let known = observed(after).is_some() && observed(after) == after.metadata.generation;
        return Some(if known {
            Priority::Routine
        } else {
            Priority::Urgent
        });
    };
    let (old, new) = (&before.metadata, &after.metadata);
    if before.spec != after.spec || old.annotations != new.annotations || old.labels != new.labels {
        return Some(Priority::Urgent);
    }
    let differs = before.status != after.status || old.deletion_timestamp != new.deletion_timestamp;
    differs.then_some(Priority::Routine)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use signet_crds::sealed_secret::{Applied, SealedSecretStatus};

    use super::*;

    fn object(generation: i64, observed: Option<i64>) -> SealedSecret {
        let mut object = SealedSecret::default();
        object.metadata.uid = Some("uid".into());
        object.metadata.generation = Some(generation);
        object.status = observed.map(|observed| SealedSecretStatus {
            observed_generation: Some(observed),
            ..Default::default()
        });
        object
    }

    #[test]
    fn issue_1833_at_a_restart_what_is_known_waits_behind_what_is_new_or_changed() {
        assert_eq!(wish(None, &object(1, Some(1))), Some(Priority::Routine));
        assert_eq!(wish(None, &object(1, None)), Some(Priority::Urgent));
        assert_eq!(wish(None, &object(2, Some(1))), Some(Priority::Urgent));
    }

    #[test]
    fn d3_an_added_annotation_is_work() {
        let mut after = object(1, Some(1));
        after.metadata.annotations = Some(
            [(
                "sealedsecrets.bitnami.com/cluster-wide".into(),
                "true".into(),
            )]
            .into(),
        );
        assert_eq!(
            wish(Some(&object(1, Some(1))), &after),
            Some(Priority::Urgent)
        );
    }

    #[test]
    fn a_status_that_somebody_else_wrote_is_work_but_no_urgent_one() {
        assert_eq!(
            wish(Some(&object(1, Some(1))), &object(1, None)),
            Some(Priority::Routine)
        );
    }

    #[test]
    fn an_event_that_changes_nothing_is_no_work() {
        let mut after = object(1, Some(1));
        after.metadata.resource_version = Some("99".into());
        assert_eq!(wish(Some(&object(1, Some(1))), &after), None);
    }

    #[test]
    fn an_object_made_anew_under_the_same_name_is_new() {
        let mut after = object(1, None);
        after.metadata.uid = Some("other".into());
        assert_eq!(wish(Some(&object(1, None)), &after), Some(Priority::Urgent));
    }

    #[test]
    fn a_status_without_what_we_put_in_was_written_over_unless_it_is_older() {
        let mut before = object(1, Some(1));
        before.metadata.resource_version = Some("10".into());
        before.status.as_mut().unwrap().applied = Some(Applied::default());
        for (version, expected) in [("11", true), ("9", false)] {
            let mut after = object(1, Some(1));
            after.metadata.resource_version = Some(version.into());
            assert_eq!(written_over(Some(&before), &after), expected, "{version}");
        }
        assert!(!written_over(None, &object(1, Some(1))));
    }
}
