//! AES-256-GCM as it is used here; the envelope as a whole is tested from outside, in `tests/`.
#![allow(clippy::unwrap_used)]

use aes_gcm::aead::Payload;
use serde_json::Value;

use super::*;
use crate::testing::{fixture, from_hex};

/// Project Wycheproof's vectors for AES-GCM, as far as key, nonce and tag have our sizes.
#[test]
fn aes_gcm_agrees_with_wycheproof() {
    let json = include_str!("../../tests/vectors/wycheproof/aes_gcm_test.json");
    let file: Value = serde_json::from_str(json).unwrap();
    let mut checked = 0;
    for group in file["testGroups"].as_array().unwrap() {
        if (&group["keySize"], &group["ivSize"], &group["tagSize"])
            != (&256.into(), &96.into(), &128.into())
        {
            continue;
        }
        for test in group["tests"].as_array().unwrap() {
            let field = |name: &str| from_hex(test[name].as_str().unwrap());
            let cipher = cipher(&field("key").try_into().unwrap());
            let nonce = <[u8; 12]>::try_from(field("iv")).unwrap().into();
            let (msg, aad) = (field("msg"), field("aad"));
            let sealed = [field("ct"), field("tag")].concat();
            let opened = cipher.decrypt(
                &nonce,
                Payload {
                    msg: &sealed,
                    aad: &aad,
                },
            );
            if test["result"] == "valid" {
                assert_eq!(opened.unwrap(), msg, "{}", test["tcId"]);
                let again = cipher.encrypt(
                    &nonce,
                    Payload {
                        msg: &msg,
                        aad: &aad,
                    },
                );
                assert_eq!(again.unwrap(), sealed, "{}", test["tcId"]);
            } else {
                assert!(opened.is_err(), "{}", test["tcId"]);
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} vectors apply");
}

#[test]
fn a_session_key_of_another_length_is_none() {
    let pem = fixture!("test-keys/rsa-2048.pem");
    let key = PrivateKey::from_pem(pem).unwrap();
    let label = Label::new(Scope::ClusterWide, "", "");
    for length in [0, 16, 24, 31, 33] {
        let wrapped = key
            .public_key()
            .wrap(label.as_bytes(), &vec![0; length])
            .unwrap();
        // What opens under the key that stands in for a missing one must not pass.
        let body = cipher(&[0; 32]).encrypt(&NONCE, &b"forged"[..]).unwrap();
        let length = u16::try_from(wrapped.len()).unwrap().to_be_bytes();
        let item = [&length[..], &wrapped, &body].concat();
        assert_eq!(open(&key, &label, &item), Err(OpenError::Undecryptable));
    }
}
