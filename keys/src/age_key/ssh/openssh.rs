//! The file of an OpenSSH private key (PROTOCOL.key of OpenSSH).

use aes_gcm::aes::Aes256;
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use zeroize::Zeroizing;

use super::wire::Reader;
use super::{ED25519, KeyError, Private, RSA, ed25519};
use crate::rsa::{Numbers, PrivateKey};

const MAGIC: &[u8] = b"openssh-key-v1\0";
const KEY_LEN: usize = 32;
const NONCE_LEN: usize = 16;

/// The file taken apart.
pub(super) struct File {
    public: Vec<u8>,
    private: Zeroizing<Vec<u8>>,
    lock: Option<Lock>,
}

/// How the key of the encryption comes from the passphrase: `bcrypt_pbkdf`.
struct Lock {
    salt: Vec<u8>,
    rounds: u32,
}

impl File {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, KeyError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(KeyError::Malformed)?;
        let mut reader = Reader(rest);
        let mut string = || reader.string().ok_or(KeyError::Malformed);
        let (cipher, derivation, mut options) = (string()?, string()?, Reader(string()?));
        let lock = match (cipher, derivation) {
            (b"none", b"none") => None,
            (b"aes256-ctr", b"bcrypt") => Some(Lock {
                salt: options.string().ok_or(KeyError::Malformed)?.to_vec(),
                rounds: options.u32().ok_or(KeyError::Malformed)?,
            }),
            _ => return Err(KeyError::Encryption),
        };
        if reader.u32() != Some(1) {
            return Err(KeyError::Malformed);
        }
        let mut string = || reader.string().ok_or(KeyError::Malformed);
        Ok(Self {
            public: string()?.to_vec(),
            private: string()?.to_vec().into(),
            lock,
        })
    }

    pub(super) fn public(&self) -> &[u8] {
        &self.public
    }

    pub(super) fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The key in it; `None` when the passphrase is wrong.
    pub(super) fn open(&self, passphrase: Option<&[u8]>) -> Result<Option<Private>, KeyError> {
        let mut private = self.private.clone();
        if let (Some(lock), Some(passphrase)) = (&self.lock, passphrase) {
            lock.open(passphrase, &mut private)?;
        }
        let mut reader = Reader(&private);
        match (reader.u32(), reader.u32()) {
            // The same number twice: the passphrase is right.
            (Some(one), Some(other)) if one == other => parse(reader).map(Some),
            _ => Ok(None),
        }
    }
}

impl Lock {
    fn open(&self, passphrase: &[u8], private: &mut [u8]) -> Result<(), KeyError> {
        let mut derived = Zeroizing::new([0; KEY_LEN + NONCE_LEN]);
        bcrypt_pbkdf::bcrypt_pbkdf(passphrase, &self.salt, self.rounds, &mut derived[..])
            .map_err(|_| KeyError::Malformed)?;
        let (key, nonce) = derived.split_at(KEY_LEN);
        let mut cipher =
            Ctr128BE::<Aes256>::new_from_slices(key, nonce).map_err(|_| KeyError::Malformed)?;
        cipher.apply_keystream(private);
        Ok(())
    }
}

fn parse(mut reader: Reader<'_>) -> Result<Private, KeyError> {
    let mut string = || reader.string().ok_or(KeyError::Malformed);
    let kind = string()?;
    if kind == ED25519.as_bytes() {
        let (_, pair) = (string()?, string()?);
        let seed = pair.first_chunk().ok_or(KeyError::Malformed)?;
        return Ok(Private::Ed25519(ed25519::Private::new(seed)));
    }
    if kind != RSA.as_bytes() {
        return Err(KeyError::Kind);
    }
    let numbers = Numbers {
        modulus: string()?,
        public_exponent: string()?,
        private_exponent: string()?,
        coefficient: string()?,
        prime1: string()?,
        prime2: string()?,
    };
    Ok(Private::Rsa(PrivateKey::from_numbers(&numbers)?))
}
