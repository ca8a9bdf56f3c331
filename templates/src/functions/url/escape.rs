//! Percent signs in the parts of a URL.

/// Which part a text is of: each leaves other characters as they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    Host,
    User,
    Fragment,
}

fn is_kept(byte: u8, part: Part) -> bool {
    match byte {
        b'a'..=b'z'
        | b'A'..=b'Z'
        | b'0'..=b'9'
        | b'-'
        | b'_'
        | b'.'
        | b'~'
        | b'$'
        | b'&'
        | b'+'
        | b','
        | b'='
        | b';' => true,
        b'!' | b'(' | b')' | b'*' => matches!(part, Part::Host | Part::Fragment),
        b'[' | b']' | b'<' | b'>' | b'"' | b'\'' => part == Part::Host,
        b':' => part != Part::User,
        b'/' | b'@' => matches!(part, Part::Path | Part::Fragment),
        b'?' => part == Part::Fragment,
        _ => false,
    }
}

pub(super) fn escape(text: &[u8], part: Part) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for byte in text {
        if is_kept(*byte, part) {
            escaped.push(*byte);
        } else {
            escaped.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    escaped
}

/// `None`: a percent sign without two digits after it, or a character that a host cannot have.
pub(super) fn unescape(text: &[u8], part: Part) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'%' {
            if part == Part::Host && byte.is_ascii() && !is_kept(*byte, part) {
                return None;
            }
            plain.push(*byte);
            continue;
        }
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok())?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let decoded = u8::from_str_radix(digits, 16).ok()?;
        // In a host only what is no ASCII may be escaped.
        if part == Part::Host && decoded < 0x80 && digits != "25" {
            return None;
        }
        plain.push(decoded);
        rest = &after[2..];
    }
    Some(plain)
}
