//! The current certificate in a ConfigMap, for people who may not or cannot use the service proxy
//! (sealed-secrets#282, #317, #368).
//!
//! The leader alone writes it, and only when it says something else, so two replicas do not fight.
//! Server-side apply makes or changes the one item and leaves what others keep in the ConfigMap.
//! Without the right to write it the rest works: that is said once.

use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{Patch, PatchParams},
};
use serde_json::json;
use signet_crds::constants::certificate;
use tracing::{info, warn};

use crate::{
    api::{ApiError, ask, optional},
    client::FIELD_MANAGER,
    context::Context,
    metrics::Written,
    object::ObjectKey,
    watch::KEY_WATCHES_PREFIX,
};

/// Time after which it is looked whether the ConfigMap is still as it was left.
const LOOK_AGAIN: Duration = Duration::from_mins(10);
/// Time until a write that failed is tried again.
const AGAIN: Duration = Duration::from_secs(30);

/// Keeps the ConfigMap for as long as the program runs, while this replica leads.
pub async fn publish(context: &Context) {
    let Some(place) = &context.settings.certificate_config_map else {
        return std::future::pending().await;
    };
    let mut ring = context.ring.subscribe();
    let mut leadership = context.leadership.clone();
    let mut told = None;
    // A ring that is not complete may have another newest key.
    context.health.wait_synced(KEY_WATCHES_PREFIX).await;
    loop {
        leadership.acquired().await;
        let newest = ring
            .borrow_and_update()
            .newest()
            .map(|key| key.certificate.pem().to_owned());
        let wait = match newest {
            None => LOOK_AGAIN,
            Some(pem) => match write(context, place, &pem).await {
                Ok(()) => {
                    told = None;
                    LOOK_AGAIN
                }
                Err(error) => {
                    if told.as_ref() != Some(&error) {
                        warn!(
                            config_map = %place,
                            %error,
                            "cannot publish the certificate; --certificate-config-map= switches it off"
                        );
                    }
                    told = Some(error);
                    AGAIN
                }
            },
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            // The sender lives as long as the context.
            _ = ring.changed() => {}
            () = leadership.lost() => {}
        }
    }
}

async fn write(context: &Context, place: &ObjectKey, pem: &str) -> Result<(), ApiError> {
    let api: Api<ConfigMap> = Api::namespaced(context.client.clone(), &place.namespace);
    let found = optional(ask(api.get(&place.name)).await)?;
    let data = found.and_then(|found| found.data).unwrap_or_default();
    if data.get(certificate::ITEM).is_some_and(|text| text == pem) {
        return Ok(());
    }
    let content = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": place.name, "namespace": place.namespace},
        "data": {certificate::ITEM: pem},
    });
    // The flag names the ConfigMap, so the item is ours whoever wrote it last.
    let params = PatchParams::apply(FIELD_MANAGER).force();
    ask(api.patch(&place.name, &params, &Patch::Apply(&content))).await?;
    context.metrics.count_write(Written::Certificate);
    info!(config_map = %place, "published the certificate");
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{Cluster, Fault, fixture::Controller, newer_key, ring_of, test_key};

    const MAP: &str = "/api/v1/namespaces/kube-system/configmaps/sealed-secrets-certificate";

    async fn run_for_a_while(controller: &Controller) {
        for name in crate::watch::KEY_WATCHES {
            controller.context.health.synced(name);
        }
        let publish = publish(&controller.context);
        let _ = tokio::time::timeout(Duration::from_millis(100), publish).await;
    }

    fn published(cluster: &Cluster) -> Option<String> {
        Some(cluster.get(MAP)?["data"]["cert.pem"].as_str()?.to_owned())
    }

    #[tokio::test]
    async fn issue_368_the_certificate_of_the_newest_key_is_published_and_written_once() {
        let cluster = Cluster::new();
        let controller = Controller::new(&cluster);
        run_for_a_while(&controller).await;
        assert_eq!(published(&cluster).unwrap(), test_key().certificate.pem());
        run_for_a_while(&controller).await;
        assert_eq!(controller.written(Written::Certificate), 1);

        controller
            .context
            .ring
            .replace(ring_of(&[test_key(), newer_key()]));
        run_for_a_while(&controller).await;
        assert_eq!(published(&cluster).unwrap(), newer_key().certificate.pem());
        assert_eq!(controller.written(Written::Certificate), 2);
    }

    #[tokio::test]
    async fn what_others_keep_in_the_config_map_stays() {
        let cluster = Cluster::new();
        let theirs =
            json!({"metadata": {"name": "sealed-secrets-certificate"}, "data": {"a": "b"}});
        cluster.put("/api/v1/namespaces/kube-system/configmaps", theirs);
        let controller = Controller::new(&cluster);
        run_for_a_while(&controller).await;
        assert_eq!(cluster.get(MAP).unwrap()["data"]["a"], "b");
        assert!(published(&cluster).is_some());
    }

    #[tokio::test]
    async fn the_place_is_a_flag_and_nothing_is_a_place_too() {
        let cluster = Cluster::new();
        let off = Controller::with_flags(&cluster, &["--certificate-config-map="]);
        run_for_a_while(&off).await;
        assert_eq!(cluster.requests(), []);
        let flags = ["--certificate-config-map=public/cert"];
        let elsewhere = Controller::with_flags(&cluster, &flags);
        run_for_a_while(&elsewhere).await;
        assert!(
            cluster
                .get("/api/v1/namespaces/public/configmaps/cert")
                .is_some()
        );
    }

    #[tokio::test]
    async fn without_the_right_to_write_it_nothing_ends() {
        let cluster = Cluster::new();
        cluster.fail(|_, path| {
            path.contains("configmaps")
                .then_some(Fault::Status(403, "Forbidden"))
        });
        let controller = Controller::new(&cluster);
        run_for_a_while(&controller).await;
        assert_eq!(published(&cluster), None);
        assert_eq!(controller.written(Written::Certificate), 0);
    }
}
