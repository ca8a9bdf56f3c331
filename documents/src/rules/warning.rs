//! What in rules probably is not as it was meant.

use std::fmt;

use crate::Position;

/// Something in the rules that does nothing, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub at: Position,
    /// What.
    pub kind: WarningKind,
}

/// What does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WarningKind {
    /// Keys beside `key_groups`, which wins.
    BesideGroups {
        /// The key.
        key: &'static str,
    },
    /// A threshold that the groups cannot have.
    Threshold {
        /// The threshold.
        threshold: usize,
        /// How many groups there are.
        groups: usize,
    },
    /// A key that means nothing.
    UnknownKey {
        /// The key.
        key: String,
        /// What it stands in.
        place: &'static str,
        /// What may have been meant.
        meant: Option<&'static str>,
    },
    /// A rule behind one without `path_regex`.
    Unreachable,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.at)?;
        match &self.kind {
            WarningKind::BesideGroups { key } => {
                write!(f, "`{key}` is ignored, because the rule has `key_groups`")
            }
            WarningKind::Threshold {
                threshold,
                groups: 0 | 1,
            } => write!(
                f,
                "`shamir_threshold: {threshold}` says nothing without several `key_groups`"
            ),
            WarningKind::Threshold { threshold, groups } => write!(
                f,
                "`shamir_threshold: {threshold}` must be from 2 to the number of key groups, {groups}"
            ),
            WarningKind::UnknownKey { key, place, meant } => {
                write!(f, "unknown key `{key}` in {place} is ignored")?;
                meant
                    .iter()
                    .try_for_each(|meant| write!(f, "; did you mean `{meant}`?"))
            }
            WarningKind::Unreachable => {
                f.write_str("the rule is never reached: one before it has no `path_regex`")
            }
        }
    }
}
