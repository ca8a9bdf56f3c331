//! How a value is encoded in its store.

use signet_crds::external::external_secret::{DecodingStrategy, NullBytePolicy};
use signet_keys::{Plaintext, sealed};

/// Why a value is not taken. It does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// It is not what the strategy says.
    #[error("it is not base64, as decodingStrategy Base64 has it")]
    Base64,
    /// It is not what the strategy says.
    #[error("it is not base64 for URLs, as decodingStrategy Base64URL has it")]
    Base64Url,
    /// It has a null byte.
    #[error("it has a null byte at position {0}, which nullBytePolicy Fail does not allow")]
    NullByte(usize),
}

/// The value itself.
///
/// # Errors
/// It is encoded otherwise. With `Auto` it never is: what is not base64 is taken as it stands.
pub fn decode(value: Plaintext, strategy: DecodingStrategy) -> Result<Plaintext, DecodeError> {
    match strategy {
        DecodingStrategy::None => Ok(value),
        DecodingStrategy::Base64 => base64(&value).ok_or(DecodeError::Base64),
        DecodingStrategy::Base64Url => base64_url(&value).ok_or(DecodeError::Base64Url),
        DecodingStrategy::Auto => {
            let decoded = base64(&value).or_else(|| base64_url(&value));
            Ok(decoded.unwrap_or(value))
        }
    }
}

/// Refuses null bytes where they are not allowed.
///
/// # Errors
/// There is one.
pub fn check_null_bytes(value: &Plaintext, policy: NullBytePolicy) -> Result<(), DecodeError> {
    let position = value.expose().iter().position(|byte| *byte == 0);
    match (policy, position) {
        (NullBytePolicy::Fail, Some(position)) => Err(DecodeError::NullByte(position)),
        _ => Ok(()),
    }
}

/// With the alphabet and the padding of RFC 4648; line ends are skipped.
fn base64(value: &Plaintext) -> Option<Plaintext> {
    let text = std::str::from_utf8(value.expose()).ok()?;
    sealed::decode(text).ok().map(Plaintext::new)
}

fn base64_url(value: &Plaintext) -> Option<Plaintext> {
    let standard = value.expose().iter().map(|byte| match byte {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        b'+' | b'/' => None,
        other => Some(*other),
    });
    base64(&Plaintext::new(standard.collect::<Option<Vec<u8>>>()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn decoded(text: &str, strategy: DecodingStrategy) -> Option<Vec<u8>> {
        let value = Plaintext::new(text.into());
        decode(value, strategy)
            .ok()
            .map(|value| value.expose().to_vec())
    }

    #[test]
    fn each_strategy_takes_its_own_alphabet() {
        use DecodingStrategy::{Auto, Base64, Base64Url, None as Plain};
        let (standard, url) = ("+/+/", "-_-_");
        let bytes = Some(vec![0xfb, 0xff, 0xbf]);
        assert_eq!(decoded(standard, Base64), bytes);
        assert_eq!(decoded(url, Base64), None);
        assert_eq!(decoded(url, Base64Url), bytes);
        assert_eq!(decoded(standard, Base64Url), None);
        assert_eq!(decoded(standard, Auto), bytes);
        assert_eq!(decoded(url, Auto), bytes);
        assert_eq!(decoded(standard, Plain), Some(standard.into()));
    }

    #[test]
    fn what_is_not_base64_is_an_error_or_taken_as_it_stands() {
        for text in ["hunter2!", "YQ", "YQ=", "é", "-/aa"] {
            assert_eq!(decoded(text, DecodingStrategy::Base64), None, "{text}");
            assert_eq!(decoded(text, DecodingStrategy::Base64Url), None, "{text}");
            assert_eq!(
                decoded(text, DecodingStrategy::Auto),
                Some(text.into()),
                "{text}"
            );
        }
        assert_eq!(
            decoded("aHVu\ndGVy\n", DecodingStrategy::Base64),
            Some("hunter".into())
        );
    }

    #[test]
    fn a_null_byte_is_an_error_only_where_it_is_said() {
        let value = Plaintext::new(b"a\0b".to_vec());
        assert_eq!(check_null_bytes(&value, NullBytePolicy::Ignore), Ok(()));
        let refused = check_null_bytes(&value, NullBytePolicy::Fail);
        assert_eq!(refused, Err(DecodeError::NullByte(1)));
        let clean = Plaintext::new(b"ab".to_vec());
        assert_eq!(check_null_bytes(&clean, NullBytePolicy::Fail), Ok(()));
    }
}
