//! The real sops in a folder of its own, and signet with the same key.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use signet_documents::sops::metadata::KeyGroup;
use signet_documents::sops::selector::SelectorSpec;
use signet_documents::sops::{Decrypted, File, FileFormat, MacCheck, Metadata};
use signet_keys::age_key::{self, Identity, Unattended};
use signet_keys::sops::{Cipher, DataKey, LastModified, MasterKey, WrappedKey};

pub(crate) struct Peer {
    folder: tempfile::TempDir,
    identity: Vec<u8>,
    recipient: String,
    key: DataKey,
}

impl Peer {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keygen = || Command::new(signet_kit::tools().path("age-keygen"));
        let identity = keygen().output().unwrap().stdout;
        let path = folder.path().join("keys.txt");
        fs::write(&path, &identity).unwrap();
        let recipient = keygen().arg("-y").arg(&path).output().unwrap().stdout;
        Self {
            folder,
            identity,
            recipient: String::from_utf8(recipient).unwrap().trim().to_owned(),
            key: DataKey::generate().unwrap(),
        }
    }

    /// Runs sops on a file with this content; its arguments end before the name of the file.
    pub(crate) fn run(&self, args: &[&str], format: FileFormat, content: &[u8]) -> Output {
        let path = self.write(format, content);
        let mut command = Command::new(signet_kit::tools().path("sops"));
        command
            .args(args)
            .arg(path)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("SOPS_AGE_KEY_FILE", self.folder.path().join("keys.txt"));
        command.output().unwrap()
    }

    pub(crate) fn output(&self, args: &[&str], format: FileFormat, content: &[u8]) -> String {
        let output = self.run(args, format, content);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn encrypt(&self, format: FileFormat, plain: &str) -> String {
        let args = ["encrypt", "--age", &self.recipient];
        self.output(&args, format, plain.as_bytes())
    }

    pub(crate) fn decrypt(&self, format: FileFormat, file: &str) -> String {
        self.output(&["decrypt"], format, file.as_bytes())
    }

    /// As signet encrypts it for the key that sops has.
    pub(crate) fn signet_encrypt(&self, format: FileFormat, plain: &str) -> String {
        self.signet_encrypt_as(format, plain, SelectorSpec::default())
    }

    pub(crate) fn signet_encrypt_as(
        &self,
        format: FileFormat,
        plain: &str,
        selector: SelectorSpec,
    ) -> String {
        let recipient = self.recipient.parse().unwrap();
        let enc = age_key::wrap(&self.key.to_plaintext(), &recipient, &Unattended).unwrap();
        let key = MasterKey::Age {
            recipient: self.recipient.clone(),
        };
        let now: LastModified = "2026-01-31T12:00:00Z".parse().unwrap();
        let metadata = Metadata {
            groups: vec![KeyGroup {
                keys: vec![WrappedKey {
                    key,
                    enc,
                    created_at: None,
                }],
            }],
            shamir_threshold: None,
            last_modified: now.clone(),
            mac: None,
            selector: Some(selector),
            mac_only_encrypted: false,
            version: "3.13.3".to_owned(),
        };
        let file = File::parse(format, plain.as_bytes()).unwrap();
        let cipher = Cipher::new(&self.key);
        let encrypted = file.encrypt(&metadata, &cipher, None, now).unwrap();
        String::from_utf8(encrypted.bytes).unwrap()
    }

    /// As signet decrypts it, whoever encrypted it.
    pub(crate) fn signet_open(&self, format: FileFormat, file: &str) -> Decrypted {
        let file = File::parse(format, file.as_bytes()).unwrap();
        let metadata = file.metadata().unwrap().unwrap();
        let wrapped = &metadata.keys().next().unwrap().enc;
        let identities = Identity::parse_all(&self.identity, "test").unwrap();
        let key = age_key::unwrap(wrapped, &identities, &Unattended).unwrap();
        let cipher = Cipher::new(&DataKey::from_plaintext(&key).unwrap());
        file.decrypt(&cipher, MacCheck::Verify).unwrap()
    }

    pub(crate) fn signet_decrypt(&self, format: FileFormat, file: &str) -> String {
        let decrypted = self.signet_open(format, file);
        String::from_utf8(decrypted.text.expose().to_vec()).unwrap()
    }

    fn write(&self, format: FileFormat, content: &[u8]) -> PathBuf {
        let suffix = match format {
            FileFormat::Dotenv => "env",
            FileFormat::Binary => "bin",
            format => format.as_str(),
        };
        let path = self.folder.path().join(format!("file.{suffix}"));
        fs::write(&path, content).unwrap();
        path
    }
}
