//! Data keys wrapped for age recipients.

use serde::Deserialize;
use signet_keys::Plaintext;
use signet_keys::age_key::{self, Assistant, Identity, Recipient, Unattended, UnwrapError};
use signet_keys::sops::DataKey;

use crate::fixtures::{self, Bytes};

#[derive(Deserialize)]
struct Vector {
    name: String,
    recipient: String,
    identity: Bytes,
    passphrase: String,
    wrapped: String,
}

/// Knows one passphrase.
struct Knows<'a>(&'a str);

impl Assistant for Knows<'_> {
    fn passphrase(&self, _: &str) -> Option<Plaintext> {
        Some(self.0.as_bytes().to_vec().into())
    }
}

impl Vector {
    fn identities(&self) -> Vec<Identity> {
        Identity::parse_all(&self.identity.0, &self.name).unwrap()
    }

    fn recipient(&self) -> Recipient {
        self.recipient.parse().unwrap()
    }

    fn unwrap(&self, wrapped: &str) -> Result<Plaintext, UnwrapError> {
        age_key::unwrap(wrapped, &self.identities(), &Knows(&self.passphrase))
    }
}

fn vectors() -> Vec<Vector> {
    let vectors: Vec<Vector> = fixtures::read("age.json");
    assert_eq!(vectors.len(), 14);
    vectors
}

#[test]
fn what_sops_wrapped_for_any_recipient_is_unwrapped() {
    for vector in vectors() {
        let key = vector.unwrap(&vector.wrapped).unwrap();
        let key = DataKey::from_plaintext(&key).unwrap();
        assert_eq!(key, fixtures::data_key(), "{}", vector.name);
    }
}

#[test]
fn what_is_wrapped_for_any_recipient_is_unwrapped_again() {
    let secret = Plaintext::from(b"thirty-three bytes of one share!\x01".to_vec());
    for vector in vectors() {
        let wrapped = age_key::wrap(&secret, &vector.recipient(), &Unattended).unwrap();
        assert_eq!(vector.unwrap(&wrapped).unwrap(), secret, "{}", vector.name);
    }
}

/// The files differ in length: here a stanza of random bytes is among them that every reader passes
/// over, which the age crate adds to keep readers lenient.
#[test]
fn the_armor_is_laid_out_as_that_of_sops() {
    let secret = Plaintext::from(vec![b'k'; 32]);
    for vector in vectors() {
        let wrapped = age_key::wrap(&secret, &vector.recipient(), &Unattended).unwrap();
        for text in [&wrapped, &vector.wrapped] {
            let body = text
                .strip_prefix("-----BEGIN AGE ENCRYPTED FILE-----\n")
                .and_then(|text| text.strip_suffix("\n-----END AGE ENCRYPTED FILE-----\n"))
                .unwrap();
            let (whole, last) = body.rsplit_once('\n').unwrap();
            assert!(whole.split('\n').all(|line| line.len() == 64));
            assert!((1..=64).contains(&last.len()));
        }
    }
}

#[test]
fn an_identity_opens_what_is_for_it_and_nothing_else() {
    let vectors = vectors();
    for one in &vectors {
        for other in vectors.iter().filter(|other| !same_key(one, other)) {
            let error = one.unwrap(&other.wrapped).unwrap_err();
            let (tried, failures) = (1, Vec::new());
            assert_eq!(error, UnwrapError::NoMatch { tried, failures });
        }
    }
}

fn same_key(one: &Vector, other: &Vector) -> bool {
    let key = |vector: &Vector| -> Vec<_> {
        let words = vector.recipient.split(' ').take(2);
        words.map(str::to_owned).collect()
    };
    key(one) == key(other)
}

#[test]
fn an_identity_knows_its_recipient_where_the_public_half_is_in_the_open() {
    for vector in vectors() {
        let known = vector.identities()[0].recipient();
        let locked_file = vector.name.starts_with("x25519-locked");
        let expected = vector.recipient.trim_end_matches(" somebody@somewhere");
        let expected = (!locked_file).then_some(expected);
        assert_eq!(known.as_deref(), expected, "{}", vector.name);
    }
}

#[test]
fn a_wrong_passphrase_is_told_with_the_place_of_the_identity() {
    let locked = |vector: &Vector| !vector.passphrase.is_empty();
    for vector in vectors().into_iter().filter(locked) {
        let identities = vector.identities();
        let wrong = age_key::unwrap(&vector.wrapped, &identities, &Knows("wrong"));
        let text = wrong.unwrap_err().to_string();
        assert!(
            text.ends_with(&format!("; {}: the passphrase is wrong", vector.name)),
            "{text}"
        );
        let nobody = age_key::unwrap(&vector.wrapped, &identities, &Unattended);
        let text = nobody.unwrap_err().to_string();
        assert!(
            text.ends_with("by a passphrase, and none was given"),
            "{text}"
        );
    }
}

/// getsops/sops#1987: an SSH key that cannot be used kept the age key from being tried.
#[test]
fn issue_1987_an_identity_that_fails_does_not_keep_the_next_from_being_tried() {
    let vectors = vectors();
    let named = |name: &str| vectors.iter().find(|vector| vector.name == name).unwrap();
    let (locked, open) = (named("x25519-locked"), named("ed25519"));
    let mut identities = locked.identities();
    identities.extend(open.identities());
    let key = age_key::unwrap(&open.wrapped, &identities, &Unattended).unwrap();
    assert_eq!(key.expose(), fixtures::data_key().expose());
}

#[test]
fn a_wrapped_key_with_one_changed_letter_is_not_unwrapped() {
    for vector in vectors() {
        let lines: Vec<_> = vector.wrapped.lines().collect();
        for line in 1..lines.len() - 1 {
            let mut changed: Vec<_> = lines.iter().map(ToString::to_string).collect();
            let letter = if changed[line].starts_with('A') {
                "B"
            } else {
                "A"
            };
            changed[line].replace_range(..1, letter);
            assert!(
                vector.unwrap(&changed.join("\n")).is_err(),
                "{} {line}",
                vector.name
            );
        }
    }
}
