//! Lines of a text by byte offset. A line ends with LF, CRLF or CR, as in YAML.

const BREAKS: [char; 2] = ['\n', '\r'];
const BOM: char = '\u{feff}';

/// The start of the line of `at`.
pub(crate) fn start(source: &str, at: usize) -> usize {
    source[..at]
        .rfind(BREAKS)
        .map_or(0, |line_break| line_break + 1)
}

/// The end of the line of `at`, before its line break.
pub(crate) fn end(source: &str, at: usize) -> usize {
    source[at..].find(BREAKS).map_or(source.len(), |n| at + n)
}

/// The start of the line after the one of `at`, or the end of the text.
pub(crate) fn next(source: &str, at: usize) -> usize {
    let end = end(source, at);
    let rest = &source[end..];
    if rest.starts_with("\r\n") {
        end + 2
    } else {
        end + usize::from(!rest.is_empty())
    }
}

/// The end of the line before the one that starts at `line_start`.
pub(crate) fn end_of_previous(source: &str, line_start: usize) -> usize {
    let text = &source[..line_start];
    let without = text
        .strip_suffix("\r\n")
        .or_else(|| text.strip_suffix(BREAKS));
    without.unwrap_or(text).len()
}

/// How many characters stand before `at` on its line. A byte order mark takes no room.
pub(crate) fn column(source: &str, at: usize) -> usize {
    let before = source[start(source, at)..at].chars();
    before.filter(|char| *char != BOM).count()
}

/// Whether only white space stands before `at` on its line.
pub(crate) fn is_first(source: &str, at: usize) -> bool {
    let before = &source[start(source, at)..at];
    before.trim_start_matches(BOM).trim().is_empty()
}

/// How many spaces, or tabs in JSON, the line of `at` begins with.
pub(crate) fn indent(source: &str, at: usize) -> usize {
    source[start(source, at)..]
        .bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The line break that the text uses: that of its first line.
pub(crate) fn line_break(source: &str) -> &'static str {
    match &source[end(source, 0)..] {
        rest if rest.starts_with("\r\n") => "\r\n",
        rest if rest.starts_with('\r') => "\r",
        _ => "\n",
    }
}
