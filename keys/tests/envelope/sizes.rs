//! Every size of key and the largest values.

use signet_keys::sealed::{self, Label, OpenError, Scope};

use crate::fixtures;

fn label() -> Label {
    Label::new(Scope::Strict, "team-a", "db")
}

#[test]
fn keys_of_2048_to_8192_bits_seal_and_open_across_implementations() {
    for (name, bytes) in [
        ("rsa-2048", 256),
        ("rsa-2048-exponent-3", 256),
        ("rsa-3072-pkcs8", 384),
        ("rsa-4096", 512),
        ("rsa-8192", 1024),
    ] {
        let keys = fixtures::on_every_backend(name);
        for sealing in &keys {
            let item = sealed::seal(sealing.public_key(), &label(), b"hunter2").unwrap();
            assert_eq!(usize::from(u16::from_be_bytes([item[0], item[1]])), bytes);
            for opening in &keys {
                let value = sealed::open(opening, &label(), &item).unwrap();
                assert_eq!(value.expose(), b"hunter2", "{name}");
            }
        }
    }
}

#[test]
fn values_from_nothing_to_a_mebibyte_open_unchanged() {
    let key = fixtures::private_key("rsa-2048");
    let bytes = |length| (0..=255).cycle().take(length).collect::<Vec<u8>>();
    for length in [0, 1, 15, 16, 17, 4096, 1024 * 1024] {
        let item = sealed::seal(key.public_key(), &label(), &bytes(length)).unwrap();
        let value = sealed::open(&key, &label(), &item).unwrap();
        assert!(value.expose() == bytes(length), "{length}");
    }
}

#[test]
fn a_key_of_another_size_is_told_from_a_wrong_one() {
    let (small, large) = (
        fixtures::private_key("rsa-2048"),
        fixtures::private_key("rsa-4096"),
    );
    let item = sealed::seal(large.public_key(), &label(), b"x").unwrap();
    let error = sealed::open(&small, &label(), &item).unwrap_err();
    assert_eq!(error, OpenError::NoKeyOfSize { bits: 4096 });
}

#[test]
fn the_key_of_another_cluster_does_not_open() {
    let (ours, theirs) = (
        fixtures::private_key("rsa-2048"),
        fixtures::private_key("rsa-2048-other"),
    );
    let item = sealed::seal(theirs.public_key(), &label(), b"x").unwrap();
    assert_eq!(
        sealed::open(&ours, &label(), &item),
        Err(OpenError::Undecryptable)
    );
}
