//! Lines of a text by byte offset.

/// The start of the line of `at`.
pub(crate) fn start(source: &str, at: usize) -> usize {
    source[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The end of the line of `at`, before its line break.
pub(crate) fn end(source: &str, at: usize) -> usize {
    let end = source[at..].find('\n').map_or(source.len(), |n| at + n);
    if end > at && source.as_bytes()[end - 1] == b'\r' {
        end - 1
    } else {
        end
    }
}

/// The start of the line after the one of `at`, or the end of the text.
pub(crate) fn next(source: &str, at: usize) -> usize {
    source[at..]
        .find('\n')
        .map_or(source.len(), |newline| at + newline + 1)
}

/// How many characters stand before `at` on its line.
pub(crate) fn column(source: &str, at: usize) -> usize {
    source[start(source, at)..at].chars().count()
}

/// Whether only white space stands before `at` on its line.
pub(crate) fn is_first(source: &str, at: usize) -> bool {
    source[start(source, at)..at].trim().is_empty()
}

/// How many spaces the line of `at` begins with.
pub(crate) fn indent(source: &str, at: usize) -> usize {
    source[start(source, at)..]
        .bytes()
        .take_while(|byte| *byte == b' ')
        .count()
}

/// The line break that the text uses: that of its first line.
pub(crate) fn line_break(source: &str) -> &'static str {
    match source.find('\n') {
        Some(at) if source[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
