//! Base64, base32, hexadecimal, and checksums.

use std::fmt::Write;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::Text;

mod base32;

pub(super) fn table() -> Table {
    vec![
        ("adler32sum", Function::new(adler32sum)),
        ("b32dec", Function::new(b32dec)),
        ("b32enc", Function::new(b32enc)),
        ("b64dec", Function::new(b64dec)),
        ("b64enc", Function::new(b64enc)),
        ("hexdec", Function::new(hexdec)),
        ("sha1sum", Function::new(sha1sum)),
        ("sha256sum", Function::new(sha256sum)),
        ("sha512sum", Function::new(sha512sum)),
    ]
}

fn engine() -> GeneralPurpose {
    // Go reads bits that are left over at the end, whatever they are.
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, config)
}

pub(super) fn base64(bytes: &[u8]) -> String {
    engine().encode(bytes)
}

/// Line ends are passed over, as Go does. `None`: no base64.
pub(super) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'\r' | b'\n'))
        .collect();
    engine().decode(text).ok()
}

fn b64enc(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(base64(&text))
}

/// What is no base64 gives an error in words, as Sprig has it, but not one that quotes the text.
fn b64dec(_: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    from_base64(&text)
        .map(Text::from)
        .ok_or_else(|| "the text is no base64".into())
}

fn b32enc(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(base32::encode(&text))
}

fn b32dec(_: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    base32::decode(&text)
        .map(Text::from)
        .ok_or_else(|| "the text is no base32".into())
}

/// A function of the External Secrets Operator's own.
fn hexdec(_: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    let pairs = text.chunks(2).map(|pair| {
        let digits = std::str::from_utf8(pair)
            .ok()
            .filter(|digits| digits.len() == 2)?;
        let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u8::from_str_radix(digits, 16).ok().filter(|_| hexadecimal)
    });
    let bytes: Option<Vec<u8>> = pairs.collect();
    bytes
        .map(Text::from)
        .ok_or_else(|| "the text is no hexadecimal".into())
}

pub(super) fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

fn sha1sum(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(hexadecimal(Sha1::digest(&*text)))
}

fn sha256sum(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(hexadecimal(Sha256::digest(&*text)))
}

fn sha512sum(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(hexadecimal(Sha512::digest(&*text)))
}

/// RFC 1950, in decimal.
fn adler32sum(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    const MODULUS: u32 = 65521;
    let sums = text.iter().fold((1, 0), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % MODULUS;
        (low, (high + low) % MODULUS)
    });
    Ok((sums.1 << 16 | sums.0).to_string())
}
