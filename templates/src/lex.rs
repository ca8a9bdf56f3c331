//! Text to tokens.

use std::borrow::Cow;

use crate::error::ParseProblem;
use crate::source::Offset;

/// What a token is. Its text is what lies in the source at its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Left,
    Right,
    Space,
    Assign,
    Declare,
    Pipe,
    Comma,
    /// Another character, which no rule of the grammar takes.
    Character,
    LeftParen,
    RightParen,
    Bool,
    Nil,
    Number,
    Rune,
    Quoted,
    Raw,
    Dot,
    /// `.name`
    Field,
    /// `$` or `$name`
    Variable,
    Identifier,
    Keyword(Keyword),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    Block,
    Break,
    Continue,
    Define,
    Else,
    End,
    If,
    Range,
    Template,
    With,
}

impl Keyword {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "block" => Self::Block,
            "break" => Self::Break,
            "continue" => Self::Continue,
            "define" => Self::Define,
            "else" => Self::Else,
            "end" => Self::End,
            "if" => Self::If,
            "range" => Self::Range,
            "template" => Self::Template,
            "with" => Self::With,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) at: Offset,
    pub(crate) text: &'a str,
}

/// Where and why the text is no sequence of tokens.
pub(crate) type LexError = (Offset, ParseProblem);

/// Hands out one token after the other.
pub(crate) struct Lexer<'a> {
    source: &'a str,
    left: &'a str,
    right: &'a str,
    at: usize,
    inside: bool,
    parens: usize,
}

