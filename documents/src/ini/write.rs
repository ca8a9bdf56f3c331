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

/// The text for a value: in the quotes asked for, else as the peer writes it, else in any quotes, so
/// that it reads back as the value. Of several lines with both `` ` `` and `"""` nothing does; that
/// is written as by the peer.
pub fn value_text(text: &str, quote: Quote) -> String {
    let as_peer = peers_quote(text);
    let asked = match quote {
        Quote::None | Quote::Continued => as_peer,
        quote => quote,
    };
    let in_quotes = |quote: Quote| {
        let mark = quote.mark();
        format!("{mark}{text}{mark}")
    };
    [asked, as_peer, Quote::Triple, Quote::Backtick]
        .into_iter()
        .map(in_quotes)
        .find(|written| reads_as(written, text))
        .unwrap_or_else(|| in_quotes(as_peer))
}

/// The peer's choice. What it writes is not always what it reads.
fn peers_quote(text: &str) -> Quote {
    if text.contains(['\n', '`']) {
        Quote::Triple
    } else if text.contains(['#', ';']) {
        Quote::Backtick
    } else if text.trim().len() == text.len() {
        Quote::None
    } else {
        Quote::Double
    }
}

fn reads_as(written: &str, text: &str) -> bool {
    let line = format!("{written}\n");
    let first = line.find('\n').map_or(line.len(), |at| at + 1);
    match value::read(&line, 0..first) {
        Some((value, end)) => end == line.len() && value.text() == text,
        None => false,
    }
}
