//! Namespaces share one controller, and none of them takes it from the others.

use jiff::SignedDuration;
use kube::api::{ListParams, PostParams};
use signet_keys::sealed::Scope;
use signet_kit::Namespace;
use signet_kit::key_secret::KeyPair;

use crate::stage::Stage;

const OBJECTS: usize = 30;
const ITEMS: usize = 1500;

/// Objects as large as they get, none of whose items opens: each costs a private-key operation an
/// item.
async fn flood(namespace: &Namespace) {
    let stranger = KeyPair::generate(SignedDuration::ZERO).unwrap();
    let sealer = stranger.sealer().unwrap();
    let text = sealer.seal(Scope::Strict, "n", "o", b"x").unwrap();
    for number in 0..OBJECTS {
        let sealed = (0..ITEMS).fold(
            namespace.sealed(&format!("large-{number}")),
            |sealed, item| sealed.raw(&format!("item-{item}"), text.clone()),
        );
        let api = namespace.sealed_secrets();
        let created = api.create(&PostParams::default(), &sealed.object()).await;
        created.unwrap();
    }
}

/// How many of them the controller has come to the end of.
async fn ended(namespace: &Namespace) -> usize {
    let list = namespace
        .sealed_secrets()
        .list(&ListParams::default())
        .await;
    let told = |object: &&kube::api::DynamicObject| {
        let message = &object.data["status"]["conditions"][0]["message"];
        message
            .as_str()
            .is_some_and(|text| text.contains("no key could decrypt"))
    };
    list.unwrap().items.iter().filter(told).count()
}

#[tokio::test]
async fn a_namespace_full_of_large_objects_that_do_not_open_delays_no_other() {
    let stage = Stage::own(&[]).await;
    let (crowded, other) = (
        stage.namespace("crowded").await,
        stage.namespace("other").await,
    );
    flood(&crowded).await;
    let sealed = other.sealed("db").seal(&stage.sealer, "foo", "bar");
    other.apply(&sealed).await;
    let before = ended(&crowded).await;
    other.expect_data("db", &[("foo", "bar")]).await;
    let after = ended(&crowded).await;
    assert!(
        before < OBJECTS / 2,
        "the flood was over too soon to tell: {before} of {OBJECTS}"
    );
    assert!(
        after - before <= OBJECTS / 6,
        "{} of {OBJECTS} went first",
        after - before
    );
}
