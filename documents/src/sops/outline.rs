//! What a file holds, whatever its format: its leaves in the order of the peer.
//!
//! Every format turns its text into an [`Outline`]; encryption, decryption and the plain tree know
//! nothing else of a file. What becomes of each leaf goes back to the format as an [`Outcome`].
//!
//! ```text
//!  # top                Document
//!  a: 1 # why             Comment(" top") Comment(" why", inline) Key("a") Value(1)
//!  b:                     Key("b")
//!    - x                  List
//!    # last                 Value("x")
//!                           Comment(" last")
//!                         End
//!                       End
//! ```
//!
//! * The map of a document is open from [`Step::Document`] to its [`Step::End`]; the metadata is not
//!   in it.
//! * A comment belongs to the map or list that is open, and stands before what it speaks of: one at
//!   the end of a line comes before the key or item of that line.
//! * Values and comments are the leaves. They are counted from 0 in the order of the steps; that number
//!   is how an outcome and a position find their leaf. Null is no leaf: it is never encrypted.

use std::borrow::Cow;
use std::fmt;

use signet_keys::sops::Value;

use super::{walk::is_encrypted_comment, yaml::Placement};

/// The leaves of a file in the order of the peer, with what they are in.
#[derive(Default)]
pub(crate) struct Outline<'s> {
    pub(crate) steps: Vec<Step<'s>>,
    /// What is behind every step in the text, for formats that write by it. Only YAML has them.
    pub(crate) sites: Vec<Placement<'s>>,
    /// Which steps are values in quotes or below the header of a block scalar, in order. Only YAML can do
    /// without.
    pub(crate) dressed: Vec<usize>,
    /// Whether something is written in a form in which a change of one leaf can reach others: in
    /// brackets, with an anchor, below a header. Comments are not meant.
    pub(crate) intricate: bool,
}

/// One step of a walk through a file.
#[derive(Clone)]
pub(crate) enum Step<'s> {
    /// A document begins: a map is open.
    Document,
    /// The key of what comes next. The map that it is in is open.
    Key(Cow<'s, str>),
    /// A map begins, as a value or an item.
    Map,
    /// A list begins, as a value or an item.
    List,
    /// The map, list or document that was opened last ends.
    End,
    /// A value.
    Value(Leaf<'s>),
    /// A null.
    Null,
    /// A comment: what is behind its `#`.
    Comment {
        /// Its text.
        text: Cow<'s, str>,
        /// Whether it stands behind something on its line.
        inline: bool,
    },
}

/// What a value is.
#[derive(Clone)]
pub(crate) enum Leaf<'s> {
    /// A string: every encrypted value is one.
    Text(Cow<'s, str>),
    /// Anything else.
    Typed(Value),
}

/// What becomes of a leaf.
#[derive(Clone)]
pub(crate) enum Outcome {
    /// It stays as it is written.
    Keep,
    /// It is now encrypted.
    Encrypted {
        /// The ciphertext: one line without anything to escape.
        text: String,
        /// It stood in the file before without quotes or a header around it, whatever its plaintext needs:
        /// as the peer writes it. It is to stand so again.
        bare: bool,
    },
    /// It is now in the clear.
    Plain(Value),
}

impl Outline<'_> {
    /// Whether there are comments, also those that the peer wrote as items of a list.
    pub(crate) fn has_comments(&self) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Comment { .. } => true,
            Step::Value(Leaf::Text(text)) => is_encrypted_comment(text),
            _ => false,
        })
    }
}

/// Without what the leaves say.
impl fmt::Debug for Outline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.steps).finish()
    }
}

impl fmt::Debug for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Document => "Document",
            Self::Key(key) => return write!(f, "Key({key:?})"),
            Self::Map => "Map",
            Self::List => "List",
            Self::End => "End",
            Self::Value(Leaf::Text(_)) => "Value(text)",
            Self::Value(Leaf::Typed(value)) => return write!(f, "Value({})", value.kind()),
            Self::Null => "Null",
            Self::Comment { inline: false, .. } => "Comment",
            Self::Comment { inline: true, .. } => "InlineComment",
        })
    }
}
