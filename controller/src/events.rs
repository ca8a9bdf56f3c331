//! Events on our resources, written beside the work and not in its way.
//!
//! The same event on the same object within [`SAME_WITHIN`] is counted up instead of written again.
//! When the API server is slower than the events come, events are lost and not work.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use k8s_openapi::{
    api::core::v1::{Event, EventSource, ObjectReference},
    apimachinery::pkg::apis::meta::v1::Time,
};
use kube::{
    Api, Client, Resource, ResourceExt,
    api::{ObjectMeta, Patch, PatchParams, PostParams},
};
use serde_json::json;
use signet_engine::{
    events::{EventDraft, EventKind},
    text,
};
use tokio::sync::mpsc;
use tracing::debug;

use crate::{
    api::ask,
    metrics::{Metrics, Written},
    shutdown::Shutdown,
};

/// Events that wait to be written.
const WAITING: usize = 2000;
/// Events that are remembered to be counted up.
const REMEMBERED: usize = 1000;
/// Time in which an event is the same as the one before.
const SAME_WITHIN: Duration = Duration::from_mins(10);
/// Bytes of a message that Kubernetes takes.
const LONGEST_MESSAGE: usize = 1024;
/// Bytes of a name that Kubernetes takes.
const LONGEST_NAME: usize = 253;

/// Where events are handed in.
#[derive(Debug, Clone)]
pub struct Events(mpsc::Sender<Event>);

impl Events {
    /// Where to hand events in, and what [`write`] takes them from.
    pub fn channel() -> (Self, mpsc::Receiver<Event>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Self(sender), receiver)
    }

    /// Hands in an event about an object. `component` is who speaks, by which dashboards filter.
    pub fn publish<K>(&self, object: &K, component: &str, draft: &EventDraft)
    where
        K: Resource<DynamicType = ()>,
    {
        let event = event(object, component, draft, Timestamp::now());
        if self.0.try_send(event).is_err() {
            debug!(reason = %draft.reason, "too many events at once, one is not written");
        }
    }
}

/// Writes events until the work is done, and then those that still wait.
pub async fn write(
    client: Client,
    mut events: mpsc::Receiver<Event>,
    metrics: Metrics,
    done: Shutdown,
) {
    let mut recent = Recent::default();
    loop {
        let event = tokio::select! {
            biased;
            event = events.recv() => event,
            () = done.requested() => events.try_recv().ok(),
        };
        let Some(event) = event else { return };
        let api: Api<Event> =
            Api::namespaced(client.clone(), &event.namespace().unwrap_or_default());
        let now = Instant::now();
        let outcome = match recent.again(&event, now) {
            Some((name, count)) => {
                let patch = json!({"count": count, "lastTimestamp": event.last_timestamp});
                let patched =
                    ask(api.patch(&name, &PatchParams::default(), &Patch::Merge(&patch))).await;
                if patched.is_err() {
                    recent.forget(&event);
                }
                patched
            }
            None => ask(api.create(&PostParams::default(), &event)).await,
        };
        match outcome {
            Ok(_) => metrics.count_write(Written::Event),
            Err(error) => debug!(%error, "cannot write an event"),
        }
    }
}

/// The events of late.
#[derive(Debug, Default)]
struct Recent(HashMap<[String; 3], (String, i32, Instant)>);

impl Recent {
    /// Name and new count of the event that says the same, if there is one; remembers this one
    /// otherwise.
    fn again(&mut self, event: &Event, now: Instant) -> Option<(String, i32)> {
        let fresh = |at: &Instant| now.saturating_duration_since(*at) < SAME_WITHIN;
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, (_, _, at)| fresh(at));
        }
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        let key = same(event);
        match self.0.get_mut(&key) {
            Some((name, count, at)) if fresh(at) => {
                *count = count.saturating_add(1);
                Some((name.clone(), *count))
            }
            _ => {
                self.0.insert(key, (event.name_any(), 1, now));
                None
            }
        }
    }

    fn forget(&mut self, event: &Event) {
        self.0.remove(&same(event));
    }
}

/// What makes two events the same.
fn same(event: &Event) -> [String; 3] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        text(&event.involved_object.uid),
        text(&event.reason),
        text(&event.message),
    ]
}

