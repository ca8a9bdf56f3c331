//! INI files, in the sense of the Go library `ini.v1` as `sops` uses it.
//!
//! * `[name]` begins a section, and the last `]` of the line ends the name. Keys before the first
//!   section are in `DEFAULT`. A name that is there twice is two sections.
//! * The first `=` or `:` ends a key, which may be in `"`, `` ` `` or `"""`. The key `-` stands for
//!   `#1`, `#2` and so on.
//! * A value is trimmed. It may be in `` ` `` or `"""`, then it may go over several lines. Otherwise a
//!   `\` at its end joins the next line, the first `#` or `;`, in quotes or not, begins a comment, and
//!   after that `'` or `"` around it are taken off.
//! * Comments above a section or key and the one behind it are one comment. The peer loses those at
//!   the end of the file and behind quoted values; here they are read.
//!
//! A key that is twice in a section is refused: the peer silently keeps the last one alone.

mod comment;
mod edit;
mod error;
mod reader;
mod value;
mod write;

pub use comment::Comment;
pub use edit::{SetError, remove, set};
pub use error::IniError;
pub use value::{Quote, Value};
pub use write::{key_text, value_text};

use std::ops::Range;

/// The name of the section that keys before the first header are in.
pub const DEFAULT_SECTION: &str = "DEFAULT";

/// An INI file: its sections, and where they stand in the text. Values are not printable.
#[derive(Debug)]
pub struct Ini {
    /// All sections in order, the first one [`DEFAULT_SECTION`] without a header.
    pub sections: Vec<Section>,
    /// The comment behind the last key, with nothing below it. The peer loses it.
    pub trailing: Option<Comment>,
}

/// A section.
#[derive(Debug)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// The line of its header, with the line break; `None` for keys before the first header.
    pub header: Option<Range<usize>>,
    /// The comments above and behind the header.
    pub comment: Option<Comment>,
    /// Its keys, in order.
    pub keys: Vec<Key>,
}

/// A key and its value.
#[derive(Debug)]
pub struct Key {
    /// The name that the peer knows it by.
    pub name: String,
    /// Its lines, with the last line break.
    pub lines: Range<usize>,
    /// The byte behind the `=` or `:`.
    pub behind_delimiter: usize,
    /// Its value.
    pub value: Value,
    /// The comments above and behind it.
    pub comment: Option<Comment>,
}

impl Ini {
    /// Reads a text, without its byte order mark.
    pub fn parse(source: &str) -> Result<Self, IniError> {
        reader::read(source)
    }

    /// The first section of a name, as the peer's paths address it.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

impl Section {
    /// The key of a name.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

#[cfg(test)]
mod tests;
