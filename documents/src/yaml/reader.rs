//! Events of the parser to the trees of the documents.

use std::{collections::HashMap, ops::Range, sync::Arc};

use granit_parser::{Event, Options, Parser, Span, StructureStyle, Tag};
use zeroize::Zeroizing;

use super::{
    ParseError,
    cursor::{self, skip_trivia},
    pending::{self, Pending},
};
use crate::{
    limits::MAX_NESTING,
    lines,
    position::Position,
    tree::{
        CollectionStyle, Comment, Content, Document, EntryData, ItemData, NodeData, NodeId,
        ScalarStyle, ScalarText, TreeBuilder,
    },
};

pub(super) fn read(source: &Arc<Zeroizing<String>>) -> Result<Vec<Document>, ParseError> {
    let mut reader = Reader::new(source);
    for next in Parser::new_from_str_with_options(source, options()) {
        let (event, span) = next.map_err(|error| ParseError::from_scan(&error))?;
        reader.event(event, span)?;
    }
    Ok(reader.finish())
}

fn options() -> Options {
    let length_of_source_is_the_limit = usize::MAX;
    granit_parser::options! {
        emit_anchor_events: true,
        // As the readers of Kubernetes and SOPS take a text that ends without a line break.
        block_scalar_eof_without_line_feed: true,
        max_buffered_comment_events: length_of_source_is_the_limit,
        flow_nesting_limit: MAX_NESTING,
        block_nesting_limit: MAX_NESTING,
    }
}

/// A collection whose end has not come yet.
struct Open {
    id: NodeId,
    /// The key that waits for its value.
    key: Option<Key>,
}

struct Key {
    id: NodeId,
    question: Option<usize>,
}

