#![allow(clippy::unwrap_used)]

use super::*;

fn compile(field: &str, text: &str) -> Selector {
    Selector::compile(&SelectorSpec::of_field(field, text.to_owned()).unwrap()).unwrap()
}

#[test]
fn a_key_that_fits_covers_all_below_it() {
    for (field, text, path, encrypted) in [
        ("encrypted_regex", "^data$", "data.a.b", true),
        ("encrypted_regex", "^data$", "kind", false),
        ("encrypted_regex", "dat", "metadata.name", true),
        ("unencrypted_regex", "^data$", "data.a.b", false),
        ("unencrypted_regex", "^data$", "kind", true),
        ("encrypted_suffix", "_enc", "a_enc.b", true),
        ("encrypted_suffix", "_enc", "a.b_en", false),
        ("unencrypted_suffix", "_plain", "a.b_plain.c", false),
        ("unencrypted_suffix", "_plain", "a_plain_.c", true),
        ("encrypted_comment_regex", "x", "x", false),
        ("unencrypted_comment_regex", "x", "x", true),
    ] {
        let selector = compile(field, text);
        assert_eq!(
            selector.encrypts_path(path.split('.')),
            encrypted,
            "{field} {text} {path}"
        );
    }
}

#[test]
fn without_a_selector_only_a_suffix_keeps_values_plain() {
    let selector = Selector::compile(&SelectorSpec::default()).unwrap();
    assert!(selector.encrypts_path(["a"]));
    assert!(!selector.encrypts_path(["a_unencrypted", "b"]));
}

#[test]
fn an_expression_that_is_none_is_an_error_and_not_a_file_in_plaintext() {
    let spec = SelectorSpec::EncryptedRegex("^(password".into());
    let error = Selector::compile(&spec).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`encrypted_regex`: `^(password` is not a regular expression: missing closing `)`"
    );
    // A suffix is none.
    assert!(Selector::compile(&SelectorSpec::EncryptedSuffix("(".into())).is_ok());
}

#[test]
fn comments_have_the_rule_of_the_mapping_that_they_stand_in() {
    let selector = compile("encrypted_regex", "^data$");
    let mut root = selector.document();
    assert!(!root.comment(" top"));
    let mut data = root.entry("data").level();
    assert!(data.comment(" inside"));
    assert!(data.item().is_encrypted());
    assert!(!root.comment(" below"));
}

/// Comments at the top stay plain with an expression that every key fits; everything below is
/// encrypted.
#[test]
fn issue_921_1366_comments_at_the_top_can_be_left_plain() {
    let selector = compile("encrypted_regex", ".");
    let mut root = selector.document();
    assert!(!root.comment(" doc"));
    assert!(root.entry("pw").is_encrypted());
}

#[test]
fn a_comment_that_asks_for_encryption_covers_what_follows_and_stays_plain() {
    let selector = compile("encrypted_comment_regex", "enc");
    let mut root = selector.document();
    assert!(!root.comment(" no"));
    assert!(!root.comment(" enc"));
    assert!(root.comment(" enc and after"));
    assert!(root.comment(" after"));
    let first = root.entry("a");
    assert!(first.is_encrypted());
    assert!(first.level().comment(" inside"));
    assert!(first.level().entry("b").is_encrypted());
    assert!(!root.entry("c").is_encrypted());
    assert!(!root.comment(" after c"));
}

#[test]
fn a_comment_that_asks_for_no_encryption_covers_itself_and_what_follows() {
    let selector = compile("unencrypted_comment_regex", "plain");
    let mut root = selector.document();
    assert!(root.comment(" before"));
    assert!(!root.comment(" plain"));
    assert!(!root.comment(" after"));
    assert!(!root.entry("a").is_encrypted());
    assert!(root.entry("b").is_encrypted());
    assert!(root.comment(" after b"));
}

/// The whole subtree is exposed: that is the format, and callers can tell it.
#[test]
fn issue_1672_a_comment_exposes_the_whole_subtree() {
    let selector = compile("unencrypted_comment_regex", "pub");
    let mut root = selector.document();
    root.comment(" pub");
    let mapping = root.entry("m");
    assert!(!mapping.level().entry("secret").is_encrypted());
    assert!(selector.is_by_comments());
}

#[test]
fn issue_2281_comments_in_lists_cover_the_next_item() {
    let selector = compile("encrypted_comment_regex", "enc");
    let mut root = selector.document();
    let mut list = root.entry("l").level();
    assert!(!list.comment(" enc"));
    // As it stands in the file that is decrypted.
    assert!(list.comment("ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:comment]"));
    assert!(list.item().is_encrypted());
    assert!(!list.item().is_encrypted());
}

#[test]
fn a_ciphertext_must_not_look_like_the_comment_that_keeps_values_plain() {
    let ciphertext = "ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:comment]";
    assert!(compile("unencrypted_comment_regex", "AES|pub").mistakes_ciphertext(ciphertext));
    assert!(!compile("unencrypted_comment_regex", "^ pub").mistakes_ciphertext(ciphertext));
    assert!(!compile("encrypted_comment_regex", "AES").mistakes_ciphertext(ciphertext));
}
