//! YAML, and JSON beside it: text to [`Stream`].
//!
//! The reader takes what Kubernetes users write: several documents, comments, block scalars,
//! anchors, aliases, merge keys, tags, flow style, CRLF. A text that begins with `{` is tried as
//! JSON first, and then holds objects one after the other, with or without `---` between them.

mod cursor;
mod error;
mod pending;
mod quick;
mod reader;

use std::{fmt, ops::Range, sync::Arc};

use zeroize::Zeroizing;

pub use crate::tree::{
    CollectionStyle, Comment, CommentKind, Document, Entry, Format, Item, Kind, Node, ScalarStyle,
};
pub(crate) use cursor::indicator;
pub use error::ParseError;

use crate::json;

/// The documents of a text, and the text.
pub struct Stream {
    source: Arc<Zeroizing<String>>,
    documents: Vec<Document>,
}

impl Stream {
    /// Reads a text.
    ///
    /// # Errors
    /// The first place where the text is neither YAML nor JSON, or exceeds a limit. The error
    /// never quotes the text.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::of(Arc::new(Zeroizing::new(text.to_owned())))
    }

    /// [`Self::parse`] of a text that has an owner already.
    pub(crate) fn of(source: Arc<Zeroizing<String>>) -> Result<Self, ParseError> {
        let text = source.as_str();
        let documents = if text.trim_start().starts_with('{') {
            match json::read(&source) {
                Ok(documents) => documents,
                Err(as_json) => reader::read(&source)
                    .map_err(|as_yaml| json::better_error(text, as_json, as_yaml))?,
            }
        } else if let Some(documents) = quick::read(&source) {
            documents
        } else {
            reader::read(&source)?
        };
        Ok(Self { source, documents })
    }

    /// Reads a text that must be JSON, as the contents of a `.json` file.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_json(text: &str) -> Result<Self, ParseError> {
        Self::of_json(Arc::new(Zeroizing::new(text.to_owned())))
    }

    /// [`Self::parse_json`] of a text that has an owner already.
    pub(crate) fn of_json(source: Arc<Zeroizing<String>>) -> Result<Self, ParseError> {
        let documents = json::read(&source)?;
        Ok(Self { source, documents })
    }

    /// The documents, in order. Those that hold only comments have no root.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.source
    }

    /// The text with some documents replaced. A replacement stands for
    /// [`Document::content_range`], so `---` and `...` lines stay.
    pub fn with_contents(&self, mut content: impl FnMut(usize) -> Option<String>) -> String {
        let mut out = String::with_capacity(self.source.len());
        let mut copied = 0;
        for (index, document) in self.documents.iter().enumerate() {
            if let Some(new) = content(index) {
                let Range { start, end } = document.content_range();
                out.push_str(&self.source[copied..start]);
                out.push_str(&new);
                copied = end;
            }
        }
        out.push_str(&self.source[copied..]);
        out
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
