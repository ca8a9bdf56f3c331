//! DER, as far as it is written here.

pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const NULL: &[u8] = &[0x05, 0x00];
pub(super) const UTF8_STRING: u8 = 0x0c;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;

/// Encoded object identifiers.
pub(super) mod oid {
    pub(in super::super) const RSA: &[u8] = &[0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
    pub(in super::super) const SHA256_WITH_RSA: &[u8] =
        &[0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11];
    pub(in super::super) const EC: &[u8] = &[0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
    pub(in super::super) const P256: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
    pub(in super::super) const P384: &[u8] = &[0x06, 5, 0x2b, 0x81, 0x04, 0, 34];
    pub(in super::super) const P521: &[u8] = &[0x06, 5, 0x2b, 0x81, 0x04, 0, 35];
    pub(in super::super) const ECDSA_WITH_SHA256: &[u8] =
        &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];
    pub(in super::super) const ED25519: &[u8] = &[0x06, 3, 0x2b, 101, 112];
    pub(in super::super) const COMMON_NAME: &[u8] = &[0x06, 3, 0x55, 4, 3];
}

/// One value: its tag, its length, and what it is made of.
pub(super) fn value(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    let length = content.len();
    if length < 0x80 {
        out.extend(u8::try_from(length));
    } else {
        let bytes = length.to_be_bytes();
        let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(0);
        let bytes = &bytes[start..];
        out.extend(u8::try_from(bytes.len()).map(|count| 0x80 | count));
        out.extend_from_slice(bytes);
    }
    out.extend(content);
    out
}

pub(super) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    value(SEQUENCE, parts)
}

/// A number without a sign, in big-endian bytes.
pub(super) fn unsigned(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.iter().position(|byte| *byte != 0);
    let digits = start.map_or(&[0][..], |start| &bytes[start..]);
    let sign: &[u8] = if digits[0] & 0x80 == 0 { &[] } else { &[0] };
    value(INTEGER, &[sign, digits])
}

/// Whole bytes as a bit string.
pub(super) fn bits(bytes: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_as_short_as_they_can_be() {
        assert_eq!(value(OCTET_STRING, &[&[1, 2]]), [4, 2, 1, 2]);
        assert_eq!(value(OCTET_STRING, &[&[0; 200]])[..3], [4, 0x81, 200]);
        assert_eq!(value(OCTET_STRING, &[&[0; 300]])[..4], [4, 0x82, 1, 44]);
    }

    #[test]
    fn numbers_are_not_negative() {
        assert_eq!(unsigned(&[0, 0, 1]), [2, 1, 1]);
        assert_eq!(unsigned(&[0x80]), [2, 2, 0, 0x80]);
        assert_eq!(unsigned(&[]), [2, 1, 0]);
    }
}
