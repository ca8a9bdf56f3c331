//! Reads the YAML that most files are, line by line, at many times the speed of the parser.
//!
//! It knows block mappings and sequences, scalars on one line, literal block scalars, `[]` and `{}`,
//! comments, blank lines and `---`. At the first thing that it does not know, or that may be an error,
//! it gives up, and the parser reads the whole text. So it never decides what is valid: what it reads,
//! the parser reads too, to the same tree. A property test compares the two.

mod scalar;
mod text;

use std::{ops::Range, sync::Arc};

use zeroize::Zeroizing;

use self::text::Stop;
use super::pending::{self, Pending};
use crate::{
    limits::MAX_NESTING,
    tree::{
        CollectionStyle, Comment, CommentKind, Content, Document, EntryData, ItemData, NodeData,
        NodeId, TreeBuilder,
    },
};

/// The documents of a text; nothing if the parser has to read it.
pub(super) fn read(source: &Arc<Zeroizing<String>>) -> Option<Vec<Document>> {
    let mut quick = Quick::new(source);
    while quick.at < quick.bytes.len() {
        quick.line()?;
    }
    quick.end_document()?;
    Some(pending::documents(source, quick.documents))
}

/// A collection whose end has not come yet.
struct Open {
    id: NodeId,
    /// Of its keys or dashes.
    column: usize,
    is_list: bool,
    waits: Waits,
}

/// For what an open collection waits.
#[derive(Clone, Copy)]
enum Waits {
    /// For an entry.
    Entry,
    /// For the value of a key.
    Value { key: NodeId, colon: usize },
    /// For what is behind a dash.
    Item { dash: usize },
}

struct Quick<'s> {
    source: &'s str,
    bytes: &'s [u8],
    /// What is read next.
    at: usize,
    documents: Vec<Pending>,
    tree: TreeBuilder,
    open: Vec<Open>,
    /// The end of the last node or indicator.
    end: usize,
}

