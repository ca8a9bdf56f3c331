//! Values, checksums, data keys, key groups and age recipients beside the real sops, age and
//! age-keygen: what one writes the other reads. Whole files are the business of other tests; here they
//! are one JSON object.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value as Json, json};
use signet_keys::Plaintext;
use signet_keys::age_key::{self, Identity, Recipient, Unattended};
use signet_keys::sops::{Cipher, DataKey, Kind, LastModified, Mac, Value};

/// A folder with one identity of each kind.
struct Folder(tempfile::TempDir);

struct Pair {
    identity: Vec<u8>,
    recipient: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Runs one of the pinned programs here, with nothing of the surroundings.
    fn run(&self, program: &str, args: &[&str], identities: Option<&Path>) -> Output {
        let mut command = Command::new(signet_kit::tools().path(program));
        command
            .args(args)
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.0.path());
        if let Some(identities) = identities {
            command.env("SOPS_AGE_KEY_FILE", identities);
        }
        command.output().unwrap()
    }

    fn output(&self, program: &str, args: &[&str]) -> Vec<u8> {
        let output = self.run(program, args, None);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {args:?}: {errors}");
        output.stdout
    }

    /// New keys of `age-keygen`.
    fn keygen(&self, args: &[&str]) -> Pair {
        let identity = self.output("age-keygen", args);
        let path = self.write("identity", &identity);
        let recipient = self.output("age-keygen", &["-y", path.to_str().unwrap()]);
        Pair {
            identity,
            recipient: String::from_utf8(recipient).unwrap().trim().to_owned(),
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        let mut pairs = vec![self.keygen(&[]), self.keygen(&["-pq"])];
        pairs.extend(["ed25519", "rsa-2048"].map(ssh_pair));
        pairs
    }
}

/// SSH keys that are kept beside the vectors of the crate.
fn ssh_pair(name: &str) -> Pair {
    let text = include_str!("../../../keys/tests/fixtures/sops-3.13.3/age.json");
    let vectors: Vec<Json> = serde_json::from_str(text).unwrap();
    let vector = vectors
        .iter()
        .find(|vector| vector["name"] == name)
        .unwrap();
    Pair {
        identity: signet_keys::sealed::decode(vector["identity"].as_str().unwrap()).unwrap(),
        recipient: vector["recipient"].as_str().unwrap().to_owned(),
    }
}

fn wrap(secret: &Plaintext, recipient: &str) -> String {
    let recipient: Recipient = recipient.parse().unwrap();
    age_key::wrap(secret, &recipient, &Unattended).unwrap()
}

fn unwrap(wrapped: &str, pair: &Pair) -> Plaintext {
    let identities = Identity::parse_all(&pair.identity, "test").unwrap();
    age_key::unwrap(wrapped, &identities, &Unattended).unwrap()
}

#[test]
fn age_and_signet_unwrap_what_the_other_wrapped() {
    let folder = Folder::new();
    let secret = Plaintext::from(vec![7; 32]);
    for pair in folder.pairs() {
        let identity = folder.write("identity", &pair.identity);
        let ours = folder.write("ours", wrap(&secret, &pair.recipient).as_bytes());
        let (identity, ours) = (identity.to_str().unwrap(), ours.to_str().unwrap());
        let opened = folder.output("age", &["-d", "-i", identity, ours]);
        assert_eq!(opened, secret.expose(), "{}", pair.recipient);

        folder.write("secret", secret.expose());
        let theirs = folder.output("age", &["-a", "-r", &pair.recipient, "secret"]);
        let opened = unwrap(std::str::from_utf8(&theirs).unwrap(), &pair);
        assert_eq!(opened, secret, "{}", pair.recipient);
    }
}

#[test]
fn identities_of_age_keygen_know_their_recipients() {
    let folder = Folder::new();
    for pair in [folder.keygen(&[]), folder.keygen(&["-pq"])] {
        let identities = Identity::parse_all(&pair.identity, "test").unwrap();
        assert_eq!(identities[0].recipient().unwrap(), pair.recipient);
    }
}

