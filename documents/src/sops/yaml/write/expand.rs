//! What stands in the place of an alias whose values are encrypted: each for its own place.

use signet_keys::sops::Value;

use super::Layout;
use crate::{
    lines,
    sops::{
        outline::{Leaf, Outcome, Step},
        yaml::spell::{self, Style},
    },
    yaml::Node,
};

/// The key that has its map merged into the one around it.
const MERGE: &str = "<<";

/// The text for an alias. A collection in block style that belongs below its key begins with a line
/// break.
pub(super) fn text(
    source: &str,
    layout: Layout,
    alias: Node<'_>,
    key: Option<usize>,
    steps: &[Step<'_>],
    outcomes: &[&Outcome],
) -> String {
    let mut cursor = Cursor {
        steps,
        outcomes,
        layout,
        index: 0,
    };
    if alias.is_in_flow() {
        return cursor.flow();
    }
    if let Some(key) = key {
        return cursor.block_value(lines::column(source, key));
    }
    let dash = source[..alias.full_range().start].rfind('-').unwrap_or(0);
    cursor.block_item(lines::column(source, dash))
}

struct Cursor<'a, 's> {
    steps: &'a [Step<'s>],
    outcomes: &'a [&'a Outcome],
    layout: Layout,
    index: usize,
}

impl<'a, 's> Cursor<'a, 's> {
    fn next(&mut self) -> Option<&'a Step<'s>> {
        self.index += 1;
        self.steps.get(self.index - 1)
    }

    fn peek(&self) -> Option<&'a Step<'s>> {
        self.steps.get(self.index)
    }

    fn outcome(&mut self) -> Option<Outcome> {
        let (first, rest) = self.outcomes.split_first()?;
        self.outcomes = rest;
        Some((*first).clone())
    }

    fn line(&self, out: &mut String, indent: usize) {
        out.push_str(self.layout.line_break);
        out.extend(std::iter::repeat_n(' ', indent));
    }

    /// The value of a key that is in a column, without the space behind its colon.
    fn block_value(&mut self, column: usize) -> String {
        let step = self.layout.step;
        let inner = (column + step) / step * step;
        match self.peek() {
            Some(Step::Map | Step::List) => {
                let rest = self.collection(inner);
                if rest.starts_with(['{', '[']) {
                    return rest;
                }
                let mut out = String::new();
                self.line(&mut out, inner);
                out + &rest
            }
            _ => self.scalar(false),
        }
    }

    /// An item whose dash is in a column.
    fn block_item(&mut self, column: usize) -> String {
        match self.peek() {
            Some(Step::Map | Step::List) => self.collection(column + 2),
            _ => self.scalar(false),
        }
    }

    /// A map or list in block style; its first line has no indentation.
    fn collection(&mut self, indent: usize) -> String {
        let is_map = matches!(self.next(), Some(Step::Map));
        let mut out = String::new();
        let mut is_empty = true;
        // Behind what comes next, or at the end.
        let mut inline = String::new();
        while let Some(step) = self.next() {
            match step {
                Step::End => break,
                Step::Comment { text, inline: true } => {
                    inline.push(' ');
                    inline.push_str(&self.comment(text, indent));
                    continue;
                }
                Step::Comment { text, .. } => {
                    self.start(&mut out, indent);
                    out.push_str(&self.comment(text, indent));
                    continue;
                }
                _ => {}
            }
            is_empty = false;
            self.start(&mut out, indent);
            let value = if let Step::Key(key) = step {
                out.push_str(&key_text(key));
                out.push(':');
                self.block_value(indent)
            } else {
                self.index -= 1;
                out.push('-');
                self.block_item(indent)
            };
            if !value.starts_with(['\n', '\r']) {
                out.push(' ');
            }
            let (first, below) = value.split_at(value.find(['\n', '\r']).unwrap_or(value.len()));
            out.push_str(first);
            out.push_str(&std::mem::take(&mut inline));
            out.push_str(below);
        }
        if is_empty {
            self.start(&mut out, indent);
            out.push_str(if is_map { "{}" } else { "[]" });
        } else if !inline.is_empty() {
            self.start(&mut out, indent);
            inline.remove(0);
        }
        out + &inline
    }

    fn start(&self, out: &mut String, indent: usize) {
        if !out.is_empty() {
            self.line(out, indent);
        }
    }

    fn comment(&mut self, text: &str, indent: usize) -> String {
        let text = self.comment_text(text);
        spell::comment(&text, indent, self.layout.line_break)
    }

    fn comment_text(&mut self, text: &str) -> String {
        match self.outcome() {
            Some(Outcome::Encrypted { text, .. }) => text,
            Some(Outcome::Plain(value)) => {
                String::from_utf8_lossy(value.plaintext().expose()).into_owned()
            }
            Some(Outcome::Keep) | None => text.to_owned(),
        }
    }

    /// Everything on one line, without comments.
    fn flow(&mut self) -> String {
        let Some(step) = self.peek() else {
            return String::new();
        };
        let is_map = match step {
            Step::Map => true,
            Step::List => false,
            _ => return self.scalar(true),
        };
        self.index += 1;
        let mut parts = Vec::new();
        while let Some(step) = self.next() {
            match step {
                Step::End => break,
                Step::Comment { text, .. } => {
                    self.comment_text(text);
                }
                Step::Key(key) => {
                    let value = self.flow();
                    let key = match key.as_ref() {
                        // In quotes it would merge nothing.
                        MERGE => MERGE.to_owned(),
                        key => spell::double_quoted(key),
                    };
                    parts.push(format!("{key}: {value}"));
                }
                _ => {
                    self.index -= 1;
                    parts.push(self.flow());
                }
            }
        }
        let parts = parts.join(", ");
        if is_map {
            format!("{{{parts}}}")
        } else {
            format!("[{parts}]")
        }
    }

    fn scalar(&mut self, in_flow: bool) -> String {
        let step = self.next();
        let Some(Step::Value(leaf)) = step else {
            return "null".to_owned();
        };
        let value = match self.outcome() {
            Some(Outcome::Encrypted { text, .. }) if in_flow => return format!("'{text}'"),
            Some(Outcome::Encrypted { text, .. }) => return text,
            Some(Outcome::Plain(value)) => value,
            Some(Outcome::Keep) | None => match leaf {
                Leaf::Text(text) => Value::text(text.as_bytes()),
                Leaf::Typed(value) => value.clone(),
            },
        };
        spell::typed(&value).unwrap_or_else(|| {
            let text = String::from_utf8_lossy(value.plaintext().expose());
            one_line(&text, in_flow)
        })
    }
}

fn key_text(key: &str) -> String {
    one_line(key, false)
}

fn one_line(text: &str, in_flow: bool) -> String {
    match spell::style(text, false) {
        Style::Plain if !in_flow => text.to_owned(),
        Style::SingleQuoted => spell::single_quoted(text),
        Style::Plain if spell::is_plain_in_flow(text) => text.to_owned(),
        Style::Plain | Style::DoubleQuoted | Style::Literal => spell::double_quoted(text),
    }
}