impl<'s> Quick<'s> {
    fn new(source: &'s str) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            at: 0,
            documents: Vec::new(),
            tree: TreeBuilder::default(),
            open: Vec::new(),
            end: 0,
        }
    }

    /// Reads a line, and the lines of a block scalar that begins on it.
    fn line(&mut self) -> Option<()> {
        let start = self.at;
        self.skip_spaces();
        let column = self.at - start;
        match self.byte(self.at) {
            None => Some(()),
            Some(b'\n') => {
                self.at += 1;
                Some(())
            }
            Some(b'#') => self.comment(CommentKind::OwnLine),
            Some(b'-' | b'.' | b'%') if column == 0 && self.may_be_mark() => self.mark(),
            Some(_) => {
                if self.documents.is_empty() {
                    self.documents.push(Pending::new(0, 0));
                }
                let is_item = self.is_dash();
                self.settle(column, is_item)?;
                if is_item {
                    self.item(column)
                } else {
                    self.entry(column)
                }
            }
        }
    }

    fn may_be_mark(&self) -> bool {
        let line = &self.bytes[self.at..];
        line.starts_with(b"---") || line.starts_with(b"...") || line.starts_with(b"%")
    }

    /// A line `---`. Other marks, and directives, are left to the parser.
    fn mark(&mut self) -> Option<()> {
        let start = self.at;
        let end = start + 3;
        let is_bare =
            self.bytes[start..].starts_with(b"---") && matches!(self.byte(end), None | Some(b'\n'));
        if !is_bare {
            return None;
        }
        let content = (end + 1).min(self.bytes.len());
        // What stands before the first mark, comments alone, is of the first document.
        let first = self.documents.is_empty();
        if !first {
            self.end_document()?;
        }
        let start = if first { 0 } else { start };
        if let Some(last) = self.documents.last_mut() {
            last.content_end = Some(start);
        }
        self.documents.push(Pending::new(start, content));
        self.end = end;
        self.at = content;
        Some(())
    }

    fn end_document(&mut self) -> Option<()> {
        while !self.open.is_empty() {
            self.close()?;
        }
        if self.documents.is_empty() && self.tree.has_comments() {
            self.documents.push(Pending::new(0, 0));
        }
        if let Some(document) = self.documents.last_mut() {
            document.tree = std::mem::take(&mut self.tree);
        }
        Some(())
    }

    /// Ends the collections that a line with something in a column is not in. The innermost that is
    /// left waits for an entry; it is a new one if a value was waited for.
    fn settle(&mut self, column: usize, is_item: bool) -> Option<()> {
        while let Some(open) = self.open.last() {
            let is_value = match open.waits {
                Waits::Entry => false,
                Waits::Value { .. } => column > open.column || (column == open.column && is_item),
                Waits::Item { .. } => column > open.column,
            };
            if is_value {
                break;
            }
            if column == open.column && open.is_list == is_item {
                return self.complete_with_nothing();
            }
            // Further right it is the second line of a scalar, or an error.
            if column > open.column {
                return None;
            }
            self.close()?;
        }
        self.start_collection(column, is_item)
    }

    /// An item, and the items and entries that begin on its line.
    fn item(&mut self, mut column: usize) -> Option<()> {
        loop {
            let dash = self.at;
            self.at += 1;
            self.end = self.at;
            self.open.last_mut()?.waits = Waits::Item { dash };
            self.skip_spaces();
            if self.ends_line()? {
                return Some(());
            }
            let inner = column + (self.at - dash);
            if self.is_dash() {
                self.start_collection(inner, true)?;
                column = inner;
                continue;
            }
            if self.is_special() {
                return self.value(column);
            }
            let (node, run) = scalar::on_line(self.source, self.at)?;
            if run.stop == Stop::Colon {
                self.start_collection(inner, false)?;
                return self.entry_of(node, run.at, inner);
            }
            self.add(node)?;
            self.at = run.at;
            return self.ends_line()?.then_some(());
        }
    }

    fn entry(&mut self, column: usize) -> Option<()> {
        let (key, run) = scalar::on_line(self.source, self.at)?;
        if run.stop != Stop::Colon {
            return None;
        }
        self.entry_of(key, run.at, column)
    }

    /// The entry of a key, whose mapping is the innermost.
    fn entry_of(&mut self, key: NodeData, colon: usize, column: usize) -> Option<()> {
        // The specification lets no key be longer than 1024 characters.
        const LONGEST: usize = 1000;
        if key.range.len() > LONGEST {
            return None;
        }
        let key = self.tree.push(key);
        self.open.last_mut()?.waits = Waits::Value { key, colon };
        self.at = colon + 1;
        self.end = self.at;
        self.skip_spaces();
        if self.ends_line()? {
            return Some(());
        }
        self.value(column)
    }

    /// Whether no scalar on one line begins there.
    fn is_special(&self) -> bool {
        matches!(self.byte(self.at), Some(b'|' | b'[' | b'{'))
    }

    /// What is on the rest of a line, where no key can be.
    fn value(&mut self, column: usize) -> Option<()> {
        let (node, at) = match self.byte(self.at)? {
            b'|' => {
                let (node, at) = scalar::literal(self.source, self.at, column)?;
                self.add(node)?;
                self.at = at;
                return Some(());
            }
            b'[' | b'{' => scalar::empty_collection(self.source, self.at)?,
            _ => {
                let (node, run) = scalar::on_line(self.source, self.at)?;
                (node, run.at)
            }
        };
        self.add(node)?;
        self.at = at;
        self.skip_spaces();
        self.ends_line()?.then_some(())
    }

    /// Whether a comment or nothing is on the rest of the line. It is then read.
    fn ends_line(&mut self) -> Option<bool> {
        match self.byte(self.at) {
            None => Some(true),
            Some(b'\n') => {
                self.at += 1;
                Some(true)
            }
            Some(b'#') if self.bytes[self.at - 1] == b' ' => {
                self.comment(CommentKind::Trailing).map(|()| true)
            }
            Some(b'#') => None,
            Some(_) => Some(false),
        }
    }

    fn comment(&mut self, kind: CommentKind) -> Option<()> {
        let end = text::line_end(self.bytes, self.at)?;
        let range = self.at..end;
        self.tree.comment(Comment { range, kind });
        self.at = (end + 1).min(self.bytes.len());
        Some(())
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
    }

    fn is_dash(&self) -> bool {
        self.byte(self.at) == Some(b'-')
            && matches!(self.byte(self.at + 1), None | Some(b' ' | b'\n'))
    }

    fn start_collection(&mut self, column: usize, is_list: bool) -> Option<()> {
        if self.open.len() + 1 >= MAX_NESTING {
            return None;
        }
        let style = CollectionStyle::Block;
        let content = if is_list {
            let items = Vec::new();
            Content::Sequence { style, items }
        } else {
            let entries = Vec::new();
            Content::Mapping { style, entries }
        };
        // Where it ends is known when it is closed.
        let id = self.add(NodeData::plain(self.at..self.at, content))?;
        self.open.push(Open {
            id,
            column,
            is_list,
            waits: Waits::Entry,
        });
        Some(())
    }

    /// Puts a node where it is waited for. There can be one at the top.
    fn add(&mut self, node: NodeData) -> Option<NodeId> {
        self.end = self.end.max(node.range.end);
        let id = self.tree.push(node);
        let Some(open) = self.open.last_mut() else {
            return self.tree.set_first_root(id).then_some(id);
        };
        let waits = std::mem::replace(&mut open.waits, Waits::Entry);
        match (&mut self.tree.node_mut(open.id).content, waits) {
            (Content::Mapping { entries, .. }, Waits::Value { key, colon }) => {
                entries.push(EntryData {
                    question: None,
                    key,
                    colon: Some(colon),
                    value: id,
                });
            }
            (Content::Sequence { items, .. }, Waits::Item { dash }) => items.push(ItemData {
                dash: Some(dash),
                node: id,
            }),
            _ => return None,
        }
        Some(id)
    }

    /// A value that does not come is none.
    fn complete_with_nothing(&mut self) -> Option<()> {
        if !matches!(self.open.last()?.waits, Waits::Entry) {
            let range: Range<usize> = self.end..self.end;
            self.add(NodeData::plain(range, Content::Missing))?;
        }
        Some(())
    }

    /// Ends the innermost collection.
    fn close(&mut self) -> Option<()> {
        self.complete_with_nothing()?;
        let open = self.open.pop()?;
        self.tree.node_mut(open.id).range.end = self.end;
        Some(())
    }
}

#[cfg(test)]
mod tests;
