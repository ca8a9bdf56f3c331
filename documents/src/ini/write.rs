//! How the peer writes keys and values, and how a value keeps the quotes it had.

use std::borrow::Cow;

use super::Quote;
use super::value;

/// A key as the peer writes it.
pub fn key_text(name: &str) -> Cow<'_, str> {
    if name.contains(['"', '=', ':']) {
        Cow::Owned(format!("`{name}`"))
    } else if name.contains('`') {
        Cow::Owned(format!("\"\"\"{name}\"\"\""))
    } else {
        Cow::Borrowed(name)
    }
}

/// The text for a value: in the quotes asked for if it reads back from them, otherwise as the peer
/// writes it.
pub fn value_text(text: &str, quote: Quote) -> String {
    if !matches!(quote, Quote::None | Quote::Continued) {
        let mark = quote.mark();
        let quoted = format!("{mark}{text}{mark}");
        if reads_as(&quoted, text) {
            return quoted;
        }
    }
    peers_text(text)
}

/// The peer's choice. What it writes is not always what it reads: see the tests.
fn peers_text(text: &str) -> String {
    let mark = if text.contains(['\n', '`']) {
        Quote::Triple.mark()
    } else if text.contains(['#', ';']) {
        Quote::Backtick.mark()
    } else if text.trim().len() == text.len() {
        ""
    } else {
        Quote::Double.mark()
    };
    format!("{mark}{text}{mark}")
}

fn reads_as(written: &str, text: &str) -> bool {
    let line = format!("{written}\n");
    let first = line.find('\n').map_or(line.len(), |at| at + 1);
    match value::read(&line, 0..first) {
        Some((value, end)) => end == line.len() && value.text() == text,
        None => false,
    }
}
