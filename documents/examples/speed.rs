//! How long one YAML file takes in this process: `cargo run --release --example speed [VALUES]`.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

use std::{fmt::Write as _, time::Instant};

use signet_documents::{
    sops::{File, FileFormat, MacCheck, Metadata, metadata::KeyGroup},
    yaml::Stream,
};
use signet_keys::{
    Plaintext,
    sops::{Cipher, DataKey, MasterKey, WrappedKey},
};

fn main() {
    let values: usize = std::env::args()
        .nth(1)
        .map_or(10_000, |count| count.parse().unwrap());
    let plain = document(values);
    let cipher = Cipher::new(&DataKey::from_plaintext(&Plaintext::from(vec![7; 32])).unwrap());
    let encrypt = || {
        let file = File::parse(FileFormat::Yaml, plain.as_bytes()).unwrap();
        let now = "2026-01-02T03:04:05Z".parse().unwrap();
        file.encrypt(&metadata(), &cipher, None, now).unwrap().bytes
    };
    let encrypted = encrypt();
    let decrypt = || {
        let file = File::parse(FileFormat::Yaml, &encrypted).unwrap();
        file.decrypt(&cipher, MacCheck::Verify).unwrap().text
    };
    assert_eq!(decrypt().expose(), plain.as_bytes());
    let text = std::str::from_utf8(&encrypted).unwrap();
    println!(
        "{values} values, {} and {} bytes",
        plain.len(),
        encrypted.len()
    );
    time("parse plain", || drop(Stream::parse(&plain).unwrap()));
    time("parse encrypted", || drop(Stream::parse(text).unwrap()));
    time("encrypt", || drop(encrypt()));
    time("decrypt", || drop(decrypt()));
    time("decrypt, text alone", || {
        let file = File::parse(FileFormat::Yaml, &encrypted).unwrap();
        drop(file.decrypt_text(&cipher, MacCheck::Verify).unwrap());
    });
}

/// Maps of twenty values of 40 characters.
fn document(values: usize) -> String {
    let mut out = String::new();
    for number in 0..values {
        if number % 20 == 0 {
            let _ = writeln!(out, "section{}:", number / 20);
        }
        let _ = writeln!(out, "  key{number}: value-{number:034}");
    }
    out
}

fn metadata() -> Metadata {
    let key = WrappedKey {
        key: MasterKey::Age {
            recipient: "age1test".into(),
        },
        enc: "text\n".into(),
        created_at: None,
    };
    Metadata {
        groups: vec![KeyGroup { keys: vec![key] }],
        shamir_threshold: None,
        last_modified: "2026-01-01T00:00:00Z".parse().unwrap(),
        mac: None,
        selector: None,
        mac_only_encrypted: false,
        version: "3.13.3".into(),
    }
}

/// The median of some runs.
fn time(what: &str, mut run: impl FnMut()) {
    let mut times: Vec<_> = (0..31)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "{what}: {:.2} ms (best {:.2})",
        times[15].as_secs_f64() * 1e3,
        times[0].as_secs_f64() * 1e3
    );
}
