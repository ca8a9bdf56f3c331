//! dotenv and INI files that are encrypted and decrypted again, and what they cannot keep.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fmt::Write as _;

use proptest::prelude::*;
use signet_documents::sops::metadata::KeyGroup;
use signet_documents::sops::selector::SelectorSpec;
use signet_documents::sops::{File, FileFormat, MacCheck, Metadata, ReadError};
use signet_keys::sops::{Cipher, DataKey, LastModified, MasterKey, WrappedKey};

use FileFormat::{Dotenv, Ini};

fn cipher() -> Cipher {
    Cipher::new(&DataKey::from_plaintext(&vec![7; 32].into()).unwrap())
}

fn encrypt(format: FileFormat, plain: &str) -> Result<String, ReadError> {
    let file = File::parse(format, plain.as_bytes())?;
    let now: LastModified = "2026-01-31T12:00:00Z".parse().unwrap();
    let key = MasterKey::Age {
        recipient: "age1".to_owned(),
    };
    let enc = "-----BEGIN\nEND-----\n".to_owned();
    let keys = vec![WrappedKey {
        key,
        enc,
        created_at: None,
    }];
    let metadata = Metadata {
        groups: vec![KeyGroup { keys }],
        shamir_threshold: None,
        last_modified: now.clone(),
        mac: None,
        selector: Some(SelectorSpec::default()),
        mac_only_encrypted: false,
        version: "3.13.3".to_owned(),
    };
    let encrypted = file.encrypt(&metadata, &cipher(), None, now).unwrap();
    Ok(String::from_utf8(encrypted.bytes).unwrap())
}

fn decrypt(format: FileFormat, file: &str) -> String {
    let file = File::parse(format, file.as_bytes()).unwrap();
    let decrypted = file.decrypt(&cipher(), MacCheck::Verify).unwrap();
    String::from_utf8(decrypted.text.expose().to_vec()).unwrap()
}

fn again(format: FileFormat, plain: &str) -> String {
    decrypt(format, &encrypt(format, plain).unwrap())
}

#[test]
fn a_dotenv_file_without_a_last_line_break_gets_one() {
    assert_eq!(again(Dotenv, "A=1"), "A=1\n");
}

#[test]
fn a_dotenv_file_with_a_byte_order_mark_keeps_it() {
    let plain = "\u{feff}A=1\n# c\nB=2\n";
    assert_eq!(again(Dotenv, plain), plain);
}

#[test]
fn metadata_of_a_dotenv_file_whose_line_ends_were_changed_is_read() {
    let file = encrypt(Dotenv, "A=1\n").unwrap().replace('\n', "\r\n");
    let file = File::parse(Dotenv, file.as_bytes()).unwrap();
    assert!(file.metadata().unwrap().is_some());
}

#[test]
fn a_dotenv_file_that_is_not_encrypted_has_no_metadata() {
    let file = File::parse(Dotenv, b"A=1\nsopsx=2\n").unwrap();
    assert_eq!(file.metadata().unwrap(), None);
}

#[test]
fn metadata_that_is_no_tree_is_an_error() {
    for (format, file) in [
        (Dotenv, "sops_a=1\nsops_a__map_b=2\n"),
        (Ini, "[sops]\na=1\na__map_b=2\n"),
        (Ini, "[sops]\na=1\n[s]\n[sops]\nb=1\n"),
    ] {
        let file = File::parse(format, file.as_bytes()).unwrap();
        assert!(file.metadata().is_err());
    }
}

#[test]
fn errors_of_lines_name_them_and_no_value() {
    for (format, file) in [(Dotenv, "A=1\nhunter2\n"), (Ini, "a=1\nhunter2\n")] {
        let error = File::parse(format, file.as_bytes())
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("line 2") && !error.contains("hunter2"),
            "{error}"
        );
    }
}

#[test]
fn nothing_of_an_ini_file_but_keys_and_names_is_left_in_the_clear() {
    let plain = "; hunter2\nk = hunter2 ; hunter2\nl = `hunter2` hunter2 ; hunter2\n[s] ; hunter2\nm = \"\"\"\nhunter2\n\"\"\" hunter2\nn = hunter2 \\\n hunter2\n# hunter2\n; hunter2\n";
    let file = encrypt(Ini, plain).unwrap();
    assert!(!file.contains("hunter2"), "{file}");
}

