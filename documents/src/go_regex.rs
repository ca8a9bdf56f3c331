//! Regular expressions as Go has them, for files and rules that were written for a Go program.
//!
//! Both Go and Rust take RE2's syntax as a model, and differ: Go takes `\Q…\E`, octal escapes, `{`
//! as a text; Rust takes `[a&&b]`, `\<`, `(?x)`; `\d`, `\w`, `\s` and `\b` are ASCII in Go. A pattern
//! that means something else here than there would encrypt other values. So a pattern is read by Go's
//! grammar and written anew in the part of Rust's that means the same; what Go refuses is refused.
//!
//! [`GoRegex`] says whether a text matches, for which groups are dropped; [`GoReplace`] replaces what does.

mod class;
mod cursor;
mod escape;
mod repeat;
mod replace;
mod translate;

use std::fmt;

use regex::{Regex, RegexBuilder};

pub use replace::GoReplace;

use translate::Captures;

/// Longest pattern, in bytes.
const MAX_PATTERN: usize = 64 << 10;

/// Memory of a compiled pattern, in bytes.
const MAX_COMPILED: usize = 10 << 20;

/// Deeper than [`translate::MAX_GROUPS`], each of which is written as up to three.
const MAX_NESTING: u32 = 1000;

/// A compiled regular expression of Go.
#[derive(Clone)]
pub struct GoRegex {
    pattern: String,
    regex: Regex,
}

/// Why a text is not a regular expression of Go. Patterns are not secret, and are shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a regular expression: {reason}")]
pub struct GoRegexError {
    /// The pattern, cut if it is long.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl GoRegex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What Go refuses, patterns of more than 64 KiB, and such as would take more than 10 MiB.
    pub fn new(pattern: &str) -> Result<Self, GoRegexError> {
        let (regex, _) = compile(pattern, Captures::Drop)?;
        Ok(Self {
            pattern: pattern.to_owned(),
            regex,
        })
    }

    /// Whether the pattern matches somewhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The pattern as it was written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

impl GoRegexError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        "the syntax is that of Go (https://pkg.go.dev/regexp/syntax): no look-around, no \
         back references; in YAML, single quotes keep backslashes"
    }
}

impl fmt::Debug for GoRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GoRegex({:?})", self.pattern)
    }
}

/// Two that were written alike.
impl PartialEq for GoRegex {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for GoRegex {}

/// The pattern, and the names of its groups.
fn compile(pattern: &str, captures: Captures) -> Result<(Regex, Vec<String>), GoRegexError> {
    let error = |reason: String| GoRegexError {
        pattern: shown(pattern),
        reason,
    };
    if pattern.len() > MAX_PATTERN {
        return Err(error(format!("it is longer than {MAX_PATTERN} bytes")));
    }
    let translated = translate::translate(pattern, captures).map_err(error)?;
    let compiled = RegexBuilder::new(&translated.text)
        .size_limit(MAX_COMPILED)
        .nest_limit(MAX_NESTING)
        .build();
    let regex = compiled.map_err(|cause| {
        error(match cause {
            regex::Error::CompiledTooBig(_) => "it takes too much memory".to_owned(),
            // All else was written by the translation.
            _ => "unknown class of characters".to_owned(),
        })
    })?;
    Ok((regex, translated.groups))
}

fn shown(pattern: &str) -> String {
    const LONGEST: usize = 200;
    match pattern.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &pattern[..end]),
        None => pattern.to_owned(),
    }
}

#[cfg(test)]
mod tests;
