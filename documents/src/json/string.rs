//! JSON strings.

use zeroize::Zeroizing;

/// Reads the string whose opening quote is at `start`; returns its end and what it says, or the
/// place and the reason why it is not a string.
pub(super) fn read(
    source: &str,
    start: usize,
) -> Result<(usize, Zeroizing<String>), (usize, &'static str)> {
    let bytes = source.as_bytes();
    let mut at = start + 1;
    let mut decoded = Zeroizing::new(String::new());
    loop {
        let run = bytes[at..]
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))
            .ok_or((source.len(), "unexpected end of JSON"))?;
        decoded.push_str(&source[at..at + run]);
        at += run;
        match bytes[at] {
            b'"' => return Ok((at + 1, decoded)),
            b'\\' => {
                let (char, length) = escape(&bytes[at + 1..]).ok_or((at, "invalid JSON escape"))?;
                decoded.push(char);
                at += 1 + length;
            }
            _ => return Err((at, "control character in a JSON string")),
        }
    }
}

/// The character of an escape, after its backslash, and how many bytes it takes.
fn escape(rest: &[u8]) -> Option<(char, usize)> {
    let char = match rest.first()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(rest),
        _ => return None,
    };
    Some((char, 1))
}

/// `uXXXX`, or two of them for a character outside of the basic plane.
fn unicode(rest: &[u8]) -> Option<(char, usize)> {
    let high = hex(rest.get(1..5)?)?;
    if let Some(char) = char::from_u32(high) {
        return Some((char, 5));
    }
    let low = match rest.get(5..11) {
        Some([b'\\', b'u', digits @ ..]) => hex(digits),
        _ => None,
    };
    match low {
        Some(low @ 0xdc00..0xe000) if high < 0xdc00 => {
            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            Some((char::from_u32(code)?, 11))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, 5)),
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| {
        Some(value * 16 + char::from(*digit).to_digit(16)?)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_escape_is_decoded() {
        let text = r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é" rest"#;
        let (end, decoded) = read(text, 0).unwrap();
        assert_eq!(*decoded, "\"\\/\u{8}\u{c}\n\r\té😀é");
        assert_eq!(&text[end..], " rest");
    }

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        for text in [
            r#""\ud83d""#,
            r#""\ude00""#,
            r#""\ud83dx""#,
            r#""\ud83d\n""#,
        ] {
            let (_, decoded) = read(text, 0).unwrap();
            assert!(decoded.starts_with(char::REPLACEMENT_CHARACTER), "{text}");
        }
    }

    #[test]
    fn broken_strings_are_refused() {
        for text in [r#""a"#, r#""\x""#, r#""\u12""#, "\"a\nb\"", r#""\"#] {
            assert!(read(text, 0).is_err(), "{text}");
        }
    }
}
