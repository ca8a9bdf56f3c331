//! YAML in the layout of `sops`: what go-yaml 3 makes of a tree.
//!
//! Block style throughout, four spaces a level unless told otherwise, the items of a list indented
//! below their key, no line folded. Text of several lines is a literal block; other text has quotes
//! only if it would be read as something else. Comments stand above what they speak of, those of a
//! line end behind it, and the last ones of a mapping below it.

mod build;
mod node;
mod scalar;
mod writer;

use zeroize::Zeroizing;

use crate::sops::tree::{Tree, TreeValue};
use node::{Comments, Mapping, Node, Scalar, Sequence};
use scalar::Text;
use writer::{Leaves, Writer};

/// How far a level is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    indent: usize,
}

/// What a node stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    Root,
    Mapping,
    Sequence,
}

impl Default for Layout {
    fn default() -> Self {
        Self { indent: 4 }
    }
}

impl Layout {
    /// This many spaces a level. As with the peer it is 2 to 9, other numbers stand for 2, and 0 for
    /// the default of 4.
    pub fn with_indent(indent: usize) -> Self {
        match indent {
            0 => Self::default(),
            2..=9 => Self { indent },
            _ => Self { indent: 2 },
        }
    }

    /// The indentation inside of something that stands at `outer`.
    fn inside(self, outer: Option<usize>, parent: Parent) -> usize {
        match outer {
            None => self.indent,
            // As far as the dash.
            Some(outer) if parent == Parent::Sequence => outer + 2,
            Some(outer) => self.next_stop(outer),
        }
    }

    /// Columns are multiples of the indentation: below a dash the next level is nearer.
    fn next_stop(self, outer: usize) -> usize {
        self.indent * ((outer + self.indent) / self.indent)
    }

    fn block(self, outer: Option<usize>, parent: Parent) -> usize {
        match outer {
            None => 0,
            outer => self.inside(outer, parent),
        }
    }
}

/// The documents of a tree.
pub fn file(tree: &Tree, layout: Layout) -> Zeroizing<String> {
    let mut writer = Writer::new();
    for (index, branch) in tree.documents.iter().enumerate() {
        if index > 0 {
            writer.begin_line();
            writer.indicator("---", true, Leaves::Text);
            writer.begin_line();
        }
        root(&mut writer, &Node::Mapping(build::mapping(branch)), layout);
    }
    writer.finish()
}

/// One value of a tree, as a document.
pub fn part(value: &TreeValue) -> Zeroizing<String> {
    let mut writer = Writer::new();
    root(&mut writer, &build::node(value), Layout::default());
    writer.finish()
}

fn root<'t>(writer: &mut Writer<'t>, node: &Node<'t>, layout: Layout) {
    come_by(writer, node);
    writer.head_comment();
    value(writer, node, Parent::Root, layout);
    writer.end_document();
}

/// A value where it stands. What its comments are has been come by already, but for those that
/// belong to its end.
fn value<'t>(writer: &mut Writer<'t>, node: &Node<'t>, parent: Parent, layout: Layout) {
    match node {
        Node::Scalar(scalar, _) => Text::of(scalar).write(writer, parent, layout),
        Node::Mapping(mapping) if !mapping.entries.is_empty() => {
            place(writer);
            block_mapping(writer, mapping, parent, layout);
            return;
        }
        Node::Sequence(sequence) if !sequence.items.is_empty() => {
            place(writer);
            block_sequence(writer, sequence, parent, layout);
            return;
        }
        Node::Mapping(mapping) => {
            place(writer);
            writer.indicator("{", true, Leaves::Space);
            meet(&mut writer.waiting.line, &mapping.around.line);
            meet(&mut writer.waiting.foot, &mapping.around.foot);
            let outer = writer.indent;
            writer.indent = Some(layout.inside(outer, parent));
            writer.head_comment();
            writer.indent = outer;
            writer.indicator("}", false, Leaves::Text);
        }
        Node::Sequence(sequence) => {
            place(writer);
            writer.indicator("[", true, Leaves::Space);
            meet(&mut writer.waiting.line, &sequence.around.line);
            meet(&mut writer.waiting.foot, &sequence.around.foot);
            if writer.column() == 0 {
                writer.begin_line();
            }
            writer.indicator("]", false, Leaves::Text);
        }
    }
    place(writer);
}

