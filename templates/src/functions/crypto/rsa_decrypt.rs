//! RSA decryption, for stores that hand out values encrypted.

use rsa::{Oaep, Pkcs1v15Encrypt};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

use super::Table;
use super::private_key::Key;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![("rsaDecrypt", Function::new(rsa_decrypt))]
}

/// Scheme `None` (PKCS#1 1.5) or `RSA-OAEP`, and the hash of the latter.
fn rsa_decrypt(
    context: &mut Context<'_, '_>,
    scheme: Text,
    hash: Text,
    ciphertext: Text,
    key: Text,
) -> Result<Text, Failure> {
    context.spend_derivation()?;
    let Key::Rsa(key) = Key::from_pem(&key)? else {
        return Err("the private key is no RSA key".into());
    };
    let hash = hash.lossy().to_ascii_uppercase();
    let plain = match (&*scheme, hash.as_str()) {
        (b"None", _) => key.decrypt(Pkcs1v15Encrypt, &ciphertext),
        (b"RSA-OAEP", "SHA1" | "SHA-1") => key.decrypt(Oaep::<Sha1>::new(), &ciphertext),
        (b"RSA-OAEP", "SHA256" | "SHA-256") => key.decrypt(Oaep::<Sha256>::new(), &ciphertext),
        (b"RSA-OAEP", "SHA384" | "SHA-384") => key.decrypt(Oaep::<Sha384>::new(), &ciphertext),
        (b"RSA-OAEP", "SHA512" | "SHA-512") => key.decrypt(Oaep::<Sha512>::new(), &ciphertext),
        _ => return Err("there is no such scheme or hash".into()),
    };
    plain
        .map(Text::from)
        .map_err(|_| "the ciphertext does not open with this key".into())
}
