//! `.sops.yaml`: found, read, and applied to a file.

use std::io;
use std::path::{Path, PathBuf};

use signet_documents::rules::{
    self, CreationRule, DestinationRule, PathStyle, RulePath, Rules, lookup,
};

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

impl RulesError {
    /// Whether there are rules, and none is for the file.
    pub fn is_no_rule(&self) -> bool {
        use rules::RulesError as Cause;

        let Self::Rules { cause, .. } = self else {
            return false;
        };
        matches!(
            cause,
            Cause::NoCreationRule { .. } | Cause::NoDestinationRule { .. }
        )
    }
}

impl RuleSource {
    /// Reads the rules.
    pub fn load(&self) -> Result<Found, RulesError> {
        match self.path() {
            Some(path) => Found::read(&path),
            None => Err(self.none()),
        }
    }

    /// Where the rules are.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::File(path) => Some(path.clone()),
            Self::Above(folder) => lookup(folder, Path::is_file).found,
        }
    }

    /// As it stands when there are none.
    pub fn none(&self) -> RulesError {
        RulesError::NotFound {
            misnamed: self.misnamed(),
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
            misnamed: self.misnamed(),
        }
    }

    fn misnamed(&self) -> Option<PathBuf> {
        match self {
            Self::File(_) => None,
            Self::Above(folder) => {
                let looked = lookup(folder, Path::is_file);
                looked.ignored.filter(|_| looked.found.is_none())
            }
        }
    }
}

impl Found {
    /// Reads the rules of a file.
    pub fn read(path: &Path) -> Result<Self, RulesError> {
        let text = std::fs::read_to_string(path).map_err(|source| RulesError::Read {
            path: path.to_owned(),
            source,
        })?;
        let path = path.to_owned();
        match Rules::parse(&text) {
            Ok(rules) => Ok(Self { path, rules }),
            Err(cause) => Err(RulesError::Rules { path, cause }),
        }
    }

    /// What the rules say of a new file whose path is absolute.
    pub fn creation(&self, file: &Path) -> Result<Option<CreationRule>, RulesError> {
        let rule = self.rules.creation_rule(&self.relative(file));
        Ok(rule.map_err(|cause| self.unusable(cause))?.cloned())
    }

    /// Where a file is published whose path is absolute.
    pub fn destination(&self, file: &Path) -> Result<DestinationRule, RulesError> {
        self.destination_as_typed(self.relative(file).as_str())
    }

    /// The same for a path as somebody typed it.
    pub fn destination_as_typed(&self, path: &str) -> Result<DestinationRule, RulesError> {
        let rule = self.rules.destination_rule(path);
        Ok(rule.map_err(|cause| self.unusable(cause))?.clone())
    }

    fn relative(&self, file: &Path) -> RulePath {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        let (folder, file) = (folder.to_string_lossy(), file.to_string_lossy());
        RulePath::new(&folder, &file, PathStyle::NATIVE)
    }

    fn unusable(&self, cause: rules::RulesError) -> RulesError {
        RulesError::Rules {
            path: self.path.clone(),
            cause,
        }
    }
}
