//! Trees in the layout of sops, and conversions from one format to another.

use signet_documents::emit::sops::{self as emit, Layout};
use signet_documents::emit::{sops_json, sops_yaml};
use signet_documents::sops::File;
use signet_documents::sops::FileFormat::{self, Binary, Dotenv, Ini, Json, Yaml};

use crate::generate::{Generator, Shape};
use crate::peer::Peer;

/// What `sops decrypt --output-type` prints; none if it refuses.
fn theirs(peer: &Peer, file: &str, from: FileFormat, to: FileFormat) -> Option<String> {
    let args = ["decrypt", "--output-type", to.as_str()];
    let output = peer.run(&args, from, file.as_bytes());
    let text = || String::from_utf8(output.stdout).unwrap();
    output.status.success().then(text)
}

fn ours(peer: &Peer, file: &str, from: FileFormat, to: FileFormat) -> Option<String> {
    let tree = peer.signet_open(from, file).tree;
    let text = emit::file(&tree, to, &Layout::default()).ok()?;
    Some(String::from_utf8(text.expose().to_vec()).unwrap())
}

fn assert_alike(peer: &Peer, plain: &str, from: FileFormat) {
    let file = peer.encrypt(from, plain);
    for to in [Yaml, Json, Dotenv, Ini] {
        let (ours, theirs) = (ours(peer, &file, from, to), theirs(peer, &file, from, to));
        assert_eq!(ours, theirs, "{from} to {to}:\n{plain}");
    }
}

#[test]
fn yaml_is_laid_out_as_sops_does() {
    let peer = Peer::new();
    for plain in [
        include_str!("fixtures/comments.yaml"),
        include_str!("fixtures/numbers.yaml"),
        include_str!("fixtures/strings.yaml"),
        include_str!("fixtures/structure.yaml"),
    ] {
        assert_alike(&peer, plain, Yaml);
    }
}

#[test]
fn flat_and_sectioned_files_are_converted_as_sops_does() {
    let peer = Peer::new();
    assert_alike(
        &peer,
        "a: 1\nb: 1.0\nc: true\nd: 2024-01-01T01:02:03.5Z\ne: x\\ny\nf: -2e10\n",
        Yaml,
    );
    assert_alike(&peer, "s:\n  a: 1\n  b: 'x;y'\n  c: ' z'\nt: {}\n", Yaml);
    assert_alike(
        &peer,
        "{\"a\": 1.5, \"b\": 18446744073709551616, \"c\": \"<&>\", \"d\": 1e-7}",
        Json,
    );
    assert_alike(&peer, "A=1\n# c\nB=x\\ny\n", Dotenv);
    assert_alike(&peer, "a = 1\n\n[s]\n; c\nb = x\n", Ini);
}

#[test]
fn generated_files_are_laid_out_as_sops_does() {
    let peer = Peer::new();
    for seed in 0..12 {
        let mut generator = Generator::new(seed);
        assert_alike(&peer, &generator.yaml(Shape::Nested), Yaml);
    }
    for seed in 0..4 {
        let mut generator = Generator::new(seed);
        assert_alike(&peer, &generator.yaml(Shape::Flat), Yaml);
        assert_alike(&peer, &generator.yaml(Shape::Sections), Yaml);
    }
}

#[test]
fn parts_are_extracted_as_sops_does() {
    let peer = Peer::new();
    let plain = "s: x\nn: 1\nf: 1.50\nb: true\nnull: null\nl:\n  - 1\n  - a: b\nm:\n  k: v\n  # c\n  o: {}\n";
    let file = peer.encrypt(Yaml, &plain.replace("null: null", "z: null"));
    let tree = peer.signet_open(Yaml, &file).tree;
    for key in ["s", "n", "f", "b", "z", "l", "m"] {
        for format in [Yaml, Json] {
            let path = format!("[\"{key}\"]");
            let args = [
                "decrypt",
                "--extract",
                &path,
                "--output-type",
                format.as_str(),
            ];
            let theirs = peer.output(&args, Yaml, file.as_bytes());
            let value = tree.documents[0].get(key).unwrap();
            let ours = emit::part(value, format, &Layout::default()).unwrap();
            assert_eq!(
                String::from_utf8_lossy(ours.expose()),
                theirs,
                "{key} as {format}"
            );
        }
    }
}

/// What sops wrote is read and written again, and no byte differs.
#[test]
fn encrypted_files_are_laid_out_as_sops_does() {
    let peer = Peer::new();
    for (format, plain) in [
        (Yaml, include_str!("fixtures/comments.yaml")),
        (Yaml, include_str!("fixtures/strings.yaml")),
        (Yaml, include_str!("fixtures/structure.yaml")),
        (Json, "{\"a\": [1, {\"b\": \"<\"}], \"c\": {}}"),
        (Dotenv, "# c\nA=1\nB=x\\ny\n"),
        (Ini, "a = 1\n\n; c\n[s]\n; d\nbb = x\nc  = y\n"),
        (Binary, "any bytes\n"),
    ] {
        let theirs = peer.encrypt(format, plain);
        let file = File::parse(format, theirs.as_bytes()).unwrap();
        let (tree, metadata) = (file.tree().unwrap(), file.metadata().unwrap().unwrap());
        let ours = emit::encrypted(&tree, &metadata, format, &Layout::default()).unwrap();
        assert_eq!(String::from_utf8_lossy(ours.expose()), theirs, "{format}");
    }
}

#[test]
fn indentation_is_that_of_sops() {
    let peer = Peer::new();
    let plain = include_str!("fixtures/structure.yaml");
    let file = peer.encrypt(Yaml, plain);
    let tree = peer.signet_open(Yaml, &file).tree;
    for indent in [0, 1, 2, 3, 9, 10] {
        let layout = Layout {
            yaml: sops_yaml::Layout::with_indent(indent),
            json: sops_json::Layout::with_spaces(indent),
        };
        for format in [Yaml, Json] {
            let spaces = indent.to_string();
            let args = [
                "--indent",
                &spaces,
                "decrypt",
                "--output-type",
                format.as_str(),
            ];
            let theirs = peer.output(&args, Yaml, file.as_bytes());
            let ours = emit::file(&tree, format, &layout).unwrap();
            assert_eq!(String::from_utf8_lossy(ours.expose()), theirs, "{indent}");
        }
    }
}

/// Each is bound to the map or list that it is in.
#[test]
fn sops_decrypts_every_comment_of_signet() {
    let peer = Peer::new();
    let plain = include_str!("fixtures/comments.yaml");
    let file = peer.signet_encrypt(Yaml, plain);
    let decrypted = peer.decrypt(Yaml, &file);
    assert!(!decrypted.contains("ENC["), "{decrypted}");
    assert_eq!(decrypted.matches('#').count(), plain.matches('#').count());
    assert_eq!(peer.signet_decrypt(Yaml, &file), plain);
}
