//! Checksums over the values of a tree.

use serde::Deserialize;
use signet_keys::sops::{LastModified, Mac, Value};

use crate::fixtures;

#[derive(Deserialize)]
struct Vector {
    only_encrypted: bool,
    leaves: Vec<Leaf>,
    last_modified: String,
    digits: String,
    sealed: String,
}

#[derive(Deserialize)]
struct Leaf {
    kind: String,
    plaintext: String,
    encrypted: bool,
}

fn vectors() -> Vec<Vector> {
    let vectors: Vec<Vector> = fixtures::read("checksums.json");
    assert_eq!(vectors.len(), 4);
    vectors
}

fn mac(vector: &Vector) -> Mac {
    let mut mac = if vector.only_encrypted {
        Mac::only_encrypted()
    } else {
        Mac::new()
    };
    for leaf in &vector.leaves {
        let kind = leaf.kind.parse().unwrap();
        let value = Value::new(kind, leaf.plaintext.clone().into_bytes().into()).unwrap();
        mac.add(&value, leaf.encrypted);
    }
    mac
}

#[test]
fn every_checksum_of_sops_proves_its_values() {
    for vector in vectors() {
        let time: LastModified = vector.last_modified.parse().unwrap();
        assert_eq!(time.as_str(), vector.last_modified);
        let proved = mac(&vector).verify(&fixtures::cipher(), &vector.sealed, &time);
        assert_eq!(proved, Ok(()));
    }
}

#[test]
fn the_sealed_checksum_is_that_of_sops_as_a_string() {
    for vector in vectors() {
        let time: LastModified = vector.last_modified.parse().unwrap();
        let sealed = mac(&vector).seal(&fixtures::cipher(), &time).unwrap();
        let opened = fixtures::cipher()
            .decrypt(&sealed, vector.last_modified.as_bytes())
            .unwrap();
        assert_eq!(opened, Value::text(vector.digits));
    }
}
