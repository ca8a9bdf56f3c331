//! Files encrypted with age (<https://age-encryption.org/v1>): backups of keys.

use std::path::PathBuf;

use zeroize::Zeroizing;

use crate::Hint;
use crate::files::Input;

/// Why an age file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(
    not(feature = "full"),
    expect(dead_code, reason = "the small build never gets so far")
)]
pub enum AgeError {
    /// None of the identities opens it, or it is damaged.
    #[error("`{input}` cannot be decrypted: {cause}")]
    Decrypt {
        /// The encrypted file.
        input: Input,
        /// What age says.
        cause: String,
    },
    /// Encrypting failed.
    #[error("cannot encrypt: {0}")]
    Encrypt(String),
    /// An identity file is missing or wrong.
    #[error("cannot use the age identity `{path}`: {cause}", path = .path.display())]
    Identity {
        /// The identity file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The file is encrypted and no identity was named.
    #[error("`{0}` is encrypted with age")]
    NoIdentity(Input),
    /// This program was built without the feature `full`.
    #[cfg(not(feature = "full"))]
    #[error("this build cannot read or write files encrypted with age")]
    NotBuilt,
    /// A recipient is not one.
    #[error("`{0}` is not an age recipient")]
    Recipient(String),
}

impl Hint for AgeError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Identity { .. } => "an identity file is what `age-keygen -o FILE` writes",
            Self::NoIdentity(_) => "name the identity file that opens it with `--identity FILE`",
            #[cfg(not(feature = "full"))]
            Self::NotBuilt => {
                "build with `--features full`, or decrypt with `age --decrypt -i IDENTITY FILE` first"
            }
            Self::Recipient(_) => "a recipient begins with `age1`; `age-keygen -y FILE` prints it",
            Self::Decrypt { .. } | Self::Encrypt(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// Whether these bytes are an age file, binary or armored.
pub fn is_encrypted(bytes: &[u8]) -> bool {
    bytes.starts_with(b"age-encryption.org/v1\n")
        || bytes
            .trim_ascii_start()
            .starts_with(b"-----BEGIN AGE ENCRYPTED FILE-----")
}

/// The content of an age file.
#[cfg(feature = "full")]
pub fn decrypt(
    input: &Input,
    bytes: &[u8],
    identities: &[PathBuf],
) -> Result<Zeroizing<Vec<u8>>, AgeError> {
    use std::io::Read as _;

    if identities.is_empty() {
        return Err(AgeError::NoIdentity(input.clone()));
    }
    let wrong = |cause: &dyn std::fmt::Display| AgeError::Decrypt {
        input: input.clone(),
        cause: cause.to_string(),
    };
    let mut all: Vec<Box<dyn age::Identity>> = Vec::new();
    for path in identities {
        all.extend(read_identities(path)?);
    }
    let armored = age::armor::ArmoredReader::new(bytes);
    let decryptor = age::Decryptor::new(armored).map_err(|error| wrong(&error))?;
    let mut reader = decryptor
        .decrypt(all.iter().map(|identity| &**identity as &dyn age::Identity))
        .map_err(|error| wrong(&error))?;
    // The plaintext is shorter than the file, so the buffer does not grow and leave a copy behind.
    let mut plain = Zeroizing::new(Vec::with_capacity(bytes.len()));
    reader
        .read_to_end(&mut plain)
        .map_err(|error| wrong(&error))?;
    Ok(plain)
}

#[cfg(feature = "full")]
fn read_identities(path: &std::path::Path) -> Result<Vec<Box<dyn age::Identity>>, AgeError> {
    let wrong = |cause: &dyn std::fmt::Display| AgeError::Identity {
        path: path.to_owned(),
        cause: cause.to_string(),
    };
    let file = std::fs::File::open(path).map_err(|error| wrong(&error))?;
    age::IdentityFile::from_buffer(std::io::BufReader::new(file))
        .map_err(|error| wrong(&error))?
        .into_identities()
        .map_err(|error| wrong(&error))
        .map(|identities| {
            identities
                .into_iter()
                .map(|identity| identity as Box<dyn age::Identity>)
                .collect()
        })
}

/// Who can open an encrypted file.
#[cfg(feature = "full")]
pub struct Recipients(Vec<age::x25519::Recipient>);

#[cfg(feature = "full")]
impl Recipients {
    /// Reads `age1…`.
    pub fn parse(recipients: &[String]) -> Result<Self, AgeError> {
        let parse = |text: &String| text.parse().map_err(|_| AgeError::Recipient(text.clone()));
        recipients
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// Encrypts, armored.
#[cfg(feature = "full")]
pub fn encrypt(plain: &[u8], recipients: &Recipients) -> Result<Vec<u8>, AgeError> {
    use std::io::Write as _;

    use age::armor::{ArmoredWriter, Format};

    let wrong = |error: &dyn std::fmt::Display| AgeError::Encrypt(error.to_string());
    let encryptor = age::Encryptor::with_recipients(
        recipients
            .0
            .iter()
            .map(|recipient| recipient as &dyn age::Recipient),
    )
    .map_err(|error| wrong(&error))?;
    let mut out = Vec::new();
    let write = |out: &mut Vec<u8>| -> std::io::Result<()> {
        let armor = ArmoredWriter::wrap_output(out, Format::AsciiArmor)?;
        let mut writer = encryptor.wrap_output(armor)?;
        writer.write_all(plain)?;
        writer.finish()?.finish().map(drop)
    };
    write(&mut out).map_err(|error| wrong(&error))?;
    Ok(out)
}

/// The content of an age file: not in this build.
#[cfg(not(feature = "full"))]
pub fn decrypt(_: &Input, _: &[u8], _: &[PathBuf]) -> Result<Zeroizing<Vec<u8>>, AgeError> {
    Err(AgeError::NotBuilt)
}

/// Who can open an encrypted file: nobody in this build.
#[cfg(not(feature = "full"))]
pub struct Recipients(std::convert::Infallible);

#[cfg(not(feature = "full"))]
impl Recipients {
    /// Always [`AgeError::NotBuilt`].
    pub fn parse(_: &[String]) -> Result<Self, AgeError> {
        Err(AgeError::NotBuilt)
    }
}

/// Encrypts: not in this build.
#[cfg(not(feature = "full"))]
pub fn encrypt(_: &[u8], recipients: &Recipients) -> Result<Vec<u8>, AgeError> {
    match recipients.0 {}
}

#[cfg(all(test, feature = "full"))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use age::secrecy::ExposeSecret as _;

    use super::*;

    #[test]
    fn a_backup_opens_with_its_identity_alone() {
        let identity = age::x25519::Identity::generate();
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        std::fs::write(&own, identity.to_string().expose_secret()).unwrap();
        let stranger = age::x25519::Identity::generate();
        std::fs::write(&other, stranger.to_string().expose_secret()).unwrap();

        let recipients = Recipients::parse(&[identity.to_public().to_string()]).unwrap();
        let encrypted = encrypt(b"keys", &recipients).unwrap();

        assert!(is_encrypted(&encrypted));
        let open = |identities: &[PathBuf]| decrypt(&Input::Stdin, &encrypted, identities);
        assert_eq!(*open(&[own]).unwrap(), b"keys");
        assert!(matches!(open(&[other]), Err(AgeError::Decrypt { .. })));
        assert!(matches!(open(&[]), Err(AgeError::NoIdentity(_))));
    }

    #[test]
    fn a_recipient_that_is_none_is_named() {
        let refused = Recipients::parse(&["age1nonsense".to_owned()]);
        let told = refused.err().map(|error| error.to_string());
        assert_eq!(
            told.as_deref(),
            Some("`age1nonsense` is not an age recipient")
        );
    }
}
