//! Files that were once written broken, or gave away what they should not.

use super::*;
use crate::sops::Warning;

/// Encrypted, decrypted, encrypted with what was kept, and decrypted.
fn twice(encrypted: &str) -> (String, String) {
    let decrypted = decrypt(FileFormat::Yaml, encrypted);
    let mut decrypted = decrypted.unwrap_or_else(|error| panic!("{error}: {encrypted}"));
    let plain = text(&decrypted);
    let kept = Some(&mut decrypted.kept);
    let again = encrypt_with(FileFormat::Yaml, &plain, &metadata(None), kept);
    let again = again.unwrap_or_else(|error| panic!("{error}: {plain}"));
    let again = String::from_utf8(again.bytes).unwrap();
    let back = decrypt(FileFormat::Yaml, &again);
    let back = back.unwrap_or_else(|error| panic!("{error}: {again}"));
    assert_eq!(text(&back), plain, "{again}");
    (plain, again)
}

#[test]
fn a_comment_in_a_list_without_items_is_its_only_item_in_a_file_of_the_peer() {
    let ours = encrypt_all(FileFormat::Yaml, "a:\n    # c1\n    []\nd: x\n");
    let theirs = ours
        .replacen("    #ENC", "    - ENC", 1)
        .replacen("\n    []", "", 1);
    assert_ne!(ours, theirs);
    let (plain, again) = twice(&theirs);
    assert_eq!(plain, "a:\n    # c1\n    []\nd: x\n");
    let lines = |text: &str| text.lines().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&again), lines(&theirs));
    // Where it cannot be an item, it is none.
    let mut kept = decrypt(FileFormat::Yaml, &theirs).unwrap().kept;
    for plain in [
        "a: [] # c1\nd: x\n",
        "a: [\n  # c1\n  1]\nd: x\n",
        "a:\n      # c1\n  - 1\nd: x\n",
    ] {
        let again =
            encrypt_with(FileFormat::Yaml, plain, &metadata(None), Some(&mut kept)).unwrap();
        let again = String::from_utf8(again.bytes).unwrap();
        assert_eq!(text(&decrypt(FileFormat::Yaml, &again).unwrap()), plain);
        kept = decrypt(FileFormat::Yaml, &theirs).unwrap().kept;
    }
}

#[test]
fn a_comment_behind_the_header_of_a_block_stays_there_in_a_file_of_the_peer() {
    let ours = encrypt_all(FileFormat::Yaml, "a: | # c1\n  two\n  lines\nd: x\n");
    let block = ours.lines().nth(1).unwrap().trim_start().to_owned();
    let theirs = ours.replacen("|- #", &format!("{block} #"), 1);
    let theirs = theirs.replacen(&format!("\n  {block}\n"), "\n", 1);
    let (plain, again) = twice(&theirs);
    assert_eq!(plain, "a: | # c1\n    two\n    lines\nd: x\n");
    assert_eq!(again.lines().next(), theirs.lines().next());
}

#[test]
fn an_alias_of_encrypted_values_is_written_out_where_values_are_in_the_clear() {
    let by = SelectorSpec::EncryptedRegex("^data$".into());
    for (plain, selector, back) in [
        (
            "a: &x {k: s3cr}\nb_unencrypted: *x\n",
            SelectorSpec::default(),
            "a: &x {k: s3cr}\nb_unencrypted:\n    k: s3cr\n",
        ),
        (
            "a: &x s3cr\nb_unencrypted: *x # why\n",
            SelectorSpec::default(),
            "a: &x s3cr\nb_unencrypted: s3cr # why\n",
        ),
        (
            "data: &x {pw: s3cr}\nother: *x\n",
            by.clone(),
            "data: &x {pw: s3cr}\nother:\n    pw: s3cr\n",
        ),
        (
            "data: &x {pw: s3cr}\nother: {<<: *x, z: 1}\n",
            by,
            "data: &x {pw: s3cr}\nother: {<<: {\"pw\": s3cr}, z: 1}\n",
        ),
    ] {
        let encrypted = encrypt_with(FileFormat::Yaml, plain, &metadata(Some(selector)), None);
        let encrypted = encrypted.unwrap();
        let warned =
            |warning: &Warning| matches!(warning, Warning::AliasInClear { at } if at.line == 2);
        assert!(encrypted.warnings.iter().any(warned), "{plain}");
        let encrypted = String::from_utf8(encrypted.bytes).unwrap();
        assert_eq!(text(&decrypt(FileFormat::Yaml, &encrypted).unwrap()), back);
    }
}

#[test]
fn an_alias_of_values_in_the_clear_stays() {
    let plain = "a_unencrypted: &x {k: v}\nb_unencrypted: *x\n";
    let encrypted = encrypt_with(FileFormat::Yaml, plain, &metadata(None), None).unwrap();
    assert!(encrypted.bytes.starts_with(plain.as_bytes()));
    assert!(!encrypted.warnings.iter().any(|warning| matches!(
        warning,
        Warning::AliasExpanded { .. } | Warning::AliasInClear { .. }
    )));
}

