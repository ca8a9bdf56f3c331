//! YAML files by chance, the same for the same seed. No comment ends a map or list: sops itself loses
//! some of those.

use std::fmt::Write as _;

/// What the file looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Scalars only.
    Flat,
    /// Maps of scalars only.
    Sections,
    /// Maps and lists in each other.
    Nested,
}

pub(crate) struct Generator {
    state: u64,
    out: String,
    keys: usize,
    /// Whether values may be such that sops does not read back what it writes to INI.
    any_text: bool,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            out: String::new(),
            keys: 0,
            any_text: true,
        }
    }

    pub(crate) fn yaml(&mut self, shape: Shape) -> String {
        match shape {
            Shape::Flat => self.map(0, 0),
            Shape::Nested => self.map(0, 3),
            Shape::Sections => {
                self.any_text = false;
                for _ in 0..4 {
                    let key = self.key();
                    let _ = writeln!(self.out, "{key}:");
                    self.map(1, 0);
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    fn next(&mut self, below: usize) -> usize {
        // xorshift: good enough to vary files.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % below as u64).unwrap()
    }

    fn map(&mut self, level: usize, depth: usize) {
        for _ in 0..2 + self.next(5) {
            self.comment(level);
            let key = self.key();
            self.indent(level);
            self.out.push_str(&key);
            self.out.push(':');
            self.value(level, depth);
        }
    }

    fn list(&mut self, level: usize, depth: usize) {
        for _ in 0..=self.next(4) {
            self.comment(level);
            self.indent(level);
            self.out.push('-');
            if depth > 0 && self.next(4) == 0 {
                let key = self.key();
                let _ = write!(self.out, " {key}:");
                self.value(level + 1, depth - 1);
            } else {
                self.scalar();
            }
        }
    }

    fn value(&mut self, level: usize, depth: usize) {
        match self.next(5) {
            0 if depth > 0 => {
                self.out.push('\n');
                self.map(level + 1, depth - 1);
            }
            1 if depth > 0 => {
                self.out.push('\n');
                self.list(level + 1, depth - 1);
            }
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) {
        const PLAIN: [&str; 12] = [
            "12",
            "-7",
            "1.5",
            "1e20",
            "0x1f",
            "true",
            "False",
            "null",
            "~",
            "2024-01-31",
            "x y",
            "1_000",
        ];
        if self.next(3) == 0 {
            let plain = PLAIN[self.next(PLAIN.len())];
            let _ = write!(self.out, " {plain}");
        } else {
            let text = self.text();
            let _ = write!(self.out, " {}", serde_json::Value::from(text));
        }
        if self.next(6) == 0 {
            self.out.push_str(" # behind");
        }
        self.out.push('\n');
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 28] = [
            "a", "b c", " ", "\n", "\t", ":", "#", "- ", "'", "\"", "\\", "yes", "no", "1", "2.5",
            "null", "é", "😀", "{", "]", ",", "&x", "*", "!", "%", "@", "`", "=",
        ];
        let length = self.next(5);
        let text: String = (0..length)
            .map(|_| PIECES[self.next(PIECES.len())])
            .collect();
        if self.any_text {
            text
        } else {
            text.replace(['\\', '\'', '"'], "q")
        }
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("k{}", self.keys)
    }

    fn comment(&mut self, level: usize) {
        if self.next(5) == 0 {
            self.indent(level);
            let _ = writeln!(self.out, "# {}", self.keys);
        }
    }

    fn indent(&mut self, level: usize) {
        self.out.extend(std::iter::repeat_n("  ", level));
    }
}
