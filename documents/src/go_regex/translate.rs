//! Go's grammar, read from left to right; each piece is written so that it means the same wherever it
//! stands.

use super::class;
use super::cursor::Cursor;
use super::escape::{self, Set};
use super::repeat::{self, Bounds};

/// Deepest nesting of groups.
pub(super) const MAX_GROUPS: usize = 250;

/// A pattern for Rust.
pub(super) struct Translated {
    pub(super) text: String,
    /// Names of the groups that capture, in their order; of most, nothing.
    pub(super) groups: Vec<String>,
}

/// What becomes of groups that capture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Captures {
    Keep,
    Drop,
}

/// The pattern for Rust; in an error, what is wrong with it.
pub(super) fn translate(pattern: &str, captures: Captures) -> Result<Translated, String> {
    let mut translator = Translator {
        cursor: Cursor::new(pattern),
        flags: Flags::default(),
        group: Group::default(),
        outer: Vec::new(),
        behind_repetition: false,
        captures,
        groups: Vec::new(),
    };
    while translator.cursor.peek().is_some() {
        translator.behind_repetition = translator.step()?;
    }
    if !translator.outer.is_empty() {
        return Err("missing closing `)`".to_owned());
    }
    Ok(Translated {
        text: translator.group.close().text,
        groups: translator.groups,
    })
}

/// Flags that change what matches.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// `i`
    fold_case: bool,
    /// `m`
    multi_line: bool,
    /// `s`
    dot_matches_line_feed: bool,
    /// `U`
    greed: Greed,
}

/// What a repetition without a `?` behind it takes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Greed {
    #[default]
    Most,
    Least,
}

/// A piece that a repetition can stand behind.
struct Piece {
    text: String,
    /// How often a character in it is repeated at most, by counts.
    repeats: u32,
}

impl Piece {
    fn new(text: String) -> Self {
        Self { text, repeats: 1 }
    }
}

/// An open group.
#[derive(Default)]
struct Group {
    /// Alternatives that are complete, with a bar behind each.
    alternatives: String,
    pieces: Vec<Piece>,
    repeats: u32,
    /// What holds again behind it.
    flags_outside: Flags,
    captures: bool,
}

impl Group {
    fn end_alternative(&mut self) {
        for piece in self.pieces.drain(..) {
            self.alternatives.push_str(&piece.text);
            self.repeats = self.repeats.max(piece.repeats);
        }
    }

    fn close(mut self) -> Piece {
        self.end_alternative();
        let open = if self.captures { "(" } else { "(?:" };
        Piece {
            text: format!("{open}{})", self.alternatives),
            repeats: self.repeats.max(1),
        }
    }
}

struct Translator<'p> {
    cursor: Cursor<'p>,
    flags: Flags,
    group: Group,
    outer: Vec<Group>,
    /// No repetition may stand directly behind another.
    behind_repetition: bool,
    captures: Captures,
    groups: Vec<String>,
}

