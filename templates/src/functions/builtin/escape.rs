//! Escaping for HTML, JavaScript and the query of a URL.

use crate::error::Failure;
use crate::printf::quote::is_printable;
use crate::text::Sink;

pub(super) fn html(text: &[u8], sink: &mut Sink) -> Result<(), Failure> {
    for byte in text {
        match byte {
            0 => sink.push("\u{fffd}"),
            b'"' => sink.push("&#34;"),
            b'\'' => sink.push("&#39;"),
            b'&' => sink.push("&amp;"),
            b'<' => sink.push("&lt;"),
            b'>' => sink.push("&gt;"),
            byte => sink.push([*byte]),
        }?;
    }
    Ok(())
}

pub(super) fn js(text: &[u8], sink: &mut Sink) -> Result<(), Failure> {
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => sink.push("\\\\"),
                '\'' => sink.push("\\'"),
                '"' => sink.push("\\\""),
                '<' | '>' | '&' | '=' => sink.push(format!("\\u{:04X}", u32::from(c))),
                c if c < ' ' => sink.push(format!("\\u{:04X}", u32::from(c))),
                c if c.is_ascii() || is_printable(c) => sink.push_char(c),
                c => sink.push(format!("\\u{:04X}", u32::from(c))),
            }?;
        }
        for _ in chunk.invalid() {
            sink.push("\\uFFFD")?;
        }
    }
    Ok(())
}

pub(super) fn query(text: &[u8], sink: &mut Sink) -> Result<(), Failure> {
    for byte in text {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                sink.push([*byte])
            }
            b' ' => sink.push("+"),
            byte => sink.push(format!("%{byte:02X}")),
        }?;
    }
    Ok(())
}
