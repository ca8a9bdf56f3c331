//! Whole files beside the real sops: what one encrypts the other decrypts, its checksum included.
//!
//! The programs are those that `tests/tools/build` prints the folder of. The data key is wrapped and
//! unwrapped by `age` itself, so nothing but the file format is ours here.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod sops_peer;

use proptest::prelude::*;
use signet_documents::sops::{FileFormat, selector::SelectorSpec};

use sops_peer::{Peer, peer};

/// Files as people have them.
const FILES: [(&str, FileFormat, &str); 7] = [
    (
        "Helm values",
        FileFormat::Yaml,
        include_str!("fixtures/sops/plain/helm-values.yaml"),
    ),
    (
        "Kubernetes manifests",
        FileFormat::Yaml,
        include_str!("fixtures/sops/plain/manifests.yaml"),
    ),
    (
        "every scalar",
        FileFormat::Yaml,
        include_str!("fixtures/sops/plain/scalars.yaml"),
    ),
    (
        "comments everywhere",
        FileFormat::Yaml,
        include_str!("fixtures/sops/plain/comments.yaml"),
    ),
    (
        "comments behind anchors and tags",
        FileFormat::Yaml,
        "a: &x # secret\n    b: v\n    c: v\nd: !!seq # public\n    - v\ne: !!map # why\n    f: v\n",
    ),
    (
        "Terraform variables",
        FileFormat::Json,
        include_str!("fixtures/sops/plain/terraform.tfvars.json"),
    ),
    (
        "a private key",
        FileFormat::Binary,
        "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n",
    ),
];

fn selectors() -> [SelectorSpec; 6] {
    [
        SelectorSpec::default(),
        SelectorSpec::EncryptedSuffix("word".into()),
        SelectorSpec::EncryptedRegex("^(data|stringData|password)$".into()),
        SelectorSpec::UnencryptedRegex("^(apiVersion|kind|metadata)$".into()),
        SelectorSpec::EncryptedCommentRegex("secret".into()),
        SelectorSpec::UnencryptedCommentRegex("^ *public".into()),
    ]
}

/// What a file says, by the peer: JSON for the content, and its own text for the comments.
fn reading(peer: &Peer, format: FileFormat, encrypted: &[u8]) -> (String, String) {
    let own = peer.decrypt(format, format, encrypted).unwrap();
    if format == FileFormat::Binary {
        return (own, String::new());
    }
    let json = peer.decrypt(format, FileFormat::Json, encrypted).unwrap();
    (json, own)
}

#[test]
fn the_peer_reads_what_we_encrypt_whatever_is_selected() {
    let peer = peer();
    for (name, format, plain) in FILES {
        for selector in selectors() {
            let ours = peer.encrypt_ours(format, plain, &selector, false).unwrap();
            let (json, text) = reading(peer, format, &ours);
            assert!(!text.contains("ENC["), "{name}, {selector:?}: {text}");
            let theirs = peer.encrypt(format, plain, &selector).unwrap();
            let (expected, _) = reading(peer, format, &theirs);
            assert_eq!(json, expected, "{name}, {selector:?}");
        }
    }
}

#[test]
fn the_peer_reads_the_checksum_of_encrypted_values_alone() {
    let peer = peer();
    let selector = SelectorSpec::EncryptedRegex("^(data|stringData|password)$".into());
    for (_, format, plain) in FILES {
        let ours = peer.encrypt_ours(format, plain, &selector, true).unwrap();
        peer.decrypt(format, format, &ours).unwrap();
    }
}

#[test]
fn we_read_what_the_peer_encrypts_whatever_is_selected() {
    let peer = peer();
    for (name, format, plain) in FILES {
        for selector in selectors() {
            let theirs = peer.encrypt(format, plain, &selector).unwrap();
            let ours = peer.decrypt_ours(format, &theirs).unwrap();
            let again = peer
                .encrypt_ours(format, &ours, &selector, false)
                .unwrap_or_else(|error| panic!("{name}, {selector:?}: {error}: {ours}"));
            let (json, _) = reading(peer, format, &again);
            let (expected, _) = reading(peer, format, &theirs);
            assert_eq!(json, expected, "{name}, {selector:?}");
        }
    }
}

