//! The page: where the column stands, and which comments wait to be written.
//!
//! go-yaml writes a comment when it comes by a place that takes one of its kind, which is often later
//! than where it was found. The places here are the same and in the same order.

use zeroize::Zeroizing;

use super::node::Comments;

pub(super) struct Writer<'t> {
    out: Zeroizing<String>,
    column: usize,
    /// Nothing, or white space, stands before the column.
    pub(super) spaced: bool,
    /// Only indentation stands before the column.
    fresh: bool,
    /// Of what is being written; `None` above the root.
    pub(super) indent: Option<usize>,
    /// Indentation of a comment that was the foot of something: an empty line goes below it.
    foot: Option<usize>,
    pub(super) waiting: Waiting<'t>,
}

/// Comments that were come by and not written yet.
#[derive(Default)]
pub(super) struct Waiting<'t> {
    pub(super) head: Comments<'t>,
    pub(super) line: Comments<'t>,
    pub(super) foot: Comments<'t>,
    /// Of the value before.
    pub(super) tail: Comments<'t>,
    /// Behind a key.
    pub(super) key_line: Comments<'t>,
}

/// What an indicator leaves behind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Something that needs a space.
    Text,
    /// A place that needs no space.
    Space,
    /// A place to go on as if the line had just begun.
    Indentation,
}

impl Writer<'_> {
    pub(super) fn new() -> Self {
        Self {
            out: Zeroizing::default(),
            column: 0,
            spaced: true,
            fresh: true,
            indent: None,
            foot: None,
            waiting: Waiting::default(),
        }
    }

    pub(super) fn finish(self) -> Zeroizing<String> {
        self.out
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// Begins a line with its indentation, unless it is begun.
    pub(super) fn begin_line(&mut self) {
        let indent = self.indent.unwrap_or_default();
        if !self.fresh || self.column > indent || (self.column == indent && !self.spaced) {
            self.break_line();
        }
        if self.foot.take() == Some(indent) {
            self.break_line();
        }
        while self.column < indent {
            self.push(' ');
        }
        self.spaced = true;
    }

    /// Text that is one with what follows it or needs a space, as told.
    pub(super) fn indicator(&mut self, text: &str, needs_space: bool, leaves: Leaves) {
        if needs_space {
            self.space();
        }
        text.chars().for_each(|char| self.push(char));
        self.spaced = leaves == Leaves::Space;
        self.fresh &= leaves == Leaves::Indentation;
    }

    /// Text of a scalar.
    pub(super) fn text(&mut self, text: &str) {
        self.space();
        text.chars().for_each(|char| self.push(char));
        self.spaced = false;
        self.fresh = false;
    }

    pub(super) fn space(&mut self) {
        if !self.spaced {
            self.push(' ');
        }
    }

    pub(super) fn push(&mut self, char: char) {
        self.out.push(char);
        self.column += 1;
    }

    /// Marks that something else than indentation was pushed.
    pub(super) fn pushed_text(&mut self) {
        self.fresh = false;
    }

    pub(super) fn break_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.fresh = true;
    }

    /// A line break of a text as it is: there are others than LF.
    pub(super) fn push_break(&mut self, char: char) {
        self.out.push(char);
        self.column = 0;
        self.fresh = true;
    }

    /// A place for comments above something.
    pub(super) fn head_comment(&mut self) {
        let tail = std::mem::take(&mut self.waiting.tail);
        if !tail.is_empty() {
            self.begin_line();
            self.comment(&tail);
            self.foot = Some(self.indent.unwrap_or_default());
        }
        let head = std::mem::take(&mut self.waiting.head);
        if !head.is_empty() {
            self.begin_line();
            self.comment(&head);
        }
    }

    /// A place for comments behind something. True if there was one: the line is then ended.
    pub(super) fn line_comment(&mut self) -> bool {
        let line = std::mem::take(&mut self.waiting.line);
        if line.is_empty() {
            return false;
        }
        self.space();
        self.comment(&line);
        true
    }

    /// A place for comments below something.
    pub(super) fn foot_comment(&mut self) {
        let foot = std::mem::take(&mut self.waiting.foot);
        if !foot.is_empty() {
            self.begin_line();
            self.comment(&foot);
            self.foot = Some(self.indent.unwrap_or_default());
        }
    }

    /// The end of a document.
    pub(super) fn end_document(&mut self) {
        self.foot = Some(0);
        self.foot_comment();
        self.foot = None;
        self.begin_line();
    }

    /// A comment of several lines, the first of which is begun.
    fn comment(&mut self, comments: &Comments<'_>) {
        for (index, comment) in comments.iter().enumerate() {
            for (line_index, line) in comment.split('\n').enumerate() {
                if index + line_index > 0 {
                    self.break_line();
                }
                if line_index > 0 && line.is_empty() {
                    continue;
                }
                if index + line_index > 0 {
                    self.begin_line();
                }
                if line_index == 0 {
                    self.push('#');
                } else if !line.starts_with('#') {
                    self.push('#');
                    self.push(' ');
                }
                line.chars().for_each(|char| self.push(char));
                self.fresh = false;
            }
        }
        if self.column > 0 {
            self.break_line();
        }
        self.spaced = true;
    }
}