fn event<K>(object: &K, component: &str, draft: &EventDraft, now: Timestamp) -> Event
where
    K: Resource<DynamicType = ()>,
{
    let reference: ObjectReference = object.object_ref(&());
    Event {
        metadata: ObjectMeta {
            name: Some(event_name(&object.name_any(), now)),
            // What has no namespace has its events in `default`.
            namespace: Some(object.namespace().unwrap_or_else(|| "default".to_owned())),
            ..Default::default()
        },
        involved_object: reference,
        type_: Some(match draft.kind {
            EventKind::Normal => "Normal".into(),
            EventKind::Warning => "Warning".into(),
        }),
        reason: Some(draft.reason.to_string()),
        message: Some(text::shortened(&draft.message, LONGEST_MESSAGE).into_owned()),
        source: Some(EventSource {
            component: Some(component.to_owned()),
            host: None,
        }),
        reporting_component: Some(component.to_owned()),
        first_timestamp: Some(Time(now)),
        last_timestamp: Some(Time(now)),
        count: Some(1),
        ..Default::default()
    }
}

/// As client-go names them: unique, and sorted by time for one object. Names end at 253 bytes.
fn event_name(object: &str, now: Timestamp) -> String {
    let time = format!("{:x}", now.as_nanosecond());
    let room = LONGEST_NAME - 1 - time.len();
    let start = &object[..object.floor_char_boundary(room)];
    // A part of a name ends with a letter or a digit.
    let start = start.trim_end_matches(['.', '-']);
    format!("{start}.{time}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use signet_crds::constants;

    use super::*;
    use crate::testing::{Cluster, sealed_secret};

    const COMPONENT: &str = constants::event::COMPONENT;
    const EVENTS: &str = "/api/v1/namespaces/team/events";

    fn draft(message: &str) -> EventDraft {
        let reason = constants::event::ERR_UPDATE_FAILED;
        EventDraft {
            kind: EventKind::Warning,
            reason,
            message: message.to_owned(),
        }
    }

    #[tokio::test]
    async fn the_same_event_again_is_counted_up_and_another_written() {
        let cluster = Cluster::new();
        let (events, waiting) = Events::channel();
        let sealed = sealed_secret("team", "db", &[]);
        for message in ["one", "one", "two", "one"] {
            events.publish(&sealed, COMPONENT, &draft(message));
        }
        let (trigger, done) = crate::shutdown::Shutdown::new();
        trigger.pull();
        write(
            cluster.client(),
            waiting,
            Metrics::new("v0", Vec::new()),
            done,
        )
        .await;
        let mut counts: Vec<_> = cluster
            .list(EVENTS)
            .iter()
            .map(|event| (event["message"].to_string(), event["count"].to_string()))
            .collect();
        counts.sort();
        assert_eq!(
            counts,
            [
                ("\"one\"".into(), "3".into()),
                ("\"two\"".into(), "1".into())
            ]
        );
    }

    #[test]
    fn an_event_says_what_dashboards_filter_by() {
        let sealed = sealed_secret("team", "db", &[]);
        let event = event(&sealed, COMPONENT, &draft("why"), Timestamp::UNIX_EPOCH);
        assert_eq!(event.involved_object.kind.as_deref(), Some("SealedSecret"));
        assert_eq!(
            event.involved_object.api_version.as_deref(),
            Some("bitnami.com/v1alpha1")
        );
        assert_eq!(
            event.source.unwrap().component.as_deref(),
            Some("sealed-secrets")
        );
        assert_eq!(
            (event.type_.as_deref(), event.count),
            (Some("Warning"), Some(1))
        );
    }

    #[test]
    fn an_event_of_an_object_with_the_longest_name_has_a_name_that_is_taken() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let name = format!("{}-{}", "a".repeat(235), "b".repeat(17));
        let name = event_name(&name, now);
        assert!(name.len() <= 253, "{}", name.len());
        let (object, time) = name.split_once('.').unwrap();
        assert!(object.ends_with('a') && time.len() == 16, "{name}");
        assert!(event_name("db", now).starts_with("db."));
    }

    #[test]
    fn what_is_remembered_of_events_is_bounded() {
        let (mut recent, now) = (Recent::default(), Instant::now());
        for number in 0..3 * REMEMBERED {
            let sealed = sealed_secret("team", "db", &[]);
            let event = event(
                &sealed,
                COMPONENT,
                &draft(&number.to_string()),
                Timestamp::UNIX_EPOCH,
            );
            assert_eq!(recent.again(&event, now), None);
        }
        assert!(recent.0.len() <= REMEMBERED);
    }
}
