#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;
use signet_keys::sealed::Scope;

use super::*;
use crate::pace::Steady;
use crate::testing::{edit, foreign_key, new_key, object, ring, seal, sealed};

fn verifies(sealed: &SealedSecret) -> bool {
    verify_by(sealed, &Policy::default())
}

fn verify_by(sealed: &SealedSecret, policy: &Policy) -> bool {
    verify(sealed, &ring(), &Hints::default(), policy, &mut Steady).unwrap()
}

#[test]
fn an_object_verifies_when_every_item_opens_where_it_stands() {
    assert!(verifies(&sealed(&[("a", "1"), ("b", "2")])));
    assert!(!verifies(&edit(
        &sealed(&[("a", "1")]),
        "/metadata/name",
        json!("renamed")
    )));
    let foreign = seal(&foreign_key(), Scope::Strict, ("team-a", "demo"), "2");
    assert!(!verifies(&edit(
        &sealed(&[("a", "1")]),
        "/spec/encryptedData/b",
        json!(foreign)
    )));
    assert!(!verifies(&edit(
        &sealed(&[("a", "1")]),
        "/spec/encryptedData/b",
        json!(7)
    )));
}

#[test]
fn the_answer_does_not_depend_on_the_template() {
    for text in ["{{ fail \"\" }}", "{{", "plain"] {
        let template = json!({ "data": { "x": text } });
        assert!(verifies(&edit(
            &sealed(&[("a", "1")]),
            "/spec/template",
            template
        )));
    }
}

#[test]
fn the_deprecated_form_verifies_where_it_is_accepted() {
    let data = seal(&new_key(), Scope::Strict, ("team-a", "demo"), "{}");
    let sealed = edit(&object(&[]), "/spec/data", json!(data));
    assert!(verifies(&sealed));
    let strict = Policy {
        accept_deprecated_v1_data: false,
        ..Policy::default()
    };
    assert!(!verify_by(&sealed, &strict));
}

/// Goes on until so many private-key operations are spent.
struct AtMost(usize);

impl Pace for AtMost {
    fn goes_on(&mut self, spent: usize) -> bool {
        spent < self.0
    }
}

#[test]
fn work_ends_between_items_when_the_pace_says_so() {
    let sealed = sealed(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let verify = |most| {
        let hints = Hints::default();
        verify(
            &sealed,
            &ring(),
            &hints,
            &Policy::default(),
            &mut AtMost(most),
        )
    };
    assert_eq!(verify(2), Err(Stopped));
    assert_eq!(verify(3), Ok(true));
}
