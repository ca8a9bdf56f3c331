//! JSON over several lines, as `github.com/tidwall/pretty` lays it out, and on one.

use zeroize::Zeroizing;

use super::json::{self, Elements, Kind, Members};

/// How JSON is laid out.
pub(super) struct Layout {
    /// Arrays that fit into so many columns, and hold no object, stand on one line.
    pub(super) width: i64,
    pub(super) prefix: String,
    pub(super) indent: String,
    pub(super) sort_keys: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            width: 80,
            prefix: String::new(),
            indent: "  ".to_owned(),
            sort_keys: false,
        }
    }
}

/// Lays JSON out, with a line feed at the end.
pub(super) fn pretty(raw: &str, layout: &Layout) -> Zeroizing<String> {
    let mut printer = Printer {
        out: Zeroizing::new(layout.prefix.clone()),
        line: 0,
        layout,
    };
    printer.value(raw.trim(), 0);
    printer.out.push('\n');
    printer.out
}

/// The same without white space.
pub(super) fn ugly(raw: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(raw.len()));
    let mut rest = raw;
    while let Some(start) = rest.find(|c: char| c > ' ') {
        rest = &rest[start..];
        let length = if rest.starts_with('"') {
            json::string_end(rest)
        } else {
            let end = |c: char| c <= ' ' || c == '"';
            rest.find(end).unwrap_or(rest.len())
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

struct Printer<'l> {
    out: Zeroizing<String>,
    /// Where the line begins that is being written.
    line: usize,
    layout: &'l Layout,
}

impl Printer<'_> {
    fn value(&mut self, raw: &str, level: usize) {
        match json::kind(raw) {
            Kind::Object => self.object(raw, level),
            Kind::Array => self.array(raw, level),
            _ => self.out.push_str(raw),
        }
    }

    fn object(&mut self, raw: &str, level: usize) {
        let mut members: Vec<_> = Members::of(raw).collect();
        if self.layout.sort_keys {
            members.sort_by(|(a, _), (b, _)| json::text(a).cmp(&json::text(b)));
        }
        self.out.push('{');
        for (position, (key, value)) in members.iter().enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            self.new_line(level + 1);
            self.out.push_str(key);
            self.out.push_str(": ");
            self.value(value, level + 1);
        }
        self.close('}', level, members.is_empty());
    }

    fn array(&mut self, raw: &str, level: usize) {
        let column = i64::try_from(self.out.len() - self.line).unwrap_or(i64::MAX);
        let room = self.layout.width.saturating_sub(column);
        if self.layout.width > 0 && room > 3 {
            let start = self.out.len();
            let room = usize::try_from(room).unwrap_or_default();
            if self.on_one_line(raw) && self.out.len() - start <= room {
                return;
            }
            self.out.truncate(start);
        }
        self.out.push('[');
        let mut is_empty = true;
        for element in Elements::of(raw) {
            if !is_empty {
                self.out.push(',');
                if self.layout.width != -1 {
                    self.out.push(' ');
                }
            }
            is_empty = false;
            self.new_line(level + 1);
            self.value(element, level + 1);
        }
        self.close(']', level, is_empty);
    }

    /// Whether there is no object in it.
    fn on_one_line(&mut self, raw: &str) -> bool {
        match json::kind(raw) {
            Kind::Object => return false,
            Kind::Array => {}
            _ => {
                self.out.push_str(raw);
                return true;
            }
        }
        self.out.push('[');
        for (position, element) in Elements::of(raw).enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            if !self.on_one_line(element) {
                return false;
            }
        }
        self.out.push(']');
        true
    }

    fn close(&mut self, bracket: char, level: usize, is_empty: bool) {
        if !is_empty {
            self.new_line(level);
        }
        self.out.push(bracket);
    }

    /// The line begins behind its line feed if that took the place of a space, else with it.
    fn new_line(&mut self, level: usize) {
        self.line = self.out.len();
        if self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
        self.out.push_str(&self.layout.prefix);
        for _ in 0..level {
            self.out.push_str(&self.layout.indent);
        }
    }
}
