//! The real sops and age, and our own reading of files beside them.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
};

use signet_documents::sops::{
    File, FileFormat, MacCheck, Metadata, metadata::KeyGroup, selector::SelectorSpec,
};
use signet_keys::{
    Plaintext,
    sops::{Cipher, DataKey, MasterKey, WrappedKey},
};

pub struct Peer {
    tools: PathBuf,
    identity: String,
    identity_file: PathBuf,
    recipient: String,
}

/// One for all tests: a new age key.
pub fn peer() -> &'static Peer {
    static PEER: OnceLock<Peer> = OnceLock::new();
    PEER.get_or_init(Peer::new)
}

impl Peer {
    fn new() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let built = Command::new(here.join("../tests/tools/build"))
            .output()
            .unwrap();
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        let tools = PathBuf::from(String::from_utf8(built.stdout).unwrap().trim());
        let key = Command::new(tools.join("age-keygen")).output().unwrap();
        let key = String::from_utf8(key.stdout).unwrap();
        let line = |start: &str| {
            let mut lines = key.lines();
            lines
                .find_map(|line| line.strip_prefix(start))
                .unwrap()
                .to_owned()
        };
        let identity = format!("AGE-SECRET-KEY-{}", line("AGE-SECRET-KEY-"));
        let identity_file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sops-interop-identity");
        std::fs::write(&identity_file, &identity).unwrap();
        Self {
            tools,
            identity,
            identity_file,
            recipient: line("# public key: "),
        }
    }

    fn run(&self, program: &str, args: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(self.tools.join(program))
            .args(args)
            .env_clear()
            .env("SOPS_AGE_KEY", &self.identity)
            .env("HOME", env!("CARGO_TARGET_TMPDIR"))
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }

    fn sops(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let output = self.run("sops", args, input);
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Encrypted by the peer.
    pub fn encrypt(
        &self,
        format: FileFormat,
        plain: &str,
        selector: &SelectorSpec,
    ) -> Result<Vec<u8>, String> {
        // The comment selectors are flags of the old commands alone.
        let flag = format!("--{}", selector.field().replace('_', "-"));
        let kind = format.as_str();
        let mut args = vec![
            "--age",
            &self.recipient,
            "--input-type",
            kind,
            "--output-type",
            kind,
        ];
        if format != FileFormat::Binary {
            args.extend([flag.as_str(), selector.text()]);
        }
        args.extend(["-e", "/dev/stdin"]);
        self.sops(&args, plain.as_bytes())
    }

    /// Decrypted by the peer.
    pub fn decrypt(
        &self,
        from: FileFormat,
        to: FileFormat,
        encrypted: &[u8],
    ) -> Result<String, String> {
        let (from, to) = (from.as_str(), to.as_str());
        let args = [
            "decrypt",
            "--input-type",
            from,
            "--output-type",
            to,
            "/dev/stdin",
        ];
        let text = self.sops(&args, encrypted)?;
        String::from_utf8(text).map_err(|error| error.to_string())
    }

    /// The peer's `set` on a YAML file.
    pub fn set(&self, encrypted: &[u8], path: &str, value: &str) -> Vec<u8> {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sops-interop-set.yaml");
        std::fs::write(&file, encrypted).unwrap();
        let args = ["set", file.to_str().unwrap(), path, value];
        self.sops(&args, &[]).unwrap();
        std::fs::read(file).unwrap()
    }

    /// Encrypted by us, with the data key wrapped by age.
    pub fn encrypt_ours(
        &self,
        format: FileFormat,
        plain: &str,
        selector: &SelectorSpec,
        mac_only_encrypted: bool,
    ) -> Result<Vec<u8>, String> {
        let key = DataKey::generate().unwrap();
        let wrapped = self.run("age", &["-a", "-r", &self.recipient], key.expose());
        let key_entry = WrappedKey {
            key: MasterKey::Age {
                recipient: self.recipient.clone(),
            },
            enc: String::from_utf8(wrapped.stdout).unwrap(),
            created_at: None,
        };
        let metadata = Metadata {
            groups: vec![KeyGroup {
                keys: vec![key_entry],
            }],
            shamir_threshold: None,
            last_modified: "2026-01-01T00:00:00Z".parse().unwrap(),
            mac: None,
            selector: (format != FileFormat::Binary).then(|| selector.clone()),
            mac_only_encrypted,
            version: "3.13.3".into(),
        };
        let file = File::parse(format, plain.as_bytes()).map_err(|error| error.to_string())?;
        let now = "2026-02-03T04:05:06Z".parse().unwrap();
        file.encrypt(&metadata, &Cipher::new(&key), None, now)
            .map(|encrypted| encrypted.bytes)
            .map_err(|error| error.to_string())
    }

    /// Decrypted by us, with the data key unwrapped by age.
    pub fn decrypt_ours(&self, format: FileFormat, encrypted: &[u8]) -> Result<String, String> {
        let file = File::parse(format, encrypted).map_err(|error| error.to_string())?;
        let metadata = file.metadata().map_err(|error| error.to_string())?;
        let metadata = metadata.ok_or("no metadata")?;
        let wrapped = &metadata.groups[0].keys[0].enc;
        let identity = self.identity_file.to_str().unwrap();
        let key = self.run("age", &["-d", "-i", identity], wrapped.as_bytes());
        let key = DataKey::from_plaintext(&Plaintext::from(key.stdout)).unwrap();
        let decrypted = file
            .decrypt(&Cipher::new(&key), MacCheck::Verify)
            .map_err(|error| error.to_string())?;
        Ok(String::from_utf8(decrypted.text.expose().to_vec()).unwrap())
    }
}
