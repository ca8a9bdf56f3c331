//! The one type that holds secret values.

use std::fmt;

use ctutils::CtEq;
use zeroize::Zeroizing;

/// A secret value. It is wiped from memory when dropped, its `Debug` shows nothing of it, and it has
/// neither `Display` nor `Serialize`: whoever lets it out says so by calling [`Plaintext::expose`].
#[derive(Clone, Default)]
pub struct Plaintext(Zeroizing<Vec<u8>>);

impl Plaintext {
    /// Takes the value over without copying it, so that no second copy stays behind.
    pub fn new(value: Vec<u8>) -> Self {
        Self(Zeroizing::new(value))
    }

    /// The value itself.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// Length of the value in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the value is the empty string, which is a valid secret value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<u8>> for Plaintext {
    fn from(value: Vec<u8>) -> Self {
        Self::new(value)
    }
}

impl From<Zeroizing<Vec<u8>>> for Plaintext {
    fn from(value: Zeroizing<Vec<u8>>) -> Self {
        Self(value)
    }
}

impl fmt::Debug for Plaintext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plaintext(<redacted>)")
    }
}

/// Takes the same time wherever values of one length differ.
impl PartialEq for Plaintext {
    fn eq(&self, other: &Self) -> bool {
        self.expose().ct_eq(other.expose()).to_bool()
    }
}

impl Eq for Plaintext {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_nothing_of_the_value() {
        let value = Plaintext::from(b"hunter2".to_vec());
        assert_eq!(format!("{value:?}"), "Plaintext(<redacted>)");
        assert_eq!(
            format!("{:#?}", Some(value)),
            "Some(\n    Plaintext(<redacted>),\n)"
        );
    }

    #[test]
    fn values_are_equal_when_all_bytes_are() {
        let value = |bytes: &[u8]| Plaintext::from(bytes.to_vec());
        assert_eq!(value(b"a\0b"), value(b"a\0b"));
        assert_eq!(value(b""), Plaintext::default());
        assert_ne!(value(b"a\0b"), value(b"a\0c"));
        assert_ne!(value(b"a"), value(b"a\0"));
    }
}
