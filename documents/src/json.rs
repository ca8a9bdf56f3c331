//! JSON to the same tree as YAML: objects one after the other, as `kubeseal` prints them.
//!
//! Strict (RFC 8259), but for lone surrogates, which become U+FFFD as in Go.

mod string;

use std::{ops::Range, sync::Arc};

use zeroize::Zeroizing;

use crate::{
    limits::MAX_NESTING,
    position::Position,
    tree::{
        CollectionStyle, Content, Document, EntryData, Format, ItemData, NodeData, NodeId,
        ScalarStyle, ScalarText, TreeBuilder,
    },
    yaml::ParseError,
};

/// Reads the documents of a text.
pub(crate) fn read(source: &Arc<Zeroizing<String>>) -> Result<Vec<Document>, ParseError> {
    let mut reader = Reader {
        source,
        at: 0,
        depth: 0,
        tree: TreeBuilder::default(),
    };
    let mut values = Vec::new();
    reader.skip_white_space();
    while reader.at < source.len() {
        let start = reader.at;
        let root = reader.value()?;
        reader.tree.set_root(root);
        values.push((start..reader.at, std::mem::take(&mut reader.tree)));
        reader.skip_white_space();
    }
    // The white space between two documents belongs to the first.
    let starts: Vec<usize> = values
        .iter()
        .skip(1)
        .map(|(range, _)| range.start)
        .collect();
    Ok(values
        .into_iter()
        .enumerate()
        .map(|(index, (content, tree))| {
            let start = if index == 0 { 0 } else { content.start };
            let end = starts.get(index).copied().unwrap_or(source.len());
            Document::new(Arc::clone(source), Format::Json, start..end, content, tree)
        })
        .collect())
}

/// Of the two readings of a text that begins with `{`, the error of the one that was meant.
pub(crate) fn better_error(text: &str, as_json: ParseError, as_yaml: ParseError) -> ParseError {
    let inside = text.trim_start().trim_start_matches('{');
    if text.trim_start().starts_with("{{") {
        as_yaml.with_hint("this looks like a template; render it first")
    } else if inside.trim_start().starts_with(['"', '}']) {
        as_json
    } else {
        as_yaml
    }
}

/// An object or array, and where it stands.
type Collection = (Range<usize>, Content);

struct Reader<'s> {
    source: &'s Arc<Zeroizing<String>>,
    at: usize,
    depth: usize,
    tree: TreeBuilder,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn error(&self, reason: &str) -> ParseError {
        let reason = if self.at >= self.source.len() {
            "unexpected end of JSON"
        } else {
            reason
        };
        ParseError::new(Position::of(self.source, self.at), reason)
    }

    fn expect(&mut self, byte: u8, reason: &str) -> Result<(), ParseError> {
        self.skip_white_space();
        if self.peek() != Some(byte) {
            return Err(self.error(reason));
        }
        self.at += 1;
        Ok(())
    }

    fn node(&mut self, range: Range<usize>, content: Content) -> NodeId {
        self.tree.push(NodeData {
            start: range.start,
            range,
            anchor: None,
            tag: None,
            in_flow: self.depth > 0,
            content,
        })
    }

    fn value(&mut self) -> Result<NodeId, ParseError> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            _ => Err(self.error("expected a JSON value")),
        }
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Collection, ParseError>,
    ) -> Result<NodeId, ParseError> {
        if self.depth >= MAX_NESTING {
            return Err(self.error("nested too deeply"));
        }
        self.depth += 1;
        let (range, content) = read(self)?;
        self.depth -= 1;
        Ok(self.node(range, content))
    }

    fn object(&mut self) -> Result<Collection, ParseError> {
        let start = self.at;
        let mut entries = Vec::new();
        let mut closing = self.open(b'}');
        while !closing {
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a JSON key in double quotes"));
            }
            let key = self.string()?;
            self.expect(b':', "expected `:` after the key")?;
            let colon = Some(self.at - 1);
            self.skip_white_space();
            let value = self.value()?;
            entries.push(EntryData {
                question: None,
                key,
                colon,
                value,
            });
            closing = self.close(b'}', "expected `,` or `}`")?;
        }
        let style = CollectionStyle::Flow;
        Ok((start..self.at, Content::Mapping { style, entries }))
    }

    fn array(&mut self) -> Result<Collection, ParseError> {
        let start = self.at;
        let mut items = Vec::new();
        let mut closing = self.open(b']');
        while !closing {
            let node = self.value()?;
            items.push(ItemData { dash: None, node });
            closing = self.close(b']', "expected `,` or `]`")?;
        }
        let style = CollectionStyle::Flow;
        Ok((start..self.at, Content::Sequence { style, items }))
    }

    /// Steps into a collection; true if it ends at once.
    fn open(&mut self, end: u8) -> bool {
        self.at += 1;
        self.skip_white_space();
        let empty = self.peek() == Some(end);
        self.at += usize::from(empty);
        empty
    }

    /// Steps over what follows an element; true if the collection ends.
    fn close(&mut self, end: u8, reason: &str) -> Result<bool, ParseError> {
        self.skip_white_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_white_space();
                Ok(false)
            }
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.error(reason)),
        }
    }

    fn string(&mut self) -> Result<NodeId, ParseError> {
        let start = self.at;
        let read = string::read(self.source, start);
        let (end, decoded) =
            read.map_err(|(at, reason)| ParseError::new(Position::of(self.source, at), reason))?;
        self.at = end;
        let text = if self.source[start + 1..end - 1] == *decoded.as_str() {
            ScalarText::Quoted
        } else {
            ScalarText::Decoded(decoded)
        };
        let content = Content::Scalar {
            style: ScalarStyle::DoubleQuoted,
            text,
        };
        Ok(self.node(start..end, content))
    }

    fn number(&mut self) -> Result<NodeId, ParseError> {
        let start = self.at;
        let skip_digits = |reader: &mut Self| {
            let from = reader.at;
            while matches!(reader.peek(), Some(b'0'..=b'9')) {
                reader.at += 1;
            }
            reader.at > from
        };
        self.at += usize::from(self.peek() == Some(b'-'));
        let mut valid = if self.peek() == Some(b'0') {
            self.at += 1;
            true
        } else {
            skip_digits(self)
        };
        if valid && self.peek() == Some(b'.') {
            self.at += 1;
            valid = skip_digits(self);
        }
        if valid && matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            valid = skip_digits(self);
        }
        if !valid {
            return Err(self.error("invalid JSON number"));
        }
        Ok(self.plain(start))
    }

    fn literal(&mut self, word: &str) -> Result<NodeId, ParseError> {
        let start = self.at;
        if !self.source[start..].starts_with(word) {
            return Err(self.error("expected a JSON value"));
        }
        self.at += word.len();
        Ok(self.plain(start))
    }

    fn plain(&mut self, start: usize) -> NodeId {
        let content = Content::Scalar {
            style: ScalarStyle::Plain,
            text: ScalarText::Source,
        };
        self.node(start..self.at, content)
    }
}
