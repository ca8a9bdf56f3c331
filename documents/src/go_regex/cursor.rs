//! A place in a pattern.

/// What is left to read of a pattern.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'p> {
    rest: &'p str,
}

impl<'p> Cursor<'p> {
    pub(super) fn new(pattern: &'p str) -> Self {
        Self { rest: pattern }
    }

    pub(super) fn rest(self) -> &'p str {
        self.rest
    }

    pub(super) fn peek(self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes one character.
    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    /// Takes a text if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes all before a text, and the text; `None`, and nothing taken, if it does not follow.
    pub(super) fn until(&mut self, text: &str) -> Option<&'p str> {
        let (before, after) = self.rest.split_once(text)?;
        self.rest = after;
        Some(before)
    }

    /// Takes as many characters as fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'p str {
        let end = self.rest.find(|char| !fits(char));
        let (taken, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }
}