/// The values of the file, in its order.
const VALUES: [(&str, Kind, &str); 5] = [
    ("password", Kind::Str, "hunter2"),
    ("port", Kind::Int, "5432"),
    ("ratio", Kind::Float, "0.1"),
    ("enabled", Kind::Bool, "True"),
    ("empty", Kind::Str, ""),
];

fn plain() -> Json {
    json!({"password": "hunter2", "port": 5432, "ratio": 0.1, "enabled": true, "empty": ""})
}

#[test]
fn signet_reads_the_values_groups_and_checksum_of_sops() {
    let folder = Folder::new();
    let pairs = folder.pairs();
    let groups: Vec<_> = pairs
        .iter()
        .map(|pair| json!({"age": [pair.recipient]}))
        .collect();
    let rules = json!({"creation_rules": [{"shamir_threshold": 3, "key_groups": groups}]});
    folder.write(".sops.yaml", rules.to_string().as_bytes());
    folder.write("plain.json", plain().to_string().as_bytes());
    let file = folder.output("sops", &["encrypt", "plain.json"]);
    let file: Json = serde_json::from_slice(&file).unwrap();

    let text = |pointer: &str| file.pointer(pointer).unwrap().as_str().unwrap();
    let part = |(group, pair): (usize, &Pair)| {
        let wrapped = text(&format!("/sops/key_groups/{group}/age/0/enc"));
        unwrap(wrapped, pair)
    };
    let parts: Vec<_> = pairs.iter().enumerate().map(part).collect();
    let key = DataKey::combine(&parts).unwrap();
    assert_eq!(DataKey::combine(&parts[1..]).unwrap(), key);

    let cipher = Cipher::new(&key);
    let mut mac = Mac::new();
    for (name, kind, expected) in VALUES {
        let aad = format!("{name}:");
        let value = cipher
            .decrypt(text(&format!("/{name}")), aad.as_bytes())
            .unwrap();
        assert_eq!(
            (value.kind(), value.plaintext().expose()),
            (kind, expected.as_bytes())
        );
        mac.add(&value, true);
    }
    let time: LastModified = text("/sops/lastmodified").parse().unwrap();
    assert_eq!(mac.verify(&cipher, text("/sops/mac"), &time), Ok(()));
}

#[test]
fn sops_reads_the_values_groups_and_checksum_of_signet() {
    let folder = Folder::new();
    let pairs = folder.pairs();
    let key = DataKey::generate().unwrap();
    let cipher = Cipher::new(&key);
    let time: LastModified = "2026-01-31T12:00:00Z".parse().unwrap();

    let mut file = serde_json::Map::new();
    let mut mac = Mac::new();
    for (name, kind, text) in VALUES {
        let value = Value::new(kind, text.as_bytes().to_vec().into()).unwrap();
        mac.add(&value, true);
        let text = cipher
            .encrypt(&value, format!("{name}:").as_bytes())
            .unwrap();
        file.insert(name.into(), text.into());
    }
    let parts = key.split(pairs.len(), 2).unwrap();
    let group = |(part, pair): (&Plaintext, &Pair)| json!({"age": [{"recipient": pair.recipient, "enc": wrap(part, &pair.recipient)}]});
    let groups: Vec<_> = parts.iter().zip(&pairs).map(group).collect();
    let metadata = json!({
        "key_groups": groups, "shamir_threshold": 2, "lastmodified": time.as_str(),
        "mac": mac.seal(&cipher, &time).unwrap(), "unencrypted_suffix": "_unencrypted", "version": "3.13.3",
    });
    file.insert("sops".into(), metadata);
    folder.write("file.json", Json::from(file).to_string().as_bytes());

    let two = [&pairs[0].identity[..], &pairs[1].identity[..]].concat();
    let identities = folder.write("keys.txt", &two);
    let output = folder.run("sops", &["decrypt", "file.json"], Some(&identities));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let read: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read, plain());

    let one = folder.write("keys.txt", &pairs[0].identity);
    let output = folder.run("sops", &["decrypt", "file.json"], Some(&one));
    assert_eq!(
        output.status.code(),
        Some(128),
        "one group of two is not enough"
    );
}
