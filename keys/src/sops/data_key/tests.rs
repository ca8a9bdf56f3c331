#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn debug_shows_nothing_of_the_key() {
    let key = DataKey::from_plaintext(&vec![65; 32].into()).unwrap();
    assert_eq!(format!("{key:?}"), "DataKey(<redacted>)");
}

#[test]
fn two_new_keys_differ() {
    assert_ne!(DataKey::generate().unwrap(), DataKey::generate().unwrap());
}

#[test]
fn only_32_bytes_are_a_key() {
    for actual in [0, 31, 33] {
        let error = DataKey::from_plaintext(&vec![0; actual].into());
        assert_eq!(error, Err(DataKeyError::Length { actual }));
    }
}

#[test]
fn the_parts_of_enough_groups_give_the_key_in_any_order() {
    let key = DataKey::generate().unwrap();
    let parts = key.split(3, 2).unwrap();
    assert_eq!(parts.len(), 3);
    for pair in [[0, 1], [1, 2], [2, 0]] {
        let parts = pair.map(|number: usize| parts[number].clone());
        assert_eq!(DataKey::combine(&parts), Ok(key.clone()));
    }
}

#[test]
fn one_group_alone_has_no_key() {
    let parts = DataKey::generate().unwrap().split(2, 2).unwrap();
    let error = DataKey::combine(&parts[..1]);
    assert_eq!(error, Err(CombineError::TooFew(1).into()));
}

#[test]
fn a_key_that_is_wrapped_whole_is_read_back() {
    let key = DataKey::generate().unwrap();
    assert_eq!(DataKey::from_plaintext(&key.to_plaintext()), Ok(key));
}
