//! dotenv files in place. Their metadata is the lines whose keys begin with `sops_`, at the end.

use std::borrow::Cow;

use signet_keys::sops::{Kind, Value};
use zeroize::Zeroizing;

use super::{
    body::{Body, Written},
    error::{ReadError, WriteError},
    flatten::{flatten, unflatten},
    metadata::MetaTree,
    outline::{Leaf, Outcome, Outline, Step},
};
use crate::{
    dotenv::{self, Line, LineKind},
    emit::sops_text,
    position::Position,
    source,
};

const PREFIX: &str = "sops_";

/// A dotenv file.
pub(super) struct Dotenv {
    /// With its byte order mark: to the peer it is part of the first key.
    text: Zeroizing<String>,
    lines: dotenv::Dotenv,
}

impl Dotenv {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut text = Zeroizing::new(String::with_capacity(bytes.len()));
        // A file without variables is one all the same.
        if bytes.iter().all(|byte| *byte == b'\n') {
            text.extend(bytes.iter().copied().map(char::from));
        } else {
            let decoded = source::decode(bytes)?;
            if decoded.has_bom() {
                text.push('\u{feff}');
            }
            text.push_str(decoded.as_str());
        }
        let lines = dotenv::Dotenv::parse(&text);
        let lines = lines.map_err(|error| ReadError::Line(error.to_string()))?;
        Ok(Self { text, lines })
    }

    /// The lines that are leaves.
    fn leaves(&self) -> impl Iterator<Item = &Line> {
        let is_leaf = |line: &&Line| match &line.kind {
            LineKind::Blank => false,
            LineKind::Comment { .. } => true,
            LineKind::Entry { .. } => self.metadata_key(line).is_none(),
        };
        self.lines.lines().iter().filter(is_leaf)
    }

    /// The key of a line of metadata.
    fn metadata_key(&self, line: &Line) -> Option<&str> {
        match &line.kind {
            LineKind::Entry { key, .. } => self.text[key.clone()].strip_prefix(PREFIX),
            _ => None,
        }
    }

    /// A line with what becomes of its leaf.
    fn line(&self, line: &Line, outcome: &Outcome) -> Zeroizing<String> {
        let old = match &line.kind {
            LineKind::Blank => line.range.clone(),
            LineKind::Comment { text } => text.clone(),
            LineKind::Entry { value, .. } => value.clone(),
        };
        let mut out = Zeroizing::new(self.text[line.range.start..old.start].to_owned());
        match outcome {
            Outcome::Keep => out.push_str(&self.text[old]),
            Outcome::Encrypted { text, .. } => out.push_str(text),
            Outcome::Plain(value) => out.push_str(&dotenv::text(&sops_text::scalar(value))),
        }
        out
    }
}

impl Body for Dotenv {
    fn outline(&self) -> Result<Outline<'_>, ReadError> {
        let mut steps = vec![Step::Document];
        for line in self.leaves() {
            match &line.kind {
                LineKind::Blank => {}
                LineKind::Comment { text } => steps.push(Step::Comment {
                    text: Cow::Borrowed(&self.text[text.clone()]),
                    inline: false,
                }),
                LineKind::Entry { key, value } => {
                    let value = dotenv::value(&self.text[value.clone()]);
                    steps.push(Step::Key(Cow::Borrowed(&self.text[key.clone()])));
                    steps.push(Step::Value(Leaf::Text(value)));
                }
            }
        }
        steps.push(Step::End);
        Ok(Outline {
            steps,
            ..Outline::default()
        })
    }

    fn metadata(&self) -> Result<Option<MetaTree>, ReadError> {
        let entries = self.lines.lines().iter().filter_map(|line| {
            let key = self.metadata_key(line)?;
            let LineKind::Entry { value, .. } = &line.kind else {
                return None;
            };
            // A CR is that of a file whose line ends were changed after it was encrypted.
            let value = self.text[value.clone()].trim_end_matches('\r');
            Some((key, dotenv::value(value).into_owned()))
        });
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            return Ok(None);
        }
        let tree = unflatten(entries);
        tree.map(Some)
            .map_err(|error| ReadError::Metadata(error.to_string()))
    }

    fn position(&self, leaf: usize) -> Option<Position> {
        let line = self.leaves().nth(leaf)?;
        Some(Position::of(&self.text, line.range.start))
    }

    fn said(&self, value: &Value) -> Option<Value> {
        said(value)
    }

    fn write(
        &self,
        _: Option<&Outline<'_>>,
        outcomes: &[Outcome],
        metadata: Option<&MetaTree>,
    ) -> Result<Written, WriteError> {
        let keep = Outcome::Keep;
        let mut leaves = self.leaves().enumerate();
        let lines: Vec<Option<Zeroizing<String>>> = self
            .lines
            .lines()
            .iter()
            .filter(|line| self.metadata_key(line).is_none())
            .map(|line| {
                if line.kind == LineKind::Blank {
                    return None;
                }
                let outcome = leaves.next().and_then(|(leaf, _)| outcomes.get(leaf));
                Some(self.line(line, outcome.unwrap_or(&keep)))
            })
            .collect();
        // The peer cannot read a line that is a CR alone, so an encrypted file has none. In the clear
        // they come back to a file that has a CR on every other line.
        let mut texts = lines.iter().flatten().peekable();
        let crlf = texts.peek().is_some() && texts.all(|line| line.ends_with('\r'));
        let blank = if crlf && metadata.is_none() { "\r" } else { "" };
        let mut out = Zeroizing::new(String::with_capacity(self.text.len()));
        for line in &lines {
            out.push_str(line.as_deref().map_or(blank, String::as_str));
            out.push('\n');
        }
        match metadata {
            Some(metadata) => {
                for (key, value) in flatten(metadata) {
                    out.push_str(PREFIX);
                    out.push_str(&key);
                    out.push('=');
                    out.push_str(&dotenv::text(&value));
                    out.push('\n');
                }
            }
            None if !self.text.ends_with('\n') => {
                out.pop();
            }
            None => {}
        }
        Ok(Written {
            bytes: Zeroizing::new(std::mem::take(&mut *out).into_bytes()),
            ..Written::default()
        })
    }
}

/// What a value is read as once it is written, if that is not the value: a line break instead of the two
/// characters `\n`.
pub(super) fn said(value: &Value) -> Option<Value> {
    let text = std::str::from_utf8(value.plaintext().expose()).ok()?;
    let is_text = value.kind() == Kind::Str;
    (is_text && text.contains("\\n")).then(|| Value::text(dotenv::value(text).as_bytes()))
}
