//! JSON files: one object.

mod entry;
mod spell;

pub(super) use entry::{append as append_entry, remove as remove_entry};
pub(super) use spell::{Indent, one_line as on_one_line, pretty, string};

use std::{borrow::Cow, ops::Range};

use signet_keys::sops::{Kind, Value};
use zeroize::Zeroizing;

use super::{
    METADATA_KEY,
    body::{Body, Written},
    error::{self, ReadError, Warning, WriteError},
    metadata::MetaTree,
    outline::{Leaf, Outcome, Outline, Step},
};
use crate::{
    position::Position,
    source::{self, Text},
    splice::{self, Splice},
    yaml::{Document, Entry, Kind as NodeKind, Node, ScalarStyle, Stream},
};

/// A JSON file.
pub(super) struct Json {
    text: Text,
    stream: Stream,
}

impl Json {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let text = source::decode(bytes)?;
        let stream = Stream::of_json(text.share())?;
        match stream.documents() {
            [only] => check_top(only)?,
            [_, second, ..] => {
                let at = second.position(second.content_range().start);
                return Err(ReadError::TrailingData { at });
            }
            [] => {}
        }
        Ok(Self { text, stream })
    }

    fn document(&self) -> Option<&Document> {
        self.stream.documents().first()
    }

    fn placed(&self) -> Result<Vec<(Step<'_>, Range<usize>)>, ReadError> {
        let mut steps = Vec::new();
        let Some(root) = self.document().and_then(Document::root) else {
            return Ok(steps);
        };
        steps.push((Step::Document, 0..0));
        for entry in root.entries().filter(|entry| !is_metadata(entry)) {
            place_entry(entry, &mut steps)?;
        }
        steps.push((Step::End, 0..0));
        Ok(steps)
    }
}

impl Body for Json {
    fn outline(&self) -> Result<Outline<'_>, ReadError> {
        let steps = self.placed()?.into_iter();
        Ok(Outline {
            steps: steps.map(|(step, _)| step).collect(),
            ..Outline::default()
        })
    }

    fn metadata(&self) -> Result<Option<MetaTree>, ReadError> {
        let Some(root) = self.document().and_then(Document::root) else {
            return Ok(None);
        };
        let mut entries = root.entries().filter(is_metadata);
        let Some(entry) = entries.next() else {
            return Ok(None);
        };
        if let Some(second) = entries.next() {
            return Err(ReadError::MetadataTwice {
                at: second.key.position(),
                first: entry.key.position(),
            });
        }
        if !entry.value.is_mapping() {
            return Err(ReadError::MetadataNotMap {
                at: entry.value.position(),
            });
        }
        MetaTree::of_node(entry.value)
            .map(Some)
            .map_err(|error| ReadError::Metadata(error.to_string()))
    }

    fn position(&self, leaf: usize) -> Option<Position> {
        let steps = self.placed().ok()?;
        let mut leaves = steps
            .iter()
            .filter(|(step, _)| matches!(step, Step::Value(_)));
        let (_, range) = leaves.nth(leaf)?;
        Some(Position::of(self.stream.text(), range.start))
    }

    fn write(
        &self,
        _: Option<&Outline<'_>>,
        outcomes: &[Outcome],
        metadata: Option<&MetaTree>,
    ) -> Result<Written, WriteError> {
        let mut splices = Vec::with_capacity(outcomes.len() + 1);
        let mut warnings = Vec::new();
        let source = self.stream.text();
        if !outcomes.is_empty() {
            // The file was walked before there were outcomes.
            let steps = self.placed().unwrap_or_default();
            let leaves = steps
                .iter()
                .filter(|(step, _)| matches!(step, Step::Value(_)));
            for ((_, range), outcome) in leaves.zip(outcomes) {
                if matches!(outcome, Outcome::Encrypted { .. })
                    && error::is_rounded(&source[range.clone()])
                {
                    let at = Position::of(source, range.start);
                    warnings.push(Warning::NumberRounded { at });
                }
                if let Some(text) = self.leaf(range.start, outcome)? {
                    splices.push(Splice::new(range.clone(), text));
                }
            }
        }
        if let Some(document) = self.document() {
            put_metadata(document, metadata, &mut splices);
        }
        let text = Zeroizing::new(splice::apply(source, splices)?);
        Ok(Written {
            bytes: self.text.encode_owned(text),
            warnings,
        })
    }
}

