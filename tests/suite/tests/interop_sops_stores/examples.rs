//! The peer's own example files, which it keeps with the keys to them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use signet_documents::emit::sops::{self as emit, Layout};
use signet_documents::sops::{File, FileFormat, MacCheck};
use signet_keys::Plaintext;
use signet_keys::sops::{Cipher, DataKey, MasterKey};

const EXAMPLES: [(&str, FileFormat); 10] = [
    ("example.ini", FileFormat::Ini),
    ("example.json", FileFormat::Json),
    ("example.txt", FileFormat::Binary),
    ("example.yaml", FileFormat::Yaml),
    ("comments.enc.yaml", FileFormat::Yaml),
    ("comments_unencrypted_comments.yaml", FileFormat::Yaml),
    ("format.enc.env", FileFormat::Dotenv),
    ("format.enc.ini", FileFormat::Ini),
    ("format-2.enc.ini", FileFormat::Ini),
    ("format.enc.json", FileFormat::Json),
];

/// A `GnuPG` of its own, with the peer's keys.
struct Gpg(tempfile::TempDir);

impl Gpg {
    fn new() -> Self {
        let gpg = Self(tempfile::tempdir().unwrap());
        let keys = signet_kit::tools().peer_sops_example("sops_functional_tests_key.asc");
        let import = gpg
            .command("gpg")
            .args(["--batch", "--quiet", "--import"])
            .arg(keys)
            .output();
        let import = import.unwrap();
        let errors = String::from_utf8_lossy(&import.stderr);
        assert!(import.status.success(), "{errors}");
        gpg
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("GNUPGHOME", self.0.path())
            .env("HOME", self.0.path())
            .stdin(Stdio::null());
        command
    }

    /// The data key of a file, from the first entry that a key here opens.
    fn data_key(&self, file: &File) -> DataKey {
        let metadata = file.metadata().unwrap().unwrap();
        let message = self.0.path().join("message");
        let opened = metadata.keys().find_map(|wrapped| {
            if !matches!(wrapped.key, MasterKey::Pgp { .. }) {
                return None;
            }
            fs::write(&message, &wrapped.enc).unwrap();
            let output = self
                .command("gpg")
                .args(["--batch", "--quiet", "-d"])
                .arg(&message)
                .output();
            let output = output.unwrap();
            output.status.success().then_some(output.stdout)
        });
        DataKey::from_plaintext(&Plaintext::new(opened.unwrap())).unwrap()
    }

    fn sops_decrypt(&self, path: &Path) -> String {
        let sops = signet_kit::tools().path("sops");
        let output = self
            .command(sops)
            .arg("decrypt")
            .arg(path)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", path.display());
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Gpg {
    /// The agent would outlive its folder.
    fn drop(&mut self) {
        let _ = self
            .command("gpgconf")
            .args(["--kill", "gpg-agent"])
            .status();
    }
}

#[test]
fn the_examples_of_sops_decrypt_to_the_same_bytes() {
    let gpg = Gpg::new();
    for (name, format) in EXAMPLES {
        let path = signet_kit::tools().peer_sops_example(name);
        let file = File::parse(format, &fs::read(&path).unwrap()).unwrap();
        let cipher = Cipher::new(&gpg.data_key(&file));
        let decrypted = file.decrypt(&cipher, MacCheck::Verify).unwrap();
        let theirs = gpg.sops_decrypt(&path);
        let laid_out = emit::file(&decrypted.tree, format, &Layout::default()).unwrap();
        assert_eq!(String::from_utf8_lossy(laid_out.expose()), theirs, "{name}");
        // In place a file that has no last line break gets none.
        let ours = String::from_utf8_lossy(decrypted.text.expose());
        assert_eq!(ours.trim_end(), theirs.trim_end(), "{name}");
    }
}
