//! Single values.

use serde::Deserialize;
use signet_keys::sops::value::DecryptError;
use signet_keys::sops::{Envelope, Kind, Value};

use crate::fixtures::{self, Bytes};

#[derive(Deserialize)]
struct Vector {
    kind: String,
    plaintext: Bytes,
    aad: String,
    ciphertext: String,
}

impl Vector {
    fn kind(&self) -> Kind {
        self.kind.parse().unwrap()
    }
}

fn vectors() -> Vec<Vector> {
    let vectors: Vec<Vector> = fixtures::read("values.json");
    assert_eq!(vectors.len(), 39);
    vectors
}

#[test]
fn every_value_of_sops_decrypts_to_its_bytes_and_kind() {
    for vector in vectors() {
        let value = fixtures::cipher()
            .decrypt(&vector.ciphertext, vector.aad.as_bytes())
            .unwrap();
        assert!(
            value.plaintext().expose() == vector.plaintext.0,
            "{} at {}",
            vector.kind,
            vector.aad
        );
        if !vector.plaintext.0.is_empty() {
            assert_eq!(value.kind(), vector.kind());
        }
    }
}

#[test]
fn the_spelling_of_every_value_is_that_of_sops() {
    for vector in vectors() {
        let value = Value::new(vector.kind(), vector.plaintext.0.clone().into()).unwrap();
        assert!(value.plaintext().expose() == vector.plaintext.0);
    }
}

#[test]
fn every_envelope_of_sops_is_written_back_as_it_was() {
    for vector in vectors().iter().filter(|v| !v.ciphertext.is_empty()) {
        let envelope: Envelope = vector.ciphertext.parse().unwrap();
        assert_eq!(envelope.to_string(), vector.ciphertext);
    }
}

#[test]
fn a_value_of_sops_opens_at_no_other_place() {
    for vector in vectors().iter().filter(|v| !v.ciphertext.is_empty()) {
        let moved = fixtures::cipher().decrypt(&vector.ciphertext, b"elsewhere:");
        assert_eq!(moved, Err(DecryptError::Undecryptable));
    }
}

#[test]
fn nonces_of_any_length_are_read() {
    let vectors: Vec<Vector> = fixtures::read("other-nonces.json");
    assert_eq!(vectors.len(), 10);
    for vector in vectors {
        let value = fixtures::cipher()
            .decrypt(&vector.ciphertext, vector.aad.as_bytes())
            .unwrap();
        assert!(value.plaintext().expose() == vector.plaintext.0);
        let elsewhere = fixtures::cipher().decrypt(&vector.ciphertext, b"b:");
        assert_eq!(elsewhere, Err(DecryptError::Undecryptable));
    }
}
