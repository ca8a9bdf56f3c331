//! Sealing keys: made, renewed, restored, retired and lost.

use jiff::SignedDuration;
use k8s_openapi::api::core::v1::Secret;
use kube::api::PostParams;
use signet_kit::Namespace;
use signet_kit::key_secret::KeyPair;

mod change;
mod load;
mod mint;
mod which;

const DAY: i64 = 24;

pub(crate) async fn put(namespace: &Namespace, secret: &Secret) {
    namespace
        .secrets()
        .create(&PostParams::default(), secret)
        .await
        .unwrap();
}

fn aged(days: i64) -> KeyPair {
    KeyPair::generate(SignedDuration::from_hours(days * DAY)).unwrap()
}
