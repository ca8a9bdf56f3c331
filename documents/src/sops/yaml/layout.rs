//! A stream of YAML as the peer walks it, with the node or comment behind every step.
//!
//! Three passes: nodes to steps; comments put where they belong; aliases replaced by what they stand
//! for.

mod aliases;
mod comments;

use std::collections::HashMap;

use super::{
    METADATA_KEY,
    resolve::{self, Resolved},
};
use crate::{
    sops::{
        error::ReadError,
        outline::{Leaf, Step},
    },
    tree::NodeId,
    yaml::{Comment, Document, Kind, Node, ScalarStyle, Stream},
};

/// A step and what is behind it.
pub(super) struct Placed<'s> {
    pub(super) step: Step<'s>,
    pub(super) site: Site<'s>,
    /// Where it is in the text: its start, and for [`Step::End`] its end.
    pub(super) at: usize,
}

/// What is behind a step in the text.
#[derive(Clone, Copy)]
pub(crate) struct Placement<'s> {
    pub(super) site: Site<'s>,
    /// As in [`Placed`].
    pub(super) at: usize,
}

impl Placement<'_> {
    /// Whether it is written in another form than one leaf behind its key or dash.
    pub(super) fn is_intricate(&self) -> bool {
        match self.site {
            Site::None | Site::Comment(_) => false,
            Site::Alias(_) => true,
            Site::Node(node) => {
                node.kind().is_block_scalar()
                    || node.is_in_flow()
                    || node.anchor().is_some()
                    || node.tag().is_some()
            }
        }
    }

    /// Whether it is a scalar in quotes or below a header.
    pub(super) fn is_dressed(&self) -> bool {
        let is_plain = |kind| matches!(kind, Kind::Scalar(ScalarStyle::Plain));
        matches!(self.site, Site::Node(node)
            if matches!(node.kind(), Kind::Scalar(_)) && !is_plain(node.kind()))
    }
}

/// What is behind a step in the text.
#[derive(Clone, Copy)]
pub(super) enum Site<'s> {
    /// Nothing that is changed.
    None,
    /// A value, or a collection that begins.
    Node(Node<'s>),
    /// A comment.
    Comment(&'s Comment),
    /// The alias through which the peer sees the step there.
    Alias(Node<'s>),
}

/// All steps of a stream.
pub(super) fn of(stream: &Stream) -> Result<Vec<Placed<'_>>, ReadError> {
    let mut steps = Vec::new();
    for (index, document) in stream.documents().iter().enumerate() {
        let mut nodes = Nodes {
            document,
            // The peer looks for them in the first document only.
            refuse_duplicates: index == 0,
            steps: Vec::with_capacity(document.len()),
            has_aliases: false,
        };
        nodes.document()?;
        let has_aliases = nodes.has_aliases;
        let with_comments = comments::put(document, nodes.steps);
        if has_aliases {
            aliases::expand(with_comments, &mut steps)?;
        } else if steps.is_empty() {
            steps = with_comments;
        } else {
            steps.extend(with_comments);
        }
    }
    Ok(steps)
}

/// The metadata of a document: the entry of the top map.
pub(super) fn metadata_entry(document: &Document) -> Option<crate::yaml::Entry<'_>> {
    let root = document.root()?;
    root.entries().find(|entry| is_metadata(entry.key))
}

fn is_metadata(key: Node<'_>) -> bool {
    key.text() == Some(METADATA_KEY)
}

struct Nodes<'s> {
    document: &'s Document,
    refuse_duplicates: bool,
    steps: Vec<Placed<'s>>,
    has_aliases: bool,
}

impl<'s> Nodes<'s> {
    fn push(&mut self, step: Step<'s>, site: Site<'s>, at: usize) {
        self.steps.push(Placed { step, site, at });
    }

    fn document(&mut self) -> Result<(), ReadError> {
        let content = self.document.content_range();
        self.push(Step::Document, Site::None, content.start);
        if let Some(root) = self.document.root() {
            match root.kind() {
                Kind::Mapping(_) => self.entries(root, true)?,
                // An anchor or tag of nothing would have to stand before the metadata.
                Kind::Scalar(_) | Kind::Missing
                    if matches!(resolve::scalar(root), Resolved::Null)
                        && root.anchor().is_none()
                        && root.tag().is_none() => {}
                kind => {
                    return Err(ReadError::TopNotMap {
                        at: root.position(),
                        what: match kind {
                            Kind::Sequence(_) => "a list",
                            _ => "a single value",
                        },
                    });
                }
            }
        }
        self.push(Step::End, Site::None, content.end);
        Ok(())
    }

