//! What a value is: the `type:` of an envelope.

use std::fmt;
use std::str::FromStr;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `True` or `False`.
    Bool,
    /// Bytes that are not text. Old files have them; the peer reads and no longer writes them.
    Bytes,
    /// The text of a comment, behind its `#`.
    Comment,
    /// A number of 64 bits with a binary point.
    Float,
    /// A whole number.
    Int,
    /// Text, or the whole of a binary file.
    Str,
    /// A time of RFC 3339.
    Time,
}

/// The type of a value is one that this version does not know. It is not shown: what is not an
/// envelope may be a plaintext.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the type of the encrypted value is unknown")]
pub struct KindError;

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Bool,
        Self::Bytes,
        Self::Comment,
        Self::Float,
        Self::Int,
        Self::Str,
        Self::Time,
    ];

    /// The word in an envelope.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Bytes => "bytes",
            Self::Comment => "comment",
            Self::Float => "float",
            Self::Int => "int",
            Self::Str => "str",
            Self::Time => "time",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(word: &str) -> Result<Self, KindError> {
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| kind.as_str() == word).ok_or(KindError)
    }
}
