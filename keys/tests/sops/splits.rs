//! Data keys in parts, one for each key group.

use serde::Deserialize;
use signet_keys::Plaintext;
use signet_keys::sops::shamir;

use crate::fixtures::{self, Bytes};

#[derive(Deserialize)]
struct Vector {
    secret: Bytes,
    threshold: usize,
    parts: Vec<Bytes>,
}

fn vectors() -> Vec<Vector> {
    let vectors: Vec<Vector> = fixtures::read("splits.json");
    assert_eq!(vectors.len(), 4);
    vectors
}

fn parts(vector: &Vector) -> Vec<Plaintext> {
    let parts = vector.parts.iter().map(|part| part.0.clone().into());
    parts.collect()
}

#[test]
fn parts_of_sops_give_the_secret_back() {
    for vector in vectors() {
        let parts = parts(&vector);
        for some in parts.windows(vector.threshold) {
            assert_eq!(shamir::combine(some).unwrap().expose(), vector.secret.0);
        }
        assert_eq!(shamir::combine(&parts).unwrap().expose(), vector.secret.0);
    }
}

#[test]
fn parts_have_the_layout_of_sops() {
    for vector in vectors() {
        let ours = shamir::split(&vector.secret.0, vector.parts.len(), vector.threshold).unwrap();
        let layout = |parts: &[Plaintext]| -> Vec<_> {
            let shape = |part: &Plaintext| (part.len(), part.expose().last().copied());
            parts.iter().map(shape).collect()
        };
        assert_eq!(layout(&ours), layout(&parts(&vector)));
    }
}
