#![allow(clippy::unwrap_used)]
use super::*;
use crate::certificate::SelfSigned;
use crate::sealed::{Scope, seal};
use crate::testing::fixture;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn sealing_key(name: &str, pem: &[u8], ordering: i64) -> SealingKey {
    let private = PrivateKey::from_pem(pem).unwrap();
    let content = SelfSigned {
        common_name: String::new(),
        not_before: at(ordering),
        lifetime: jiff::SignedDuration::from_hours(1),
    };
    let certificate = Certificate::self_signed(&private, &content).unwrap();
    SealingKey {
        name: name.to_owned(),
        private,
        certificate,
        ordering: at(ordering),
    }
}

fn old() -> SealingKey {
    sealing_key("old", fixture!("test-keys/rsa-2048.pem"), 1)
}

fn new() -> SealingKey {
    sealing_key("new", fixture!("test-keys/rsa-2048-other.pem"), 2)
}

fn large() -> SealingKey {
    sealing_key("large", fixture!("test-keys/rsa-4096.pem"), 3)
}

fn names(ring: &KeyRing) -> Vec<&str> {
    ring.iter().map(|key| key.name.as_str()).collect()
}

fn label() -> Label {
    Label::new(Scope::Strict, "team-a", "db")
}

fn item(key: &SealingKey) -> Vec<u8> {
    seal(key.private.public_key(), &label(), b"hunter2").unwrap()
}

#[test]
fn keys_are_ordered_from_the_newest_to_the_oldest() {
    let ring = KeyRing::new(vec![new(), old(), large()]);
    assert_eq!(names(&ring), ["large", "new", "old"]);
    assert_eq!(ring.newest().unwrap().name, "large");
    assert_eq!(ring.len(), 3);
}

#[test]
fn issue_1639_keys_of_one_moment_are_ordered_by_name_whatever_order_they_come_in() {
    let same_second = |name, pem| sealing_key(name, pem, 7);
    let keys = [
        same_second("key-b", fixture!("test-keys/rsa-2048.pem")),
        same_second("key-c", fixture!("test-keys/rsa-4096.pem")),
        same_second("key-a", fixture!("test-keys/rsa-2048-other.pem")),
    ];
    for rotation in 0..keys.len() {
        let mut keys = keys.to_vec();
        keys.rotate_left(rotation);
        assert_eq!(names(&KeyRing::new(keys)), ["key-a", "key-b", "key-c"]);
    }
}

#[test]
fn a_key_that_is_there_twice_is_tried_once() {
    let copy = SealingKey {
        name: "copy".to_owned(),
        ..old()
    };
    let ring = KeyRing::new(vec![old(), copy]);
    assert_eq!(names(&ring), ["copy"]);
    let attempt = ring.attempt(&Label::new(Scope::ClusterWide, "", ""), &item(&old()), None);
    assert_eq!(attempt.private_operations, 1);
}

#[test]
fn a_key_is_found_by_its_fingerprint() {
    let ring = KeyRing::new(vec![old(), new()]);
    assert_eq!(ring.get(&old().fingerprint()).unwrap().name, "old");
    assert!(ring.get(&large().fingerprint()).is_none());
}

#[test]
fn the_key_that_opened_is_reported() {
    let ring = KeyRing::new(vec![old(), new(), large()]);
    for key in [old(), new(), large()] {
        let (value, by) = ring.open(&label(), &item(&key), None).unwrap();
        assert_eq!(value.expose(), b"hunter2");
        assert_eq!(by, key.fingerprint());
    }
}

#[test]
fn issue_226_a_remembered_key_is_tried_first() {
    let ring = KeyRing::new(vec![old(), new()]);
    let operations = |hint: Option<Fingerprint>| {
        let attempt = ring.attempt(&label(), &item(&old()), hint.as_ref());
        assert_eq!(attempt.outcome.unwrap().1, old().fingerprint());
        attempt.private_operations
    };
    assert_eq!(operations(None), 2);
    assert_eq!(operations(Some(old().fingerprint())), 1);
    assert_eq!(
        operations(Some(new().fingerprint())),
        2,
        "a wrong hint costs nothing more"
    );
    assert_eq!(
        operations(Some(large().fingerprint())),
        2,
        "neither does an unknown one"
    );
}

