#![allow(clippy::unwrap_used)]
use super::*;
use crate::block_on;
use crate::groups::testing::{Fake, age, hex, pgp};
use signet_keys::sops::MasterKey;

const KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";

fn wrapped(service: &str, key: MasterKey, hex: &str) -> WrappedKey {
    WrappedKey {
        enc: format!("{service}:{key}:{hex}"),
        key,
        created_at: None,
    }
}

fn open(
    services: &[&dyn KeyService],
    groups: &[Vec<WrappedKey>],
    threshold: Option<usize>,
) -> Result<Recovered, RecoverError> {
    let groups: Vec<&[WrappedKey]> = groups.iter().map(Vec::as_slice).collect();
    block_on(recover(
        services,
        &groups,
        threshold,
        &DecryptionOrder::default(),
    ))
}

/// One group for each part of a split key.
fn split(count: usize, threshold: usize) -> (DataKey, Vec<Vec<WrappedKey>>) {
    let key = DataKey::generate().unwrap();
    let parts = key.split(count, threshold).unwrap();
    let groups = parts.iter().enumerate();
    let groups = groups.map(|(index, part)| {
        vec![wrapped(
            "here",
            age(&format!("age1{index}")),
            &hex(part.expose()),
        )]
    });
    (key, groups.collect())
}

#[test]
fn the_first_key_that_opens_ends_its_group_and_age_and_pgp_come_first() {
    let here = Fake::new("here", &["FP", "age1b"]);
    let kms = MasterKey::GcpKms {
        resource_id: "projects/p".into(),
    };
    let group = vec![
        wrapped("here", kms, KEY),
        wrapped("here", pgp("FP"), KEY),
        wrapped("here", age("age1a"), KEY),
        wrapped("here", age("age1b"), KEY),
    ];
    let recovered = open(&[&here], &[group], None).unwrap();
    assert_eq!(recovered.data_key.expose(), &[7; 32]);
    assert_eq!(recovered.opened_by, [Some("age1b".to_owned())]);
    assert_eq!(here.asked(), ["unwrap age1a", "unwrap age1b"]);
}

#[test]
fn services_are_asked_one_after_the_other_for_each_key() {
    let (here, there) = (Fake::new("here", &[]), Fake::new("there", &["age1a"]));
    let group = vec![wrapped("there", age("age1a"), KEY)];
    let recovered = open(&[&here, &there], &[group], None).unwrap();
    assert_eq!(recovered.data_key.expose(), &[7; 32]);
    assert_eq!(here.asked(), there.asked());
}

#[test]
fn any_groups_up_to_the_threshold_give_the_key() {
    let (key, groups) = split(4, 2);
    for pair in [["age10", "age13"], ["age12", "age11"]] {
        let here = Fake::new("here", &pair);
        let recovered = open(&[&here], &groups, Some(2)).unwrap();
        assert_eq!(recovered.data_key, key);
        assert_eq!(recovered.opened_by.iter().flatten().count(), 2);
    }
    let one = Fake::new("here", &["age12"]);
    let Err(RecoverError::Groups {
        needed: 2,
        groups: failures,
    }) = open(&[&one], &groups, Some(2))
    else {
        panic!("one of two groups is enough");
    };
    assert!(failures[2].is_none());
    assert_eq!(failures.iter().flatten().count(), 3);
}

#[test]
fn without_a_threshold_all_groups_are_needed() {
    let (key, groups) = split(3, 3);
    let all = Fake::new("here", &["age10", "age11", "age12"]);
    assert_eq!(open(&[&all], &groups, None).unwrap().data_key, key);
    let two = Fake::new("here", &["age10", "age11"]);
    assert_eq!(
        open(&[&two], &groups, Some(0)).unwrap_err().to_string(),
        "2 of 3 key groups could be opened, 3 are needed"
    );
}

#[test]
fn a_threshold_that_cannot_be_met_asks_nobody() {
    let here = Fake::new("here", &["age10", "age11"]);
    let (_, groups) = split(2, 2);
    let error = open(&[&here], &groups, Some(3)).unwrap_err();
    assert_eq!(error.to_string(), "the file needs 3 key groups and has 2");
    assert!(here.asked().is_empty());
    assert!(matches!(
        open(&[&here], &[], None),
        Err(RecoverError::NoGroups)
    ));
}

#[test]
fn the_error_lists_each_key_and_what_each_service_said() {
    let (here, there) = (Fake::new("here", &[]), Fake::new("tcp://there:5000", &[]));
    let group = vec![
        wrapped("x", age("age1a"), KEY),
        wrapped("x", pgp("FP"), KEY),
    ];
    let error = open(&[&here, &there], &[group], None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "none of the 2 keys of the file could be used"
    );
    let RecoverError::Groups { groups, .. } = &error else {
        panic!("{error:?}");
    };
    let huawei = "keys of Huawei Cloud's KMS cannot be used by this version";
    assert_eq!(
        groups[0].as_ref().unwrap().to_string(),
        format!(
            "age `age1a`, here: {huawei}\nage `age1a`, tcp://there:5000: {huawei}\n\
            pgp `FP`, here: {huawei}\npgp `FP`, tcp://there:5000: {huawei}"
        )
    );
    assert_eq!(error.hints().len(), 1, "each hint is told once");
}

#[test]
fn what_is_no_data_key_is_said() {
    let here = Fake::new("here", &["age1a"]);
    let group = vec![wrapped("here", age("age1a"), "0707")];
    let error = open(&[&here], &[group], None).unwrap_err();
    assert!(
        error.to_string().contains("2 bytes, 32 expected"),
        "{error}"
    );
}