#[test]
fn what_an_ini_file_cannot_keep() {
    for (plain, after) in [
        // Comments of several places become one.
        ("; a\nk = v ; b\n", "; a\n; b\nk = v\n"),
        ("; a\n\n; b\nk = v\n", "; a\n; b\n\nk = v\n"),
        // Those behind the name of a section: a bracket there would be part of the name.
        ("[s] ; a\n", "; a\n[s]\n"),
        // Lines that are joined.
        ("k = a \\\n  b\n", "k = a b\n"),
        // A backtick inside of a value without quotes.
        ("k = a`b\n", "k = \"\"\"a`b\"\"\"\n"),
        // What the peer does not read.
        ("k = `a` b\n", "k = `a`\n"),
        // The last line break.
        ("k = v", "k = v\n"),
    ] {
        assert_eq!(again(Ini, plain), after);
    }
}

#[test]
fn a_key_that_is_twice_in_a_section_is_refused() {
    let error = encrypt(Ini, "[s]\na=1\na=2\n").unwrap_err().to_string();
    assert!(error.contains("line 3") && error.contains('a'), "{error}");
}

fn line_break() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("\n"), Just("\r\n")]
}

/// A value in one of its spellings. It holds no mark of a comment, which no spelling but two allows.
fn ini_value() -> impl Strategy<Value = String> {
    prop_oneof![
        "([a-z=:\\[\\]é][a-z '=]{0,6}[a-z])?",
        "\"[a-z ']{0,6}\"",
        "'[a-z \"]{0,6}'",
        "`[a-z;# \"\n]{0,6}`",
        "\"\"\"[a-z`;# \n]{0,6}\"\"\"",
    ]
}

fn ini_file() -> impl Strategy<Value = String> {
    let key = (
        "[ \t]{0,2}",
        "(;; ?[a-z]{1,4}| *# [a-z ]{0,4}[a-z])?",
        ini_value(),
        "( ?= ?|:|=)",
        any::<bool>(),
        0..2_usize,
    );
    let keys = prop::collection::vec(key, 0..5);
    let section = ("(; [a-z]{1,3}\n)?", keys);
    (
        line_break(),
        prop::collection::vec(section, 1..4),
        any::<bool>(),
    )
        .prop_map(|(line_break, sections, crlf_end)| {
            let mut out = String::new();
            for (index, (comment, keys)) in sections.into_iter().enumerate() {
                if index > 0 {
                    let _ = writeln!(out, "{comment}[s{index}]");
                }
                for (at, (indent, comment, value, sign, inline, blank)) in
                    keys.into_iter().enumerate()
                {
                    let plain = !value.starts_with(['"', '\'', '`']);
                    // A comment stands in one place.
                    let behind = inline && plain && !comment.is_empty();
                    if !comment.is_empty() && !behind {
                        let _ = writeln!(out, "{indent}{comment}");
                    }
                    let _ = write!(out, "{indent}k{at}{sign}{value}");
                    if behind {
                        let _ = write!(out, " {comment}");
                    }
                    out += "\n";
                    out += &"\n".repeat(blank);
                }
            }
            if crlf_end {
                out += "; end\n";
            }
            // Breaks inside of values stay LF in some files: they are part of the value.
            out.replace('\n', line_break)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn an_ini_file_comes_back_as_it_was(plain in ini_file()) {
        prop_assume!(!plain.trim().is_empty());
        prop_assert_eq!(again(Ini, &plain), plain);
    }

    #[test]
    fn a_dotenv_file_comes_back_as_it_was(
        lines in prop::collection::vec("(#[ a-z]{0,5}|[a-zA-Z ]{1,4}=[a-z =#'\"\\\\é]{0,8}|)", 1..8),
        line_break in line_break(),
    ) {
        let plain: String = lines.iter().flat_map(|line| [line.as_str(), line_break]).collect();
        prop_assume!(!plain.trim().is_empty());
        prop_assert_eq!(again(Dotenv, &plain), plain);
    }

    #[test]
    fn any_text_is_encrypted_and_decrypted_or_refused(plain in "([ab=:;#\\[\\]\"'`\\\\ \r\n-]|\"\"\"|é){1,40}") {
        for format in [Dotenv, Ini] {
            let Ok(file) = encrypt(format, &plain) else { continue };
            decrypt(format, &file);
        }
    }
}
