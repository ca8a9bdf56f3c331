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

/// The file with its ciphertexts as the peer writes them: without quotes or a header.
fn undressed(encrypted: &str) -> String {
    let (values, metadata) = encrypted.split_once("\nsops:").unwrap();
    let values = values
        .replace(['"', '\''], "")
        .replace("|-\n    ENC", "ENC");
    format!("{values}\nsops:{metadata}")
}

#[test]
fn a_file_of_the_peer_stays_as_it_writes_it() {
    let plain = "a: 'x: y'\nb: \"5\"\nc: |\n    two\n    lines\nd: x\n";
    let theirs = undressed(&encrypt_all(FileFormat::Yaml, plain));
    let mut decrypted = decrypt(FileFormat::Yaml, &theirs).unwrap();
    assert_eq!(text(&decrypted), plain);
    decrypted.kept.write_as_sops();
    let changed = plain.replace(
        "d: x",
        "d: 'x: z'\ne: |\n    new\n    lines\nf:\n    - \"6\"",
    );
    let kept = Some(&mut decrypted.kept);
    let again = encrypt_with(FileFormat::Yaml, &changed, &metadata(None), kept).unwrap();
    let again = String::from_utf8(again.bytes).unwrap();
    assert_eq!(undressed(&again), again);
    let values = |text: &str| text.lines().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(&again), values(&theirs));
    assert_eq!(text(&decrypt(FileFormat::Yaml, &again).unwrap()), changed);
}
