//! Which key opens which item.

use signet_kit::Controller;

use super::{aged, put};
use crate::stage::{Solo, shared_plane};

#[tokio::test]
async fn issue_226_an_item_of_the_oldest_of_many_keys_is_looked_for_once() {
    let namespace = Solo::namespace("issue-226").await;
    let oldest = aged(100);
    put(&namespace, &oldest.secret(namespace.name(), "key-0")).await;
    for number in 1..10 {
        put(
            &namespace,
            &aged(100 - number).secret(namespace.name(), &format!("key-{number}")),
        )
        .await;
    }
    let options = Solo::options(&namespace, &[]).await;
    let controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    let sealer = oldest.sealer().unwrap();
    let sealed = (0..10).fold(namespace.sealed("test"), |sealed, n| {
        sealed.seal(&sealer, &format!("k{n}"), "v")
    });
    namespace.apply(&sealed).await;
    namespace.expect_synced("test", "True").await;
    let operations = async || {
        controller
            .metrics()
            .await
            .unwrap()
            .get("signet_private_operations_total", &[])
            .unwrap()
    };
    let first = operations().await;
    assert!(
        first <= 100.0,
        "{first} operations for 10 items and 10 keys"
    );
    // One item more: the others are known to be of the oldest key.
    namespace.apply(&sealed.seal(&sealer, "k10", "v")).await;
    namespace
        .expect_secret("test", "11 items", |secret| {
            secret.data.as_ref().is_some_and(|data| data.len() == 11)
        })
        .await;
    namespace.expect_synced("test", "True").await;
    let second = operations().await - first;
    assert!(second <= 20.0, "{second} operations for one new item");
}

#[tokio::test]
async fn issue_638_which_objects_need_which_key_is_told() {
    let namespace = Solo::namespace("issue-638").await;
    let (a, b) = (aged(3), aged(2));
    put(&namespace, &a.secret(namespace.name(), "a")).await;
    put(&namespace, &b.secret(namespace.name(), "b")).await;
    let options = Solo::options(&namespace, &[]).await;
    let controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    for (name, pair) in [("one", &a), ("two", &b), ("three", &b), ("four", &b)] {
        let sealer = pair.sealer().unwrap();
        namespace
            .apply(&namespace.sealed(name).seal(&sealer, "foo", "bar"))
            .await;
        namespace.expect_synced(name, "True").await;
    }
    for (pair, count, example) in [(&a, 1.0, "one"), (&b, 3.0, "two")] {
        let fingerprint = pair
            .sealer()
            .unwrap()
            .certificate()
            .public_key()
            .fingerprint()
            .to_string();
        let labels = [("fingerprint", fingerprint.as_str())];
        controller
            .expect_metric("signet_key_objects", &labels, |objects| objects == count)
            .await;
        let of_one = namespace.status(example).await;
        assert!(
            of_one["applied"].to_string().contains(&fingerprint),
            "{of_one:#}"
        );
    }
}
