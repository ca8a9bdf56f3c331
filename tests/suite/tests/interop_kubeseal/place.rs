//! A key, and what both programs do with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use signet_keys::sealed::{self, Scope};
use tempfile::TempDir;

use crate::fixtures::KeyPair;
use crate::program::Program;

/// Values that have gone wrong somewhere before. Together no more than a Secret can hold.
pub fn contents() -> BTreeMap<&'static str, Vec<u8>> {
    BTreeMap::from([
        ("binary", (0..=255).collect()),
        ("empty", Vec::new()),
        ("invalid-utf-8", vec![0xc3, 0x28, 0xa0, 0xa1, 0xff]),
        (
            "nearly-a-mebibyte",
            (0_u8..=255).cycle().take(1023 * 1024).collect(),
        ),
        ("one-byte", vec![0]),
        ("text", "pässwörd".into()),
        ("trailing-newline", b"line\n".to_vec()),
    ])
}

/// A key, its certificate, and a folder with both.
pub struct Place {
    folder: TempDir,
    /// The key.
    pub pair: KeyPair,
}

impl Place {
    /// With a new key.
    pub fn new(bits: usize) -> Self {
        let pair = KeyPair::new(bits, Timestamp::now() - SignedDuration::from_hours(1));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cert.pem"), &pair.certificate).unwrap();
        fs::write(folder.path().join("key.pem"), &pair.key).unwrap();
        Self { folder, pair }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Seals the items.
    pub fn seal(&self, by: Program, scope: Scope, items: &BTreeMap<&str, Vec<u8>>) -> Vec<u8> {
        let args = [
            "--cert",
            "cert.pem",
            "--scope",
            scope.as_str(),
            "-o",
            "yaml",
        ];
        by.output(self.path(), &args, secret(items).as_bytes())
    }

    /// Merges the items into a sealed file.
    pub fn merge(&self, by: Program, sealed: &[u8], items: &BTreeMap<&str, Vec<u8>>) -> Vec<u8> {
        let file = self.path().join("sealed.yaml");
        fs::write(&file, sealed).unwrap();
        let args = [
            "--cert",
            "cert.pem",
            "--merge-into",
            "sealed.yaml",
            "-o",
            "yaml",
        ];
        by.output(self.path(), &args, secret(items).as_bytes());
        fs::read(&file).unwrap()
    }

    /// Seals one value.
    pub fn raw(&self, by: Program, scope: Scope, value: &[u8]) -> String {
        fs::write(self.path().join("value"), value).unwrap();
        let args = [
            "--raw",
            "--cert",
            "cert.pem",
            "--scope",
            scope.as_str(),
            "-n",
            "team-a",
            "--name",
            "demo",
            "--from-file",
            "value",
        ];
        String::from_utf8(by.output(self.path(), &args, b"")).unwrap()
    }

    /// Opens a sealed file with the key.
    pub fn open(&self, by: Program, sealed: &[u8]) -> BTreeMap<String, Vec<u8>> {
        self.open_with(by, "key.pem", sealed)
    }

    /// The same with another file of keys.
    pub fn open_with(&self, by: Program, key: &str, sealed: &[u8]) -> BTreeMap<String, Vec<u8>> {
        let args = ["--recovery-unseal", "--recovery-private-key", key];
        let output = by.output(self.path(), &args, sealed);
        let secret: Value = serde_json::from_slice(&output).unwrap();
        let data = secret["data"].as_object().into_iter().flatten();
        // The peer prints null for an empty value.
        data.map(|(name, value)| {
            let value = value.as_str().unwrap_or_default();
            (name.clone(), sealed::decode(value).unwrap())
        })
        .collect()
    }
}

/// A Secret of these items, JSON.
pub fn secret(items: &BTreeMap<&str, Vec<u8>>) -> String {
    let data: BTreeMap<_, _> = items
        .iter()
        .map(|(name, value)| (name, sealed::encode(value)))
        .collect();
    json!({
        "kind": "Secret",
        "apiVersion": "v1",
        "metadata": { "name": "demo", "namespace": "team-a" },
        "data": data,
    })
    .to_string()
}

/// The items as [`Place::open`] gives them.
pub fn named(items: &BTreeMap<&str, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    items
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect()
}
