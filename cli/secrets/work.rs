//! One file, from its bytes to its new ones, without asking or printing: what many files are worked
//! through with at the same time.

use std::path::Path;

use signet_documents::rules::CreationRule;
use signet_documents::sops::{Decrypted, FileFormat, MacCheck};
use signet_keys::sops::Cipher;
use signet_keys::sops::master_key::DecryptionOrder;

use crate::files::{self, Input};
use crate::{Env, Failure};

use super::{OpenError, RuleBook, SecretFile, Services, consent};

/// Reads an encrypted file.
pub fn read(path: &Path, format: FileFormat) -> Result<SecretFile, OpenError> {
    let bytes = files::read(path)?;
    SecretFile::parse(&Input::File(path.to_owned()), format, bytes)
}

/// A file that was opened and proven.
#[derive(Debug)]
pub struct Opened {
    /// As it was read.
    pub secret: SecretFile,
    /// Under its data key.
    pub cipher: Cipher,
    /// What it says.
    pub decrypted: Decrypted,
}

/// Reads and decrypts a file.
pub fn open(
    path: &Path,
    format: FileFormat,
    services: &Services,
    order: &DecryptionOrder,
    check: MacCheck,
) -> Result<Opened, Failure> {
    let secret = read(path, format)?;
    let cipher = secret.unlock(services, order)?;
    let decrypted = secret.decrypt(&cipher, check)?;
    Ok(Opened {
        secret,
        cipher,
        decrypted,
    })
}

/// What the rules say of a file; nothing if there are none. A file that no rule is for may be changed:
/// somebody named its recipients.
pub fn rule(path: &Path, rules: &RuleBook, env: &Env) -> Result<Option<CreationRule>, Failure> {
    let path = crate::paths::absolute(env, path);
    match rules.creation(&path) {
        Ok(rule) => Ok(rule),
        Err(error) if error.is_no_rule() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What is strange about a file, by its rules.
pub fn strange(
    secret: &SecretFile,
    path: &Path,
    rules: &RuleBook,
    env: &Env,
) -> Result<Vec<String>, Failure> {
    let rule = rule(path, rules, env)?;
    Ok(rule.map_or_else(Vec::new, |rule| consent::strange(&secret.metadata, &rule)))
}
