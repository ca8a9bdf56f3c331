//! Data keys wrapped for age recipients: one armored age file for each, as it is in the metadata of a
//! SOPS file (`sops.age[].enc`).
//!
//! ```text
//!  recipient            identity                            by
//!  age1...              AGE-SECRET-KEY-1...                 the age crate
//!  age1pq1...           AGE-SECRET-KEY-PQ-1...              here: X-Wing, which the age crate lacks
//!  ssh-ed25519, ssh-rsa an SSH private key in PEM           here, with the RSA of this crate
//!  age1tag1..., tagpq   (a hardware key, by its plugin)     the age crate, encryption alone
//!  age1<name>1...       AGE-PLUGIN-<NAME>-1...              a program, started by the [`Assistant`]
//! ```
//!
//! Identities come as text; where they were found is the caller's business. What needs a person or
//! another program (passphrases, plugins) is asked of an [`Assistant`], and only when a file key
//! could be opened with it.

use std::cell::RefCell;
use std::io::{Read, Write};

use age::armor::{ArmoredReader, ArmoredWriter, Format};

mod assistant;
mod attempt;
mod error;
mod identity;
mod locked;
mod pq;
mod recipient;
mod ssh;

pub use assistant::{Assistant, PluginError, Unattended};
pub use error::{
    IdentityError, IdentityFailure, ParseError, RecipientError, UnwrapError, WrapError,
};
pub use identity::Identity;
pub use recipient::Recipient;

use crate::Plaintext;

/// Armored age files of a data key have less than 6 KiB, and less than 100 bytes inside.
const LONGEST: usize = 64 * 1024;
const BEGIN: &str = "-----BEGIN AGE ENCRYPTED FILE-----";

/// Wraps a data key, or one part of it, for a recipient. The text ends with a line feed, as the peer
/// writes it.
pub fn wrap(
    secret: &Plaintext,
    recipient: &Recipient,
    assistant: &dyn Assistant,
) -> Result<String, WrapError> {
    let key = recipient.resolve(assistant)?;
    let failed = || WrapError::Failed {
        recipient: recipient.to_string(),
    };
    let encryptor =
        age::Encryptor::with_recipients(std::iter::once(&*key)).map_err(|_| failed())?;
    let write = || -> std::io::Result<Vec<u8>> {
        let armor = ArmoredWriter::wrap_output(Vec::new(), Format::AsciiArmor)?;
        let mut file = encryptor.wrap_output(armor)?;
        file.write_all(secret.expose())?;
        file.finish()?.finish()
    };
    let text = write().ok().and_then(|text| String::from_utf8(text).ok());
    // On Windows the armor has its line ends, in the metadata it has not.
    Ok(text.ok_or_else(failed)?.replace("\r\n", "\n"))
}

/// Unwraps what was wrapped for one of the identities. They are tried in their order, and one that
/// fails does not keep the others from being tried.
pub fn unwrap(
    wrapped: &str,
    identities: &[Identity],
    assistant: &dyn Assistant,
) -> Result<Plaintext, UnwrapError> {
    let text = wrapped.trim();
    if !text.starts_with(BEGIN) || text.len() > LONGEST {
        return Err(UnwrapError::NotAge);
    }
    let decryptor = age::Decryptor::new(ArmoredReader::new(text.as_bytes()))
        .map_err(|_| UnwrapError::NotAge)?;
    let failures = RefCell::default();
    let attempts: Vec<_> = identities
        .iter()
        .map(|identity| attempt::Attempt::new(identity, assistant, &failures))
        .collect();
    let opened = decryptor.decrypt(attempts.iter().map(|attempt| attempt as &dyn age::Identity));
    let file = match opened {
        Ok(file) => file,
        Err(age::DecryptError::NoMatchingKeys) => {
            return Err(UnwrapError::NoMatch {
                tried: identities.len(),
                failures: failures.into_inner(),
            });
        }
        Err(_) => return Err(UnwrapError::Changed),
    };
    // Room for all of it, so that no part stays behind in a smaller buffer.
    let mut secret = zeroize::Zeroizing::new(Vec::with_capacity(LONGEST));
    file.take(LONGEST as u64)
        .read_to_end(&mut secret)
        .map_err(|_| UnwrapError::Changed)?;
    Ok(secret.into())
}

#[cfg(test)]
mod tests;
