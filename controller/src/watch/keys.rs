//! Key Secrets: by their label, and the one that the first versions made by its name.

use std::collections::BTreeSet;

use k8s_openapi::api::core::v1::Secret;
use kube::{
    Api, ResourceExt,
    runtime::watcher::{Config, Event},
};
use signet_crds::constants::label;

use super::stream;
use crate::{
    context::Context,
    keys::{Seen, reload},
};

/// Names of the watches in [`crate::health::Health`].
pub const KEY_WATCHES: [&str; 2] = ["key Secrets by label", "key Secrets by name"];
/// How both begin.
pub const KEY_WATCHES_PREFIX: &str = "key Secrets";

/// Follows the key Secrets. One that loses the label leaves the watch as if it were deleted, so
/// adding, changing, relabelling and deleting are all noticed (D23).
pub async fn follow(context: &Context) {
    let active = format!("{}={}", label::SEALING_KEY, label::SEALING_KEY_ACTIVE);
    let by_label = Config::default().labels(&active);
    let by_name =
        Config::default().fields(&format!("metadata.name={}", context.settings.key_prefix));
    let ([label, name], api) = (
        KEY_WATCHES,
        Api::namespaced(context.client.clone(), &context.settings.namespace),
    );
    tokio::join!(
        one(context, label, api.clone(), by_label, Seen::Label),
        one(context, name, api, by_name, Seen::Name),
    );
}

async fn one(context: &Context, name: &str, api: Api<Secret>, config: Config, seen: Seen) {
    let mut listed = BTreeSet::new();
    stream::follow(name, api, config, &context.health, |event| match event {
        Event::Init => listed.clear(),
        Event::InitApply(secret) => {
            listed.insert(secret.name_any());
            context.keys.put(seen, secret);
        }
        Event::InitDone => {
            context.keys.retain(seen, &std::mem::take(&mut listed));
            reload(context);
        }
        Event::Apply(secret) => {
            context.keys.put(seen, secret);
            reload(context);
        }
        Event::Delete(secret) => {
            context.keys.remove(seen, &secret.name_any());
            reload(context);
        }
    })
    .await;
}
