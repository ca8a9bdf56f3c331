//! What to say when nothing opened.

use std::fmt;

use signet_keys::age_key::{IdentityFailure, RecipientError, UnwrapError, WrapError};

/// Why age did not wrap or unwrap.
#[derive(Debug, thiserror::Error)]
pub enum AgeError {
    /// No identity of this machine opens it.
    #[error("{}", no_identity(*.tried, .failures, .looks))]
    NoIdentity {
        /// How many identities were tried.
        tried: usize,
        /// Those that could not be tried to the end.
        failures: Vec<IdentityFailure>,
        /// Where identities were looked for.
        looks: Vec<Look>,
    },
    /// It is no recipient.
    #[error("{0}")]
    Recipient(#[from] RecipientError),
    /// What was wrapped is broken.
    #[error("{0}")]
    Unwrap(#[source] UnwrapError),
    /// It could not be wrapped.
    #[error("{0}")]
    Wrap(#[from] WrapError),
}

/// One place where identities were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The variable or the file.
    pub place: String,
    /// What was there.
    pub outcome: Outcome,
}

/// What was found in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The variable is not set, or the file is not there.
    Nothing,
    /// This many identities; none if there are only comments.
    Identities(usize),
    /// It is there and of no use.
    Unusable(String),
}

impl AgeError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoIdentity { tried: 0, looks, .. } if looks.iter().all(Look::is_empty) => {
                Some("give an identity: set SOPS_AGE_KEY_FILE, or put it into the last of these files".into())
            }
            Self::NoIdentity { .. } => Some(
                "give the identity of one of the recipients, or have a reader of the file add yours"
                    .into(),
            ),
            Self::Recipient(error) => error.hint().map(Into::into),
            Self::Unwrap(error) => Some(error.hint().into()),
            Self::Wrap(WrapError::Plugin { .. }) => Some("install the plugin and have it in PATH".into()),
            Self::Wrap(_) => None,
        }
    }
}

impl Look {
    fn is_empty(&self) -> bool {
        self.outcome == Outcome::Nothing
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Nothing => write!(f, "{}", self.place),
            Outcome::Identities(1) => write!(f, "{} (1 identity)", self.place),
            Outcome::Identities(count) => write!(f, "{} ({count} identities)", self.place),
            Outcome::Unusable(reason) => write!(f, "{}: {reason}", self.place),
        }
    }
}

fn no_identity(tried: usize, failures: &[IdentityFailure], looks: &[Look]) -> String {
    let mut text = match tried {
        0 => "no age identity was found".to_owned(),
        1 => "the one age identity that was found does not open it".to_owned(),
        count => format!("none of the {count} age identities that were found opens it"),
    };
    let mut add = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            text.push_str("; ");
            text.push_str(title);
            text.push_str(&items.join(", "));
        }
    };
    let some = |wanted: fn(&Outcome) -> bool| -> Vec<String> {
        let looks = looks.iter().filter(|look| wanted(&look.outcome));
        looks.map(Look::to_string).collect()
    };
    add(
        "found in ",
        some(|outcome| matches!(outcome, Outcome::Identities(_))),
    );
    add(
        "not usable: ",
        some(|outcome| matches!(outcome, Outcome::Unusable(_))),
    );
    add(
        "not opened: ",
        failures.iter().map(ToString::to_string).collect(),
    );
    add(
        "nothing in ",
        some(|outcome| matches!(outcome, Outcome::Nothing)),
    );
    text
}
