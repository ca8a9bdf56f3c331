//! SSH keys as age uses them (C2SP age, "ssh-rsa" and "ssh-ed25519"). The age crate has them too, with
//! an implementation of RSA that is not constant time; here RSA is that of this crate.

use std::collections::HashSet;
use std::sync::Arc;

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD_NO_PAD;
use age::{DecryptError, EncryptError};
use age_core::format::{FILE_KEY_BYTES, FileKey, Stanza};
use age_core::secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::locked::Locked;
use super::{Assistant, IdentityError};
use crate::rsa::{PrivateKey, PublicKey};
use crate::{base64, pem};

mod ed25519;
mod openssh;
mod wire;

const ED25519: &str = "ssh-ed25519";
const RSA: &str = "ssh-rsa";
const X25519: &str = "X25519";
const RSA_LABEL: &[u8] = b"age-encryption.org/v1/ssh-rsa";

/// Why an SSH private key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum KeyError {
    #[error("it is malformed")]
    Malformed,
    #[error("age uses ssh-ed25519 and ssh-rsa keys only")]
    Kind,
    #[error("it is encrypted in an old way; `ssh-keygen -p -f KEY` writes it in the new one")]
    OldEncryption,
    #[error("its encryption is not aes256-ctr with bcrypt; `ssh-keygen -p -f KEY` writes it so")]
    Encryption,
    #[error("{0}")]
    Rsa(#[from] crate::rsa::KeyError),
}

/// A public key: the bytes that SSH shows in base64, and what they say.
#[derive(Clone)]
pub(super) struct Recipient {
    blob: Vec<u8>,
    key: Public,
}

#[derive(Clone)]
enum Public {
    Ed25519(ed25519::Public),
    Rsa(PublicKey),
}

/// A private key.
pub(super) struct Identity {
    recipient: Recipient,
    key: Private,
    /// A key on the same curve serves the recipient that ssh-to-age makes of it too
    /// (getsops/sops#1999).
    x25519: Option<age::x25519::Identity>,
}

enum Private {
    Ed25519(ed25519::Private),
    Rsa(PrivateKey),
}

/// A private key behind a passphrase. Its public half is in the open.
pub(super) struct LockedIdentity {
    file: openssh::File,
    recipient: Recipient,
    opened: Locked<Identity>,
}

/// What a PEM text holds.
pub(super) enum Parsed {
    Open(Identity),
    Locked(LockedIdentity),
}

/// Reads the first private key of a PEM text: of OpenSSH, PKCS#1 or PKCS#8.
pub(super) fn parse(text: &[u8]) -> Result<Parsed, KeyError> {
    let blocks = pem::blocks(text);
    let is_key = |block: &&pem::Block| block.label.ends_with("PRIVATE KEY");
    let block = blocks.iter().find(is_key).ok_or(KeyError::Malformed)?;
    if block.encrypted || block.label == "ENCRYPTED PRIVATE KEY" {
        return Err(KeyError::OldEncryption);
    }
    let der = block.der.as_deref().ok_or(KeyError::Malformed)?;
    if block.label == "OPENSSH PRIVATE KEY" {
        let file = openssh::File::parse(der)?;
        let recipient = Recipient::from_blob(file.public()).map_err(|_| KeyError::Kind)?;
        if file.is_locked() {
            return Ok(Parsed::Locked(LockedIdentity {
                file,
                recipient,
                opened: Locked::new(),
            }));
        }
        let key = file.open(None)?.ok_or(KeyError::Malformed)?;
        return Identity::new(key).map(Parsed::Open);
    }
    let key = match ed25519::Private::from_pkcs8(der) {
        Some(key) if block.label == "PRIVATE KEY" => Private::Ed25519(key),
        _ => Private::Rsa(PrivateKey::from_pem(text)?),
    };
    Identity::new(key).map(Parsed::Open)
}

