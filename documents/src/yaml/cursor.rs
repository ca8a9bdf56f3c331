//! Looks at the text between two events for what the events leave out: indicators, headers.

use std::ops::Range;

use crate::lines;

/// The first byte from `at` on that is not white space or part of a comment.
pub(super) fn skip_trivia(source: &str, mut at: usize) -> usize {
    let bytes = source.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'#') if at == 0 || bytes[at - 1].is_ascii_whitespace() => {
                at = lines::end(source, at);
            }
            // A byte order mark, which may stand before each document.
            Some(0xef) if bytes[at..].starts_with(b"\xef\xbb\xbf") => at += 3,
            _ => return at,
        }
    }
}

/// The place of `indicator` if it is what comes next from `at` on.
pub(crate) fn indicator(source: &str, at: usize, indicator: u8) -> Option<usize> {
    let next = skip_trivia(source, at);
    (source.as_bytes().get(next) == Some(&indicator)).then_some(next)
}

/// Whether white space, or nothing more, stands at a byte.
pub(super) fn is_blank(source: &str, at: usize) -> bool {
    source
        .as_bytes()
        .get(at)
        .is_none_or(u8::is_ascii_whitespace)
}

/// From the `|` or `>` of a block scalar to the end of its last line. `from` is the end of what
/// stands before it, its own properties apart; `content` is what the parser says, which begins
/// after the indentation of the first line and ends wherever the next token starts.
pub(super) fn block_scalar(
    source: &str,
    from: usize,
    content: &Range<usize>,
    text: &str,
) -> Range<usize> {
    let bytes = source.as_bytes();
    let mut start = from;
    while start < content.start && !matches!(bytes[start], b'|' | b'>') {
        match bytes[start] {
            b'#' if start == 0 || bytes[start - 1].is_ascii_whitespace() => {
                start = lines::end(source, start);
            }
            b'&' | b'!' => {
                while start < content.start && !bytes[start].is_ascii_whitespace() {
                    start += 1;
                }
            }
            _ => start += 1,
        }
    }
    let header_end = start
        + source[start..]
            .bytes()
            .take_while(|byte| matches!(byte, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9'))
            .count();
    let body = &source[..content.end];
    // The last line with anything on it; the indentation of what follows is not part of it.
    let last = body.trim_end_matches([' ', '\t', '\r', '\n']).len();
    let last = last_line_of_spaces(source, header_end..content.end, text).unwrap_or(last);
    if last <= lines::end(source, header_end) {
        return start..header_end;
    }
    let last_line_end = lines::end(source, last).min(content.end);
    let keeps_blank_lines = source[start..header_end].contains('+');
    let end = if keeps_blank_lines {
        // All line breaks are content; the last one is left to the line, as with other nodes.
        let last_line = lines::start(source, content.end);
        lines::end_of_previous(source, last_line).max(last_line_end)
    } else {
        last_line_end
    };
    start..end
}

/// The end of the last line of a block scalar if that line is white space beyond the indentation, which
/// is text.
fn last_line_of_spaces(source: &str, body: Range<usize>, text: &str) -> Option<usize> {
    let last = text.trim_end_matches('\n').rsplit('\n').next()?;
    if last.is_empty() || !last.trim().is_empty() {
        return None;
    }
    let mut end = source[..body.end].trim_end_matches(['\r', '\n']).len();
    loop {
        let start = lines::start(source, end);
        if start <= body.start {
            return None;
        }
        if end - start > last.len() {
            return Some(end);
        }
        end = lines::end_of_previous(source, start);
    }
}