#[test]
fn comments_around_an_alias_that_is_written_out_stay_apart() {
    for (plain, back) in [
        (
            "a: &x\n  b: s3cr\n  # c2\nc: *x # c3\nd: x\n",
            "a: &x\n  b: s3cr\n  # c2\nc: # c3\n  b: s3cr\n  # c2\nd: x\n",
        ),
        (
            "a: &x\n  b: s3cr\n  # c2\nl:\n  - *x # c3\n  - z\n",
            "a: &x\n  b: s3cr\n  # c2\nl:\n  - b: s3cr # c3\n    # c2\n  - z\n",
        ),
        (
            "a: &x\n  b: [] # c2\nc: *x\n",
            "a: &x\n  b: [] # c2\nc:\n  b: [] # c2\n",
        ),
        (
            "a: &x\n  # c2\n  []\nc: *x\nd: 1\n",
            "a: &x\n  # c2\n  []\nc:\n    # c2\n    []\nd: 1\n",
        ),
        (
            "a: &x\n  b: # c2\n    k: 1\nc: *x\n",
            "a: &x\n  b: # c2\n    k: 1\nc:\n  b: # c2\n    k: 1\n",
        ),
    ] {
        assert_eq!(round_trip(FileFormat::Yaml, plain), back, "{plain}");
    }
}

#[test]
fn aliases_cost_no_more_than_what_they_stand_for() {
    let mut plain = String::from("a: &x s3cr\nl:\n");
    plain.push_str(&"  - *x\n".repeat(20_000));
    let encrypted = encrypt_with(FileFormat::Yaml, &plain, &metadata(None), None).unwrap();
    assert_eq!(encrypted.encrypted, 20_001);
    assert_eq!(encrypted.warnings.len(), 100);
}

#[test]
fn the_type_of_a_value_cannot_be_changed_to_one_that_says_more() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: |-\n  x\n  admin: true\nb: 1\n");
    let time = encrypted.replacen("type:str]", "type:time]", 1);
    let error = decrypt(FileFormat::Yaml, &time).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a` (line 1): the value decrypts, but not to its type: the text is not a value of type time"
    );
}

#[test]
fn every_line_of_a_comment_is_a_comment() {
    let encrypted = encrypt_all(FileFormat::Yaml, "l:\n  - \"x\\nadmin: 1\\ry: 2\"\n");
    let comment = encrypted
        .replacen("\"ENC", "ENC", 1)
        .replacen("type:str]\"", "type:comment]", 1);
    let file = File::parse(FileFormat::Yaml, comment.as_bytes()).unwrap();
    let decrypted = file.decrypt(&cipher(), MacCheck::DangerIgnore).unwrap();
    assert_eq!(text(&decrypted), "l:\n  #x\n  #admin: 1\n  #y: 2\n  []\n");
    // As a comment beside the value that it was.
    let moved =
        encrypted
            .replacen("- \"ENC", "- a #ENC", 1)
            .replacen("type:str]\"", "type:str]", 1);
    let moved = moved.replacen("- a", "- \"\"", 1);
    let file = File::parse(FileFormat::Yaml, moved.as_bytes()).unwrap();
    let decrypted = file.decrypt(&cipher(), MacCheck::DangerIgnore).unwrap();
    assert_eq!(
        text(&decrypted),
        "l:\n  - \"\" #x\n       #admin: 1\n       #y: 2\n"
    );
}

#[test]
fn blocks_without_text_are_encrypted() {
    for (plain, value) in [
        ("a: |+\n\n\nb: s3cr\n", "\n\n"),
        ("a: >+\n\n\nb: s3cr\n", "\n\n"),
        ("a: |+\n   \n  \nb: s3cr\n", "\n\n"),
        ("a: |+ # why\n\nb: s3cr\n", "\n"),
        ("a: |2+\n\n   \nb: s3cr\n", "\n \n"),
        ("b: s3cr\na: |+\n\n\n", "\n\n"),
    ] {
        let encrypted = encrypt_all(FileFormat::Yaml, plain);
        let decrypted = decrypt(FileFormat::Yaml, &encrypted).unwrap();
        let tree = File::parse(FileFormat::Yaml, decrypted.text.expose())
            .unwrap()
            .tree()
            .unwrap();
        for tree in [&tree, &decrypted.tree] {
            let Some(crate::sops::tree::TreeValue::Scalar(found)) = tree.documents[0].get("a")
            else {
                panic!("{plain:?}")
            };
            assert_eq!(
                found.plaintext().expose(),
                value.as_bytes(),
                "{plain:?} {}",
                text(&decrypted)
            );
        }
    }
}

#[test]
fn a_comment_behind_a_document_in_braces_is_decrypted() {
    for plain in [
        "{a: s3cr} # s3crc\n",
        "{a: s3cr # in\n} # behind\n",
        "{a: s3cr}\n# below\n",
    ] {
        let encrypted = encrypt_all(FileFormat::Yaml, plain);
        assert!(!encrypted.contains("s3cr"), "{encrypted}");
        let (back, again) = twice(&encrypted);
        assert_eq!(back, plain);
        assert_eq!(
            again.matches("type:comment").count(),
            plain.matches('#').count()
        );
    }
}

#[test]
fn comments_behind_the_mark_that_ends_a_document_are_encrypted() {
    for plain in [
        "a: s3cr\n...\n# password was s3crOLD\n",
        "a: s3cr\n... # s3crOLD\n",
        "a: s3cr\n...\n# s3crOLD\n---\nb: x\n",
        "# s3crOLD\n",
        "a: 1\n---\n# s3crOLD\n...\n# s3cr\n",
    ] {
        let encrypted = encrypt_all(FileFormat::Yaml, plain);
        assert!(!encrypted.contains("s3cr"), "{encrypted}");
        assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
    }
}
