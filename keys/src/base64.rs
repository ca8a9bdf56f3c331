//! Standard base64 with padding, read as leniently as Go's `encoding/base64.StdEncoding` reads it,
//! because that is what has accepted the files that people have.

use ::base64::Engine;
use ::base64::alphabet::STANDARD;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Why a text is not base64. It never shows the text: what is not base64 may be a value that somebody
/// forgot to encrypt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Base64Error {
    /// A character that base64 does not have, or padding in the wrong place.
    #[error("not base64: unexpected character at offset {0}")]
    Character(
        /// Offset in bytes, in the text as given.
        usize,
    ),
    /// The text ends too early, or its padding is missing.
    #[error("not base64: the text or its padding (\"=\") is cut short at offset {0}")]
    CutShort(
        /// Length of the text in bytes.
        usize,
    ),
}

const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Standard base64 with padding, on one line.
pub fn encode(bytes: &[u8]) -> String {
    ENGINE.encode(bytes)
}

/// [`encode`] at the end of a text.
pub(crate) fn encode_into(bytes: &[u8], text: &mut String) {
    ENGINE.encode_string(bytes, text);
}

/// Decodes standard base64 with padding. Line ends (`\r`, `\n`) may be anywhere, and the bits of the
/// last character that no byte needs may have any value; everything else is an error.
pub fn decode(text: &str) -> Result<Vec<u8>, Base64Error> {
    decode_bytes(text.as_bytes())
}

/// [`decode`] for text that need not be UTF-8.
pub(crate) fn decode_bytes(text: &[u8]) -> Result<Vec<u8>, Base64Error> {
    // Most texts have no line ends, private keys among them, of which no copy may be left behind.
    let decoded = ENGINE.decode(text).or_else(|error| {
        if !text.iter().copied().any(is_line_end) {
            return Err(error);
        }
        let compact: Vec<u8> = text
            .iter()
            .copied()
            .filter(|byte| !is_line_end(*byte))
            .collect();
        ENGINE.decode(compact)
    });
    decoded.map_err(|error| describe(&error, text))
}

/// [`decode`] of a text on one line into a buffer; nothing if it is not such a text, or does not fit.
pub(crate) fn decode_into<'b>(text: &str, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let length = ENGINE.decode_slice(text, buffer).ok()?;
    Some(&buffer[..length])
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// The error in terms of the text as given, line ends included.
fn describe(error: &::base64::DecodeError, text: &[u8]) -> Base64Error {
    use ::base64::DecodeError::{InvalidByte, InvalidLastSymbol, InvalidLength, InvalidPadding};
    let original = |compact: usize| {
        let mut others = text
            .iter()
            .enumerate()
            .filter(|(_, byte)| !is_line_end(**byte))
            .map(|(offset, _)| offset);
        others.nth(compact).unwrap_or(text.len())
    };
    match error {
        InvalidByte(offset, _) | InvalidLastSymbol { offset, .. } => {
            Base64Error::Character(original(*offset))
        }
        InvalidLength(_) | InvalidPadding => Base64Error::CutShort(text.len()),
    }
}

#[cfg(test)]
mod tests;
