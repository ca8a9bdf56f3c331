//! All that keeps a SealedSecret from becoming a Secret.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use signet_crds::sealed_secret::Unreadable;
use signet_keys::sealed::{Base64Error, OpenError};

use super::Diagnosis;
use crate::items::ItemError;
use crate::pace::Stopped;
use crate::text;

/// What is wrong with a SealedSecret: at least one problem, in a stable order.
///
/// `Display` gives a line for each problem, with its cause and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsealError {
    problems: Vec<Problem>,
    /// Private-key operations that it took to find out.
    pub attempts: usize,
}

/// One thing that is wrong, and the items that share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Names of the items or of the field; empty when it is about the whole object.
    pub keys: Vec<String>,
    /// What is wrong.
    pub cause: Cause,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The text is not base64.
    Base64(Base64Error),
    /// Sealed items and the deprecated whole are there at once.
    BothForms,
    /// The deprecated whole is there and not accepted.
    DeprecatedForm,
    /// What the deprecated whole decrypts to is not a Secret.
    NotASecret,
    /// The work was ended before all items were tried.
    Stopped,
    /// `template.data` has template actions.
    Template,
    /// No key opens it where it stands.
    Undecryptable(OpenError, Option<Diagnosis>),
    /// A value of the wrong kind; what was expected.
    WrongKind(&'static str),
}

impl UnsealError {
    /// The problems, in a stable order.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether a key that arrives later could make it open.
    pub fn waits_for_a_key(&self) -> bool {
        self.problems
            .iter()
            .all(|problem| matches!(problem.cause, Cause::Undecryptable(..)))
    }

    /// The problems without cause and remedy, as scripts know them: for each `what is wrong (keys)`.
    pub fn brief(&self) -> String {
        self.lines(Problem::brief)
    }

    fn lines(&self, line: impl Fn(&Problem) -> String) -> String {
        let lines: Vec<_> = self
            .problems
            .iter()
            .map(|problem| line(problem).into())
            .collect();
        some_of(&lines, "\n")
    }

    pub(crate) fn whole(cause: Cause, attempts: usize) -> Self {
        Self {
            problems: vec![Problem {
                keys: Vec::new(),
                cause,
            }],
            attempts,
        }
    }

    pub(crate) fn unless_empty(problems: Vec<Problem>, attempts: usize) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self { problems, attempts })
        }
    }
}

impl Problem {
    /// What is wrong, and of what. The words "no key could decrypt secret (a, b)" are matched by
    /// scripts.
    pub fn brief(&self) -> String {
        let what = match &self.cause {
            Cause::Base64(error) => error.to_string(),
            Cause::BothForms => "both encryptedData and the deprecated data are set".to_owned(),
            Cause::DeprecatedForm => "the deprecated field data is not accepted".to_owned(),
            Cause::NotASecret => "the deprecated field data does not hold a Secret".to_owned(),
            Cause::Stopped => Stopped.to_string(),
            Cause::Template => "templates are not supported by this version".to_owned(),
            Cause::Undecryptable(..) => "no key could decrypt secret".to_owned(),
            Cause::WrongKind(expected) => format!("expected {expected}"),
        };
        if self.keys.is_empty() {
            what
        } else {
            let names: Vec<_> = self.keys.iter().map(|key| text::name(key)).collect();
            format!("{what} ({})", some_of(&names, ", "))
        }
    }

    /// Cause and remedy, where there is more to say.
    pub fn detail(&self) -> Option<String> {
        Some(match &self.cause {
            Cause::Base64(_) => "it was cut or is not a sealed value; seal it again".to_owned(),
            Cause::BothForms => "keep encryptedData".to_owned(),
            Cause::DeprecatedForm => {
                "seal again, or start the controller with --accept-deprecated-v1-data".to_owned()
            }
            Cause::Template => {
                "spec.template.data with \"{{\" would have to be rendered; write plain text"
                    .to_owned()
            }
            Cause::Undecryptable(_, Some(diagnosis)) => diagnosis.to_string(),
            Cause::Undecryptable(error @ OpenError::Undecryptable, None) => error.hint().to_owned(),
            Cause::Undecryptable(error, None) => format!("{error}; {}", error.hint()),
            Cause::NotASecret | Cause::Stopped | Cause::WrongKind(_) => return None,
        })
    }

    pub(crate) fn unreadable(unreadable: &Unreadable) -> Self {
        let keys = vec![unreadable.path.join(".")];
        Self {
            keys,
            cause: Cause::WrongKind(unreadable.expected),
        }
    }
}

/// Groups failed items that share a cause, in the order of their first item. `diagnose` says where an
/// item would open.
pub(super) fn of_items(
    failed: BTreeMap<String, ItemError>,
    diagnose: &mut dyn FnMut(&str) -> Option<Diagnosis>,
) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for (key, error) in failed {
        let cause = match Cause::from(error) {
            whole @ Cause::Undecryptable(OpenError::Truncated { .. }, _) => whole,
            Cause::Undecryptable(error, _) => Cause::Undecryptable(error, diagnose(&key)),
            other => other,
        };
        match problems.iter_mut().find(|problem| problem.cause == cause) {
            Some(problem) => problem.keys.push(key),
            None => problems.push(Problem {
                keys: vec![key],
                cause,
            }),
        }
    }
    problems
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.brief())?;
        self.detail()
            .map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

impl fmt::Display for UnsealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines(Problem::to_string))
    }
}

impl std::error::Error for UnsealError {}

/// So many names or lines are told; an object may have thousands of items.
const TOLD: usize = 20;

pub(super) fn some_of(texts: &[Cow<'_, str>], separator: &str) -> String {
    match texts.get(TOLD..) {
        None | Some([]) => texts.join(separator),
        Some(rest) => {
            format!(
                "{}{separator}and {} more",
                texts[..TOLD].join(separator),
                rest.len()
            )
        }
    }
}
