//! What a format has to say of values.

use super::*;

#[test]
fn scalars_come_back_as_the_peer_would_write_them() {
    for (plain, back) in [
        ("1.10", "1.1"),
        ("1.0", "1"),
        ("1e3", "1000"),
        ("010", "8"),
        ("0o14", "12"),
        ("0x1F", "31"),
        ("0b11", "3"),
        ("08", "8"),
        ("12345_54321", "1234554321"),
        ("-0", "0"),
        ("9223372036854775807", "9223372036854775807"),
        ("100000000000000000000", "1e+20"),
        ("123456789.5", "1.234567895e+08"),
        (".inf", ".inf"),
        ("True", "true"),
        ("2024-01-01", "2024-01-01T00:00:00Z"),
        ("2001-01-02 03:04:05", "2001-01-02T03:04:05Z"),
        ("yes", "\"yes\""),
        ("1:20", "\"1:20\""),
        ("!!binary aGk=", "hi"),
        ("!env X", "!env X"),
        ("\"5\"", "\"5\""),
        ("'true'", "'true'"),
    ] {
        let plain = format!("k: {plain}\n");
        assert_eq!(round_trip(FileFormat::Yaml, &plain), format!("k: {back}\n"));
    }
}

#[test]
fn pr_2222_numbers_of_json_are_exact_to_64_bits() {
    for number in [
        "9007199254740993",
        "-9223372036854775808",
        "0.1",
        "1.5e-7",
        "5",
    ] {
        let plain = format!("{{\"n\": {number}}}\n");
        assert_eq!(round_trip(FileFormat::Json, &plain), plain);
    }
}

#[test]
fn a_tree_has_types_and_no_printable_values() {
    let plain = "a: 1\nm: {t: true}\nl: [x, null]\n# c\ns: hunter2\n";
    let decrypted = decrypt(FileFormat::Yaml, &encrypt_all(FileFormat::Yaml, plain)).unwrap();
    let read = File::parse(FileFormat::Yaml, plain.as_bytes())
        .unwrap()
        .tree();
    assert_eq!(decrypted.tree, read.unwrap());
    let printed = format!("{:?} {decrypted:?}", decrypted.tree);
    assert!(!printed.contains("hunter2"), "{printed}");
}

#[test]
fn the_marks_that_flux_and_helm_secrets_look_for_are_there() {
    let yaml = encrypt_all(FileFormat::Yaml, "a: x\n");
    assert!(yaml.contains("\nsops:\n") && yaml.contains("\n    mac: ENC["));
    let json = encrypt_all(FileFormat::Json, "{\n  \"a\": \"x\"\n}\n");
    assert!(json.contains("\"sops\": {") && json.contains("\"mac\": \"ENC["));
}

#[test]
fn a_binary_file_is_encrypted_whole_whatever_the_selector_says() {
    let metadata = metadata(Some(SelectorSpec::EncryptedRegex("^nothing$".into())));
    let encrypted = encrypt_with(FileFormat::Binary, "secret", &metadata, None).unwrap();
    assert_eq!(
        (encrypted.encrypted, encrypted.metadata.selector),
        (1, None)
    );
    let encrypted = String::from_utf8(encrypted.bytes).unwrap();
    assert_eq!(
        text(&decrypt(FileFormat::Binary, &encrypted).unwrap()),
        "secret"
    );
}

#[test]
fn a_whole_number_beyond_64_bits_is_rounded_with_a_warning() {
    let selector = || metadata(Some(SelectorSpec::default()));
    for (format, plain) in [
        (
            FileFormat::Json,
            "{\"a\": 1,\n \"n\": 18446744073709551615}\n",
        ),
        (FileFormat::Yaml, "a: 1\nn: 184467440737095516150\n"),
    ] {
        let encrypted = encrypt_with(format, plain, &selector(), None).unwrap();
        let warnings: Vec<_> = encrypted.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].starts_with("line 2: a whole number"),
            "{warnings:?}"
        );
    }
    let quoted = "n: \"18446744073709551615\"\n";
    let encrypted = encrypt_with(FileFormat::Yaml, quoted, &selector(), None).unwrap();
    assert!(encrypted.warnings.is_empty());
}

#[test]
fn a_backslash_before_an_n_in_a_dotenv_file_stays_when_another_line_changes() {
    let mut kept = Kept::new();
    kept.mean("A", "a\\nb");
    let by_mean = encrypt_with(
        FileFormat::Dotenv,
        "A=a\\nb\nB=c\\nd\n",
        &metadata(None),
        Some(&mut kept),
    );
    let encrypted = String::from_utf8(by_mean.unwrap().bytes).unwrap();
    let value = |decrypted: &Decrypted, key| match decrypted.tree.documents[0].get(key) {
        Some(crate::sops::tree::TreeValue::Scalar(value)) => value.plaintext().clone(),
        _ => panic!("{key}"),
    };
    let mut decrypted = decrypt(FileFormat::Dotenv, &encrypted).unwrap();
    assert_eq!(value(&decrypted, "A").expose(), b"a\\nb");
    assert_eq!(value(&decrypted, "B").expose(), b"c\nd");
    let said = decrypted.tree.said_in(FileFormat::Dotenv);
    let read = File::parse(FileFormat::Dotenv, decrypted.text.expose()).unwrap();
    assert_eq!(said, read.tree().unwrap());
    // With one line changed, and under a new data key.
    let changed = text(&decrypted).replace("B=c", "B=x");
    let mut fresh = decrypted.kept.for_new_key();
    for kept in [&mut decrypted.kept, &mut fresh] {
        let again = encrypt_with(FileFormat::Dotenv, &changed, &metadata(None), Some(kept));
        let again = String::from_utf8(again.unwrap().bytes).unwrap();
        let decrypted = decrypt(FileFormat::Dotenv, &again).unwrap();
        assert_eq!(value(&decrypted, "A").expose(), b"a\\nb");
        assert_eq!(value(&decrypted, "B").expose(), b"x\nd");
    }
}

#[test]
fn a_dotenv_file_without_variables_is_encrypted() {
    for plain in ["", "\n\n"] {
        let encrypted = encrypt_all(FileFormat::Dotenv, plain);
        assert!(encrypted.trim_start().starts_with("sops_"), "{encrypted}");
        assert_eq!(
            text(&decrypt(FileFormat::Dotenv, &encrypted).unwrap()),
            plain
        );
    }
}

#[test]
fn the_tag_that_says_nothing_says_nothing() {
    let plain = "a: ! 5\nb: ! x\n";
    assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
    let tree = File::parse(FileFormat::Yaml, plain.as_bytes())
        .unwrap()
        .tree()
        .unwrap();
    let crate::sops::tree::TreeValue::Scalar(value) = tree.documents[0].get("a").unwrap() else {
        panic!("no scalar")
    };
    assert_eq!(value.kind(), signet_keys::sops::Kind::Int);
}

#[test]
fn a_question_mark_between_brackets_is_refused() {
    for plain in ["v: {?a: b}\n", "v: [?a]\n", "v: {a: ?b}\n"] {
        let file = File::parse(FileFormat::Yaml, plain.as_bytes());
        assert!(
            file.and_then(|file| file.tree().map(drop)).is_err(),
            "{plain}"
        );
    }
    let plain = "v: {\"?a\": 'b?', ? c: d}\n?e: ?f\n";
    assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
}

#[test]
fn empty_lines_at_the_start_of_a_block_need_no_indicator() {
    let plain = "a: |\n\n\n  s3cr\nb: |2\n\n    s3cr\nz: 1\n";
    assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
}
