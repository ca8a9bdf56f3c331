#![allow(clippy::unwrap_used)]

mod comments;
mod damage;
mod errors;
mod formats;
mod layout;
mod roundtrip;
mod selection;

use signet_keys::{
    Plaintext,
    sops::{Cipher, DataKey, MasterKey, WrappedKey},
};

use super::{
    DecryptError, Decrypted, EncryptError, Encrypted, File, FileFormat, Kept, MacCheck, Metadata,
    metadata::KeyGroup, selector::SelectorSpec,
};

/// A file's metadata without a wrapped key that opens: here the data key is known.
fn metadata(selector: Option<SelectorSpec>) -> Metadata {
    let key = WrappedKey {
        key: MasterKey::Age {
            recipient: "age1test".into(),
        },
        enc: "-----BEGIN-----\nabc\n-----END-----\n".into(),
        created_at: None,
    };
    Metadata {
        groups: vec![KeyGroup { keys: vec![key] }],
        shamir_threshold: None,
        last_modified: "2026-01-01T00:00:00Z".parse().unwrap(),
        mac: None,
        selector,
        mac_only_encrypted: false,
        version: "3.13.3".into(),
    }
}

fn cipher() -> Cipher {
    Cipher::new(&DataKey::from_plaintext(&Plaintext::from(vec![7; 32])).unwrap())
}

fn encrypt_with(
    format: FileFormat,
    text: &str,
    metadata: &Metadata,
    kept: Option<&mut Kept>,
) -> Result<Encrypted, EncryptError> {
    let now = "2026-01-02T03:04:05Z".parse().unwrap();
    File::parse(format, text.as_bytes())?.encrypt(metadata, &cipher(), kept, now)
}

fn encrypt_all(format: FileFormat, text: &str) -> String {
    let encrypted = encrypt_with(format, text, &metadata(Some(SelectorSpec::default())), None);
    let encrypted = encrypted.unwrap_or_else(|error| panic!("{error}: {text}"));
    String::from_utf8(encrypted.bytes).unwrap()
}

fn decrypt(format: FileFormat, text: &str) -> Result<Decrypted, DecryptError> {
    File::parse(format, text.as_bytes())?.decrypt(&cipher(), MacCheck::Verify)
}

fn text(decrypted: &Decrypted) -> String {
    String::from_utf8(decrypted.text.expose().to_vec()).unwrap()
}

/// Encrypted and decrypted again.
fn round_trip(format: FileFormat, plain: &str) -> String {
    let encrypted = encrypt_all(format, plain);
    let decrypted = decrypt(format, &encrypted);
    text(&decrypted.unwrap_or_else(|error| panic!("{error}: {encrypted}")))
}
