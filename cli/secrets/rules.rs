//! `.sops.yaml`: found, read, and applied to a file.

use std::io;
use std::path::{Path, PathBuf};

use signet_documents::rules::{self, CreationRule, PathStyle, RulePath, Rules, lookup};

use crate::Hint;

/// Where rules come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleSource {
    /// From this file.
    File(PathBuf),
    /// From the first `.sops.yaml` in this folder or one above it.
    Above(PathBuf),
}

/// Rules, and where they are.
#[derive(Debug)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// What it says.
    pub rules: Rules,
}

/// Why there are no rules for a file.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// A rule that cannot be used, or none at all for the file.
    #[error("error loading config: {cause} (`{}`)", .path.display())]
    Rules {
        /// The file of the rules.
        path: PathBuf,
        /// What is wrong.
        cause: rules::RulesError,
    },
    /// The file cannot be read.
    #[error("could not read config file `{}`", .path.display())]
    Read {
        /// The file of the rules.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There are none.
    #[error("config file not found")]
    NotFound {
        /// A file with a name that is easily taken for the right one.
        misnamed: Option<PathBuf>,
    },
    /// There are none, and nothing else says for whom to encrypt.
    #[error(
        "config file not found, or has no creation rules, and no keys provided through command line \
         options"
    )]
    NoRecipients {
        /// A file with a name that is easily taken for the right one.
        misnamed: Option<PathBuf>,
    },
}

impl Hint for RulesError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Rules { cause, .. } => cause.hint().map(str::to_owned),
            Self::Read { .. } => None,
            Self::NotFound { misnamed } | Self::NoRecipients { misnamed } => Some(match misnamed {
                Some(path) => format!("rename `{}` to `.sops.yaml`", path.display()),
                None => "write a `.sops.yaml`, or name a recipient: `--age age1…`".to_owned(),
            }),
        }
    }
}

impl RuleSource {
    /// Reads the rules.
    pub fn load(&self) -> Result<Found, RulesError> {
        let path = match self {
            Self::File(path) => path.clone(),
            Self::Above(folder) => {
                let found = lookup(folder, Path::is_file);
                found.found.ok_or(RulesError::NotFound {
                    misnamed: found.ignored,
                })?
            }
        };
        let text = std::fs::read_to_string(&path).map_err(|source| RulesError::Read {
            path: path.clone(),
            source,
        })?;
        match Rules::parse(&text) {
            Ok(rules) => Ok(Found { path, rules }),
            Err(cause) => Err(RulesError::Rules { path, cause }),
        }
    }

    /// Reads the rules, if there are any.
    pub fn load_if_there(&self) -> Result<Option<Found>, RulesError> {
        match self.load() {
            Ok(found) => Ok(Some(found)),
            Err(RulesError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the rules say of a new file: nothing if there are none. That there are some and none is for
    /// this file is an error.
    pub fn creation(&self, file: &Path) -> Result<Option<CreationRule>, RulesError> {
        match self.load_if_there()? {
            Some(found) => found.creation(file),
            None => Ok(None),
        }
    }

    /// As it stands when nothing says for whom to encrypt.
    pub fn no_recipients(&self) -> RulesError {
        RulesError::NoRecipients {
            misnamed: match self.load() {
                Err(RulesError::NotFound { misnamed }) => misnamed,
                _ => None,
            },
        }
    }
}

impl Found {
    /// What the rules say of a file whose path is absolute.
    pub fn creation(&self, file: &Path) -> Result<Option<CreationRule>, RulesError> {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        let (folder, file) = (folder.to_string_lossy(), file.to_string_lossy());
        let path = RulePath::new(&folder, &file, PathStyle::NATIVE);
        let rule = self.rules.creation_rule(&path);
        let rule = rule.map_err(|cause| RulesError::Rules {
            path: self.path.clone(),
            cause,
        })?;
        Ok(rule.cloned())
    }
}
