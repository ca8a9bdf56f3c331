//! SOPS files of any text: nothing panics, and what can be encrypted can be decrypted to what it was.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use proptest::prelude::*;
use signet_documents::sops::{
    File, FileFormat, MacCheck, Metadata,
    metadata::KeyGroup,
    selector::SelectorSpec,
    tree::{Branch, ListItem, Tree, TreeItem, TreeValue},
};
use signet_keys::{
    Plaintext,
    sops::{Cipher, DataKey, Kind, MasterKey, Value, WrappedKey},
};

const PLAIN: [&str; 5] = [
    include_str!("fixtures/sops/plain/helm-values.yaml"),
    include_str!("fixtures/sops/plain/manifests.yaml"),
    include_str!("fixtures/sops/plain/scalars.yaml"),
    include_str!("fixtures/sops/plain/comments.yaml"),
    include_str!("fixtures/sops/plain/terraform.tfvars.json"),
];

fn metadata(selector: SelectorSpec) -> Metadata {
    let key = MasterKey::Age {
        recipient: "age1test".into(),
    };
    let key = WrappedKey {
        key,
        enc: "a\nb\n".into(),
        created_at: None,
    };
    Metadata {
        groups: vec![KeyGroup { keys: vec![key] }],
        shamir_threshold: None,
        last_modified: "2026-01-01T00:00:00Z".parse().unwrap(),
        mac: None,
        selector: Some(selector),
        mac_only_encrypted: false,
        version: "3.13.3".into(),
    }
}

fn cipher() -> Cipher {
    Cipher::new(&DataKey::from_plaintext(&Plaintext::from(vec![3; 32])).unwrap())
}

/// The content alone: without comments, numbers by what they are worth.
fn content(tree: &Tree) -> Vec<Vec<String>> {
    let documents = tree.documents.iter();
    documents
        .map(|branch| {
            let mut out = Vec::new();
            map(branch, "", &mut out);
            out
        })
        .collect()
}

fn map(branch: &Branch, path: &str, out: &mut Vec<String>) {
    for item in &branch.items {
        if let TreeItem::Entry { key, value } = item {
            one(value, &format!("{path}/{key}"), out);
        }
    }
}

fn one(value: &TreeValue, path: &str, out: &mut Vec<String>) {
    match value {
        TreeValue::Map(branch) => {
            out.push(format!("{path} map"));
            map(branch, path, out);
        }
        TreeValue::List(items) => {
            out.push(format!("{path} list"));
            for item in items {
                if let ListItem::Value(value) = item {
                    one(value, &format!("{path}/-"), out);
                }
            }
        }
        TreeValue::Null => out.push(format!("{path} null")),
        TreeValue::Scalar(value) => out.push(format!("{path} {}", scalar(value))),
    }
}

fn scalar(value: &Value) -> String {
    let text = String::from_utf8_lossy(value.plaintext().expose()).into_owned();
    let kind = match value.kind() {
        Kind::Int | Kind::Float => "number",
        other => other.as_str(),
    };
    format!("{kind} {text:?}")
}

/// What can be read can be encrypted, and decrypted to the same content, with no ciphertext left.
fn check(format: FileFormat, text: &[u8], selector: SelectorSpec) -> Result<(), TestCaseError> {
    let Ok(file) = File::parse(format, text) else {
        return Ok(());
    };
    let Ok(tree) = file.tree() else { return Ok(()) };
    let now = "2026-01-02T00:00:00Z".parse().unwrap();
    let Ok(encrypted) = file.encrypt(&metadata(selector), &cipher(), None, now) else {
        return Ok(());
    };
    let shown = String::from_utf8_lossy(&encrypted.bytes).into_owned();
    let file = File::parse(format, &encrypted.bytes);
    let file = file.map_err(|error| TestCaseError::fail(format!("{error}:\n{shown}")))?;
    let decrypted = file.decrypt(&cipher(), MacCheck::Verify);
    let decrypted = decrypted.map_err(|error| TestCaseError::fail(format!("{error}:\n{shown}")))?;
    prop_assert_eq!(content(&decrypted.tree), content(&tree), "{}", &shown);
    let back = String::from_utf8_lossy(decrypted.text.expose()).into_owned();
    let read = File::parse(format, decrypted.text.expose()).and_then(|file| file.tree());
    let read = read.map_err(|error| TestCaseError::fail(format!("{error}:\n{back}\n{shown}")))?;
    prop_assert_eq!(content(&read), content(&tree), "{}\n{}", &back, &shown);
    Ok(())
}

