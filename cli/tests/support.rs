//! A folder of its own for each session, with a home and keys that are for tests alone.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::{SignedDuration, Timestamp};
use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::rsa::PrivateKey;

/// A folder with `home/`, `main.cert.pem`, `main.key.pem`, `other.cert.pem` and `other.key.pem`.
pub struct Session {
    folder: tempfile::TempDir,
}

/// What came of one command.
#[derive(Debug)]
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

pub const SECRET: &str = "\
# database of the team
apiVersion: v1
kind: Secret
metadata:
  name: db  # keep this name
  namespace: team
type: Opaque
stringData:
  user: admin
  password: 'hunter2'
";

impl Session {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let session = Self { folder };
        fs::create_dir(session.path("home")).unwrap();
        for name in ["main", "other"] {
            let (key, cert) = (fixture_key(name), fixture(&format!("{name}.cert.pem")));
            session.write(&format!("{name}.key.pem"), &key);
            session.write(&format!("{name}.cert.pem"), &cert);
        }
        session
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `signet` in the folder; the arguments are split at spaces.
    pub fn run(&self, args: &str) -> Done {
        self.run_with(args, "", &[])
    }

    /// With something on standard input.
    pub fn pipe(&self, args: &str, stdin: impl AsRef<[u8]>) -> Done {
        self.run_with(args, stdin, &[])
    }

    /// With environment variables.
    pub fn run_with(&self, args: &str, stdin: impl AsRef<[u8]>, env: &[(&str, &str)]) -> Done {
        let mut child = Command::new(env!("CARGO_BIN_EXE_signet"))
            .args(args.split_whitespace())
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.path("home"))
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that fails early does not read its input.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_ref());
        let output = child.wait_with_output().unwrap();
        Done {
            status: output.status.code().expect("signet was killed"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The values in the `SealedSecret` of a file, opened with a key: `item=value` lines, sorted.
    pub fn opened(&self, file: &str, key: &str) -> String {
        let secret = self.run(&format!("unseal {file} --private-key {key} -o json"));
        assert_eq!(secret.status, 0, "{}", secret.stderr);
        let secret: serde_json::Value = serde_json::from_str(&secret.stdout).unwrap();
        secret["data"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(item, value)| {
                let value = signet_keys::sealed::decode(value.as_str().unwrap()).unwrap();
                let value = String::from_utf8(value).unwrap();
                [item.clone(), "=".to_owned(), value, "\n".to_owned()]
            })
            .collect()
    }

    /// The ciphertexts in a file, by item.
    pub fn ciphertexts(&self, file: &str) -> BTreeMap<String, String> {
        ciphertexts(&self.read(file))
    }

    /// Names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Done {
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self
    }

    /// Failed, wrote nothing, and said all of these.
    #[track_caller]
    pub fn refused(self, told: &[&str]) -> Self {
        assert_eq!(self.status, 1, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        self.says(told)
    }

    #[track_caller]
    pub fn says(self, told: &[&str]) -> Self {
        for part in told {
            assert!(
                self.stderr.contains(part),
                "{part:?} is not in\n{}",
                self.stderr
            );
        }
        self
    }
}

/// Lines of a sealed YAML text that hold a ciphertext.
pub fn ciphertexts(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .filter_map(|line| line.trim().split_once(": "))
        .filter(|(_, value)| value.trim_matches(['"', '\'']).starts_with("AQ"))
        .map(|(item, value)| (item.to_owned(), value.to_owned()))
        .collect()
}

/// The text with every ciphertext replaced, to compare what stands around them.
pub fn blanked(text: &str) -> String {
    ciphertexts(text)
        .values()
        .fold(text.to_owned(), |text, it| text.replace(it, "CIPHERTEXT"))
}

/// A key Secret as the controller keeps it; without a label when `state` is empty.
pub fn key_secret(name: &str, state: &str, key: &str, certificate: &str) -> String {
    let base64 = |text: &str| signet_keys::sealed::encode(text.as_bytes());
    let labels = match state {
        "" => String::new(),
        state => format!("\n  labels: {{sealedsecrets.bitnami.com/sealed-secrets-key: {state}}}"),
    };
    format!(
        "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/tls\nmetadata:\n  name: {name}{labels}\n\
         data:\n  tls.key: {}\n  tls.crt: {}\n",
        base64(&fixture_key(key)),
        base64(certificate)
    )
}

/// A certificate of the main key with these dates, relative to now.
pub fn certificate(starts: SignedDuration, ends: SignedDuration) -> String {
    let key = PrivateKey::from_pem(fixture_key("main").as_bytes()).unwrap();
    let not_before = Timestamp::now() + starts;
    let certificate = Certificate::self_signed(
        &key,
        &SelfSigned {
            common_name: "signet test only".to_owned(),
            not_before,
            lifetime: ends - starts,
        },
    );
    certificate.unwrap().pem().to_owned()
}

pub fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

pub fn fixture_key(name: &str) -> String {
    fixture(&format!("test-only-{name}.key.pem"))
}

pub fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/tests/fixtures");
    fs::read_to_string(folder.join(name)).unwrap()
}
