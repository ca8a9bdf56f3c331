//! The certificate that a repository trusts: `.signet/certs/NAME.pem`.
//!
//! The file is made at the first fetch and is meant to be committed. It is ordinary PEM with a few
//! lines of explanation above, so other tools read it as a certificate too.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use signet_keys::certificate::Certificate;

use super::{CertificateSourceError, date};
use crate::cluster::Controller;
use crate::files;
use crate::{Env, Hint};

/// Where a repository keeps its certificates.
pub(super) const FOLDER: &str = ".signet/certs";

/// Where a repository keeps one certificate.
#[derive(Clone, Debug)]
pub struct Pin {
    path: PathBuf,
}

/// Why there can be no pin.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// The folder for pins cannot be made.
    #[error("cannot make the folder `{}`", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The name would lead out of the folder.
    #[error("`{0}` is no name for a pin")]
    Name(String),
}

impl Hint for PinError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Folder { .. } => None,
            Self::Name(_) => Some("use letters, digits, `-`, `_` and `.`".to_owned()),
        }
    }
}

impl Pin {
    /// The pin of this name in the repository that the program was started in, or in the current
    /// folder when that is in no repository.
    pub fn find(env: &Env, name: &str) -> Result<Self, PinError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(PinError::Name(name.to_owned()));
        }
        let file = Path::new(FOLDER).join(format!("{name}.pem"));
        Ok(Self {
            path: root(env.current_dir()).join(file),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The pinned certificate; nothing when there is none yet.
    pub fn read(&self) -> Result<Option<Certificate>, CertificateSourceError> {
        // A link that leads nowhere is a pin that cannot be read. Taken for none, it would have the
        // first fetch write wherever a foreign repository points.
        if self.path.symlink_metadata().is_ok() {
            super::read_file(&self.path).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Pins a certificate.
    pub fn write(
        &self,
        certificate: &Certificate,
        from: &Controller,
        now: Timestamp,
    ) -> Result<(), CertificateSourceError> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| PinError::Folder {
                path: folder.to_owned(),
                source,
            })?;
        }
        let text = format!(
            "The public certificate that secrets of this repository are sealed with. Commit it.\n\
             Fingerprint: {}\nFetched: {} from {from}\nExpires: {}\n\n{}",
            certificate.public_key().fingerprint(),
            date(&now),
            date(&certificate.not_after()),
            certificate.pem(),
        );
        files::write(&self.path, text.as_bytes())?;
        Ok(())
    }
}

/// The way from the current folder up to the nearest one that has a `.signet` or a `.git`. It is
/// relative, so that messages stay short.
fn root(current: &Path) -> PathBuf {
    let is_root = |folder: &Path| {
        folder.join(".signet").is_dir() || folder.join(".git").symlink_metadata().is_ok()
    };
    let levels = current.ancestors().position(is_root).unwrap_or(0);
    std::iter::repeat_n("..", levels).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_link_out_of_a_foreign_repository_is_not_taken_for_a_pin_to_be_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("default.pem");
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), &path).unwrap();
        let refused = Pin { path }.read();
        assert!(matches!(refused, Err(CertificateSourceError::Read(_))));
    }

    #[test]
    fn a_pin_is_found_from_any_folder_of_the_repository() {
        let repository = tempfile::tempdir().unwrap();
        let deep = repository.path().join("apps/web");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(repository.path().join(".git")).unwrap();
        let env = Env::new([("", "")], Timestamp::UNIX_EPOCH).in_folder(&deep);
        let pin = Pin::find(&env, "prod").unwrap();
        assert_eq!(pin.path(), Path::new("../../.signet/certs/prod.pem"));
    }

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        let env = Env::new([("", "")], Timestamp::UNIX_EPOCH);
        for name in ["", ".", "../x", "a/b", ".hidden"] {
            assert!(matches!(Pin::find(&env, name), Err(PinError::Name(_))));
        }
    }
}
