//! Writes a tree as people write YAML: styles, comments, blank lines, indentation at random.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;

use super::{Tree, tree};

/// A tree and a text that says it.
pub fn document() -> impl Strategy<Value = (Tree, String)> {
    (tree(), any::<u64>()).prop_map(|(tree, seed)| {
        let mut writer = Writer {
            out: String::new(),
            dice: seed | 1,
            line_break: "\n",
            step: 2,
        };
        writer.document(&tree);
        (tree, writer.out)
    })
}

struct Writer {
    out: String,
    dice: u64,
    line_break: &'static str,
    step: usize,
}

impl Writer {
    /// A throw of a die: deterministic by the seed, so that failures shrink.
    fn roll(&mut self, sides: u64) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % sides
    }

    fn document(&mut self, tree: &Tree) {
        self.line_break = if self.roll(6) == 0 { "\r\n" } else { "\n" };
        self.step = [2, 4, 3][usize::try_from(self.roll(3)).unwrap_or_default()];
        match self.roll(8) {
            0 => {
                let value = Value::from(tree);
                let json = if self.roll(2) == 0 {
                    value.to_string()
                } else {
                    serde_json::to_string_pretty(&value).unwrap_or_default()
                };
                self.out = json;
            }
            1 => {
                self.out.push_str("---");
                self.end_line();
                self.block(tree, 0);
                self.out.push_str("...");
                self.end_line();
            }
            _ => self.block(tree, 0),
        }
        if self.roll(5) == 0 {
            while self.out.ends_with(['\n', '\r']) && !self.ends_in_block_scalar() {
                self.out.pop();
            }
        }
    }

    /// Cutting a line break there would change the value.
    fn ends_in_block_scalar(&self) -> bool {
        self.out.contains('|')
    }

    fn end_line(&mut self) {
        self.out.push_str(self.line_break);
    }

    fn pad(&mut self, indent: usize) {
        let _ = write!(self.out, "{:indent$}", "");
    }

    fn noise(&mut self, indent: usize) {
        match self.roll(8) {
            0 => self.end_line(),
            1 => {
                self.pad(indent);
                self.out.push_str("# note: 'x' {");
                self.end_line();
            }
            _ => {}
        }
    }

    fn end_of_scalar(&mut self) {
        if self.roll(6) == 0 {
            self.out.push_str("  # c, \"d\"");
        }
        self.end_line();
    }

    /// A mapping on lines of its own.
    fn block(&mut self, tree: &Tree, indent: usize) {
        let Tree::Mapping(entries) = tree else { return };
        if entries.is_empty() {
            self.out.push_str("{}");
            self.end_line();
        }
        self.entries(entries, indent, false);
    }

    fn entries(&mut self, entries: &[(String, Tree)], indent: usize, mut started: bool) {
        for (key, value) in entries {
            if started {
                started = false;
            } else {
                self.noise(indent);
                self.pad(indent);
            }
            let key = self.inline_text(key, false, true);
            self.out.push_str(&key);
            self.out.push(':');
            self.value(value, indent);
        }
    }

    /// What stands after a `:`.
    fn value(&mut self, value: &Tree, indent: usize) {
        match value {
            Tree::Mapping(entries) if !entries.is_empty() && self.roll(5) > 0 => {
                self.end_of_scalar();
                self.entries(entries, indent + self.step, false);
            }
            Tree::Sequence(items) if !items.is_empty() && self.roll(5) > 0 => {
                self.end_of_scalar();
                let inner = if self.roll(2) == 0 {
                    indent
                } else {
                    indent + self.step
                };
                for item in items {
                    self.noise(inner);
                    self.pad(inner);
                    self.out.push('-');
                    match item {
                        Tree::Mapping(entries) if !entries.is_empty() && self.roll(3) > 0 => {
                            self.out.push(' ');
                            self.entries(entries, inner + 2, true);
                        }
                        other => self.scalar_line(other, inner),
                    }
                }
            }
            other => self.scalar_line(other, indent),
        }
    }

    fn scalar_line(&mut self, value: &Tree, indent: usize) {
        if let Tree::Text(text) = value
            && self.roll(2) == 0
            && is_block_text(text)
        {
            self.out
                .push_str(if text.ends_with('\n') { " |" } else { " |-" });
            self.end_line();
            for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                self.pad(indent + self.step);
                self.out.push_str(line);
                self.end_line();
            }
            return;
        }
        if matches!(value, Tree::Null) && self.roll(2) == 0 {
            return self.end_of_scalar();
        }
        let text = self.flow(value);
        self.out.push(' ');
        self.out.push_str(&text);
        self.end_of_scalar();
    }

    fn flow(&mut self, value: &Tree) -> String {
        match value {
            Tree::Sequence(items) => {
                let items: Vec<_> = items.iter().map(|item| self.flow(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Tree::Mapping(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| {
                        format!(
                            "{}: {}",
                            self.inline_text(key, true, true),
                            self.flow(value)
                        )
                    })
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
            Tree::Text(text) => self.inline_text(text, true, false),
            other => Value::from(other).to_string(),
        }
    }

    fn inline_text(&mut self, text: &str, _flow: bool, key: bool) -> String {
        let simple = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase());
        let word = matches!(
            text,
            "yes" | "no" | "on" | "off" | "null" | "true" | "false"
        );
        let printable = !text.contains(['\n', '\r', '\t']);
        match self.roll(3) {
            _ if key && text.len() == 1 && text.starts_with(['a', 'b', 'c', 'd', 'e']) => {
                text.to_owned()
            }
            0 if simple && !word => text.to_owned(),
            1 if printable => format!("'{}'", text.replace('\'', "''")),
            _ => Value::from(text).to_string(),
        }
    }
}

/// Text that stands in a block scalar without an indentation indicator.
fn is_block_text(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    !body.is_empty()
        && !body.ends_with('\n')
        && !body.starts_with([' ', '\n', '\t'])
        && !body.contains(['\r', '\t'])
        && body.split('\n').all(|line| !line.ends_with(' '))
}
