//! RFC 4648's base32.

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for chunk in bytes.chunks(5) {
        let bits = chunk
            .iter()
            .fold(0u64, |bits, byte| bits << 8 | u64::from(*byte))
            << (8 * (5 - chunk.len()));
        let digits = (chunk.len() * 8).div_ceil(5);
        for index in 0..8 {
            let digit = (bits >> (35 - 5 * index)) & 31;
            let digit = usize::try_from(digit).map_or('=', |digit| char::from(ALPHABET[digit]));
            text.push(if index < digits { digit } else { '=' });
        }
    }
    text
}

/// Line ends are passed over. `None`: no base32.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let text: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'\r' | b'\n'))
        .collect();
    let chunks = text.chunks(8);
    let count = chunks.len();
    let mut bytes = Vec::with_capacity(text.len() / 8 * 5);
    for (number, chunk) in chunks.enumerate() {
        let digits = chunk
            .iter()
            .position(|byte| *byte == b'=')
            .unwrap_or(chunk.len());
        let padded = chunk[digits..].iter().all(|byte| *byte == b'=');
        let last = number + 1 == count;
        if chunk.len() < 8 || !padded || (digits < 8 && !last) {
            return None;
        }
        let whole = match digits {
            2 => 1,
            4 => 2,
            5 => 3,
            7 => 4,
            8 => 5,
            _ => return None,
        };
        let mut bits = 0u64;
        for byte in &chunk[..digits] {
            let digit = ALPHABET.iter().position(|known| known == byte)?;
            bits = bits << 5 | u64::try_from(digit).ok()?;
        }
        bits <<= 5 * (8 - digits);
        bytes.extend_from_slice(&bits.to_be_bytes()[3..3 + whole]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_rfc_4648_hold() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "MY======"),
            ("fo", "MZXQ===="),
            ("foo", "MZXW6==="),
            ("foob", "MZXW6YQ="),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI======"),
        ] {
            assert_eq!(encode(plain.as_bytes()), encoded);
            assert_eq!(
                decode(encoded.as_bytes()).as_deref(),
                Some(plain.as_bytes())
            );
        }
    }

    #[test]
    fn what_is_no_base32_is_refused() {
        for text in [
            "M",
            "MY",
            "MY=====",
            "my======",
            "MY======MY======",
            "M=Y=====",
            "MZX=====",
        ] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
