//! What sops made: `tests/fixtures/sops-3.13.3`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use signet_keys::sops::{Cipher, DataKey};

/// Reads one of the files.
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_str(&text(name)).unwrap()
}

/// One of the files as it is.
pub fn text(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/sops-3.13.3/");
    std::fs::read_to_string(format!("{folder}{name}")).unwrap()
}

/// The data key of all of them.
pub fn data_key() -> DataKey {
    DataKey::from_plaintext(&vec![b'k'; 32].into()).unwrap()
}

/// The cipher of all of them.
pub fn cipher() -> Cipher {
    Cipher::new(&data_key())
}

/// Bytes in base64.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct Bytes(pub Vec<u8>);

impl TryFrom<String> for Bytes {
    type Error = signet_keys::sealed::Base64Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        signet_keys::sealed::decode(&text).map(Self)
    }
}
