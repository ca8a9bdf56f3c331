//! Files as shells and docker compose read them, brought into the form of `sops` and back.

use zeroize::Zeroizing;

use super::{Dotenv, LineKind, text, value};

mod read;

/// How the text of a dotenv file is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// As `sops` reads it: a value is the rest of its line.
    #[default]
    Sops,
    /// As shells and docker compose read it: values may be in quotes and over several lines, a `#`
    /// behind white space begins a comment, `export` is allowed, lines may end with CRLF.
    Quoted,
}

/// Why a file is not what its dialect asks for, or cannot be said in the form of `sops`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DialectError {
    /// A line that is neither a comment nor has a `=`.
    #[error("line {line} has no `=`")]
    NoEqualSign {
        /// Line, from 1.
        line: usize,
    },
    /// A quoted value that does not end.
    #[error("line {line}: the quote that opens the value of `{key}` is not closed")]
    Unclosed {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
    },
    /// Something else than a comment behind a quoted value.
    #[error("line {line}: there is text behind the quoted value of `{key}`")]
    BehindQuote {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
    },
    /// The value has a backslash before an `n`, which would come back as a line break.
    #[error(
        "line {line}: the value of `{key}` has a backslash before an `n`, which dotenv files of sops cannot say"
    )]
    BackslashN {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
    },
}

impl DialectError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoEqualSign { .. } => "write KEY=value, or begin a comment with `#`",
            Self::Unclosed { .. } => "close the quote; a value may go over several lines",
            Self::BehindQuote { .. } => "put the whole value into the quotes",
            Self::BackslashN { .. } => "keep this value in a YAML or JSON file",
        }
    }
}

impl Dialect {
    /// The file in the form of `sops`. Quotes go, a comment behind a value moves above it, `export`
    /// goes, CRLF becomes LF; other lines stay.
    pub fn to_sops(self, source: &str) -> Result<Zeroizing<String>, DialectError> {
        match self {
            Self::Sops => Ok(Zeroizing::new(source.to_owned())),
            Self::Quoted => to_verbatim(source),
        }
    }

    /// A file in the form of `sops` as the dialect writes it: values that need quotes get them.
    pub fn of_sops(self, source: &str) -> Zeroizing<String> {
        let parsed = match self {
            Self::Sops => None,
            Self::Quoted => Dotenv::parse(source).ok(),
        };
        let Some(parsed) = parsed else {
            return Zeroizing::new(source.to_owned());
        };
        let mut out = Zeroizing::new(String::with_capacity(source.len() + 2));
        let mut copied = 0;
        for line in parsed.lines() {
            if let LineKind::Entry { value: range, .. } = &line.kind {
                out.push_str(&source[copied..range.start]);
                push_value(&value(&source[range.clone()]), &mut out);
                copied = range.end;
            }
        }
        out.push_str(&source[copied..]);
        out
    }
}

fn to_verbatim(source: &str) -> Result<Zeroizing<String>, DialectError> {
    let mut out = Zeroizing::new(String::with_capacity(source.len()));
    let mut reader = read::Reader::new(source);
    while let Some(line) = reader.next_line()? {
        match line {
            read::Read::Blank => {}
            read::Read::Comment(comment) => out.push_str(comment),
            read::Read::Entry {
                line,
                key,
                value,
                comment,
            } => {
                if value.contains("\\n") {
                    let key = key.to_owned();
                    return Err(DialectError::BackslashN { line, key });
                }
                if let Some(comment) = comment {
                    out.push_str(comment);
                    out.push('\n');
                }
                out.push_str(key);
                out.push('=');
                out.push_str(&Zeroizing::new(text(&value).into_owned()));
            }
        }
        out.push('\n');
    }
    Ok(out)
}

/// Without quotes where nothing asks for them, in single quotes where those can hold the value.
fn push_value(value: &str, out: &mut String) {
    let breaks = value.contains(['\n', '\r']);
    let plain = !breaks
        && value.trim() == value
        && !value.starts_with(['\'', '"', '#', '`'])
        && !value.contains([' ', '\t', '$', '\\']);
    if plain {
        out.push_str(value);
    } else if !breaks && !value.contains('\'') {
        out.push('\'');
        out.push_str(value);
        out.push('\'');
    } else {
        out.push('"');
        for char in value.chars() {
            match char {
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '"' | '\\' | '$' => out.extend(['\\', char]),
                _ => out.push(char),
            }
        }
        out.push('"');
    }
}
