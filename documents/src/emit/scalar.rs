//! Scalars on the page: where the column stands, what is escaped, where lines are folded.

use serde_json::Number;

use super::escape::escape;
use super::style::{self, Style, is_break, is_printable};
use crate::value::go_float;

/// Text is folded at the first space after this column.
const WIDTH: usize = 80;

/// The text written so far.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    column: usize,
    /// The last thing written asks for no space after it.
    spaced: bool,
}

impl Writer {
    pub(super) fn finish(mut self) -> String {
        if !self.out.ends_with('\n') || self.column > 0 {
            self.break_line();
        }
        self.out
    }

    /// Begins a line, if it is not begun, with its indentation.
    pub(super) fn line(&mut self, indent: usize) {
        if self.column > 0 {
            self.break_line();
        }
        for _ in 0..indent {
            self.push(' ');
        }
        self.spaced = true;
    }

    pub(super) fn indicator(&mut self, indicator: &str) {
        self.space();
        self.push_str(indicator);
    }

    pub(super) fn colon(&mut self) {
        self.push(':');
        self.spaced = false;
    }

    pub(super) fn plain(&mut self, text: &str) {
        self.space();
        self.push_str(text);
    }

    /// A string. `indent` is where its further lines begin.
    pub(super) fn text(&mut self, text: &str, indent: usize, simple_key: bool) {
        let may_fold = !simple_key;
        match style::of(text, simple_key) {
            Style::Plain => {
                self.space();
                self.folded(text, indent, may_fold, false);
            }
            Style::SingleQuoted => {
                self.space();
                self.push('\'');
                self.folded(&text.replace('\'', "''"), indent, may_fold, true);
                self.push('\'');
            }
            Style::DoubleQuoted => self.double_quoted(text, indent, may_fold),
            Style::Literal => self.literal(text, indent),
        }
        self.spaced = false;
    }

    /// Plain or single-quoted text, which has single line breaks at most.
    fn folded(&mut self, text: &str, indent: usize, may_fold: bool, quoted: bool) {
        let mut after_space = false;
        let mut after_break = false;
        let mut chars = text.chars().peekable();
        let mut first = true;
        while let Some(char) = chars.next() {
            let next = chars.peek().copied();
            if char == ' ' {
                let inside = !quoted || (!first && next.is_some());
                let fold =
                    may_fold && !after_space && self.column > WIDTH && inside && next != Some(' ');
                if fold {
                    self.line(indent);
                } else {
                    self.push(' ');
                }
                after_space = true;
            } else if is_break(char) {
                if !after_break && char == '\n' {
                    self.break_line();
                }
                self.push_break(char);
                after_break = true;
            } else {
                if after_break {
                    self.line(indent);
                }
                self.push(char);
                after_space = false;
                after_break = false;
            }
            first = false;
        }
    }

    fn double_quoted(&mut self, text: &str, indent: usize, may_fold: bool) {
        self.space();
        self.push('"');
        let mut after_space = false;
        let mut chars = text.chars().peekable();
        let mut first = true;
        // The peer looks for the mark at the start of the text at every character.
        let escape_all = text.starts_with('\u{feff}');
        while let Some(char) = chars.next() {
            let next = chars.peek().copied();
            if escape_all || !is_printable(char) || is_break(char) || matches!(char, '"' | '\\') {
                self.escape(char);
                after_space = false;
            } else if char == ' ' {
                if may_fold && !after_space && self.column > WIDTH && !first && next.is_some() {
                    self.line(indent);
                    if next == Some(' ') {
                        self.push('\\');
                    }
                } else {
                    self.push(' ');
                }
                after_space = true;
            } else {
                self.push(char);
                after_space = false;
            }
            first = false;
        }
        self.push('"');
    }

    fn escape(&mut self, char: char) {
        let before = self.out.len();
        escape(char, &mut self.out);
        self.column += self.out.len() - before;
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.space();
        self.push('|');
        if text.starts_with(|char| char == ' ' || is_break(char)) {
            self.push('2');
        }
        let mut from_end = text.chars().rev();
        match (from_end.next().is_some_and(is_break), from_end.next()) {
            (false, _) => self.push('-'),
            (true, None) => self.push('+'),
            (true, Some(before)) if is_break(before) => self.push('+'),
            (true, Some(_)) => {}
        }
        self.break_line();
        let mut after_break = true;
        for char in text.chars() {
            if is_break(char) {
                self.push_break(char);
                after_break = true;
            } else {
                if after_break {
                    self.line(indent);
                }
                self.push(char);
                after_break = false;
            }
        }
    }

    fn space(&mut self) {
        if !self.spaced && !self.out.is_empty() {
            self.push(' ');
        }
        self.spaced = false;
    }

    fn push(&mut self, char: char) {
        self.out.push(char);
        self.column += 1;
    }

    fn push_str(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn break_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn push_break(&mut self, char: char) {
        self.out.push(char);
        self.column = 0;
    }
}

/// A number as it reads after Go's JSON and go-yaml have had it: integers up to 64 bits, floating
/// point numbers in their shortest form, those without a fraction as integers if they fit.
pub(super) fn number(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    let value = number.as_f64().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a bound, and 2^64 is exact")]
    let fits = value < u64::MAX as f64 && value >= i64::MIN as f64;
    if value.fract() == 0.0 && fits {
        format!("{value:.0}")
    } else {
        go_float(value)
    }
}