    fn entries(&mut self, map: Node<'s>, top: bool) -> Result<(), ReadError> {
        let mut seen = Seen::of(map);
        for entry in map.entries() {
            let start = entry.range().start;
            let name = entry.key.text();
            if self.refuse_duplicates
                && let Some(name) = name
                && let Some(first) = seen.insert(name, start)
            {
                let (at, first) = (entry.key.position(), self.document.position(first));
                return Err(if top && name == METADATA_KEY {
                    ReadError::MetadataTwice { at, first }
                } else {
                    let key = name.to_owned();
                    ReadError::DuplicateKey { at, first, key }
                });
            }
            if top && is_metadata(entry.key) {
                continue;
            }
            if is_question_in_flow(entry.key) {
                return Err(question_in_flow(entry.key));
            }
            let key = match resolve::scalar(entry.key.resolved()) {
                Resolved::Leaf(Leaf::Text(key)) if name.is_some() => key,
                other => {
                    return Err(ReadError::KeyNotText {
                        at: entry.key.position(),
                        what: key_kind(entry.key, &other),
                    });
                }
            };
            let site = match entry.key.kind() {
                kind if kind.is_block_scalar() => Site::Node(entry.key),
                _ => Site::None,
            };
            self.push(Step::Key(key), site, start);
            self.value(entry.value, entry.value.full_range().start)?;
        }
        Ok(())
    }

    /// A value that begins at a byte: an item does with its dash.
    fn value(&mut self, node: Node<'s>, start: usize) -> Result<(), ReadError> {
        let end = node.full_range().end;
        match node.kind() {
            Kind::Mapping(_) => {
                self.push(Step::Map, Site::Node(node), start);
                self.entries(node, false)?;
                self.push(Step::End, Site::Node(node), end);
            }
            Kind::Sequence(_) => {
                self.push(Step::List, Site::Node(node), start);
                for item in node.items() {
                    self.value(item.node, item.range().start)?;
                }
                self.push(Step::End, Site::Node(node), end);
            }
            Kind::Alias(_) => {
                self.has_aliases = true;
                self.push(Step::Null, Site::Alias(node), start);
            }
            Kind::Scalar(ScalarStyle::Plain) if is_question_in_flow(node) => {
                return Err(question_in_flow(node));
            }
            Kind::Scalar(_) | Kind::Missing => {
                let step = match resolve::scalar(node) {
                    Resolved::Leaf(leaf) => Step::Value(leaf),
                    Resolved::Null => Step::Null,
                    Resolved::Refused(what) => {
                        return Err(ReadError::Value {
                            at: node.position(),
                            what,
                        });
                    }
                };
                self.push(step, Site::Node(node), start);
            }
        }
        Ok(())
    }
}

/// The keys of a map so far, and where they stand.
enum Seen<'s> {
    Few(Vec<(&'s str, usize)>),
    Many(HashMap<&'s str, usize>),
}

impl<'s> Seen<'s> {
    fn of(map: Node<'s>) -> Self {
        // To compare so many is less work than to hash them.
        const FEW: usize = 24;
        match map.entries().len() {
            count if count <= FEW => Self::Few(Vec::with_capacity(count)),
            count => Self::Many(HashMap::with_capacity(count)),
        }
    }

    /// Where the key stands already.
    fn insert(&mut self, key: &'s str, at: usize) -> Option<usize> {
        match self {
            Self::Few(seen) => {
                let first = seen.iter().find(|(other, _)| *other == key);
                let first = first.map(|(_, first)| *first);
                seen.push((key, at));
                first
            }
            Self::Many(seen) => seen.insert(key, at),
        }
    }
}

/// The peer takes a `?` between brackets for the mark of a key, whatever follows.
fn is_question_in_flow(node: Node<'_>) -> bool {
    node.is_in_flow()
        && matches!(node.kind(), Kind::Scalar(ScalarStyle::Plain))
        && node.text().is_some_and(|text| text.starts_with('?'))
}

fn question_in_flow(node: Node<'_>) -> ReadError {
    ReadError::Value {
        at: node.position(),
        what: "a `?` begins a text between brackets, which sops reads without it",
    }
}

fn key_kind(key: Node<'_>, resolved: &Resolved<'_>) -> &'static str {
    use signet_keys::sops::Kind as Type;
    match resolved {
        Resolved::Leaf(Leaf::Typed(value)) => match value.kind() {
            Type::Bool => "a truth value",
            Type::Float | Type::Int => "a number",
            Type::Time => "a date",
            Type::Bytes | Type::Comment | Type::Str => "not text",
        },
        Resolved::Refused(_) => "a number",
        _ if key.is_mapping() => "a map",
        _ if key.is_sequence() => "a list",
        _ => "null",
    }
}

/// Which node an anchor is on.
fn anchored(site: &Site<'_>) -> Option<NodeId> {
    match site {
        Site::Node(node) if node.anchor().is_some() => Some(node.id()),
        _ => None,
    }
}
