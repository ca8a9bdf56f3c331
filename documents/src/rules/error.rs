//! What can be wrong with rules. Nothing in them is secret.

use signet_keys::sops::master_key::NotationError;

use crate::Position;
use crate::go_regex::GoRegexError;
use crate::yaml::ParseError;

/// Why rules cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// A key is there twice.
    #[error("{at}: the key `{key}` stands already at {first}")]
    DuplicateKey {
        /// The second time.
        at: Position,
        /// The first time.
        first: Position,
        /// The key.
        key: String,
    },
    /// Something that must be a mapping is none.
    #[error("{at}: {place} is not a mapping")]
    Mapping {
        /// Where.
        at: Position,
        /// What it is.
        place: &'static str,
    },
    /// The notation of a master key.
    #[error("{at}: `{key}`: {cause}")]
    MasterKey {
        /// Where.
        at: Position,
        /// The key of the rule.
        key: &'static str,
        /// What is wrong.
        #[source]
        cause: NotationError,
    },
    /// No creation rule is for the file.
    #[error("no matching creation rules found for `{path}`")]
    NoCreationRule {
        /// The path that was tried.
        path: String,
    },
    /// A destination rule says nothing of where to.
    #[error("{at}: the destination rule names no destination")]
    NoDestination {
        /// Where.
        at: Position,
    },
    /// No destination rule is for the file.
    #[error("no matching destination found in config for `{path}`")]
    NoDestinationRule {
        /// The path that was tried.
        path: String,
    },
    /// An expression is none.
    #[error("{at}: `{key}`: {cause}")]
    Regex {
        /// Where.
        at: Position,
        /// The key of the rule.
        key: &'static str,
        /// What is wrong.
        #[source]
        cause: GoRegexError,
    },
    /// A rule has more of something than one.
    #[error("{at}: the rule has both `{first}` and `{second}`: it may have one")]
    Several {
        /// Where the second is.
        at: Position,
        /// One of them.
        first: &'static str,
        /// Another.
        second: &'static str,
    },
    /// Nested deeper, or standing for more through aliases, than any rules.
    #[error("{at}: the rules are nested too deeply or too large")]
    TooLarge {
        /// Where.
        at: Position,
    },
    /// A value of another type.
    #[error("{at}: `{key}` in {place} is not {expected}")]
    Type {
        /// Where.
        at: Position,
        /// The key.
        key: String,
        /// What it stands in.
        place: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A version of Vault's key-value engine that there is not.
    #[error("{at}: `vault_kv_version` is 1 or 2")]
    VaultVersion {
        /// Where.
        at: Position,
    },
    /// The text is not YAML.
    #[error("{0}")]
    Yaml(#[source] ParseError),
}

impl RulesError {
    /// What to do about it, where the message does not say it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::MasterKey { cause, .. } => cause.hint(),
            Self::NoCreationRule { .. } => Some(
                "add a rule, or one without `path_regex` at the end; paths are relative to the \
                 folder of .sops.yaml, or absolute for files elsewhere",
            ),
            Self::NoDestination { .. } => Some("add `s3_bucket`, `gcs_bucket` or `vault_path`"),
            Self::Regex { cause, .. } => Some(cause.hint()),
            Self::Several { .. } => Some("keep one of them, or make two rules"),
            Self::Yaml(cause) => cause.hint(),
            Self::DuplicateKey { .. }
            | Self::Mapping { .. }
            | Self::NoDestinationRule { .. }
            | Self::TooLarge { .. }
            | Self::Type { .. }
            | Self::VaultVersion { .. } => None,
        }
    }

    /// Where in the file, if it is at one place.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::DuplicateKey { at, .. }
            | Self::Mapping { at, .. }
            | Self::MasterKey { at, .. }
            | Self::NoDestination { at }
            | Self::Regex { at, .. }
            | Self::Several { at, .. }
            | Self::TooLarge { at }
            | Self::Type { at, .. }
            | Self::VaultVersion { at } => Some(*at),
            Self::Yaml(cause) => Some(Position {
                line: cause.line,
                column: cause.column,
            }),
            Self::NoCreationRule { .. } | Self::NoDestinationRule { .. } => None,
        }
    }
}
