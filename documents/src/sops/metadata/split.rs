//! How a data key is parted among key groups.

/// What each key group gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// There is one group: its keys get the data key whole.
    Whole,
    /// Each group gets a share.
    Shares {
        /// How many groups there are.
        groups: usize,
        /// How many shares give the data key.
        threshold: usize,
    },
}

/// Why a data key cannot be parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// There are no groups.
    #[error("no key groups provided")]
    NoGroups,
    /// A group without keys: its share would be lost.
    #[error("empty key group provided")]
    EmptyGroup {
        /// Which, from 0.
        group: usize,
        /// How many groups there are.
        groups: usize,
    },
    /// More groups than there are numbers for shares.
    #[error("{groups} key groups are more than 255")]
    TooMany {
        /// How many groups there are.
        groups: usize,
    },
    /// More shares needed than there are.
    #[error("the Shamir threshold {threshold} is more than the {groups} key groups")]
    AboveGroups {
        /// Shares needed.
        threshold: usize,
        /// How many groups there are.
        groups: usize,
    },
    /// One share would be the data key.
    #[error("the Shamir threshold of several key groups is at least 2, not {threshold}")]
    BelowTwo {
        /// Shares needed.
        threshold: usize,
    },
}

impl Split {
    /// Plans for groups of so many keys each. Without a threshold all groups are needed, and with one
    /// group the threshold says nothing.
    pub fn plan(
        sizes: impl IntoIterator<Item = usize>,
        threshold: Option<usize>,
    ) -> Result<Self, SplitError> {
        let sizes: Vec<usize> = sizes.into_iter().collect();
        let groups = sizes.len();
        if let Some(group) = sizes.iter().position(|size| *size == 0) {
            return Err(SplitError::EmptyGroup { group, groups });
        }
        let threshold = threshold.unwrap_or(groups);
        match groups {
            0 => Err(SplitError::NoGroups),
            1 => Ok(Self::Whole),
            256.. => Err(SplitError::TooMany { groups }),
            _ if threshold > groups => Err(SplitError::AboveGroups { threshold, groups }),
            _ if threshold < 2 => Err(SplitError::BelowTwo { threshold }),
            _ => Ok(Self::Shares { groups, threshold }),
        }
    }
}

impl SplitError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NoGroups | Self::EmptyGroup { groups: 1, .. } => {
                "name at least one key: in a creation rule of .sops.yaml, or by a flag such as --age"
                    .to_owned()
            }
            Self::EmptyGroup { group, groups } => format!(
                "give the {} of the {groups} groups under `key_groups` a key, or remove it",
                ordinal(group + 1)
            ),
            Self::TooMany { .. } => "put keys that stand for each other into one group".to_owned(),
            Self::AboveGroups { groups, .. } => {
                format!("set `shamir_threshold` to 2 to {groups}, or leave it out")
            }
            Self::BelowTwo { .. } => {
                "to let any one key decrypt, put all keys into one group".to_owned()
            }
        }
    }
}

fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}
