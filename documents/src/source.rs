//! Bytes of a file to text: UTF-8 only, with the byte order mark remembered for writing.

use std::{fmt, sync::Arc};

use zeroize::Zeroizing;

use crate::limits::MAX_SOURCE_BYTES;

const BOM: char = '\u{feff}';

/// Decodes the bytes of a file.
///
/// # Errors
/// Names what else the bytes are: nothing at all, UTF-16, another encoding, binary data.
pub fn decode(bytes: &[u8]) -> Result<Text, DecodeError> {
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(DecodeError::TooLarge { bytes: bytes.len() });
    }
    if let Some(encoding) = wide_encoding(bytes) {
        return Err(DecodeError::WideEncoding { encoding });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| DecodeError::NotUtf8 {
        line: line_of(bytes, error.valid_up_to()),
        offset: error.valid_up_to(),
    })?;
    if let Some(offset) = text.find('\0') {
        return Err(DecodeError::Nul {
            line: line_of(bytes, offset),
        });
    }
    let (content, has_bom) = match text.strip_prefix(BOM) {
        Some(content) => (content, true),
        None => (text, false),
    };
    if content.trim().is_empty() {
        return Err(DecodeError::Empty);
    }
    Ok(Text {
        content: Arc::new(Zeroizing::new(content.to_owned())),
        has_bom,
    })
}

/// The text of a file, without its byte order mark. Wiped from memory on drop, and not printable,
/// for it may be a Secret.
#[derive(Clone)]
pub struct Text {
    content: Arc<Zeroizing<String>>,
    has_bom: bool,
}

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// The text, for another owner of the same bytes.
    pub(crate) fn share(&self) -> Arc<Zeroizing<String>> {
        Arc::clone(&self.content)
    }

    /// Whether the file began with a byte order mark.
    pub fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// [`Self::encode`] of a text that is wiped, or becomes the bytes.
    pub(crate) fn encode_owned(&self, mut content: Zeroizing<String>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(if self.has_bom {
            self.encode(&content)
        } else {
            std::mem::take(&mut *content).into_bytes()
        })
    }

    /// The bytes to write when the text has become `content`: the byte order mark is put back.
    pub fn encode(&self, content: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(content.len() + BOM.len_utf8());
        if self.has_bom {
            bytes.extend_from_slice(BOM.encode_utf8(&mut [0; 4]).as_bytes());
        }
        bytes.extend_from_slice(content.as_bytes());
        bytes
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text")
            .field("bytes", &self.content.len())
            .field("has_bom", &self.has_bom)
            .finish()
    }
}

/// Why bytes are not the text of a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// No bytes, or nothing but white space.
    #[error("the input is empty")]
    Empty,
    /// A NUL character: no text format here allows one.
    #[error("line {line} holds a NUL character, so this is not a text file")]
    Nul {
        /// Line, from 1.
        line: usize,
    },
    /// Some byte is not UTF-8.
    #[error("line {line} is not UTF-8 (byte {offset})")]
    NotUtf8 {
        /// Line, from 1.
        line: usize,
        /// Offset of the first bad byte, from 0.
        offset: usize,
    },
    /// Larger than [`MAX_SOURCE_BYTES`].
    #[error("the input has {bytes} bytes, more than the limit of {MAX_SOURCE_BYTES}")]
    TooLarge {
        /// Size of the input.
        bytes: usize,
    },
    /// UTF-16 or UTF-32, which some Windows programs write.
    #[error("the input is {encoding}, not UTF-8")]
    WideEncoding {
        /// Name of the encoding found.
        encoding: &'static str,
    },
}

impl DecodeError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::WideEncoding { .. } => Some(
                "save the file as UTF-8 (Windows PowerShell's `>` writes UTF-16: use `Out-File -Encoding utf8`)",
            ),
            Self::NotUtf8 { .. } => Some("save the file as UTF-8; binary values belong in base64"),
            Self::Nul { .. } => Some("binary values belong in base64"),
            Self::Empty | Self::TooLarge { .. } => None,
        }
    }
}

/// Recognises UTF-16 and UTF-32 by the mark, or without one by the NUL bytes of the first two
/// characters, as the YAML specification does (5.2).
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [_, 0, 0, 0, ..] => Some("UTF-32 (little endian)"),
        [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, _, ..] => Some("UTF-32 (big endian)"),
        [0xff, 0xfe, ..] => Some("UTF-16 (little endian)"),
        [0xfe, 0xff, ..] => Some("UTF-16 (big endian)"),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => Some("UTF-16 (little endian)"),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => Some("UTF-16 (big endian)"),
        _ => None,
    }
}

fn line_of(bytes: &[u8], offset: usize) -> usize {
    1 + bytes
        .iter()
        .take(offset)
        .filter(|byte| **byte == b'\n')
        .count()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_byte_order_mark_is_kept_for_writing() {
        let text = decode(b"\xef\xbb\xbfa: 1\n").unwrap();
        assert_eq!(text.as_str(), "a: 1\n");
        assert_eq!(text.encode("a: 2\n"), b"\xef\xbb\xbfa: 2\n");
        let plain = decode(b"a: 1\n").unwrap();
        assert_eq!(plain.encode("a: 2\n"), b"a: 2\n");
    }

    #[test]
    fn utf_16_is_named_with_and_without_a_mark() {
        let utf16 = |text: &str, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(to).collect()
        };
        for (bytes, encoding) in [
            (
                utf16("\u{feff}a: 1", u16::to_le_bytes),
                "UTF-16 (little endian)",
            ),
            (
                utf16("\u{feff}a: 1", u16::to_be_bytes),
                "UTF-16 (big endian)",
            ),
            (utf16("a: 1", u16::to_le_bytes), "UTF-16 (little endian)"),
            (utf16("a: 1", u16::to_be_bytes), "UTF-16 (big endian)"),
        ] {
            let error = decode(&bytes).unwrap_err();
            assert_eq!(error, DecodeError::WideEncoding { encoding });
            assert!(error.hint().unwrap().contains("UTF-8"));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        assert_eq!(
            decode(b"a: 1\nb: \xff\n").unwrap_err(),
            DecodeError::NotUtf8 { line: 2, offset: 8 }
        );
        assert_eq!(
            decode(b"a: 1\n\nb: x\0").unwrap_err(),
            DecodeError::Nul { line: 3 }
        );
    }

    #[test]
    fn an_empty_file_is_told_apart_from_a_bad_one() {
        for blank in [&b""[..], b"\n \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"] {
            assert_eq!(decode(blank).unwrap_err(), DecodeError::Empty);
        }
        assert!(decode(b"# a comment\n").is_ok());
    }

    #[test]
    fn the_text_is_not_printable() {
        let text = decode(b"password: hunter2\n").unwrap();
        assert_eq!(format!("{text:?}"), "Text { bytes: 18, has_bom: false }");
    }
}
