//! Runs of characters on one line. Nothing is returned for what the parser has to look at.

/// What ends a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A `:` that makes it a key.
    Colon,
    /// A comment.
    Comment,
    /// Nothing more on its line.
    LineEnd,
}

/// Where a scalar ends, and what is behind the spaces that follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) end: usize,
    pub(super) stop: Stop,
    /// Where that is.
    pub(super) at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Ordinary,
    Colon,
    Hash,
    LineFeed,
    Quote,
    Backslash,
    /// A tab.
    Tab,
    /// The first byte of characters of which some are not printable, or break lines.
    Lead,
    /// A control character.
    Control,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Ordinary; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Control;
        byte += 1;
    }
    classes[0x7f] = Class::Control;
    classes[b'\t' as usize] = Class::Tab;
    classes[b'\n' as usize] = Class::LineFeed;
    classes[b':' as usize] = Class::Colon;
    classes[b'#' as usize] = Class::Hash;
    classes[b'"' as usize] = Class::Quote;
    classes[b'\'' as usize] = Class::Quote;
    classes[b'\\' as usize] = Class::Backslash;
    classes[0xc2] = Class::Lead;
    classes[0xe2] = Class::Lead;
    classes[0xef] = Class::Lead;
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// Whether the character that begins there is ordinary: not U+0080 to U+009F, a line or paragraph
/// separator, a byte order mark, or no character at all.
fn is_ordinary(bytes: &[u8], at: usize) -> bool {
    !matches!(
        bytes[at..],
        [0xc2, 0x80..=0x9f, ..]
            | [0xe2, 0x80, 0xa8 | 0xa9, ..]
            | [0xef, 0xbb, 0xbf, ..]
            | [0xef, 0xbf, 0xbe | 0xbf, ..]
    )
}

/// The end of a line of any characters.
pub(super) fn line_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match class(*byte) {
            Class::LineFeed => break,
            Class::Control => return None,
            Class::Lead if !is_ordinary(bytes, at) => return None,
            _ => at += 1,
        }
    }
    Some(at)
}

/// A scalar without quotes, by its first characters one.
pub(super) fn plain(bytes: &[u8], start: usize) -> Option<Run> {
    let begins = match bytes[start] {
        b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|'
        | b'>' | b'\'' | b'"' | b'%' | b'@' | b'`' => false,
        b'-' => !matches!(bytes.get(start + 1), None | Some(b' ' | b'\n')),
        _ => true,
    };
    if !begins {
        return None;
    }
    let mut at = start;
    let stop = loop {
        let Some(byte) = bytes.get(at) else {
            break Stop::LineEnd;
        };
        match class(*byte) {
            Class::LineFeed => break Stop::LineEnd,
            Class::Colon if ends_key(bytes, at) => break Stop::Colon,
            Class::Hash if bytes[at - 1] == b' ' => break Stop::Comment,
            Class::Control | Class::Tab => return None,
            Class::Lead if !is_ordinary(bytes, at) => return None,
            _ => at += 1,
        }
    };
    let spaces = bytes[start..at]
        .iter()
        .rev()
        .take_while(|byte| **byte == b' ');
    Some(Run {
        end: at - spaces.count(),
        stop,
        at,
    })
}

fn ends_key(bytes: &[u8], colon: usize) -> bool {
    // Behind a tab the parser has to look.
    matches!(bytes.get(colon + 1), None | Some(b' ' | b'\n' | b'\t'))
}

/// A scalar in quotes, and whether its text is what is between them.
pub(super) fn quoted(bytes: &[u8], start: usize) -> Option<(Run, bool)> {
    let quote = bytes[start];
    let mut verbatim = true;
    let mut at = start + 1;
    loop {
        let byte = *bytes.get(at)?;
        match class(byte) {
            Class::Quote if byte == quote => {
                if quote == b'"' || bytes.get(at + 1) != Some(&b'\'') {
                    break;
                }
                verbatim = false;
                at += 2;
            }
            Class::Backslash if quote == b'"' => {
                verbatim = false;
                at += 2;
            }
            Class::LineFeed | Class::Control | Class::Tab => return None,
            Class::Lead if !is_ordinary(bytes, at) => return None,
            _ => at += 1,
        }
    }
    let end = at + 1;
    let spaces = bytes[end..].iter().take_while(|byte| **byte == b' ');
    let at = end + spaces.count();
    let stop = match bytes.get(at) {
        None | Some(b'\n') => Stop::LineEnd,
        Some(b'#') if at > end => Stop::Comment,
        Some(b':') if ends_key(bytes, at) => Stop::Colon,
        Some(_) => return None,
    };
    Some((Run { end, stop, at }, verbatim))
}
