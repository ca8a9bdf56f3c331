//! Keys that are read as people and peers have left them.

use jiff::SignedDuration;
use signet_kit::Controller;
use signet_kit::key_secret::{self, KeyPair};

use super::{DAY, aged, put};
use crate::stage::{Solo, shared_plane};

#[tokio::test]
async fn issue_1639_keys_of_one_second_have_a_stable_order() {
    let namespace = Solo::namespace("issue-1639").await;
    for name in ["key-b", "key-c", "key-a"] {
        put(
            &namespace,
            &KeyPair::generate(SignedDuration::from_hours(DAY))
                .unwrap()
                .secret(namespace.name(), name),
        )
        .await;
    }
    let options = Solo::options(&namespace, &[]).await;
    let mut controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    let first = controller.certificate().await.unwrap();
    for _ in 0..3 {
        controller.restart().await.unwrap();
        assert_eq!(controller.certificate().await.unwrap(), first);
    }
}

#[tokio::test]
async fn the_newest_is_by_certificate_or_by_secret_as_the_flag_says() {
    let namespace = Solo::namespace("order").await;
    let (by_certificate, by_secret) = (aged(1), aged(9));
    put(
        &namespace,
        &by_certificate.secret(namespace.name(), "key-1"),
    )
    .await;
    // Creation times count seconds.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    put(&namespace, &by_secret.secret(namespace.name(), "key-2")).await;
    for (flag, newest) in [
        ("CertNotBefore", &by_certificate),
        ("SecretCreationTimestamp", &by_secret),
    ] {
        let options = Solo::options(&namespace, &[&format!("--key-order-priority={flag}")]).await;
        let controller = Controller::start(shared_plane().await, options)
            .await
            .unwrap();
        assert_eq!(
            controller.certificate().await.unwrap(),
            newest.certificate,
            "{flag}"
        );
    }
}

#[tokio::test]
async fn a_legacy_key_without_a_label_and_a_pkcs8_key_are_read() {
    let namespace = Solo::namespace("legacy").await;
    let (legacy, modern) = (aged(3), aged(2));
    let mut secret = legacy.secret(namespace.name(), "sealed-secrets-key");
    secret.metadata.labels = None;
    put(&namespace, &secret).await;
    let pkcs8 = pkcs8(&modern.private_key);
    put(
        &namespace,
        &key_secret::secret(namespace.name(), "modern", &modern.certificate, &pkcs8),
    )
    .await;
    let options = Solo::options(&namespace, &[]).await;
    let _controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    for (name, pair) in [("one", &legacy), ("two", &modern)] {
        let sealer = pair.sealer().unwrap();
        namespace
            .apply(&namespace.sealed(name).seal(&sealer, "foo", "bar"))
            .await;
        namespace.expect_data(name, &[("foo", "bar")]).await;
    }
}

#[tokio::test]
async fn d22_a_key_that_does_not_parse_stops_nothing_at_start_or_later() {
    let namespace = Solo::namespace("d22").await;
    put(
        &namespace,
        &key_secret::secret(namespace.name(), "a-broken", "no certificate", "no key"),
    )
    .await;
    let good = aged(1);
    put(&namespace, &good.secret(namespace.name(), "good")).await;
    let options = Solo::options(&namespace, &[]).await;
    let mut controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    assert!(
        controller.log().contains("a-broken"),
        "the log names the Secret:\n{}",
        controller.log()
    );

    let swapped = key_secret::secret(
        namespace.name(),
        "swapped",
        &aged(1).certificate,
        &good.private_key,
    );
    put(&namespace, &swapped).await;
    let mut empty = good.secret(namespace.name(), "empty");
    (empty.data, empty.type_) = (None, Some("Opaque".into()));
    put(&namespace, &empty).await;
    let sealer = good.sealer().unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    assert!(controller.exited().is_none());
    assert_eq!(controller.certificate().await.unwrap(), good.certificate);
}

/// The same key in the other encoding: the PKCS#1 DER in a PKCS#8 envelope.
fn pkcs8(pkcs1_pem: &str) -> String {
    let base64: String = pkcs1_pem
        .lines()
        .filter(|line| !line.starts_with("-----"))
        .collect();
    let inner = signet_keys::sealed::decode(&base64).unwrap();
    let algorithm = [
        0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0,
    ];
    let body = [&[2, 1, 0][..], &algorithm, &tlv(4, &inner)].concat();
    let text = signet_keys::sealed::encode(&tlv(0x30, &body));
    let lines: Vec<String> = text
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        lines.join("\n")
    )
}

/// DER with a length of two bytes, which an RSA key of 2048 bits needs.
fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[tag, 0x82, length[0], length[1]][..], content].concat()
}