#[test]
fn keys_of_another_size_cost_nothing() {
    let ring = KeyRing::new(vec![old(), new(), large()]);
    let attempt = ring.attempt(&label(), &item(&large()), None);
    assert_eq!(attempt.private_operations, 1);
    assert_eq!(attempt.outcome.unwrap().1, large().fingerprint());
}

#[test]
fn what_no_key_opens_costs_one_operation_a_key() {
    let ring = KeyRing::new(vec![old(), new(), large()]);
    let elsewhere = Label::new(Scope::Strict, "team-b", "db");
    let attempt = ring.attempt(&elsewhere, &item(&old()), Some(&new().fingerprint()));
    assert_eq!(attempt.outcome.unwrap_err(), OpenError::Undecryptable);
    assert_eq!(attempt.private_operations, 2);
}

#[test]
fn wrong_key_wrong_label_and_changed_bytes_are_one_error() {
    let ring = KeyRing::new(vec![old()]);
    let sealed = item(&old());
    let flipped = |index: usize| {
        let mut sealed = sealed.clone();
        sealed[index] ^= 1;
        sealed
    };
    let last = sealed.len() - 1;
    let errors = [
        ring.open(&label(), &item(&new()), None).unwrap_err(),
        ring.open(
            &Label::new(Scope::NamespaceWide, "team-a", "db"),
            &sealed,
            None,
        )
        .unwrap_err(),
        ring.open(&label(), &flipped(100), None).unwrap_err(),
        ring.open(&label(), &flipped(2 + 256), None).unwrap_err(),
        ring.open(&label(), &flipped(last), None).unwrap_err(),
        ring.open(&label(), &sealed[..last], None).unwrap_err(),
    ];
    assert!(
        errors
            .iter()
            .all(|error| *error == OpenError::Undecryptable),
        "{errors:?}"
    );
}

#[test]
fn without_a_key_that_fits_nothing_is_tried() {
    let attempt = KeyRing::default().attempt(&label(), &item(&old()), None);
    assert_eq!(attempt.outcome.unwrap_err(), OpenError::NoKey);
    assert_eq!(attempt.private_operations, 0);
    let attempt = KeyRing::new(vec![old()]).attempt(&label(), &item(&large()), None);
    assert_eq!(
        attempt.outcome.unwrap_err(),
        OpenError::NoKeyOfSize { bits: 4096 }
    );
    assert_eq!(attempt.private_operations, 0);
}

#[test]
fn a_cut_item_says_how_much_is_missing() {
    let ring = KeyRing::new(vec![old()]);
    let error = ring.open(&label(), &item(&old())[..100], None).unwrap_err();
    assert_eq!(
        error,
        OpenError::Truncated {
            actual: 100,
            expected: 2 + 256 + 16
        }
    );
}

#[test]
fn issue_450_the_scope_that_an_item_was_sealed_for_is_found() {
    let ring = KeyRing::new(vec![old(), new()]);
    let candidates = Scope::ALL.map(|scope| Label::new(scope, "team-a", "db"));
    for (index, label) in candidates.iter().enumerate() {
        let item = seal(old().private.public_key(), label, b"x").unwrap();
        assert_eq!(ring.opens_under(&item, &candidates), Some(index));
    }
    let elsewhere = Label::new(Scope::Strict, "team-b", "db");
    let item = seal(old().private.public_key(), &elsewhere, b"x").unwrap();
    assert_eq!(ring.opens_under(&item, &candidates), None);
}

#[test]
fn an_item_whose_body_was_changed_opens_under_no_label() {
    let ring = KeyRing::new(vec![old()]);
    let mut item = item(&old());
    *item.last_mut().unwrap() ^= 1;
    assert_eq!(ring.opens_under(&item, &[label()]), None);
}

#[test]
fn a_ring_is_never_printed() {
    let shown = format!("{:?}", KeyRing::new(vec![old()]));
    let pem = std::str::from_utf8(fixture!("test-keys/rsa-2048.pem")).unwrap();
    assert!(shown.contains("PrivateKey(<redacted>"));
    assert!(pem.lines().all(|line| !shown.contains(line)));
}
