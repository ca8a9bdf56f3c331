//! One file of any format: encrypted, decrypted, proven and edited in place.

use std::fmt;

use signet_keys::{
    Plaintext,
    sops::{Cipher, LastModified},
};

use super::{
    FileFormat, Kept, Tree,
    binary::Binary,
    body::Body,
    check::{Meant, check_metadata},
    crypt::{self, Opened, Proof},
    dotenv::Dotenv,
    error::{CheckError, DecryptError, EncryptError, ReadError, Warning, WriteError},
    ini::Ini,
    json::Json,
    metadata::Metadata,
    outline::{Outcome, Outline},
    selector::Selector,
    yaml::Yaml,
};
use crate::emit;

/// A parsed file, encrypted or in the clear. All that is not encrypted, decrypted or edited keeps its
/// bytes: indentation, quotes, comments, blank lines, line ends.
pub struct File {
    format: FileFormat,
    pub(super) body: Box<dyn Body>,
}

/// An encrypted file.
pub struct Encrypted {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its metadata, with the new checksum.
    pub metadata: Metadata,
    /// How many values are encrypted. Empty texts and null never are, and do not count.
    pub encrypted: usize,
    /// How many values are not, by the selector.
    pub plain: usize,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// A decrypted file.
#[derive(Debug)]
pub struct Decrypted {
    /// Its bytes, without metadata.
    pub text: Plaintext,
    /// What it says.
    pub tree: Tree,
    /// Its ciphertexts: give them to [`File::encrypt`], and what did not change keeps its own.
    pub kept: Kept,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// What to do about the checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacCheck {
    /// Refuse a file whose checksum is missing or that of other values.
    Verify,
    /// Take the values as they are: they may have been removed, exchanged or, where they are not
    /// encrypted, changed by anyone.
    DangerIgnore,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// Where the bytes are not of the format.
    pub fn parse(format: FileFormat, bytes: &[u8]) -> Result<Self, ReadError> {
        let body: Box<dyn Body> = match format {
            FileFormat::Binary => Box::new(Binary::parse(bytes)?),
            FileFormat::Dotenv => Box::new(Dotenv::parse(bytes)?),
            FileFormat::Ini => Box::new(Ini::parse(bytes)?),
            FileFormat::Json => Box::new(Json::parse(bytes)?),
            FileFormat::Yaml => Box::new(Yaml::parse(bytes)?),
        };
        Ok(Self { format, body })
    }

    /// The format that it was read in.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// The metadata; `None` if the file is not encrypted.
    ///
    /// # Errors
    /// Metadata that is there and cannot be used.
    pub fn metadata(&self) -> Result<Option<Metadata>, DecryptError> {
        let tree = self.body.metadata()?;
        Ok(tree.as_ref().map(Metadata::read).transpose()?)
    }

    /// Encrypts the values that the selector of the metadata names, and writes the metadata with the
    /// checksum and the time `now`. With `kept`, values that it has keep their ciphertext. A binary file
    /// is encrypted whole and has no selector.
    ///
    /// # Errors
    /// Files that are encrypted, that cannot be walked, and invalid selectors.
    pub fn encrypt(
        &self,
        metadata: &Metadata,
        cipher: &Cipher,
        kept: Option<&mut Kept>,
        now: LastModified,
    ) -> Result<Encrypted, EncryptError> {
        match self.body.metadata() {
            Ok(None) => {}
            // Lines that begin with `sops_` are metadata, whatever is missing of it.
            Ok(Some(_)) | Err(ReadError::Metadata(_)) => {
                return Err(EncryptError::AlreadyEncrypted);
            }
            Err(error) => return Err(error.into()),
        }
        let mut nothing = Kept::new();
        let kept = kept.unwrap_or(&mut nothing);
        let mut metadata = metadata.clone();
        if self.format == FileFormat::Binary {
            // There is one value, and no way to leave it in the clear.
            metadata.selector = None;
        }
        let outline = self.body.outline()?;
        let selector = Selector::compile(&metadata.effective_selector())?;
        let only_encrypted = metadata.mac_only_encrypted;
        let body = self.body.as_ref();
        let sealed = crypt::encrypt(
            body,
            &outline,
            &selector,
            cipher,
            only_encrypted,
            &now,
            kept,
        )?;
        metadata.mac = Some(sealed.mac);
        metadata.last_modified = now;
        let block = metadata.write();
        let mut written = body.write(Some(&outline), &sealed.outcomes, Some(&block))?;
        let meant = Meant {
            outline: &outline,
            outcomes: &sealed.outcomes,
            may_lose_comments: written.expanded_alias(),
        };
        if !kept.is_empty() || meant.is_intricate() {
            meant
                .check_encrypted(self.format, &written.bytes, &selector, &metadata)
                .map_err(WriteError::from)?;
        }
        if sealed.encrypted == 0 && sealed.plain > 0 {
            written.warnings.push(Warning::NothingEncrypted);
        }
        Ok(Encrypted {
            // Ciphertext, but for what the selector leaves in the clear.
            bytes: std::mem::take(&mut *written.bytes),
            metadata,
            encrypted: sealed.encrypted,
            plain: sealed.plain,
            warnings: written.warnings,
        })
    }

