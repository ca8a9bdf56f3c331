#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;

const KEY_2048: &[u8] = include_bytes!("../../tests/fixtures/test-keys/rsa-2048.pem");

#[test]
fn what_is_sealed_opens_under_its_label() {
    let key = PrivateKey::from_pem(KEY_2048).unwrap();
    let label = Label::new(Scope::Strict, "team-a", "db");
    let item = seal(key.public_key(), &label, b"hunter2").unwrap();
    assert_eq!(open(&key, &label, &item).unwrap().expose(), b"hunter2");
}
