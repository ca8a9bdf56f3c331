//! Constants in quotes, as Go writes them.

use std::str::Chars;

/// The text between two double quotes. `None`: an escape that Go does not know.
pub(super) fn quoted(literal: &str) -> Option<Vec<u8>> {
    let mut chars = literal.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut text = Vec::new();
    while !chars.as_str().is_empty() {
        match unescape(&mut chars, '"')? {
            Piece::Byte(byte) => text.push(byte),
            Piece::Char(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some(text)
}

/// The text between two backquotes, without carriage returns.
pub(super) fn raw(literal: &str) -> Vec<u8> {
    let text = &literal[1..literal.len() - 1];
    text.bytes().filter(|byte| *byte != b'\r').collect()
}

/// The character between two single quotes.
pub(super) fn rune(literal: &str) -> Option<u32> {
    let mut chars = literal.strip_prefix('\'')?.strip_suffix('\'')?.chars();
    let value = match unescape(&mut chars, '\'')? {
        Piece::Byte(byte) => byte.into(),
        Piece::Char(c) => c.into(),
    };
    chars.as_str().is_empty().then_some(value)
}

enum Piece {
    /// `\x` and octal escapes name a byte, which alone may be no UTF-8.
    Byte(u8),
    Char(char),
}

fn unescape(chars: &mut Chars<'_>, quote: char) -> Option<Piece> {
    let c = chars.next()?;
    if c == quote {
        return None;
    }
    if c != '\\' {
        return Some(Piece::Char(c));
    }
    Some(Piece::Char(match chars.next()? {
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        '\\' => '\\',
        'x' => return u8::try_from(digits(chars, 2, 16, 0)?).ok().map(Piece::Byte),
        'u' => char::from_u32(digits(chars, 4, 16, 0)?)?,
        'U' => char::from_u32(digits(chars, 8, 16, 0)?)?,
        c @ '0'..='7' => {
            return u8::try_from(digits(chars, 2, 8, c.to_digit(8)?)?)
                .ok()
                .map(Piece::Byte);
        }
        c if c == quote => c,
        _ => return None,
    }))
}

fn digits(chars: &mut Chars<'_>, count: usize, radix: u32, first: u32) -> Option<u32> {
    (0..count).try_fold(first, |value, _| {
        value
            .checked_mul(radix)?
            .checked_add(chars.next()?.to_digit(radix)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_gos() {
        let text =
            |literal| quoted(literal).map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(text(r#""a\tb\"\\""#).as_deref(), Some("a\tb\"\\"));
        assert_eq!(
            text(r#""\u00e9\U0001F600\x41\101""#).as_deref(),
            Some("é😀AA")
        );
        assert_eq!(quoted(r#""\xff""#), Some(vec![0xff]));
        for wrong in [r#""\q""#, r#""\'""#, r#""\ud800""#, r#""\400""#, r#""\x4""#] {
            assert_eq!(quoted(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_raw_string_has_no_escapes_and_no_carriage_returns() {
        assert_eq!(raw("`a\\n\r\nb`"), b"a\\n\nb");
    }

    #[test]
    fn a_rune_is_one_character() {
        assert_eq!(rune("'a'"), Some(97));
        assert_eq!(rune(r"'\''"), Some(39));
        assert_eq!(rune("'é'"), Some(0xe9));
        assert_eq!(rune("'ab'"), None);
        assert_eq!(rune("''"), None);
    }
}