    /// Decrypts the file, and proves by its checksum that all values are there as they were encrypted.
    ///
    /// # Errors
    /// Values that do not decrypt, whatever is asked of the checksum, and what [`MacCheck`] says.
    pub fn decrypt(&self, cipher: &Cipher, check: MacCheck) -> Result<Decrypted, DecryptError> {
        let mut kept = Kept::new();
        let (outline, opened) = self.open(cipher, check, Some(&mut kept))?;
        let tree = Tree::of(&outline, &opened.outcomes);
        let (text, warnings) = self.in_the_clear(&outline, opened)?;
        Ok(Decrypted {
            text,
            tree,
            kept,
            warnings,
        })
    }

    /// The text of [`Self::decrypt`] alone, with the warnings: for a file that is not looked at any
    /// further, in less time and memory.
    ///
    /// # Errors
    /// As [`Self::decrypt`].
    pub fn decrypt_text(
        &self,
        cipher: &Cipher,
        check: MacCheck,
    ) -> Result<(Plaintext, Vec<Warning>), DecryptError> {
        let (outline, opened) = self.open(cipher, check, None)?;
        self.in_the_clear(&outline, opened)
    }

    /// The text of the file with its leaves in the clear.
    fn in_the_clear(
        &self,
        outline: &Outline<'_>,
        opened: Opened,
    ) -> Result<(Plaintext, Vec<Warning>), DecryptError> {
        let written = self.body.write(Some(outline), &opened.outcomes, None)?;
        let mut warnings = opened.warnings;
        warnings.extend(written.warnings);
        if self.is_as_meant(outline, &opened.outcomes, &written.bytes) {
            return Ok((written.bytes.into(), warnings));
        }
        warnings.push(Warning::NewLayout);
        let tree = Tree::of(outline, &opened.outcomes);
        let text = emit::sops::file(&tree, self.format, &emit::sops::Layout::default())
            .map_err(|_| WriteError::Check(CheckError::Values))?;
        Ok((text, warnings))
    }

    /// Whether a file in the clear says what was meant. Only YAML can be written in so many ways that this
    /// is a question.
    fn is_as_meant(&self, outline: &Outline<'_>, outcomes: &[Outcome], bytes: &[u8]) -> bool {
        let meant = Meant {
            outline,
            outcomes,
            may_lose_comments: true,
        };
        self.format != FileFormat::Yaml
            || !meant.is_intricate()
            || meant.check_plain(self.format, bytes).is_ok()
    }

    /// Proves the file without giving its values away.
    ///
    /// # Errors
    /// As [`Self::decrypt`].
    pub fn verify(&self, cipher: &Cipher) -> Result<Vec<Warning>, DecryptError> {
        let (_, opened) = self.open(cipher, MacCheck::Verify, None)?;
        Ok(opened.warnings)
    }

    fn open(
        &self,
        cipher: &Cipher,
        check: MacCheck,
        kept: Option<&mut Kept>,
    ) -> Result<(Outline<'_>, Opened), DecryptError> {
        let metadata = self.metadata()?.ok_or(DecryptError::NotEncrypted)?;
        let outline = self.body.outline()?;
        let selector = Selector::compile(&metadata.effective_selector())?;
        let proof = Proof {
            mac: metadata.mac.as_deref().unwrap_or_default(),
            only_encrypted: metadata.mac_only_encrypted,
            last_modified: &metadata.last_modified,
        };
        let opened = crypt::decrypt(
            self.body.as_ref(),
            &outline,
            &selector,
            cipher,
            &proof,
            kept,
        )?;
        if check == MacCheck::Verify {
            opened.mac.clone()?;
        }
        Ok((outline, opened))
    }

    /// The file with other metadata and all else as it is: for new recipients. The checksum is that of
    /// the metadata given.
    ///
    /// # Errors
    /// See [`WriteError`].
    pub fn with_metadata(&self, metadata: &Metadata) -> Result<Vec<u8>, WriteError> {
        let mut written = self.body.write(None, &[], Some(&metadata.write()))?;
        let file = Self::parse(self.format, &written.bytes).map_err(CheckError::Read)?;
        check_metadata(&file, metadata)?;
        Ok(std::mem::take(&mut *written.bytes))
    }

    /// What the file says as it is, encrypted or not.
    ///
    /// # Errors
    /// What cannot be walked.
    pub fn tree(&self) -> Result<Tree, ReadError> {
        Ok(Tree::of(&self.body.outline()?, &[]))
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}
