//! What can go wrong with recipients and identities. Identities are secrets and are never shown.

use super::PluginError;

/// Why a text is not a recipient.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecipientError {
    /// It is a private key. It is not shown.
    #[error("a private key is given where a recipient is expected")]
    Private,
    /// It begins like none. It is not shown: it may be anything.
    #[error("not an age recipient: expected age1..., ssh-ed25519 ... or ssh-rsa ...")]
    Unknown,
    /// It begins like one and is broken.
    #[error("the age recipient `{recipient}` is malformed: {reason}")]
    Malformed {
        /// The recipient.
        recipient: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl RecipientError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Private => Some(
                "give the public half (`age-keygen -y`), and replace this key if anybody saw it",
            ),
            Self::Unknown => None,
            Self::Malformed { .. } => Some("copy it again, whole"),
        }
    }
}

/// Why a text holds no identities.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A line is none.
    #[error("line {line} of {source_name} is not an age identity")]
    Line {
        /// The line, from 1.
        line: usize,
        /// Where the text was found.
        source_name: String,
    },
    /// An SSH key that age does not use, or a broken one.
    #[error("the SSH private key in {source_name} cannot be used: {reason}")]
    Ssh {
        /// Where the text was found.
        source_name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It is neither text nor an age file.
    #[error("{source_name} is not text")]
    NotText {
        /// Where it was found.
        source_name: String,
    },
}

/// Why one identity did not help, apart from not being meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// It is protected by a passphrase, and there was nobody to ask.
    #[error("it is protected by a passphrase, and none was given")]
    NoPassphrase,
    /// The passphrase does not open it.
    #[error("the passphrase is wrong")]
    WrongPassphrase,
    /// The file of identities asks for more work than is allowed.
    #[error("opening it takes too much work (scrypt)")]
    TooMuchWork,
    /// The file of identities is an age file for other recipients, or broken.
    #[error("it is an age file that no passphrase opens")]
    NotByPassphrase,
    /// Behind the passphrase is something else.
    #[error("{0}")]
    Parse(#[from] ParseError),
    /// A plugin did not help.
    #[error("{0}")]
    Plugin(#[from] PluginError),
    /// It is meant, and what is wrapped for it does not open.
    #[error("what was wrapped for it is malformed")]
    Malformed,
}

/// An identity that did not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{source_name}: {error}")]
pub struct IdentityFailure {
    /// Where the identity was found.
    pub source_name: String,
    /// Why.
    #[source]
    pub error: IdentityError,
}

/// Why nothing was wrapped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WrapError {
    /// The recipient needs a plugin.
    #[error("cannot encrypt to `{recipient}`: {error}")]
    Plugin {
        /// The recipient.
        recipient: String,
        /// What the plugin said.
        #[source]
        error: PluginError,
    },
    /// The encryption failed.
    #[error("cannot encrypt to `{recipient}`")]
    Failed {
        /// The recipient.
        recipient: String,
    },
}

/// Why nothing was unwrapped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnwrapError {
    /// It is not an armored age file.
    #[error("the wrapped key is not an armored age file")]
    NotAge,
    /// It is for others. Those identities that failed are told apart from those that are not meant.
    #[error(
        "none of the {tried} age identities opens the wrapped key{}",
        list(failures)
    )]
    NoMatch {
        /// How many there were.
        tried: usize,
        /// Those that could not be tried to the end.
        failures: Vec<IdentityFailure>,
    },
    /// It is for one of the identities, and its bytes are not what they were.
    #[error("the wrapped key was changed: it does not decrypt")]
    Changed,
}

impl UnwrapError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotAge | Self::Changed => "restore the metadata of the file from history",
            Self::NoMatch { tried: 0, .. } => "give an identity, for example in SOPS_AGE_KEY_FILE",
            Self::NoMatch { .. } => {
                "give the identity of one of the recipients, or have a reader of the file add yours"
            }
        }
    }
}

fn list(failures: &[IdentityFailure]) -> String {
    let each = failures.iter().map(|failure| format!("; {failure}"));
    each.collect()
}