#[test]
fn a_file_in_the_layout_of_the_peer_is_decrypted_byte_for_byte() {
    let peer = peer();
    let selector = SelectorSpec::default();
    for (name, format, plain) in FILES {
        // Into its layout first: there it moves inline comments, and fails to decrypt comments whose
        // place it changed when it wrote them.
        let first = peer.encrypt(format, plain, &selector).unwrap();
        let settled = peer.decrypt(format, format, &first).unwrap();
        let lines = settled.split_inclusive('\n');
        let plain: String = lines.filter(|line| !line.contains("#ENC[")).collect();
        let once = peer.encrypt(format, &plain, &selector).unwrap();
        let theirs = peer.decrypt(format, format, &once).unwrap();
        let ours = peer.decrypt_ours(format, &once).unwrap();
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn a_value_that_the_peer_set_in_our_file_leaves_it_whole() {
    let peer = peer();
    let ours = peer
        .encrypt_ours(
            FileFormat::Yaml,
            "# top\na:\n  b: \"x\" # why\n  c: |\n    y\n",
            &SelectorSpec::default(),
            false,
        )
        .unwrap();
    let changed = peer.set(&ours, "[\"a\"][\"b\"]", "\"z\"");
    let text = peer.decrypt_ours(FileFormat::Yaml, &changed).unwrap();
    assert!(text.contains("b: z") && text.contains("# top"), "{text}");
}

/// YAML documents of nested maps and lists, with scalars of every style and comments among them.
fn yaml() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "word",
        "two words",
        "7",
        "-0.5",
        "true",
        "null",
        "\"q\"",
        "'s t'",
        "\"\\u00e9\\n\"",
        "it's",
        "\"5\"",
        "yes",
        "0x1F",
        "\"\"",
        "|\n%  block\n%   more",
        ">-\n%  folded",
        "[1, \"a\", b]",
        "{x: 1, y: z}",
        "[]",
        "{}",
        "2024-01-01",
    ]);
    let comment = prop::sample::select(vec!["", "", "", "%# note\n", "%# one\n%# two\n"]);
    let leaf = (comment, scalar.clone(), any::<bool>());
    prop::collection::vec(
        (
            leaf.clone(),
            prop::collection::vec(leaf, 0..3),
            any::<bool>(),
        ),
        1..5,
    )
    .prop_map(|entries| {
        let mut text = String::new();
        let put = |comment: &str, head: String, value: &str, inline: bool, indent: &str| {
            let behind = if inline && !value.contains('\n') {
                " # i"
            } else {
                ""
            };
            let line = format!("{comment}{indent}{head}{value}{behind}\n");
            line.replace('%', indent)
        };
        for (number, ((comment, value, inline), nested, list)) in entries.iter().enumerate() {
            if nested.is_empty() {
                text += &put(comment, format!("k{number}: "), value, *inline, "");
                continue;
            }
            text.extend(["k", &number.to_string(), ":\n"]);
            for (index, (comment, value, inline)) in nested.iter().enumerate() {
                let head = if *list {
                    "- ".to_owned()
                } else {
                    format!("n{index}: ")
                };
                text += &put(comment, head, value, *inline, "  ");
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_documents_go_both_ways(plain in yaml()) {
        let peer = peer();
        let selector = SelectorSpec::default();
        let ours = peer.encrypt_ours(FileFormat::Yaml, &plain, &selector, false).unwrap();
        let (json, text) = reading(peer, FileFormat::Yaml, &ours);
        prop_assert!(!text.contains("ENC["), "{}\n{}", plain, text);
        let theirs = peer.encrypt(FileFormat::Yaml, &plain, &selector).unwrap();
        let (expected, _) = reading(peer, FileFormat::Yaml, &theirs);
        prop_assert_eq!(json, expected, "{}", &plain);
        let back = peer.decrypt_ours(FileFormat::Yaml, &theirs).unwrap();
        prop_assert!(!back.contains("ENC["), "{}", back);
    }
}
