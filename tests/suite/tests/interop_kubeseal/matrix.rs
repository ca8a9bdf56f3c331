//! Sealed by one, opened by the other: key sizes, scopes, contents.

use std::collections::BTreeMap;
use std::fs;

use jiff::Timestamp;
use serde_json::{Value, json};
use signet_keys::sealed::{self, Label, Scope};

use crate::fixtures::KeyPair;
use crate::place::{Place, contents, named, secret};
use crate::program::Program::{self, Ours, Peer};

const BOTH_WAYS: [(Program, Program); 2] = [(Ours, Peer), (Peer, Ours)];

fn seal_and_open(bits: usize) {
    let place = Place::new(bits);
    for scope in Scope::ALL {
        for (seals, opens) in BOTH_WAYS {
            let sealed = place.seal(seals, scope, &contents());
            let opened = place.open(opens, &sealed);
            assert!(opened == named(&contents()), "{bits} {scope} {seals:?}");
        }
    }
}

#[test]
fn what_one_seals_the_other_opens_with_a_key_of_2048_bits() {
    seal_and_open(2048);
}

#[test]
fn what_one_seals_the_other_opens_with_a_key_of_4096_bits() {
    seal_and_open(4096);
}

#[test]
fn what_one_seals_the_other_opens_with_a_key_of_8192_bits() {
    let place = Place::new(8192);
    for (seals, opens) in BOTH_WAYS {
        let sealed = place.seal(seals, Scope::Strict, &contents());
        assert!(
            place.open(opens, &sealed) == named(&contents()),
            "{seals:?}"
        );
    }
}

#[test]
fn what_one_merges_into_a_file_of_the_other_opens_beside_the_rest() {
    let place = Place::new(2048);
    let (first, second): (BTreeMap<_, _>, BTreeMap<_, _>) = contents()
        .into_iter()
        .partition(|(name, _)| name.as_bytes() < b"invalid".as_slice());
    for scope in Scope::ALL {
        for (seals, merges) in BOTH_WAYS {
            // The peer seals what it merges as strict unless it is told again (D4).
            if merges == Peer && scope != Scope::Strict {
                continue;
            }
            let sealed = place.seal(seals, scope, &first);
            let merged = place.merge(merges, &sealed, &second);
            for opens in [Ours, Peer] {
                let opened = place.open(opens, &merged);
                assert!(opened == named(&contents()), "{scope} {merges:?} {opens:?}");
            }
        }
    }
}

#[test]
fn d4_an_item_is_merged_under_the_scope_of_the_file() {
    let place = Place::new(2048);
    let items = BTreeMap::from([("new", b"value".to_vec())]);
    for scope in [Scope::NamespaceWide, Scope::ClusterWide] {
        let sealed = place.seal(Peer, scope, &BTreeMap::from([("old", b"value".to_vec())]));
        let merged = place.merge(Ours, &sealed, &items);
        assert_eq!(place.open(Peer, &merged).len(), 2, "{scope}");
    }
}

#[test]
fn a_raw_value_of_one_opens_for_the_other() {
    let place = Place::new(2048);
    for scope in Scope::ALL {
        for (seals, opens) in BOTH_WAYS {
            let items: BTreeMap<_, _> = contents()
                .into_iter()
                .map(|(name, value)| (name, place.raw(seals, scope, &value)))
                .collect();
            let annotations: BTreeMap<_, _> = scope
                .annotation()
                .into_iter()
                .map(|name| (name, "true"))
                .collect();
            let sealed = json!({
                "kind": "SealedSecret",
                "apiVersion": "bitnami.com/v1alpha1",
                "metadata": { "name": "demo", "namespace": "team-a", "annotations": annotations },
                "spec": { "encryptedData": items },
            });
            let opened = place.open(opens, sealed.to_string().as_bytes());
            assert!(opened == named(&contents()), "{scope} {seals:?}");
        }
    }
}

#[test]
fn an_item_opens_for_neither_under_another_name() {
    let place = Place::new(2048);
    let items = BTreeMap::from([("foo", b"value".to_vec())]);
    let sealed = place.seal(Ours, Scope::Strict, &items);
    let moved = String::from_utf8(sealed).unwrap().replace("demo", "other");
    for program in [Ours, Peer] {
        let args = ["--recovery-unseal", "--recovery-private-key", "key.pem"].map(str::to_owned);
        let finished = program.run(place.path(), &args, &BTreeMap::new(), moved.as_bytes());
        assert_eq!(finished.status, Some(1));
        let first = finished.stderr.lines().next();
        assert_eq!(first, Some("error: no key could decrypt secret (foo)"));
    }
}

#[test]
fn a_backup_opens_in_every_form_that_people_keep() {
    let place = Place::new(2048);
    let other = KeyPair::new(2048, Timestamp::now());
    let items = BTreeMap::from([("foo", b"value".to_vec())]);
    let sealed = place.seal(Peer, Scope::Strict, &items);
    let pkcs8 = std::process::Command::new("openssl")
        .args(["pkcs8", "-topk8", "-nocrypt", "-in", "key.pem"])
        .current_dir(place.path())
        .output()
        .unwrap();
    let item = |pair: &KeyPair, name: &str| {
        let tls = json!({
            "tls.crt": sealed::encode(pair.certificate.as_bytes()),
            "tls.key": sealed::encode(pair.key.as_bytes()),
        });
        json!({ "metadata": { "name": name }, "data": tls, "type": "kubernetes.io/tls" })
    };
    let both = [item(&other, "old"), item(&place.pair, "new")];
    let typed = |mut item: Value| {
        item["kind"] = "Secret".into();
        item["apiVersion"] = "v1".into();
        item
    };
    let list = json!({ "kind": "List", "apiVersion": "v1", "items": both.clone().map(typed) });
    // As client-go writes a typed list: its items have no kind.
    let secret_list = json!({ "kind": "SecretList", "apiVersion": "v1", "items": both });
    let files = [
        ("pkcs8.pem", pkcs8.stdout),
        ("secret.yaml", place.pair.key_secret("key").into_bytes()),
        ("list.json", list.to_string().into_bytes()),
        ("secret-list.json", secret_list.to_string().into_bytes()),
    ];
    for (name, bytes) in files {
        fs::write(place.path().join(name), bytes).unwrap();
        for program in [Ours, Peer] {
            if name == "secret-list.json" && program == Peer {
                continue;
            }
            let opened = place.open_with(program, name, &sealed);
            assert_eq!(opened, named(&items), "{name} {program:?}");
        }
    }
}

#[test]
fn the_deprecated_form_opens_though_the_peer_refuses_it() {
    let place = Place::new(2048);
    let items = BTreeMap::from([("foo", b"value".to_vec())]);
    let label = Label::new(Scope::Strict, "team-a", "demo");
    let key = place.pair.private.public_key();
    let blob = sealed::seal(key, &label, secret(&items).as_bytes()).unwrap();
    let sealed = json!({
        "kind": "SealedSecret",
        "apiVersion": "bitnami.com/v1alpha1",
        "metadata": { "name": "demo", "namespace": "team-a" },
        "spec": { "data": sealed::encode(&blob), "encryptedData": {} },
    })
    .to_string();
    assert_eq!(place.open(Ours, sealed.as_bytes()), named(&items));
    let args = ["--recovery-unseal", "--recovery-private-key", "key.pem"].map(str::to_owned);
    let finished = Peer.run(place.path(), &args, &BTreeMap::new(), sealed.as_bytes());
    assert_eq!(finished.status, Some(1));
}
