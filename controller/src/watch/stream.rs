//! One watch: its errors, and its first list.

use std::fmt::Debug;

use futures::StreamExt;
use kube::{
    Api, Resource,
    runtime::{
        WatchStreamExt,
        watcher::{self, Config, Event},
    },
};
use serde::de::DeserializeOwned;
use tracing::{info, warn};

use crate::{api::ApiError, health::Health};

/// Objects a page of a list: bounds what is in memory at once.
const PAGE: u32 = 250;

/// Follows what `api` gives, and hands each event to `handle`. Does not end.
pub(super) async fn follow<K>(
    name: &str,
    api: Api<K>,
    config: Config,
    health: &Health,
    mut handle: impl FnMut(Event<K>),
) where
    K: Resource + Clone + DeserializeOwned + Debug + Send + 'static,
{
    let mut events =
        std::pin::pin!(watcher::watcher(api, config.page_size(PAGE)).default_backoff());
    let mut failing = false;
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => {
                let complete = matches!(event, Event::InitDone);
                handle(event);
                if complete {
                    health.synced(name);
                }
                // An Init comes before the list has been tried: it says nothing yet.
                if std::mem::take(&mut failing) && complete {
                    info!(watch = name, "following again");
                }
            }
            Err(error) => {
                let why = reason(&error);
                health.failing(name, why.to_string());
                // A watch that the server ends because its version is too old is begun anew: that
                // is its normal course.
                if !std::mem::replace(&mut failing, true) && why != ApiError::Gone {
                    warn!(watch = name, error = %why, hint = hint(&why), "cannot follow, trying again");
                }
            }
        }
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
