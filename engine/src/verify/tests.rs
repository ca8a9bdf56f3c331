#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;
use signet_keys::sealed::Scope;

use super::*;
use crate::testing::{edit, foreign_key, new_key, object, ring, seal, sealed};

fn verifies(sealed: &SealedSecret) -> bool {
    verify(sealed, &ring(), &Policy::default())
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
    assert!(!verify(&sealed, &ring(), &strict));
}