impl Json {
    fn leaf(&self, at: usize, outcome: &Outcome) -> Result<Option<String>, WriteError> {
        Ok(match outcome {
            Outcome::Keep => None,
            Outcome::Encrypted { text, .. } => Some(format!("\"{text}\"")),
            Outcome::Plain(value) => {
                let text = spell::value(value).ok_or_else(|| WriteError::Value {
                    at: Position::of(self.stream.text(), at),
                    format: super::FileFormat::Json,
                    what: "bytes that are not text, or a number that is infinite or none",
                })?;
                Some(text)
            }
        })
    }
}

fn check_top(document: &Document) -> Result<(), ReadError> {
    match document.root() {
        Some(root) if !root.is_mapping() => Err(ReadError::TopNotMap {
            at: root.position(),
            what: if root.is_sequence() {
                "a list"
            } else {
                "a single value"
            },
        }),
        _ => Ok(()),
    }
}

fn is_metadata(entry: &Entry<'_>) -> bool {
    entry.key.text() == Some(METADATA_KEY)
}

fn place_entry<'s>(
    entry: Entry<'s>,
    steps: &mut Vec<(Step<'s>, Range<usize>)>,
) -> Result<(), ReadError> {
    let key = entry.key.text().unwrap_or_default();
    steps.push((Step::Key(Cow::Borrowed(key)), entry.key.range()));
    place(entry.value, steps)
}

fn place<'s>(node: Node<'s>, steps: &mut Vec<(Step<'s>, Range<usize>)>) -> Result<(), ReadError> {
    let range = node.range();
    match node.kind() {
        NodeKind::Mapping(_) => {
            steps.push((Step::Map, range.clone()));
            for entry in node.entries() {
                place_entry(entry, steps)?;
            }
            steps.push((Step::End, range));
        }
        NodeKind::Sequence(_) => {
            steps.push((Step::List, range.clone()));
            for item in node.items() {
                place(item.node, steps)?;
            }
            steps.push((Step::End, range));
        }
        NodeKind::Scalar(ScalarStyle::Plain) => {
            let text = node.text().unwrap_or_default();
            let step = match text {
                "null" => Step::Null,
                "true" => Step::Value(Leaf::Typed(Value::bool(true))),
                "false" => Step::Value(Leaf::Typed(Value::bool(false))),
                number => Step::Value(Leaf::Typed(read_number(node, number)?)),
            };
            steps.push((step, range));
        }
        NodeKind::Scalar(_) | NodeKind::Alias(_) | NodeKind::Missing => {
            let text = node.text().unwrap_or_default();
            steps.push((Step::Value(Leaf::Text(Cow::Borrowed(text))), range));
        }
    }
    Ok(())
}

/// A whole number of 64 bits, or else the nearest floating point number, as the peer has it.
fn read_number(node: Node<'_>, text: &str) -> Result<Value, ReadError> {
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Value::int(whole));
    }
    Value::new(Kind::Float, text.as_bytes().to_vec().into()).map_err(|_| ReadError::Value {
        at: node.position(),
        what: "a number out of range",
    })
}

fn put_metadata(document: &Document, metadata: Option<&MetaTree>, splices: &mut Vec<Splice>) {
    let entry = document
        .root()
        .and_then(|root| root.entries().find(is_metadata));
    match (entry, metadata) {
        (None, None) => {}
        (Some(entry), None) => remove_entry(document, entry.range(), splices),
        (Some(entry), Some(tree)) => {
            splices.push(Splice::new(
                entry.value.range(),
                self::metadata(document, tree),
            ));
        }
        (None, Some(tree)) => {
            append_entry(
                document,
                METADATA_KEY,
                &self::metadata(document, tree),
                splices,
            );
        }
    }
}

/// The metadata laid out as the document is.
pub(super) fn metadata(document: &Document, tree: &MetaTree) -> String {
    match Indent::of(document) {
        Some(indent) => pretty(tree, &indent, 1),
        None => on_one_line(tree),
    }
}
