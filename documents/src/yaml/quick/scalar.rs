//! Scalars: their place and their text.

use zeroize::Zeroizing;

use super::text::{self, Run};
use crate::tree::{CollectionStyle, Content, NodeData, ScalarStyle, ScalarText};

/// A scalar on one line, and what is behind it.
pub(super) fn on_line(source: &str, start: usize) -> Option<(NodeData, Run)> {
    let bytes = source.as_bytes();
    let quote = bytes[start];
    let (style, (run, verbatim)) = match quote {
        b'"' => (ScalarStyle::DoubleQuoted, text::quoted(bytes, start)?),
        b'\'' => (ScalarStyle::SingleQuoted, text::quoted(bytes, start)?),
        _ => (ScalarStyle::Plain, (text::plain(bytes, start)?, true)),
    };
    let inner = start + 1..run.end - 1;
    let text = match style {
        ScalarStyle::Plain => ScalarText::Source,
        _ if verbatim => ScalarText::Quoted,
        ScalarStyle::SingleQuoted => {
            ScalarText::Decoded(Zeroizing::new(source[inner].replace("''", "'")))
        }
        _ => ScalarText::Decoded(unescaped(&source[inner])?),
    };
    let content = Content::Scalar { style, text };
    Some((NodeData::plain(start..run.end, content), run))
}

/// The text that escapes stand for. The rarer escapes are left to the parser.
fn unescaped(text: &str) -> Option<Zeroizing<String>> {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest[at + 1..].chars().next()?;
        let digits = match escape {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let end = at + 2 + digits;
        out.push(match escape {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '"' | '\\' | '/' => escape,
            'x' | 'u' | 'U' => code_point(rest.get(at + 2..end)?)?,
            _ => return None,
        });
        rest = &rest[end..];
    }
    out.push_str(rest);
    Some(out)
}

fn code_point(digits: &str) -> Option<char> {
    let all = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| all)?;
    char::from_u32(code)
}

/// A literal block scalar, and the start of the line behind it. `column` is that of what it is in.
pub(super) fn literal(source: &str, start: usize, column: usize) -> Option<(NodeData, usize)> {
    let bytes = source.as_bytes();
    let header_end = text::line_end(bytes, start)?;
    let chomped = match &source[start..header_end] {
        "|" => false,
        "|-" => true,
        _ => return None,
    };
    let mut body = Body {
        bytes,
        at: header_end + 1,
    };
    let first = body.blank_lines(usize::MAX)?;
    let indent = body.spaces();
    // The blank lines above the first one count, and none may be longer than its indentation.
    if indent <= column || first.longest > indent {
        return None;
    }
    let mut out = Zeroizing::new("\n".repeat(first.count));
    let mut end = header_end;
    while body.spaces() >= indent && body.at + indent < bytes.len() {
        if bytes[body.at + indent] == b'\t' && end == header_end {
            return None;
        }
        end = text::line_end(bytes, body.at)?;
        out.push_str(&source[body.at + indent..end]);
        // The last line of the text has no line break that could be the scalar's.
        if end == bytes.len() {
            return None;
        }
        body.at = end + 1;
        let blank = body.blank_lines(indent)?;
        out.push('\n');
        if body.spaces() >= indent && body.at + indent < bytes.len() {
            for _ in 0..blank.count {
                out.push('\n');
            }
        }
    }
    if end == header_end {
        return None;
    }
    if chomped {
        out.pop();
    }
    let content = Content::Scalar {
        style: ScalarStyle::Literal,
        text: ScalarText::Decoded(out),
    };
    Some((NodeData::plain(start..end, content), body.at))
}

/// The lines below a header.
struct Body<'s> {
    bytes: &'s [u8],
    /// The start of the next line.
    at: usize,
}

/// Lines with nothing but spaces.
struct Blank {
    count: usize,
    /// The most spaces in one.
    longest: usize,
}

impl Body<'_> {
    /// How many spaces the next line begins with.
    fn spaces(&self) -> usize {
        let line = self.bytes.get(self.at..).unwrap_or_default();
        line.iter().take_while(|byte| **byte == b' ').count()
    }

    /// Reads blank lines. One with more than `most` spaces would be text.
    fn blank_lines(&mut self, most: usize) -> Option<Blank> {
        let mut found = Blank {
            count: 0,
            longest: 0,
        };
        loop {
            let spaces = self.spaces();
            match self.bytes.get(self.at + spaces) {
                Some(b'\n') if spaces > most => return None,
                Some(b'\n') => {
                    found.count += 1;
                    found.longest = found.longest.max(spaces);
                    self.at += spaces + 1;
                }
                // Spaces at the end of the text.
                None if spaces > 0 => return None,
                _ => return Some(found),
            }
        }
    }
}

/// `[]` or `{}`, and where it ends.
pub(super) fn empty_collection(source: &str, start: usize) -> Option<(NodeData, usize)> {
    let style = CollectionStyle::Flow;
    let end = start + 2;
    let content = match source.get(start..end)? {
        "[]" => Content::Sequence {
            style,
            items: Vec::new(),
        },
        "{}" => Content::Mapping {
            style,
            entries: Vec::new(),
        },
        _ => return None,
    };
    Some((NodeData::plain(start..end, content), end))
}
