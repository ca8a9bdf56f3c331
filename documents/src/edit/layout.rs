//! How a document is laid out, so that what is put in looks like the rest.

use crate::{
    lines,
    yaml::{CollectionStyle, Document, Format, Kind, Node},
};

/// The habits of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) format: Format,
    pub(crate) line_break: &'static str,
    /// Spaces of a nesting level.
    pub(crate) step: usize,
    /// What lines of JSON are indented with: a space or a tab.
    pub(crate) fill: char,
    /// Whether objects of a JSON document go over several lines.
    pub(crate) multi_line: bool,
}

/// What a scalar may look like where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    Block,
    Flow,
    Json,
}

impl Layout {
    pub(crate) fn of(document: &Document) -> Self {
        let source = document.source();
        let content = &source[document.content_range()];
        Self {
            format: document.format(),
            line_break: lines::line_break(source),
            fill: match document.format() {
                Format::Json if content.contains("\n\t") => '\t',
                _ => ' ',
            },
            step: document
                .root()
                .and_then(step)
                .filter(|step| (1..=8).contains(step))
                .unwrap_or(2),
            multi_line: content.trim().contains('\n'),
        }
    }

    /// The start of a new line in a column, in flow.
    pub(crate) fn line(&self, column: usize) -> String {
        let mut line = self.line_break.to_owned();
        line.extend(std::iter::repeat_n(self.fill, column));
        line
    }

    /// The context of the keys and values of a mapping, or of a scalar.
    pub(crate) fn context(&self, node: Node<'_>) -> Context {
        if self.format == Format::Json {
            Context::Json
        } else if node.is_in_flow() || matches!(node.kind(), Kind::Mapping(CollectionStyle::Flow)) {
            Context::Flow
        } else {
            Context::Block
        }
    }
}

/// By how many columns the first nested mapping is indented.
pub(crate) fn step(node: Node<'_>) -> Option<usize> {
    let source = node.document().source();
    let column = |node: Node<'_>| {
        let first = node.entries().next()?.range().start;
        Some(lines::column(source, first))
    };
    match node.kind() {
        Kind::Mapping(CollectionStyle::Flow) => {
            let first = node.entries().next()?.range().start;
            let indent = lines::indent(source, node.range().start);
            lines::is_first(source, first)
                .then(|| lines::column(source, first).checked_sub(indent))
                .flatten()
        }
        Kind::Mapping(CollectionStyle::Block) => {
            node.entries().find_map(|entry| match entry.value.kind() {
                Kind::Mapping(CollectionStyle::Block) => {
                    column(entry.value)?.checked_sub(column(node)?)
                }
                Kind::Sequence(CollectionStyle::Block) => step(entry.value),
                _ => None,
            })
        }
        Kind::Sequence(_) => node.items().find_map(|item| step(item.node)),
        _ => None,
    }
}
