//! `[…]`.

use std::fmt::Write;

use super::cursor::Cursor;
use super::escape::{self, Set};

/// Names between `[:` and `:]`.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// Reads a class, whose `[` is next, and writes it for Rust.
pub(super) fn class(cursor: &mut Cursor<'_>) -> Result<String, String> {
    let start = *cursor;
    let unclosed = || format!("`{}` has no closing bracket", start.rest());
    cursor.eat("[");
    let mut out = String::from("[");
    if cursor.eat("^") {
        out.push('^');
    }
    // A bracket that closes nothing is a text.
    let mut first = true;
    while first || cursor.peek() != Some(']') {
        first = false;
        if cursor.peek().is_none() {
            return Err(unclosed());
        }
        if let Some(name) = posix(cursor)? {
            out.push_str(name);
        } else if let Some(set) = escape::set(cursor)? {
            match set {
                Set::Perl { ranges, negated } if negated => {
                    let _ = write!(out, "[^{ranges}]");
                }
                Set::Perl { ranges, .. } => out.push_str(ranges),
                Set::Unicode(class) => out.push_str(&class),
            }
        } else {
            range(cursor, &mut out).map_err(|error| error.unwrap_or_else(unclosed))?;
        }
    }
    cursor.eat("]");
    out.push(']');
    Ok(out)
}

/// Reads `[:alpha:]`. What begins so and does not end so is texts.
fn posix<'p>(cursor: &mut Cursor<'p>) -> Result<Option<&'p str>, String> {
    let mut at = *cursor;
    if !at.eat("[:") {
        return Ok(None);
    }
    let Some(name) = at.until(":]") else {
        return Ok(None);
    };
    let written = &cursor.rest()[..name.len() + 4];
    let plain = name.strip_prefix('^').unwrap_or(name);
    if !POSIX.contains(&plain) {
        return Err(format!("unknown class of characters `{written}`"));
    }
    *cursor = at;
    Ok(Some(written))
}

/// Reads a character or a range. `None` for an error: the pattern ends.
fn range(cursor: &mut Cursor<'_>, out: &mut String) -> Result<(), Option<String>> {
    let start = *cursor;
    let low = character(cursor)?;
    let mut high = low;
    let mut after = *cursor;
    if after.eat("-") && after.peek().is_some_and(|next| next != ']') {
        high = character(&mut after)?;
        *cursor = after;
    }
    if high < low {
        let written = &start.rest()[..start.rest().len() - cursor.rest().len()];
        return Err(Some(format!("invalid range of characters `{written}`")));
    }
    let _ = write!(
        out,
        r"\x{{{:X}}}-\x{{{:X}}}",
        u32::from(low),
        u32::from(high)
    );
    Ok(())
}

fn character(cursor: &mut Cursor<'_>) -> Result<char, Option<String>> {
    match cursor.peek() {
        None => Err(None),
        Some('\\') => escape::character(cursor).map_err(Some),
        Some(char) => {
            cursor.next();
            Ok(char)
        }
    }
}