const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str, left: &'a str, right: &'a str) -> Self {
        Self {
            source,
            left,
            right,
            at: 0,
            inside: false,
            parens: 0,
        }
    }

    pub(crate) fn next(&mut self) -> Result<Token<'a>, LexError> {
        if self.inside {
            return self.inside_action();
        }
        loop {
            if let Some(token) = self.outside()? {
                return Ok(token);
            }
        }
    }

    /// Text, or the delimiter after it. `None`: a comment was passed over.
    fn outside(&mut self) -> Result<Option<Token<'a>>, LexError> {
        let start = self.at;
        let Some(length) = self.rest().find(self.left) else {
            self.at = self.source.len();
            let kind = if self.at > start {
                Kind::Text
            } else {
                Kind::End
            };
            return Ok(Some(self.token(kind, start)));
        };
        let delimiter = start + length;
        if length > 0 {
            self.at = delimiter;
            let mut text = &self.source[start..delimiter];
            if trims_left(&self.source[delimiter + self.left.len()..]) {
                text = text.trim_end_matches(SPACES);
            }
            if !text.is_empty() {
                let at = Offset(start);
                return Ok(Some(Token {
                    kind: Kind::Text,
                    at,
                    text,
                }));
            }
        }
        self.at = delimiter + self.left.len();
        let marker = if trims_left(self.rest()) { 2 } else { 0 };
        let body = &self.rest()[marker..];
        // The marker is a dash and a space; what a comment may follow is the dash and the space.
        if body.starts_with("/*") {
            self.at += marker;
            self.comment()?;
            return Ok(None);
        }
        self.inside = true;
        self.parens = 0;
        let token = self.token(Kind::Left, delimiter);
        self.at += marker;
        Ok(Some(token))
    }

    fn comment(&mut self) -> Result<(), LexError> {
        let start = self.at;
        let Some(end) = self.rest()[2..].find("*/") else {
            return Err(syntax(start, "unclosed comment"));
        };
        self.at += 2 + end + 2;
        let Some(trims) = self.at_right() else {
            return Err(syntax(start, "comment ends before closing delimiter"));
        };
        self.close(trims);
        Ok(())
    }

    /// Passes over the right delimiter.
    fn close(&mut self, trims: bool) {
        self.at += self.right.len() + if trims { 2 } else { 0 };
        if trims {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(SPACES).len();
        }
    }

    /// Whether here is the right delimiter, and whether it trims what follows.
    fn at_right(&self) -> Option<bool> {
        let rest = self.rest();
        if trims_right(rest) && rest[2..].starts_with(self.right) {
            return Some(true);
        }
        rest.starts_with(self.right).then_some(false)
    }

    fn inside_action(&mut self) -> Result<Token<'a>, LexError> {
        let start = self.at;
        if let Some(trims) = self.at_right() {
            if self.parens > 0 {
                return Err(syntax(start, "unclosed left paren"));
            }
            let from = if trims { start + 2 } else { start };
            self.at = from;
            let text = &self.source[from..from + self.right.len()];
            self.at = start;
            self.close(trims);
            self.inside = false;
            return Ok(Token {
                kind: Kind::Right,
                at: Offset(from),
                text,
            });
        }
        let Some(c) = self.advance() else {
            return Err(syntax(start, "unclosed action"));
        };
        let kind = match c {
            ' ' | '\t' | '\r' | '\n' => return self.space(start),
            '=' => Kind::Assign,
            ':' => {
                if self.advance() != Some('=') {
                    return Err(syntax(start, "expected :="));
                }
                Kind::Declare
            }
            '|' => Kind::Pipe,
            '"' => {
                self.quoted(start, '"', "unterminated quoted string")?;
                Kind::Quoted
            }
            '\'' => {
                self.quoted(start, '\'', "unterminated character constant")?;
                Kind::Rune
            }
            '`' => {
                let Some(end) = self.rest().find('`') else {
                    return Err(syntax(start, "unterminated raw quoted string"));
                };
                self.at += end + 1;
                Kind::Raw
            }
            '$' => self.word(start, Kind::Variable, Kind::Variable)?,
            '.' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => {
                self.word(start, Kind::Field, Kind::Dot)?
            }
            '.' | '+' | '-' | '0'..='9' => {
                self.at = start;
                self.number(start)?
            }
            '(' => {
                self.parens += 1;
                Kind::LeftParen
            }
            ')' => {
                let Some(parens) = self.parens.checked_sub(1) else {
                    return Err(syntax(start, "unexpected right paren"));
                };
                self.parens = parens;
                Kind::RightParen
            }
            ',' => Kind::Comma,
            c if is_alphanumeric(c) => return self.identifier(start),
            '!'..='~' => Kind::Character,
            c => return Err((Offset(start), ParseProblem::BadCharacter(c))),
        };
        Ok(self.token(kind, start))
    }

    /// Spaces, but not the one that begins a trim marker.
    fn space(&mut self, start: usize) -> Result<Token<'a>, LexError> {
        while self.peek().is_some_and(|c| SPACES.contains(&c)) {
            self.advance();
        }
        // All four are one byte long.
        let last = &self.source[self.at - 1..];
        if trims_right(last) && last[2..].starts_with(self.right) {
            self.at -= 1;
            if self.at == start {
                return self.inside_action();
            }
        }
        Ok(self.token(Kind::Space, start))
    }

    fn quoted(&mut self, start: usize, end: char, message: &'static str) -> Result<(), LexError> {
        loop {
            let c = match self.advance() {
                Some('\\') => self.advance().filter(|c| *c != '\n').map(|_| '\\'),
                c => c,
            };
            match c {
                Some('\n') | None => return Err(syntax(start, message)),
                Some(c) if c == end => return Ok(()),
                Some(_) => {}
            }
        }
    }

    /// What follows a `.` or `$`: a name, or nothing.
    fn word(&mut self, start: usize, named: Kind, alone: Kind) -> Result<Kind, LexError> {
        if self.at_terminator() {
            return Ok(alone);
        }
        while self.peek().is_some_and(is_alphanumeric) {
            self.advance();
        }
        self.expect_terminator(start)?;
        Ok(named)
    }

    fn identifier(&mut self, start: usize) -> Result<Token<'a>, LexError> {
        while self.peek().is_some_and(is_alphanumeric) {
            self.advance();
        }
        self.expect_terminator(start)?;
        let kind = match &self.source[start..self.at] {
            "true" | "false" => Kind::Bool,
            "nil" => Kind::Nil,
            word => Keyword::of(word).map_or(Kind::Identifier, Kind::Keyword),
        };
        Ok(self.token(kind, start))
    }

    fn expect_terminator(&self, start: usize) -> Result<(), LexError> {
        if self.at_terminator() {
            return Ok(());
        }
        let problem = self.peek().map_or(
            ParseProblem::Syntax(Cow::Borrowed("unclosed action")),
            ParseProblem::BadCharacter,
        );
        Err((Offset(self.at.max(start)), problem))
    }

    fn at_terminator(&self) -> bool {
        let end = |c| SPACES.contains(&c) || ".,|:)(".contains(c);
        self.peek().is_none_or(end) || self.rest().starts_with(self.right)
    }

    fn number(&mut self, start: usize) -> Result<Kind, LexError> {
        let bad = || syntax(start, "bad number syntax");
        if !self.scan_number() {
            return Err(bad());
        }
        if self.peek().is_some_and(|c| c == '+' || c == '-')
            && (!self.scan_number() || !self.source[..self.at].ends_with('i'))
        {
            return Err(bad());
        }
        Ok(Kind::Number)
    }

    fn scan_number(&mut self) -> bool {
        self.accept("+-");
        let mut digits = "0123456789_";
        if self.accept("0") {
            if self.accept("xX") {
                digits = "0123456789abcdefABCDEF_";
            } else if self.accept("oO") {
                digits = "01234567_";
            } else if self.accept("bB") {
                digits = "01_";
            }
        }
        while self.accept(digits) {}
        if self.accept(".") {
            while self.accept(digits) {}
        }
        let exponent = match digits.len() {
            11 => "eE",
            23 => "pP",
            _ => "",
        };
        if self.accept(exponent) {
            self.accept("+-");
            while self.accept("0123456789_") {}
        }
        self.accept("i");
        !self.peek().is_some_and(is_alphanumeric)
    }

    fn accept(&mut self, any: &str) -> bool {
        let found = self.peek().is_some_and(|c| any.contains(c));
        if found {
            self.advance();
        }
        found
    }

    fn token(&self, kind: Kind, start: usize) -> Token<'a> {
        Token {
            kind,
            at: Offset(start),
            text: &self.source[start..self.at],
        }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }
}

fn syntax(at: usize, message: &'static str) -> LexError {
    (Offset(at), ParseProblem::Syntax(message.into()))
}

fn trims_left(after: &str) -> bool {
    let mut chars = after.chars();
    chars.next() == Some('-') && chars.next().is_some_and(|c| SPACES.contains(&c))
}

fn trims_right(before: &str) -> bool {
    let mut chars = before.chars();
    chars.next().is_some_and(|c| SPACES.contains(&c)) && chars.next() == Some('-')
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
