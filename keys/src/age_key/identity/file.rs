//! A file of identities that is itself an age file, behind a passphrase.

use std::io::Read;
use std::sync::Arc;

use age::DecryptError;
use age::armor::ArmoredReader;
use age::secrecy::SecretString;
use zeroize::Zeroizing;

use super::super::locked::Locked;
use super::super::{Assistant, IdentityError};
use super::Identity;

/// The most work that a file may ask for, as a power of two; what the peer allows.
const MOST_WORK: u8 = 22;
/// The longest plaintext that is read.
const LONGEST: u64 = 16 * 1024 * 1024;

pub(in super::super) struct LockedFile {
    contents: Vec<u8>,
    opened: Locked<Vec<Identity>>,
}

impl LockedFile {
    pub(super) fn is_one(text: &[u8]) -> bool {
        let text = text.trim_ascii_start();
        text.starts_with(b"age-encryption") || text.starts_with(b"-----BEGIN AGE")
    }

    pub(super) fn new(contents: &[u8]) -> Self {
        Self {
            contents: contents.to_vec(),
            opened: Locked::new(),
        }
    }

    pub(in super::super) fn open(
        &self,
        source: &str,
        assistant: &dyn Assistant,
    ) -> Result<Arc<Vec<Identity>>, IdentityError> {
        self.opened.get_or_open(|| {
            let text = self.decrypt(source, assistant)?;
            if Self::is_one(&text) {
                return Err(IdentityError::NotByPassphrase);
            }
            Ok(Identity::parse_all(&text, source)?)
        })
    }

    fn decrypt(
        &self,
        source: &str,
        assistant: &dyn Assistant,
    ) -> Result<Zeroizing<Vec<u8>>, IdentityError> {
        let not_so = |_| IdentityError::NotByPassphrase;
        let armor = ArmoredReader::new(self.contents.trim_ascii_start());
        let decryptor = age::Decryptor::new(armor).map_err(not_so)?;
        if !decryptor.is_scrypt() {
            return Err(IdentityError::NotByPassphrase);
        }
        let passphrase = assistant.passphrase(source);
        let passphrase = passphrase.ok_or(IdentityError::NoPassphrase)?;
        let wrong = || {
            assistant.wrong_passphrase(source);
            IdentityError::WrongPassphrase
        };
        let passphrase = std::str::from_utf8(passphrase.expose()).map_err(|_| wrong())?;
        let mut identity = age::scrypt::Identity::new(SecretString::from(passphrase));
        identity.set_max_work_factor(MOST_WORK);
        let file = decryptor
            .decrypt(std::iter::once(&identity as &dyn age::Identity))
            .map_err(|error| match error {
                DecryptError::ExcessiveWork { .. } => IdentityError::TooMuchWork,
                DecryptError::InvalidHeader => IdentityError::NotByPassphrase,
                _ => wrong(),
            })?;
        let mut text = Zeroizing::new(Vec::with_capacity(self.contents.len()));
        file.take(LONGEST)
            .read_to_end(&mut text)
            .map_err(|_| IdentityError::NotByPassphrase)?;
        Ok(text)
    }
}
