//! Files that are refused or do not decrypt, and what is said of them.

use std::fmt::Write as _;

use super::*;
use crate::sops::Diagnosis;

const SECRET: &str = "hunter2hunter2";

fn refused(format: FileFormat, text: &str) -> String {
    let file = File::parse(format, text.as_bytes()).and_then(|file| file.tree().map(drop));
    file.unwrap_err().to_string()
}

fn fails(encrypted: &str) -> DecryptError {
    let error = decrypt(FileFormat::Yaml, encrypted).unwrap_err();
    let said = format!("{error} {error:?} {:?}", error.hint());
    assert!(!said.contains(SECRET), "{said}");
    error
}

#[test]
fn metadata_in_a_later_document_alone_is_not_overwritten() {
    let plain = "a: 1\n---\nb: 2\nsops:\n- x\n";
    let error = encrypt_with(FileFormat::Yaml, plain, &metadata(None), None);
    let error = error.err().unwrap();
    assert_eq!(
        error.to_string(),
        "line 4, column 1: there is metadata (`sops`) here, and none in the first document"
    );
}

#[test]
fn what_cannot_be_encrypted_is_named_with_its_line() {
    for (text, message) in [
        (
            "a: 1\n1: x\n",
            "line 2, column 1: the key is a number, and only text can be a key in an encrypted file",
        ),
        (
            "- a\n",
            "line 1, column 1: the document is a list at its top, and an encrypted file needs keys there",
        ),
        (
            "just text\n",
            "line 1, column 1: the document is a single value at its top, and an encrypted file needs keys there",
        ),
        (
            "...\n&x ",
            "line 2, column 1: the document is a single value at its top, and an encrypted file needs keys there",
        ),
        (
            "a: 1\na: 2\n",
            "line 2, column 1: the key `a` stands already at line 1, column 1",
        ),
        (
            "a: 18446744073709551615\n",
            "line 1, column 4: a whole number above 9223372036854775807, for which the format has no type",
        ),
        (
            "a: &a [*a]\n",
            "line 1, column 8: the alias stands inside of its own anchor",
        ),
    ] {
        assert_eq!(refused(FileFormat::Yaml, text), message);
    }
    assert_eq!(
        refused(FileFormat::Json, "{\"a\": 1}\n{\"b\": 2}"),
        "line 2, column 1: something follows the end of the JSON object"
    );
    assert_eq!(
        refused(FileFormat::Json, "[1]"),
        "line 1, column 1: the document is a list at its top, and an encrypted file needs keys there"
    );
}

#[test]
fn aliases_that_multiply_are_stopped() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        let aliases = vec![alias; 10].join(", ");
        let _ = writeln!(text, "a{level}: &a{level} [{aliases}]");
    }
    assert!(refused(FileFormat::Yaml, &text).contains("too many values"));
}

#[test]
fn a_file_is_not_encrypted_twice() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: 1\n");
    let again = encrypt_with(FileFormat::Yaml, &encrypted, &metadata(None), None);
    assert_eq!(again.err(), Some(EncryptError::AlreadyEncrypted));
}

#[test]
fn a_value_that_moved_is_told_where_it_was() {
    let encrypted = encrypt_all(FileFormat::Yaml, &format!("m:\n  a: {SECRET}\nb: x\n"));
    let moved = encrypted
        .replacen("  a:", "  c:", 1)
        .replacen("b:", "a:", 1);
    let error = fails(&moved);
    assert!(error.to_string().starts_with("`m.c` (line 2): "), "{error}");
    let swapped = encrypt_all(FileFormat::Yaml, &format!("a: {SECRET}\nb: x\n"));
    let swapped = swapped.replacen("a: ", "t: ", 1);
    let swapped = swapped.replacen("b: ", "a: ", 1).replacen("t: ", "b: ", 1);
    let DecryptError::Value { diagnosis, .. } = fails(&swapped) else {
        panic!("a value that moved does not open");
    };
    assert_eq!(diagnosis, Some(Diagnosis::MovedFrom { path: "a".into() }));
}

#[test]
fn issue_833_lines_in_another_order_are_told_apart_from_changed_values() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: 1\nb: 2\n");
    let mut lines: Vec<_> = encrypted.lines().collect();
    lines.swap(0, 1);
    let error = fails(&lines.join("\n"));
    assert!(
        error
            .to_string()
            .contains("every value that is there was not changed")
    );
    let plain = encrypt_all(FileFormat::Yaml, "a: 1\nb_unencrypted: 2\n");
    let error = fails(&plain.replace("b_unencrypted: 2", "b_unencrypted: 3"));
    assert!(error.to_string().contains("1 values are not encrypted"));
}

#[test]
fn issue_2224_files_that_were_put_together_are_told() {
    let first = encrypt_all(FileFormat::Yaml, "a: 1\n");
    let second = encrypt_all(FileFormat::Yaml, "b: 2\n");
    let error = fails(&format!("{first}---\n{second}"));
    assert!(
        error
            .to_string()
            .contains("document 2 has the metadata of another file")
    );
}

#[test]
fn a_value_that_was_written_in_by_hand_is_not_shown() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: 1\nb: 2\n");
    let start = encrypted.find("b: ").unwrap();
    let end = start + encrypted[start..].find('\n').unwrap();
    let error = fails(&format!(
        "{}b: {SECRET}{}",
        &encrypted[..start],
        &encrypted[end..]
    ));
    assert!(
        error.to_string().starts_with("`b` (line 2): not encrypted"),
        "{error}"
    );
    let error = fails(&format!("{}b: 5{}", &encrypted[..start], &encrypted[end..]));
    assert_eq!(
        error.to_string(),
        "`b` (line 2) should be encrypted and is not"
    );
}

#[test]
fn a_missing_checksum_and_metadata_are_told() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: 1\n");
    let without: String = encrypted
        .split_inclusive('\n')
        .filter(|line| !line.trim_start().starts_with("mac:"))
        .collect();
    let error = fails(&without);
    assert_eq!(error.to_string(), "the file has no checksum (`mac`)");
    let file = File::parse(FileFormat::Yaml, without.as_bytes()).unwrap();
    assert!(file.decrypt(&cipher(), MacCheck::DangerIgnore).is_ok());
    assert_eq!(fails("a: 1\n"), DecryptError::NotEncrypted);
}

#[test]
fn an_encrypted_comment_that_reads_as_an_exemption_is_refused() {
    let selector = SelectorSpec::UnencryptedCommentRegex("ENC".into());
    let refused = encrypt_with(
        FileFormat::Yaml,
        "# c\na: 1\n",
        &metadata(Some(selector)),
        None,
    );
    assert!(matches!(
        refused.err(),
        Some(EncryptError::CommentMatches { .. })
    ));
}
