//! What holds for every value and place.

use std::sync::LazyLock;

use proptest::prelude::*;
use signet_keys::rsa::PrivateKey;
use signet_keys::sealed::{self, Label, OpenError, Scope};

use crate::fixtures;

static KEYS: LazyLock<Vec<PrivateKey>> = LazyLock::new(|| fixtures::on_every_backend("rsa-2048"));

fn scope() -> impl Strategy<Value = Scope> {
    prop::sample::select(Scope::ALL.to_vec())
}

/// Any pair of implementations: one seals, one opens.
fn keys() -> impl Strategy<Value = (PrivateKey, PrivateKey)> {
    (
        prop::sample::select(KEYS.clone()),
        prop::sample::select(KEYS.clone()),
    )
}

fn value() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..300)
}

const NAME: &str = "[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_one_implementation_seals_every_one_opens(
        (sealing, opening) in keys(),
        scope in scope(),
        (namespace, name) in (NAME, NAME),
        value in value(),
    ) {
        let label = Label::new(scope, &namespace, &name);
        let item = sealed::seal(sealing.public_key(), &label, &value).unwrap();
        prop_assert_eq!(item.len(), 2 + 256 + value.len() + 16);
        let opened = sealed::open(&opening, &label, &item).unwrap();
        prop_assert_eq!(opened.expose(), &value[..]);
    }

    #[test]
    fn a_ciphertext_opens_only_under_its_own_label(
        (sealing, opening) in keys(),
        (scope, other_scope) in (scope(), scope()),
        (namespace, name) in (NAME, NAME),
        (other_namespace, other_name) in (NAME, NAME),
    ) {
        let label = Label::new(scope, &namespace, &name);
        let other = Label::new(other_scope, &other_namespace, &other_name);
        prop_assume!(label != other);
        let item = sealed::seal(sealing.public_key(), &label, b"hunter2").unwrap();
        let opened = sealed::open(&opening, &other, &item);
        prop_assert_eq!(opened, Err(OpenError::Undecryptable));
    }

    #[test]
    fn one_flipped_bit_anywhere_and_nothing_opens(
        (sealing, opening) in keys(),
        value in value(),
        (position, bit) in (any::<prop::sample::Index>(), 0..8_u8),
    ) {
        let label = Label::new(Scope::NamespaceWide, "team-a", "");
        let mut item = sealed::seal(sealing.public_key(), &label, &value).unwrap();
        let position = position.index(item.len());
        item[position] ^= 1 << bit;
        let error = sealed::open(&opening, &label, &item).unwrap_err();
        if position >= 2 {
            prop_assert_eq!(error, OpenError::Undecryptable);
        }
    }

    #[test]
    fn a_truncated_item_does_not_open(
        (sealing, opening) in keys(),
        value in value(),
        length in any::<prop::sample::Index>(),
    ) {
        let label = Label::new(Scope::NamespaceWide, "team-a", "");
        let item = sealed::seal(sealing.public_key(), &label, &value).unwrap();
        let cut = &item[..length.index(item.len())];
        let error = sealed::open(&opening, &label, cut).unwrap_err();
        if cut.len() < 2 + 256 + 16 {
            let is_truncated = matches!(error, OpenError::Truncated { .. });
            prop_assert!(is_truncated, "{:?}", error);
        } else {
            prop_assert_eq!(error, OpenError::Undecryptable);
        }
    }

    #[test]
    fn bytes_appended_to_an_item_do_not_pass(
        (sealing, opening) in keys(),
        more in prop::collection::vec(any::<u8>(), 1..20),
    ) {
        let label = Label::new(Scope::ClusterWide, "", "");
        let mut item = sealed::seal(sealing.public_key(), &label, b"hunter2").unwrap();
        item.extend(more);
        prop_assert_eq!(sealed::open(&opening, &label, &item), Err(OpenError::Undecryptable));
    }
}

#[test]
fn sealing_twice_gives_nothing_in_common() {
    let label = Label::new(Scope::ClusterWide, "", "");
    let seal = || sealed::seal(KEYS[0].public_key(), &label, &[0; 64]).unwrap();
    let (one, other) = (seal(), seal());
    assert_eq!(one[..2], other[..2]);
    assert_ne!(one[2..258], other[2..258]);
    assert_ne!(
        one[258..],
        other[258..],
        "each item has a session key of its own"
    );
}