fn selector() -> impl Strategy<Value = SelectorSpec> {
    prop::sample::select(vec![
        SelectorSpec::default(),
        SelectorSpec::EncryptedRegex("a|password".into()),
        SelectorSpec::EncryptedCommentRegex("secret|c".into()),
        SelectorSpec::UnencryptedSuffix("b".into()),
    ])
}

/// Text of YAML's own characters.
fn soup() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a",
        "b",
        "k: ",
        "l:\n",
        "- ",
        "  ",
        "    ",
        "\n",
        "\n",
        "\n  ",
        "# c",
        " # c",
        "\"",
        "'",
        "\"x\"",
        "'y'",
        "|\n",
        ">-\n",
        "|2+\n",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        "? ",
        "&x ",
        "*x",
        "!!str ",
        "!!int ",
        "!t ",
        "---\n",
        "...\n",
        "1",
        "1.5",
        "true",
        "~",
        "\t",
        "\r\n",
        "é",
        "<<: ",
        "2024-01-01",
        "\\n",
        "sops:\n",
        "\u{feff}",
    ]);
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

/// A file of people with some of its lines changed.
fn mangled() -> impl Strategy<Value = (bool, String)> {
    let edit = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..6_u8,
    );
    (0..PLAIN.len(), prop::collection::vec(edit, 0..6)).prop_map(|(number, edits)| {
        let mut lines: Vec<String> = PLAIN[number]
            .split_inclusive('\n')
            .map(str::to_owned)
            .collect();
        for (at, other, edit) in edits {
            if lines.is_empty() {
                break;
            }
            let (at, other) = (at.index(lines.len()), other.index(lines.len()));
            match edit {
                0 => drop(lines.remove(at)),
                1 => lines.swap(at, other),
                2 => lines.insert(at, "# c\n".into()),
                3 => lines.insert(at, "\n".into()),
                4 => lines.insert(at, format!("  {}", lines[other])),
                _ => lines[at] = lines[at].trim_start().into(),
            }
        }
        (number == PLAIN.len() - 1, lines.concat())
    })
}

/// So many cases, unless `PROPTEST_CASES` asks for another number.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: std::env::var_os("PROPTEST_CASES").map_or(cases, |_| default.cases),
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_text_is_refused_or_goes_there_and_back(text in soup(), selector in selector()) {
        for format in [FileFormat::Yaml, FileFormat::Binary] {
            check(format, text.as_bytes(), selector.clone())?;
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn files_with_changed_lines_are_refused_or_go_there_and_back(
        (json, text) in mangled(),
        selector in selector(),
    ) {
        let format = if json { FileFormat::Json } else { FileFormat::Yaml };
        check(format, text.as_bytes(), selector)?;
    }

    #[test]
    fn an_encrypted_file_with_changed_bytes_does_not_panic(
        number in 0..PLAIN.len(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let format = if number == PLAIN.len() - 1 { FileFormat::Json } else { FileFormat::Yaml };
        let file = File::parse(format, PLAIN[number].as_bytes()).unwrap();
        let now = "2026-01-02T00:00:00Z".parse().unwrap();
        let metadata = metadata(SelectorSpec::default());
        let mut bytes = file.encrypt(&metadata, &cipher(), None, now).unwrap().bytes;
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(file) = File::parse(format, &bytes) {
            let _ = file.decrypt(&cipher(), MacCheck::Verify);
        }
    }
}
