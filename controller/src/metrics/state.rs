//! Metrics that are a matter of state: read at each scrape.

use std::{collections::BTreeMap, fmt, sync::Arc};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
};
use signet_crds::{constants::condition, sealed_secret::SealedSecret};
use signet_keys::certificate::Certificate;

use crate::{ring::Ring, store::SealedSecrets};

/// Reads conditions, keys and which objects use them.
#[derive(Debug)]
pub struct State {
    /// The objects.
    pub sealed: Arc<SealedSecrets>,
    /// The keys.
    pub ring: Arc<Ring>,
    /// Whether to leave the names of objects out.
    pub omit_names: bool,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ConditionInfo {
    namespace: String,
    name: String,
    condition: String,
    ss_app_kubernetes_io_instance: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Key {
    fingerprint: String,
    name: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Fingerprint {
    fingerprint: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Synced {
    synced: &'static str,
}

/// Which objects there are by their first condition; and which key they need.
#[derive(Default)]
struct Counts {
    synced: BTreeMap<&'static str, i64>,
    by_key: BTreeMap<String, i64>,
}

impl Collector for State {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let objects = self.sealed.all();
        let mut counts = Counts::default();
        counts
            .synced
            .extend([("True", 0), ("False", 0), ("Unknown", 0)]);
        for (_, object) in &objects {
            counts.add(object);
        }
        if !self.omit_names {
            let infos = objects.iter().filter_map(|(key, object)| {
                let labels = ConditionInfo {
                    namespace: key.namespace.clone(),
                    name: key.name.clone(),
                    condition: condition::SYNCED.to_owned(),
                    ss_app_kubernetes_io_instance: instance(object),
                };
                Some((labels, as_number(synced(object)?)))
            });
            let help = "Condition of each SealedSecret: 1 true, 0 unknown, -1 false";
            gauges(
                &mut encoder,
                "sealed_secrets_controller_condition_info",
                help,
                infos,
            )?;
        }
        let synced = counts
            .synced
            .into_iter()
            .map(|(synced, number)| (Synced { synced }, number));
        gauges(
            &mut encoder,
            "signet_objects",
            "SealedSecrets by their Synced condition",
            synced,
        )?;
        self.keys(&mut encoder, counts.by_key)
    }
}

impl State {
    fn keys(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        mut by_key: BTreeMap<String, i64>,
    ) -> Result<(), fmt::Error> {
        let ring = self.ring.now();
        let times = |time: fn(&Certificate) -> jiff::Timestamp| {
            ring.iter().map(move |key| {
                let labels = Key {
                    fingerprint: key.fingerprint().to_string(),
                    name: key.name.clone(),
                };
                (labels, time(&key.certificate).as_second())
            })
        };
        for key in ring.iter() {
            by_key.entry(key.fingerprint().to_string()).or_insert(0);
        }
        let number = i64::try_from(ring.len()).unwrap_or(i64::MAX);
        gauges(
            encoder,
            "signet_keys",
            "Sealing keys that are loaded",
            [(Vec::<(String, String)>::new(), number)],
        )?;
        let help = "Start of each key's certificate";
        gauges(
            encoder,
            "signet_key_not_before_timestamp_seconds",
            help,
            times(Certificate::not_before),
        )?;
        let help = "End of each key's certificate";
        gauges(
            encoder,
            "signet_key_not_after_timestamp_seconds",
            help,
            times(Certificate::not_after),
        )?;
        let used = by_key
            .into_iter()
            .map(|(fingerprint, number)| (Fingerprint { fingerprint }, number));
        gauges(
            encoder,
            "signet_key_objects",
            "SealedSecrets with an item that this key opened",
            used,
        )
    }
}

impl Counts {
    fn add(&mut self, object: &SealedSecret) {
        let synced = match synced(object) {
            Some("True") => "True",
            Some("False") => "False",
            _ => "Unknown",
        };
        *self.synced.entry(synced).or_default() += 1;
        let applied = object
            .status
            .as_ref()
            .and_then(|status| status.applied.as_ref());
        for key in applied
            .map(|applied| applied.keys.as_slice())
            .unwrap_or_default()
        {
            *self.by_key.entry(key.fingerprint.clone()).or_default() += 1;
        }
    }
}

fn synced(object: &SealedSecret) -> Option<&str> {
    Some(
        object
            .status
            .as_ref()?
            .condition(condition::SYNCED)?
            .status
            .as_str(),
    )
}

fn instance(object: &SealedSecret) -> String {
    let labels = object.metadata.labels.as_ref();
    labels
        .and_then(|labels| labels.get("app.kubernetes.io/instance"))
        .cloned()
        .unwrap_or_default()
}

fn as_number(status: &str) -> i64 {
    match status {
        "True" => 1,
        "False" => -1,
        _ => 0,
    }
}

fn gauges<L: EncodeLabelSet>(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    values: impl IntoIterator<Item = (L, i64)>,
) -> Result<(), fmt::Error> {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (labels, value) in values {
        ConstGauge::new(value).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}