impl Translator<'_> {
    /// Reads one piece; true if it is a repetition.
    fn step(&mut self) -> Result<bool, String> {
        match self.cursor.peek() {
            Some('(') => self.open()?,
            Some(')') => {
                let outer = self.outer.pop().ok_or("unexpected `)`")?;
                self.cursor.next();
                self.flags = self.group.flags_outside;
                let piece = std::mem::replace(&mut self.group, outer).close();
                self.group.pieces.push(piece);
            }
            Some('|') => {
                self.cursor.next();
                self.group.end_alternative();
                self.group.alternatives.push('|');
            }
            Some('[') => {
                let class = class::class(&mut self.cursor)?;
                self.push_set(class);
            }
            Some('.') => {
                self.cursor.next();
                let all = self.flags.dot_matches_line_feed;
                self.push(if all { "(?s:.)" } else { r"[^\n]" }.to_owned());
            }
            Some('^') => {
                self.cursor.next();
                let lines = self.flags.multi_line;
                self.push(if lines { "(?m:^)" } else { r"\A" }.to_owned());
            }
            Some('$') => {
                self.cursor.next();
                let lines = self.flags.multi_line;
                self.push(if lines { "(?m:$)" } else { r"\z" }.to_owned());
            }
            Some('*' | '+' | '?') => {
                let operator = self.cursor.next().unwrap_or_default();
                self.repeat(&operator.to_string(), None)?;
                return Ok(true);
            }
            Some('{') => match repeat::bounds(&mut self.cursor)? {
                Some(bounds) => {
                    let written = match bounds.max {
                        Some(max) => format!("{{{},{max}}}", bounds.min),
                        None => format!("{{{},}}", bounds.min),
                    };
                    self.repeat(&written, Some(bounds))?;
                    return Ok(true);
                }
                None => self.text_character(),
            },
            Some('\\') => self.backslash()?,
            _ => self.text_character(),
        }
        Ok(false)
    }

    fn push(&mut self, text: String) {
        self.group.pieces.push(Piece::new(text));
    }

    fn push_set(&mut self, set: String) {
        let folded = self.flags.fold_case;
        self.push(if folded { format!("(?i:{set})") } else { set });
    }

    fn push_character(&mut self, char: char) {
        let text = regex::escape(char.encode_utf8(&mut [0; 4]));
        let folded = self.flags.fold_case && (char.is_ascii_alphabetic() || !char.is_ascii());
        self.push(if folded { format!("(?i:{text})") } else { text });
    }

    fn text_character(&mut self) {
        if let Some(char) = self.cursor.next() {
            self.push_character(char);
        }
    }

    /// Puts a repetition behind the last piece. A group that only sets flags is none, so the piece
    /// before it is meant.
    fn repeat(&mut self, written: &str, bounds: Option<Bounds>) -> Result<(), String> {
        let is_lazy = self.cursor.eat("?") != (self.flags.greed == Greed::Least);
        let piece = self.group.pieces.last_mut();
        let piece =
            piece.ok_or_else(|| format!("missing argument to repetition operator `{written}`"))?;
        if self.behind_repetition {
            return Err(format!("invalid nested repetition operator `{written}`"));
        }
        let counted = bounds.map(|bounds| bounds.max.unwrap_or(bounds.min));
        let repeats = match counted {
            // What is not there at all costs nothing.
            Some(0) => 1,
            Some(count) => piece.repeats.saturating_mul(count),
            None => piece.repeats,
        };
        let is_count = bounds.is_some_and(|bounds| bounds.min.max(bounds.max.unwrap_or(0)) >= 2);
        if is_count && repeats > repeat::MAX {
            return Err(format!(
                "invalid repeat count `{written}`: over {} in all",
                repeat::MAX
            ));
        }
        let greed = if is_lazy { "?" } else { "" };
        *piece = Piece {
            text: format!("(?:{}){written}{greed}", piece.text),
            repeats,
        };
        Ok(())
    }

    fn backslash(&mut self) -> Result<(), String> {
        let cursor = &mut self.cursor;
        if cursor.eat(r"\A") {
            self.push(r"\A".to_owned());
        } else if cursor.eat(r"\z") {
            self.push(r"\z".to_owned());
        } else if cursor.eat(r"\b") {
            self.push(r"(?-u:\b)".to_owned());
        } else if cursor.eat(r"\B") {
            self.push(r"(?-u:\B)".to_owned());
        } else if cursor.eat(r"\Q") {
            let quoted = match cursor.until(r"\E") {
                Some(quoted) => quoted,
                None => cursor.take_while(|_| true),
            };
            quoted.chars().for_each(|char| self.push_character(char));
        } else if let Some(set) = escape::set(cursor)? {
            self.push_set(match set {
                Set::Perl { ranges, negated } => {
                    let caret = if negated { "^" } else { "" };
                    format!("[{caret}{ranges}]")
                }
                Set::Unicode(class) => class,
            });
        } else {
            let char = escape::character(cursor)?;
            self.push_character(char);
        }
        Ok(())
    }

    /// Reads a `(` and what follows it: a group, or flags for the rest of the one that is open.
    fn open(&mut self) -> Result<(), String> {
        let start = self.cursor;
        let outside = self.flags;
        self.cursor.next();
        let mut captures = None;
        if self.cursor.eat("?P<") || self.cursor.eat("?<") {
            captures = Some(self.name()?);
        } else if self.cursor.eat("?") {
            let opens = self.set_flags();
            let opens = opens.ok_or_else(|| {
                let end = start.rest().char_indices().nth(3);
                let shown = &start.rest()[..end.map_or(start.rest().len(), |(end, _)| end)];
                format!("`{shown}` is not supported")
            })?;
            if !opens {
                return Ok(());
            }
        } else {
            captures = Some(String::new());
        }
        if self.outer.len() >= MAX_GROUPS {
            return Err(format!("more than {MAX_GROUPS} nested groups"));
        }
        let captures = captures.filter(|_| self.captures == Captures::Keep);
        let group = Group {
            flags_outside: outside,
            captures: captures.is_some(),
            ..Group::default()
        };
        self.groups.extend(captures);
        self.outer.push(std::mem::replace(&mut self.group, group));
        Ok(())
    }

    fn name(&mut self) -> Result<String, String> {
        let name = self.cursor.until(">").unwrap_or_default();
        let word = |char: char| char.is_ascii_alphanumeric() || char == '_';
        if name.is_empty() || !name.chars().all(word) {
            return Err(format!("invalid name of a group `{name}`"));
        }
        Ok(name.to_owned())
    }

    /// Reads `i-s:` or `i-s)`: whether a group opens; `None` if these are no flags.
    fn set_flags(&mut self) -> Option<bool> {
        let mut flags = self.flags;
        let mut on = true;
        let mut since_sign = 0;
        loop {
            let flag = self.cursor.next()?;
            since_sign += 1;
            match flag {
                'i' => flags.fold_case = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_matches_line_feed = on,
                'U' if on => flags.greed = Greed::Least,
                'U' => flags.greed = Greed::Most,
                '-' if on => {
                    on = false;
                    since_sign = 0;
                }
                ':' | ')' if on || since_sign > 1 => {
                    self.flags = flags;
                    return Some(flag == ':');
                }
                _ => return None,
            }
        }
    }
}
