//! Keys and files beside the tests.

use std::path::PathBuf;

use signet_keys::rsa::{Backend, PrivateKey};

pub fn read(path: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn private_key(name: &str) -> PrivateKey {
    PrivateKey::from_pem(&read(&format!("test-keys/{name}.pem"))).unwrap()
}

/// The key on each implementation.
pub fn on_every_backend(name: &str) -> Vec<PrivateKey> {
    let key = private_key(name);
    Backend::ALL
        .iter()
        .map(|&backend| key.with_backend(backend).unwrap())
        .collect()
}
