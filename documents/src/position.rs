//! Where something is in a text, for people: lines and columns from 1.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The place of the byte `offset` of `text`. An offset inside a character or past the end is
    /// taken to the nearest place before it.
    pub fn of(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: 1 + newlines(before.as_bytes()),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

/// Counted in bytes, of which the processor takes sixteen at a time: the place of every resource of a
/// stream is asked for, so the texts add up.
fn newlines(text: &[u8]) -> usize {
    let counts = text.chunks(usize::from(u8::MAX)).map(|chunk| {
        let found = chunk.iter().map(|byte| u8::from(*byte == b'\n'));
        usize::from(found.sum::<u8>())
    });
    counts.sum()
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_newlines() {
        let text = "é: 1\nkey: vålue\n";
        assert_eq!(Position::of(text, 0), Position { line: 1, column: 1 });
        assert_eq!(Position::of(text, 2), Position { line: 1, column: 2 });
        assert_eq!(Position::of(text, 6), Position { line: 2, column: 1 });
        assert_eq!(Position::of(text, 999), Position { line: 3, column: 1 });
    }

    #[test]
    fn lines_are_counted_however_many_there_are() {
        for lines in [0, 1, 254, 255, 256, 1000] {
            let text = "\n".repeat(lines) + "x";
            assert_eq!(Position::of(&text, lines).line, lines + 1);
        }
    }
}
