//! One watch: its errors, and its first list.

use std::{collections::HashSet, fmt::Debug, hash::Hash, time::Duration};

use futures::StreamExt;
use kube::{
    Api, Resource,
    runtime::{
        utils::Backoff,
        watcher::{self, Config, DefaultBackoff, Event},
    },
};
use serde::de::DeserializeOwned;
use tracing::{info, warn};

use crate::{api::ApiError, health::Health};

/// Objects a page of a list: bounds what is in memory at once.
const PAGE: u32 = 250;
/// The longest time until a list is tried again.
const LONGEST: Duration = Duration::from_secs(30);

/// Follows what `api` gives, and hands each event to `handle`. Does not end.
pub(crate) async fn follow<K>(
    name: &str,
    api: Api<K>,
    config: Config,
    health: &Health,
    mut handle: impl FnMut(Event<K>),
) where
    K: Resource + Clone + DeserializeOwned + Debug + Send + 'static,
{
    let mut events = std::pin::pin!(watcher::watcher(api, config.page_size(PAGE)));
    let mut backoff = DefaultBackoff::default();
    let mut course = Course::default();
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => {
                // An Init comes before the list has been tried, and a page may be followed by a
                // refusal: they say nothing yet.
                let under_way = matches!(event, Event::Init | Event::InitApply(_));
                let complete = matches!(event, Event::InitDone);
                handle(event);
                if complete {
                    health.synced(name);
                }
                if !under_way {
                    backoff.reset();
                }
                if complete && course.completed() {
                    info!(watch = name, "following again");
                }
            }
            Err(error) => {
                let why = reason(&error);
                health.failing(name, why.to_string());
                if course.failed(&why) {
                    warn!(watch = name, error = %why, hint = hint(&why), "cannot follow, trying again");
                }
                tokio::time::sleep(backoff.next().unwrap_or(LONGEST)).await;
            }
        }
    }
}

/// What a watch says of an object.
pub(crate) enum Seen<K, N> {
    /// A list has it.
    Listed(K),
    /// It is new, or has changed.
    Changed(K),
    /// It was deleted, or a list no longer has it.
    Gone(N),
}

/// The same, of objects that are kept: `kept` are the names of those, by `name_of`, and of one that a
/// later list no longer has it is said that it is gone.
pub(crate) async fn follow_kept<K, N>(
    watch: (&str, Api<K>, Config, &Health),
    name_of: impl Fn(&K) -> N,
    kept: impl Fn() -> Vec<N>,
    mut handle: impl FnMut(Seen<K, N>),
) where
    K: Resource + Clone + DeserializeOwned + Debug + Send + 'static,
    N: Eq + Hash,
{
    let (name, api, config, health) = watch;
    let mut listed = HashSet::new();
    follow(name, api, config, health, |event| match event {
        Event::Init => listed.clear(),
        Event::InitApply(object) => {
            listed.insert(name_of(&object));
            handle(Seen::Listed(object));
        }
        Event::Apply(object) => handle(Seen::Changed(object)),
        Event::Delete(object) => handle(Seen::Gone(name_of(&object))),
        Event::InitDone => {
            for gone in kept().into_iter().filter(|name| !listed.contains(name)) {
                handle(Seen::Gone(gone));
            }
            listed = HashSet::new();
        }
    })
    .await;
}

/// Whether a watch fails: told when that changes.
#[derive(Debug, Default)]
struct Course {
    failing: bool,
}

impl Course {
    /// It failed; whether that is news. A watch that the server ends because its version is too old
    /// is begun anew: that is no failure.
    fn failed(&mut self, why: &ApiError) -> bool {
        *why != ApiError::Gone && !std::mem::replace(&mut self.failing, true)
    }

    /// All has been seen; whether that is news.
    fn completed(&mut self) -> bool {
        std::mem::take(&mut self.failing)
    }
}

fn reason(error: &watcher::Error) -> ApiError {
    match error {
        watcher::Error::InitialListFailed(error)
        | watcher::Error::WatchStartFailed(error)
        | watcher::Error::WatchFailed(error) => ApiError::from(error),
        watcher::Error::WatchError(status) => ApiError::from(&kube::Error::Api(status.clone())),
        watcher::Error::NoResourceVersion => ApiError::Unreadable,
    }
}

fn hint(error: &ApiError) -> &'static str {
    match error {
        ApiError::Forbidden(_) => "the ServiceAccount lacks a rule of deploy/base/rbac.yaml",
        ApiError::NotFound => "is the CustomResourceDefinition installed? see deploy/crds",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_once_until_a_list_is_complete() {
        let (mut course, refused) = (Course::default(), ApiError::Forbidden("no".into()));
        assert!(!course.completed(), "the first list is no news");
        assert!(!course.failed(&ApiError::Gone));
        assert_eq!(
            [0; 3].map(|_| course.failed(&refused)),
            [true, false, false]
        );
        assert!(course.completed());
        assert!(!course.completed());
        assert!(course.failed(&refused));
    }
}