struct Reader<'s> {
    source: &'s Arc<Zeroizing<String>>,
    documents: Vec<Pending>,
    tree: TreeBuilder,
    open: Vec<Open>,
    flow_depth: usize,
    anchors: HashMap<usize, NodeId>,
    last_node: Option<NodeId>,
    /// The end of what has been read.
    cursor: usize,
    document_start: usize,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Arc<Zeroizing<String>>) -> Self {
        Self {
            source,
            documents: Vec::new(),
            tree: TreeBuilder::default(),
            open: Vec::new(),
            flow_depth: 0,
            anchors: HashMap::new(),
            last_node: None,
            cursor: 0,
            document_start: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), ParseError> {
        // The parser gives byte offsets for every event of a text in memory.
        let range = span.byte_range().unwrap_or(0..0);
        match event {
            Event::Comment(..) => self.comment(range),
            Event::DocumentStart(explicit, _) => self.start_document(explicit, &range),
            Event::DocumentEnd => self.end_document(&range),
            Event::Scalar(text, style, anchor, tag) => {
                self.scalar(&text, style, anchor, tag.as_deref(), &span, range);
            }
            Event::SequenceStart(style, anchor, tag) => {
                let content = Content::Sequence {
                    style: collection(style),
                    items: Vec::new(),
                };
                self.start_collection(content, anchor, tag.as_deref(), &span, range)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                let content = Content::Mapping {
                    style: collection(style),
                    entries: Vec::new(),
                };
                self.start_collection(content, anchor, tag.as_deref(), &span, range)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end_collection(&range),
            Event::Alias(id) => self.alias(id, range)?,
            Event::Anchor(id, _) => self.anchor(id, range),
            // Start and end of the stream; whatever else the parser adds is not asked for.
            _ => {}
        }
        Ok(())
    }

    fn comment(&mut self, range: Range<usize>) {
        self.tree.comment(Comment::at(self.source, range));
    }

    fn start_document(&mut self, explicit: bool, marker: &Range<usize>) {
        let first = self.documents.is_empty();
        let start = if first {
            0
        } else if explicit {
            // Directives stand before the marker, after the `...` of the document before.
            self.document_start
                .max(self.directives_before(marker.start))
        } else {
            self.document_start
        };
        if let Some(last) = self.documents.last_mut() {
            last.content_end.get_or_insert(start);
        }
        let content_start = if explicit {
            let line_end = lines::end(self.source, marker.end);
            let rest = self.source[marker.end..line_end].trim_start();
            if rest.is_empty() || rest.starts_with('#') {
                lines::next(self.source, marker.end)
            } else {
                marker.end
            }
        } else {
            start
        };
        self.documents.push(Pending::new(start, content_start));
        if explicit {
            self.cursor = marker.end;
        } else {
            self.skip_ends();
        }
    }

    /// Goes behind marks `...` that end nothing.
    fn skip_ends(&mut self) {
        loop {
            let next = skip_trivia(self.source, self.cursor);
            let is_mark = self.source[next..].starts_with("...")
                && lines::start(self.source, next) == next
                && cursor::is_blank(self.source, next + 3);
            if !is_mark {
                break;
            }
            self.cursor = next + 3;
        }
    }

    /// The start of the directive lines above a `---`, or of its own line.
    fn directives_before(&self, marker: usize) -> usize {
        let mut start = lines::start(self.source, marker);
        while start > self.cursor {
            let above = lines::start(self.source, start - 1);
            if above < self.cursor || !self.source[above..].starts_with('%') {
                break;
            }
            start = above;
        }
        start
    }

    fn end_document(&mut self, marker: &Range<usize>) {
        let tree = std::mem::take(&mut self.tree);
        self.anchors.clear();
        self.last_node = None;
        if let Some(document) = self.documents.last_mut() {
            document.tree = tree;
            if !marker.is_empty() {
                document.content_end = Some(marker.start);
                self.cursor = marker.end;
                self.document_start = lines::next(self.source, marker.end);
            }
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: granit_parser::ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
        range: Range<usize>,
    ) {
        use granit_parser::ScalarStyle as Theirs;
        let style = match style {
            Theirs::Plain => ScalarStyle::Plain,
            Theirs::SingleQuoted => ScalarStyle::SingleQuoted,
            Theirs::DoubleQuoted => ScalarStyle::DoubleQuoted,
            Theirs::Literal => ScalarStyle::Literal,
            Theirs::Folded => ScalarStyle::Folded,
        };
        let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let missing = style == ScalarStyle::Plain && range.is_empty();
        let range = if block {
            cursor::block_scalar(self.source, self.after_indicator(), &range, text)
        } else {
            range
        };
        let content = if missing {
            Content::Missing
        } else if self.source[range.clone()] == *text {
            Content::Scalar {
                style,
                text: ScalarText::Source,
            }
        } else if is_quoted(style) && self.source[range.start + 1..range.end - 1] == *text {
            Content::Scalar {
                style,
                text: ScalarText::Quoted,
            }
        } else {
            Content::Scalar {
                style,
                text: ScalarText::Decoded(Zeroizing::new(text.to_owned())),
            }
        };
        let end = range.end;
        self.add(content, anchor, tag, span, range);
        if !missing {
            self.cursor = self.cursor.max(end);
        }
    }

    /// Where the next node can start: after the `-`, `?`, `:` or `,` that is due.
    fn after_indicator(&self) -> usize {
        let next = skip_trivia(self.source, self.cursor);
        match self.source.as_bytes().get(next) {
            Some(b'-' | b'?' | b':' | b',') => next + 1,
            _ => next,
        }
    }

    fn start_collection(
        &mut self,
        content: Content,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
        range: Range<usize>,
    ) -> Result<(), ParseError> {
        if self.open.len() >= MAX_NESTING {
            let at = Position::of(self.source, range.start);
            return Err(ParseError::new(at, "nested too deeply"));
        }
        let end = range.end;
        let flow = matches!(
            content,
            Content::Mapping {
                style: CollectionStyle::Flow,
                ..
            } | Content::Sequence {
                style: CollectionStyle::Flow,
                ..
            }
        );
        let id = self.add(content, anchor, tag, span, range);
        self.flow_depth += usize::from(flow || self.flow_depth > 0);
        if flow {
            // The parser puts the start of an unindented sequence after its first dash.
            self.cursor = self.cursor.max(end);
        }
        self.open.push(Open { id, key: None });
        Ok(())
    }

    fn end_collection(&mut self, marker: &Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        self.flow_depth = self.flow_depth.saturating_sub(1);
        let flow = !marker.is_empty();
        let end = if flow { marker.end } else { self.cursor };
        let first = self.first_child_start(open.id);
        let node = self.tree.node_mut(open.id);
        if let (false, Some(first)) = (flow, first) {
            node.range.start = first;
            node.start = node.start.min(first);
        }
        node.range.end = end.max(node.range.start);
        self.cursor = self.cursor.max(end);
    }

    fn first_child_start(&self, id: NodeId) -> Option<usize> {
        match &self.tree.node(id).content {
            Content::Mapping { entries, .. } => entries
                .first()
                .map(|entry| entry.question.unwrap_or(self.tree.node(entry.key).start)),
            Content::Sequence { items, .. } => items
                .first()
                .map(|item| item.dash.unwrap_or(self.tree.node(item.node).start)),
            _ => None,
        }
    }

    fn alias(&mut self, id: usize, range: Range<usize>) -> Result<(), ParseError> {
        let Some(target) = self.anchors.get(&id).copied() else {
            let at = Position::of(self.source, range.start);
            return Err(ParseError::new(at, "alias of an unknown anchor"));
        };
        let end = range.end;
        let span = Span::default();
        self.add(Content::Alias { target }, 0, None, &span, range);
        self.cursor = self.cursor.max(end);
        Ok(())
    }

    fn anchor(&mut self, id: usize, range: Range<usize>) {
        let Some(last) = self.last_node else { return };
        self.cursor = self.cursor.max(range.end);
        let node = self.tree.node_mut(last);
        if matches!(node.content, Content::Missing) {
            // A value that is not written begins and ends with its properties.
            let end = node.range.end.max(range.end);
            node.range = end..end;
            if node.tag.is_none() {
                node.start = range.start;
            }
        }
        node.start = node.start.min(range.start);
        node.anchor = Some(range);
        self.anchors.insert(id, last);
    }

    /// Puts a node where it belongs: into the collection that is open, or at the top.
    fn add(
        &mut self,
        content: Content,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
        mut range: Range<usize>,
    ) -> NodeId {
        let tag_range = span.tag_span().and_then(|tag| tag.byte_range());
        let mut start = range.start;
        if let Some(tag) = &tag_range {
            start = start.min(tag.start);
            if matches!(content, Content::Missing) {
                range = tag.end.max(range.end)..tag.end.max(range.end);
            }
        }
        let missing_root = self.open.is_empty()
            && tag.is_none()
            && anchor == 0
            && matches!(content, Content::Missing);
        let id = self.tree.push(NodeData {
            range,
            start,
            anchor: None,
            tag: tag.map(short_tag),
            in_flow: self.flow_depth > 0,
            content,
        });
        self.last_node = Some(id);
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        if self.open.is_empty() {
            if !missing_root {
                self.tree.set_root(id);
            }
        } else {
            self.attach(id, start);
        }
        if let Some(tag) = tag_range {
            self.cursor = self.cursor.max(tag.end);
        }
        id
    }

    /// Adds a child to the innermost open collection, with the indicator that the events leave out.
    fn attach(&mut self, id: NodeId, start: usize) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let source = self.source.as_str();
        let in_flow = self.flow_depth > 0;
        let missing = matches!(self.tree.node(id).content, Content::Missing);
        let from = cursor::indicator(source, self.cursor, b',').map_or(self.cursor, |at| at + 1);
        let due = |indicator| cursor::indicator(source, from, indicator).filter(|at| *at <= start);
        let indicator = match &mut self.tree.node_mut(open.id).content {
            Content::Sequence { style, items } => {
                let dash = match style {
                    CollectionStyle::Block => due(b'-'),
                    CollectionStyle::Flow => None,
                };
                items.push(ItemData { dash, node: id });
                dash
            }
            Content::Mapping { entries, .. } => {
                if let Some(key) = open.key.take() {
                    let colon = cursor::indicator(source, self.cursor, b':')
                        .filter(|at| *at <= start)
                        .filter(|at| !missing || in_flow || cursor::is_blank(source, at + 1));
                    entries.push(EntryData {
                        question: key.question,
                        key: key.id,
                        colon,
                        value: id,
                    });
                    colon
                } else {
                    let question = due(b'?').filter(|at| *at < start);
                    open.key = Some(Key { id, question });
                    question
                }
            }
            Content::Alias { .. } | Content::Missing | Content::Scalar { .. } => None,
        };
        if let Some(indicator) = indicator {
            self.cursor = self.cursor.max(indicator + 1);
        }
        let node = self.tree.node_mut(id);
        if matches!(node.content, Content::Missing) && node.tag.is_none() {
            // The parser puts it wherever it noticed, which may be lines below.
            node.range = self.cursor..self.cursor;
            node.start = self.cursor;
        }
    }

    fn finish(mut self) -> Vec<Document> {
        match self.documents.last_mut() {
            // Behind its `...`.
            Some(last) => last.tree.append_comments(self.tree),
            // The parser sees no document in comments alone.
            None if self.tree.has_comments() => {
                let mut document = Pending::new(0, 0);
                document.tree = self.tree;
                self.documents.push(document);
            }
            None => {}
        }
        pending::documents(self.source, self.documents)
    }
}

fn is_quoted(style: ScalarStyle) -> bool {
    matches!(style, ScalarStyle::DoubleQuoted | ScalarStyle::SingleQuoted)
}

fn collection(style: StructureStyle) -> CollectionStyle {
    match style {
        StructureStyle::Block => CollectionStyle::Block,
        StructureStyle::Flow => CollectionStyle::Flow,
    }
}

fn short_tag(tag: &Tag) -> Box<str> {
    const CORE: &str = "tag:yaml.org,2002:";
    let (handle, suffix) = tag.parts();
    let whole = format!("{handle}{suffix}");
    match whole.strip_prefix(CORE) {
        Some(core) => format!("!!{core}").into_boxed_str(),
        None => whole.into_boxed_str(),
    }
}
