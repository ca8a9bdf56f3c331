//! Files that every session finds in its folder.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jiff::{SignedDuration, Timestamp};
use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::rsa::PrivateKey;
use signet_keys::sealed;

use crate::program::Program;

/// A Secret with what kubeseal copies, cleans and escapes.
pub const SECRET: &str = include_str!("../../kubeseal-sessions/fixtures/secret.yaml");
/// A certificate with a P-256 key, valid until 2126.
const EC_CERTIFICATE: &str = include_str!("../../kubeseal-sessions/fixtures/ec.pem");
/// Its key.
const EC_KEY: &str = include_str!("../../kubeseal-sessions/fixtures/ec-key.pem");

/// A key with its certificate, both PEM.
pub struct KeyPair {
    pub private: PrivateKey,
    pub key: String,
    pub certificate: String,
}

impl KeyPair {
    /// A new one. The certificate is valid for 24 hours from `not_before`.
    pub fn new(bits: usize, not_before: Timestamp) -> Self {
        Self::of(PrivateKey::generate(bits).unwrap(), not_before)
    }

    fn of(private: PrivateKey, not_before: Timestamp) -> Self {
        let wanted = SelfSigned {
            common_name: "test".to_owned(),
            not_before,
            lifetime: SignedDuration::from_hours(24),
        };
        let certificate = Certificate::self_signed(&private, &wanted).unwrap();
        Self {
            key: String::from_utf8(private.to_pkcs1_pem().expose().to_vec()).unwrap(),
            certificate: certificate.pem().to_owned(),
            private,
        }
    }

    /// The Secret in which a controller keeps it.
    pub fn key_secret(&self, name: &str) -> String {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: kube-system\n  \
             labels:\n    sealedsecrets.bitnami.com/sealed-secrets-key: active\n\
             type: kubernetes.io/tls\ndata:\n  tls.crt: {}\n  tls.key: {}\n",
            sealed::encode(self.certificate.as_bytes()),
            sealed::encode(self.key.as_bytes()),
        )
    }
}

/// `cert.pem`, `key.pem` and so on; see the module's list of names below.
pub fn files() -> &'static BTreeMap<String, String> {
    static FILES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    FILES.get_or_init(make)
}

fn make() -> BTreeMap<String, String> {
    let hour = SignedDuration::from_hours(1);
    let pair = KeyPair::new(2048, Timestamp::now() - hour);
    let other = KeyPair::new(2048, Timestamp::now() - hour);
    let expired = KeyPair::of(
        pair.private.clone(),
        "2020-01-01T00:00:00Z".parse().unwrap(),
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cert.pem"), &pair.certificate).unwrap();
    let seal = |format: &str, secret: &str| {
        let args = ["--cert", "cert.pem", "-o", format];
        let output = Program::Peer.output(folder.path(), &args, secret.as_bytes());
        String::from_utf8(output).unwrap()
    };
    let indented = |text: String| text.replace('\n', "\n  ").trim_end().to_owned();
    let list = format!(
        "apiVersion: v1\nkind: List\nitems:\n- {}\n- {}\n",
        indented(other.key_secret("old")),
        indented(pair.key_secret("new")),
    );
    let named = [
        ("cert.pem", pair.certificate.clone()),
        ("key.pem", pair.key.clone()),
        ("key-secret.yaml", pair.key_secret("key")),
        ("key-list.yaml", list),
        ("other-key.pem", other.key.clone()),
        ("expired.pem", expired.certificate),
        ("ec.pem", EC_CERTIFICATE.to_owned()),
        ("ec-key.pem", EC_KEY.to_owned()),
        ("secret.yaml", SECRET.to_owned()),
        ("sealed.yaml", seal("yaml", SECRET)),
        ("sealed.json", seal("json", SECRET)),
    ];
    named
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text))
        .collect()
}
