#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;

fn part(bytes: &[u8]) -> Plaintext {
    bytes.to_vec().into()
}

/// Multiplication as it is taught: carry-less, then reduced by the polynomial.
fn taught(a: u8, b: u8) -> u8 {
    let mut product = (0..8)
        .filter(|bit| b >> bit & 1 == 1)
        .fold(0_u16, |sum, bit| sum ^ u16::from(a) << bit);
    for bit in (8..16).rev() {
        if product >> bit & 1 == 1 {
            product ^= 0x11B << (bit - 8);
        }
    }
    u8::try_from(product).unwrap()
}

#[test]
fn every_product_is_that_of_the_field() {
    for a in 0..=255 {
        for b in 0..=255 {
            assert_eq!(multiply(a, b), taught(a, b), "{a} {b}");
        }
    }
}

#[test]
fn every_element_but_0_has_its_inverse() {
    for a in 1..=255 {
        assert_eq!(multiply(a, inverse(a)), 1, "{a}");
    }
}

#[test]
fn parts_end_with_their_numbers_from_1() {
    let parts = split(b"secret", 5, 3).unwrap();
    let numbers: Vec<_> = parts.iter().map(|part| part.expose()[6]).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert!(parts.iter().all(|part| part.len() == 7));
}

#[test]
fn what_cannot_be_split_says_why() {
    assert_eq!(split(b"s", 3, 1), Err(SplitError::Threshold(1)));
    assert_eq!(split(b"s", 1, 2), Err(SplitError::Parts(1)));
    assert_eq!(split(b"s", 256, 2), Err(SplitError::Parts(256)));
    assert_eq!(split(b"", 2, 2), Err(SplitError::Empty));
}

#[test]
fn parts_that_do_not_go_together_are_refused() {
    assert_eq!(combine(&[]), Err(CombineError::TooFew(0)));
    assert_eq!(combine(&[part(b"y\x01")]), Err(CombineError::TooFew(1)));
    for (one, other, error) in [
        (&b"y\x01"[..], &b"yy\x02"[..], CombineError::Length),
        (b"\x01", b"\x02", CombineError::Length),
        (b"", b"", CombineError::Length),
        (b"a\x01", b"b\x01", CombineError::Duplicate),
        (b"a\x01", b"b\x00", CombineError::Zero),
    ] {
        assert_eq!(combine(&[part(one), part(other)]), Err(error));
    }
}

proptest! {
    #[test]
    fn any_threshold_of_the_parts_give_the_secret_back(
        secret in prop::collection::vec(any::<u8>(), 1..64),
        (count, threshold) in (2_usize..20).prop_flat_map(|count| (Just(count), 2..=count)),
        order in any::<prop::sample::Index>(),
    ) {
        let mut parts = split(&secret, count, threshold).unwrap();
        parts.rotate_left(order.index(count));
        let enough = combine(&parts[..threshold]).unwrap();
        prop_assert_eq!(enough.expose(), &secret[..]);
        let all = combine(&parts).unwrap();
        prop_assert_eq!(all.expose(), &secret[..]);
    }

    /// With 16 bytes or more a wrong guess is never the secret by chance.
    #[test]
    fn one_part_too_few_gives_something_else(
        secret in prop::collection::vec(any::<u8>(), 16..40),
        threshold in 3_usize..8,
    ) {
        let parts = split(&secret, threshold, threshold).unwrap();
        let guess = combine(&parts[1..]).unwrap();
        prop_assert_ne!(guess.expose(), &secret[..]);
    }

    #[test]
    fn arbitrary_parts_never_panic(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..6), 0..6),
    ) {
        let parts: Vec<_> = parts.into_iter().map(Plaintext::new).collect();
        let _ = combine(&parts);
    }
}
