//! Which values are encrypted, and what the checksum covers.

use super::*;

fn encrypted(selector: SelectorSpec, text: &str) -> String {
    let encrypted = encrypt_with(FileFormat::Yaml, text, &metadata(Some(selector)), None).unwrap();
    String::from_utf8(encrypted.bytes).unwrap()
}

fn is_encrypted(text: &str, line: &str) -> bool {
    let line = text
        .lines()
        .find(|each| each.trim_start().starts_with(line));
    line.unwrap().contains("ENC[AES256_GCM,")
}

#[test]
fn issue_921_a_comment_outside_of_what_is_encrypted_stays_readable() {
    let selector = SelectorSpec::EncryptedRegex("^pw$".into());
    let text = encrypted(selector, "# doc\npw: x\nuser: y\n");
    assert!(text.starts_with("# doc\n"));
    assert!(is_encrypted(&text, "pw:"));
    assert!(!is_encrypted(&text, "user:"));
}

#[test]
fn issue_1672_a_comment_exempts_the_whole_of_what_follows_and_no_more() {
    let selector = SelectorSpec::UnencryptedCommentRegex("pub".into());
    let text = encrypted(selector, "# pub\nm:\n  k: x\nn: y\n");
    assert!(!is_encrypted(&text, "k:"));
    assert!(is_encrypted(&text, "n:"));
}

#[test]
fn an_inline_comment_speaks_of_its_line() {
    let selector = SelectorSpec::EncryptedCommentRegex("enc".into());
    let text = encrypted(selector, "a: 1 # enc\nb: 2\n");
    assert!(is_encrypted(&text, "a:"));
    assert!(!is_encrypted(&text, "b:"));
}

#[test]
fn the_checksum_of_encrypted_values_alone_lets_others_be_edited() {
    let selector = SelectorSpec::EncryptedRegex("^pw$".into());
    let metadata = Metadata {
        mac_only_encrypted: true,
        ..metadata(Some(selector))
    };
    let encrypted = encrypt_with(FileFormat::Yaml, "pw: x\nn: 1\n", &metadata, None).unwrap();
    let edited = String::from_utf8(encrypted.bytes)
        .unwrap()
        .replace("n: 1", "n: 2");
    let decrypted = decrypt(FileFormat::Yaml, &edited).unwrap();
    assert_eq!(text(&decrypted), "pw: x\nn: 2\n");
}

#[test]
fn issue_828_null_is_not_in_the_checksum() {
    let encrypted = encrypt_all(FileFormat::Yaml, "x: null\ny: 1\n");
    let without = encrypted.replace("x: null\n", "");
    assert!(decrypt(FileFormat::Yaml, &without).is_ok());
}

#[test]
fn issue_815_a_ciphertext_is_as_long_as_its_plaintext() {
    let encrypted = encrypt_all(FileFormat::Yaml, "pin: \"1234\"\n");
    assert!(encrypted.starts_with("pin: \"ENC[AES256_GCM,data:"));
    let data = encrypted.split(['[', ',']).nth(2).unwrap();
    assert_eq!(data.len(), "data:".len() + 8);
}

#[test]
fn an_alias_of_encrypted_values_is_written_out_with_a_warning() {
    let plain = "base: &base\n  k: v # c\n  l: [1]\nx: *base\ny:\n  <<: *base\nz: [*base]\n";
    let encrypted = encrypt_with(
        FileFormat::Yaml,
        plain,
        &metadata(Some(SelectorSpec::default())),
        None,
    );
    let encrypted = encrypted.unwrap();
    assert_eq!(encrypted.warnings.len(), 3);
    let decrypted = decrypt(
        FileFormat::Yaml,
        std::str::from_utf8(&encrypted.bytes).unwrap(),
    );
    assert_eq!(
        text(&decrypted.unwrap()),
        "base: &base\n  k: v # c\n  l: [1]\nx:\n  k: v # c\n  l:\n    - 1\ny:\n  <<:\n    k: v # c\n    l:\n      - 1\nz: [{\"k\": v, \"l\": [1]}]\n"
    );
}

#[test]
fn what_did_not_change_keeps_its_ciphertext() {
    let plain = "a: 1\nb: x\n# c\nl:\n- same\n- same\nt: |\n  u\n  v\n";
    let before = encrypt_all(FileFormat::Yaml, plain);
    let mut kept = decrypt(FileFormat::Yaml, &before).unwrap().kept;
    let edited = plain.replace("b: x", "b: y");
    let metadata = metadata(Some(SelectorSpec::default()));
    let after = encrypt_with(FileFormat::Yaml, &edited, &metadata, Some(&mut kept)).unwrap();
    let after = String::from_utf8(after.bytes).unwrap();
    let changed: Vec<_> = before
        .lines()
        .zip(after.lines())
        .filter(|(before, after)| before != after)
        .map(|(before, _)| before.split(':').next().unwrap().trim())
        .collect();
    assert_eq!(changed, ["b", "mac"]);
}
