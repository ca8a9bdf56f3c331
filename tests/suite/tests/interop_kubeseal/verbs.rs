//! `signet seal`, `unseal` and `reseal` beside the real kubeseal.

use std::collections::BTreeMap;
use std::fs;

use jiff::Timestamp;
use serde_json::Value;
use signet_keys::sealed::{self, Scope};

use crate::fixtures::KeyPair;
use crate::place::{Place, contents, named, secret};
use crate::program::Program::{Peer, Signet};

fn items(secrets: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let secret: Value = serde_json::from_slice(secrets).unwrap();
    let data = secret["data"].as_object().into_iter().flatten();
    data.map(|(name, value)| {
        let value = value.as_str().unwrap_or_default();
        (name.clone(), sealed::decode(value).unwrap())
    })
    .collect()
}

#[test]
fn kubeseal_opens_what_signet_seals() {
    for bits in [2048, 4096] {
        let place = Place::new(bits);
        for scope in Scope::ALL {
            let args = [
                "seal",
                "--cert",
                "cert.pem",
                "--scope",
                scope.as_str(),
                "--no-state",
            ];
            let sealed = Signet.output(place.path(), &args, secret(&contents()).as_bytes());
            assert!(
                place.open(Peer, &sealed) == named(&contents()),
                "{bits} {scope}"
            );
        }
    }
}

#[test]
fn signet_opens_what_kubeseal_seals() {
    for bits in [2048, 4096] {
        let place = Place::new(bits);
        for scope in Scope::ALL {
            let sealed = place.seal(Peer, scope, &contents());
            let args = ["unseal", "--private-key", "key.pem", "-o", "json"];
            let opened = items(&Signet.output(place.path(), &args, &sealed));
            assert!(opened == named(&contents()), "{bits} {scope}");
        }
    }
}

#[test]
fn kubeseal_opens_with_the_new_key_what_signet_reseals() {
    let place = Place::new(2048);
    let new = KeyPair::new(4096, Timestamp::now());
    fs::write(place.path().join("new.pem"), &new.key).unwrap();
    fs::write(place.path().join("new-cert.pem"), &new.certificate).unwrap();
    for scope in Scope::ALL {
        let file = place.path().join("sealed.yaml");
        fs::write(&file, place.seal(Peer, scope, &contents())).unwrap();
        let args = [
            "reseal",
            "--private-key",
            "key.pem",
            "--cert",
            "new-cert.pem",
            "--no-state",
            "sealed.yaml",
        ];
        Signet.output(place.path(), &args, b"");
        let sealed = fs::read(&file).unwrap();
        let opened = place.open_with(Peer, "new.pem", &sealed);
        assert!(opened == named(&contents()), "{scope}");
    }
}

#[test]
fn kubeseal_opens_a_raw_value_that_signet_seals() {
    let place = Place::new(2048);
    let args = [
        "seal",
        "--raw",
        "--cert",
        "cert.pem",
        "-n",
        "team-a",
        "--name",
        "demo",
        "--from-file",
        "-",
    ];
    let item = Signet.output(place.path(), &args, b"value");
    let item = String::from_utf8(item).unwrap();
    let sealed = format!(
        "kind: SealedSecret\napiVersion: bitnami.com/v1alpha1\n\
         metadata: {{name: demo, namespace: team-a}}\nspec: {{encryptedData: {{pw: {}}}}}\n",
        item.trim_end()
    );
    let opened = place.open(Peer, sealed.as_bytes());
    assert_eq!(opened, named(&BTreeMap::from([("pw", b"value".to_vec())])));
}