/// A place behind and below something.
fn place(writer: &mut Writer<'_>) {
    writer.line_comment();
    writer.foot_comment();
}

fn block_mapping<'t>(
    writer: &mut Writer<'t>,
    mapping: &Mapping<'t>,
    parent: Parent,
    layout: Layout,
) {
    let outer = writer.indent;
    writer.indent = Some(layout.block(outer, parent));
    let mut tail = &Comments::new();
    for entry in &mapping.entries {
        meet(&mut writer.waiting.tail, tail);
        meet(&mut writer.waiting.head, &entry.around.head);
        tail = &entry.around.foot;
        writer.head_comment();
        writer.begin_line();
        if !writer.waiting.line.is_empty() {
            writer.waiting.key_line = std::mem::take(&mut writer.waiting.line);
        }
        let key = Text::of(&Scalar::Key(entry.key));
        let is_simple = key.is_simple_key();
        if !is_simple {
            writer.indicator("?", true, Leaves::Indentation);
        }
        key.write(writer, Parent::Mapping, layout);
        come_by(writer, &entry.value);
        if !is_simple {
            writer.begin_line();
        }
        let leaves = if is_simple {
            Leaves::Text
        } else {
            Leaves::Indentation
        };
        writer.indicator(":", !is_simple, leaves);
        comment_behind_key(writer, &entry.value);
        value(writer, &entry.value, Parent::Mapping, layout);
    }
    meet(&mut writer.waiting.tail, tail);
    meet(&mut writer.waiting.line, &mapping.around.line);
    meet(&mut writer.waiting.foot, &mapping.around.foot);
    writer.head_comment();
    writer.indent = outer;
}

fn comment_behind_key<'t>(writer: &mut Writer<'t>, value: &Node<'t>) {
    let waiting = &mut writer.waiting;
    if waiting.key_line.is_empty() {
        return;
    }
    if matches!(value, Node::Scalar(..)) {
        if waiting.line.is_empty() {
            waiting.line = std::mem::take(&mut waiting.key_line);
        }
    } else {
        std::mem::swap(&mut waiting.line, &mut waiting.key_line);
        writer.line_comment();
        let waiting = &mut writer.waiting;
        std::mem::swap(&mut waiting.line, &mut waiting.key_line);
    }
}

fn block_sequence<'t>(
    writer: &mut Writer<'t>,
    sequence: &Sequence<'t>,
    parent: Parent,
    layout: Layout,
) {
    let outer = writer.indent;
    writer.indent = Some(layout.block(outer, parent));
    for item in &sequence.items {
        come_by(writer, item);
        writer.head_comment();
        writer.begin_line();
        writer.indicator("-", true, Leaves::Indentation);
        value(writer, item, Parent::Sequence, layout);
    }
    meet(&mut writer.waiting.line, &sequence.around.line);
    meet(&mut writer.waiting.foot, &sequence.around.foot);
    writer.indent = outer;
}

/// Comes by the start of a value.
fn come_by<'t>(writer: &mut Writer<'t>, node: &Node<'t>) {
    let waiting = &mut writer.waiting;
    match node {
        Node::Mapping(Mapping { around, .. }) | Node::Sequence(Sequence { around, .. }) => {
            meet(&mut waiting.head, &around.head);
        }
        Node::Scalar(_, around) => {
            meet(&mut waiting.head, &around.head);
            meet(&mut waiting.line, &around.line);
            meet(&mut waiting.foot, &around.foot);
        }
    }
}

/// Comments take the place of those of their kind that still wait.
fn meet<'t>(waiting: &mut Comments<'t>, comments: &Comments<'t>) {
    if !comments.is_empty() {
        waiting.clone_from(comments);
    }
}
