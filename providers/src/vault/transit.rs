//! What is said to the transit engine, and what it answers.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

/// What errors call a key.
pub(super) fn subject(engine: &str, key: &str) -> String {
    format!("transit key `{engine}/{key}`")
}

#[derive(Serialize)]
pub(super) struct Encrypt {
    plaintext: Zeroizing<String>,
}

#[derive(Serialize)]
pub(super) struct Decrypt<'a> {
    ciphertext: &'a str,
}

#[derive(Deserialize)]
pub(super) struct Encrypted {
    data: Option<Ciphertext>,
}

#[derive(Deserialize)]
struct Ciphertext {
    ciphertext: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Decrypted {
    data: Option<Base64>,
}

#[derive(Deserialize)]
struct Base64 {
    plaintext: Option<String>,
}

impl Encrypt {
    pub(super) fn new(secret: &Plaintext) -> Self {
        Self {
            plaintext: Zeroizing::new(STANDARD.encode(secret.expose())),
        }
    }
}

impl<'a> Decrypt<'a> {
    pub(super) fn new(ciphertext: &'a str) -> Self {
        Self { ciphertext }
    }
}

impl Encrypted {
    pub(super) fn ciphertext(self) -> Option<String> {
        self.data?.ciphertext
    }
}

impl Decrypted {
    pub(super) fn plaintext(self) -> Option<Plaintext> {
        let text = Zeroizing::new(self.data?.plaintext?);
        STANDARD.decode(text.as_bytes()).ok().map(Plaintext::from)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn plaintext_is_standard_base64_both_ways() {
        let secret = Plaintext::from(vec![0xfb, 0xff, 0x00]);
        let call = serde_json::to_string(&Encrypt::new(&secret)).unwrap();
        assert_eq!(call, r#"{"plaintext":"+/8A"}"#);
        let answer: Decrypted = serde_json::from_str(r#"{"data":{"plaintext":"+/8A"}}"#).unwrap();
        assert_eq!(answer.plaintext().unwrap(), secret);
    }

    #[test]
    fn an_answer_without_what_was_asked_for_is_none() {
        for body in [
            r#"{"data":null}"#,
            r#"{"data":{}}"#,
            "{}",
            r#"{"data":{"plaintext":"?"}}"#,
        ] {
            assert!(
                serde_json::from_str::<Encrypted>(body)
                    .unwrap()
                    .ciphertext()
                    .is_none()
            );
            assert!(
                serde_json::from_str::<Decrypted>(body)
                    .unwrap()
                    .plaintext()
                    .is_none()
            );
        }
    }
}
