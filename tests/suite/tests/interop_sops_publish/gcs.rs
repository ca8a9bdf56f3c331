//! Google Cloud Storage, of the kit.

use std::sync::OnceLock;

use signet_kit::fakes::FakeStorage;

use super::world::{BOTH, RECIPIENT, Who, World, folder, rules};

fn storage() -> &'static FakeStorage {
    static STORAGE: OnceLock<FakeStorage> = OnceLock::new();
    STORAGE.get_or_init(|| FakeStorage::start().unwrap())
}

fn world(destinations: &str) -> World {
    let server = storage();
    World::new(destinations)
        .with("STORAGE_EMULATOR_HOST", &server.url())
        .with("SSL_CERT_FILE", server.ca().to_str().unwrap())
}

#[test]
fn an_object_is_the_file_byte_for_byte() {
    let rule = "- path_regex: ^{who}/\n  gcs_bucket: bucket\n  gcs_prefix: a b/{who}+\n";
    let world = world(&rules(rule));
    for (name, text) in [
        ("a.yaml", "a: hello\n"),
        ("a.json", "{\n\t\"a\": 1\n}\n"),
        ("a.env", "A=1\n"),
    ] {
        let [theirs, ours] = BOTH.map(|who| {
            let path = format!("{}/{name}", folder(who));
            world.encrypted(&path, text);
            world.publish(who, &path);
            let there = storage()
                .object(&format!("a b/{}+{name}", folder(who)))
                .unwrap();
            assert_eq!(there.bytes, world.bytes(&path), "{who:?} {name}");
            assert_eq!(there.token, None);
            there.kind
        });
        assert_eq!(ours, theirs);
    }
}

#[test]
fn a_recreation_rule_counts_here_too() {
    let rule = format!(
        "- path_regex: ^{{who}}/\n  gcs_bucket: bucket\n  gcs_prefix: anew/{{who}}-\n  recreation_rule:\n    age: {RECIPIENT}\n"
    );
    let world = world(&rules(&rule));
    for who in BOTH {
        let path = format!("{}/a.yaml", folder(who));
        world.encrypted(&path, "a: hello\n");
        world.publish(who, &path);
        let there = storage()
            .object(&format!("anew/{}-a.yaml", folder(who)))
            .unwrap();
        assert_ne!(there.bytes, world.bytes(&path));
        assert_eq!(world.decrypted("a.yaml", &there.bytes), "a: hello\n");
    }
}

/// sops says nothing, and ends with 0.
#[test]
fn an_upload_that_is_refused_is_an_error() {
    let world = world("- gcs_bucket: nobody-made-it\n");
    world.encrypted("a.yaml", "a: hello\n");
    let [theirs, ours] = BOTH.map(|who| world.run(who, &["publish", "-y", "a.yaml"], ""));
    assert_eq!(theirs.status, Some(0));
    assert_eq!(ours.status, Some(1));
    assert!(ours.stderr.contains("does not exist"), "{}", ours.stderr);
}

#[test]
fn without_credentials_the_remedy_is_told() {
    let world = World::new("- gcs_bucket: bucket\n").with("GCE_METADATA_HOST", "127.0.0.1:1");
    world.encrypted("a.yaml", "a: hello\n");
    let done = world.run(Who::Ours, &["publish", "-y", "a.yaml"], "");
    assert_eq!(done.status, Some(1));
    assert!(
        done.stderr.contains("no Google access token"),
        "{}",
        done.stderr
    );
}
