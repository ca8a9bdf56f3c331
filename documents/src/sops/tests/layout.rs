//! How the metadata is put into a file.

use super::*;

const FIELDS: &str = "sops:\n    age:\n        - enc: |\n            -----BEGIN-----\n            abc\n            -----END-----\n          recipient: age1test\n    lastmodified: \"2026-01-02T03:04:05Z\"\n    mac: ENC[";

#[test]
fn metadata_is_laid_out_as_the_peer_does_with_the_indentation_of_the_file() {
    let four = encrypt_all(FileFormat::Yaml, "a: x\n");
    assert!(four.contains(FIELDS), "{four}");
    assert!(four.ends_with("\n    unencrypted_suffix: _unencrypted\n    version: 3.13.3\n"));
    let two = encrypt_all(FileFormat::Yaml, "a:\n  b: x\n");
    assert!(
        two.contains("\nsops:\n  age:\n    - enc: |\n        -----BEGIN-----\n"),
        "{two}"
    );
}

#[test]
fn every_document_has_the_metadata() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: x\n---\nb: y\n...\n");
    assert_eq!(encrypted.matches("\nsops:\n").count(), 2);
    assert!(encrypted.ends_with("version: 3.13.3\n...\n"));
}

#[test]
fn new_metadata_changes_nothing_else() {
    let encrypted = encrypt_all(FileFormat::Yaml, "a: x # c\n\nm: {b: z}\n");
    let file = File::parse(FileFormat::Yaml, encrypted.as_bytes()).unwrap();
    let mut metadata = file.metadata().unwrap().unwrap();
    assert_eq!(file.with_metadata(&metadata).unwrap(), encrypted.as_bytes());
    metadata.groups[0].keys[0].enc = "other\n".into();
    let changed = String::from_utf8(file.with_metadata(&metadata).unwrap()).unwrap();
    let (before, _) = encrypted.split_once("sops:").unwrap();
    assert!(changed.starts_with(before));
    let decrypted = decrypt(FileFormat::Yaml, &changed).unwrap();
    assert_eq!(text(&decrypted), "a: x # c\n\nm: {b: z}\n");
}

#[test]
fn json_metadata_goes_behind_the_last_entry_in_the_layout_of_the_file() {
    let spaces = encrypt_all(FileFormat::Json, "{\n  \"a\": 1\n}\n");
    assert!(
        spaces.contains(",\n  \"sops\": {\n    \"age\": [\n      {\n        \"enc\""),
        "{spaces}"
    );
    let one_line = encrypt_all(FileFormat::Json, "{\"a\": 1}");
    assert!(!one_line.contains('\n'));
}