impl Recipient {
    /// Reads a line such as `ssh-keygen` writes: kind, base64, comment.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let mut words = text.split_ascii_whitespace();
        let (kind, blob) = (words.next(), words.next());
        let blob = blob.and_then(|blob| base64::decode(blob).ok());
        let recipient = Self::from_blob(&blob.ok_or("it is cut short or not base64")?)?;
        let same = kind == Some(recipient.kind());
        same.then_some(recipient)
            .ok_or("its key is of another kind")
    }

    fn from_blob(blob: &[u8]) -> Result<Self, &'static str> {
        let key = match wire::public(blob).ok_or("its key is not valid")? {
            wire::Public::Ed25519(key) => {
                let key = ed25519::Public::new(key).ok_or("its key is not valid")?;
                Public::Ed25519(key)
            }
            wire::Public::Rsa { exponent, modulus } => {
                let key = PublicKey::from_numbers(modulus, exponent)
                    .map_err(|_| "its key is not valid, or has fewer than 2048 bits")?;
                Public::Rsa(key)
            }
            wire::Public::Other => return Err("age uses ssh-ed25519 and ssh-rsa keys only"),
        };
        Ok(Self {
            blob: blob.to_vec(),
            key,
        })
    }

    fn kind(&self) -> &'static str {
        match self.key {
            Public::Ed25519(_) => ED25519,
            Public::Rsa(_) => RSA,
        }
    }

    /// Four bytes of a hash: which key is meant, as far as a file tells.
    fn tag(&self) -> String {
        STANDARD_NO_PAD.encode(&Sha256::digest(&self.blob)[..4])
    }

    fn is_meant(&self, stanza: &Stanza) -> bool {
        stanza.tag == self.kind() && stanza.args.first() == Some(&self.tag())
    }

    fn line(&self) -> String {
        format!("{} {}", self.kind(), base64::encode(&self.blob))
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(
        &self,
        file_key: &FileKey,
    ) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let file_key = file_key.expose_secret();
        let mut args = vec![self.tag()];
        let body = match &self.key {
            Public::Ed25519(key) => {
                let (point, body) = key.wrap(&self.blob, file_key);
                args.push(STANDARD_NO_PAD.encode(point));
                body
            }
            Public::Rsa(key) => key
                .wrap(RSA_LABEL, file_key)
                .ok_or_else(|| std::io::Error::other("RSA encryption failed"))?,
        };
        let stanza = Stanza {
            tag: self.kind().to_owned(),
            args,
            body,
        };
        Ok((vec![stanza], HashSet::new()))
    }
}

impl Identity {
    fn new(key: Private) -> Result<Self, KeyError> {
        let blob = match &key {
            Private::Ed25519(key) => wire::ed25519(key.public()),
            Private::Rsa(key) => {
                let numbers = key.public_key().numbers().ok_or(KeyError::Malformed)?;
                wire::rsa(&numbers.exponent, &numbers.modulus)
            }
        };
        let recipient = Recipient::from_blob(&blob).map_err(|_| KeyError::Malformed)?;
        let x25519 = match &key {
            Private::Ed25519(key) => key.to_x25519(),
            Private::Rsa(_) => None,
        };
        Ok(Self {
            recipient,
            key,
            x25519,
        })
    }

    /// The public half, as SSH writes it.
    pub(super) fn recipient(&self) -> String {
        self.recipient.line()
    }

    fn unwrap(&self, stanza: &Stanza) -> Option<Zeroizing<Vec<u8>>> {
        match (&self.key, &stanza.args[..]) {
            (Private::Ed25519(key), [_, point]) => {
                let point = STANDARD_NO_PAD.decode(point).ok()?.try_into().ok()?;
                key.unwrap(&self.recipient.blob, point, &stanza.body)
            }
            (Private::Rsa(key), [_]) => key.unwrap(RSA_LABEL, &stanza.body),
            _ => None,
        }
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        if stanza.tag == X25519 {
            return self.x25519.as_ref()?.unwrap_stanza(stanza);
        }
        if !self.recipient.is_meant(stanza) {
            return None;
        }
        let key = self
            .unwrap(stanza)
            .filter(|key| key.len() == FILE_KEY_BYTES);
        let file_key = |key: Zeroizing<Vec<u8>>| {
            FileKey::init_with_mut(|file_key| file_key.copy_from_slice(&key))
        };
        Some(key.map(file_key).ok_or(DecryptError::DecryptionFailed))
    }
}

impl LockedIdentity {
    pub(super) fn recipient(&self) -> String {
        self.recipient.line()
    }

    /// Whether it is worth asking for the passphrase.
    pub(super) fn is_meant(&self, stanzas: &[Stanza]) -> bool {
        stanzas.iter().any(|stanza| self.recipient.is_meant(stanza))
    }

    pub(super) fn open(
        &self,
        source: &str,
        assistant: &dyn Assistant,
    ) -> Result<Arc<Identity>, IdentityError> {
        self.opened.get_or_open(|| {
            let passphrase = assistant.passphrase(source);
            let passphrase = passphrase.ok_or(IdentityError::NoPassphrase)?;
            let malformed = |_| IdentityError::Malformed;
            let opened = self.file.open(Some(passphrase.expose()));
            let Some(key) = opened.map_err(malformed)? else {
                assistant.wrong_passphrase(source);
                return Err(IdentityError::WrongPassphrase);
            };
            Identity::new(key).map_err(malformed)
        })
    }
}

#[cfg(test)]
mod tests;
