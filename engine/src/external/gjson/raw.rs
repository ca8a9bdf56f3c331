//! A piece of JSON on the way.

use std::ops::Deref;

use zeroize::Zeroizing;

/// JSON of one value, cut out of a text or made of others; nothing where there is no value.
pub(super) enum Raw<'j> {
    Cut(&'j str),
    Made(Zeroizing<String>),
}

impl Raw<'_> {
    pub(super) const ABSENT: Raw<'static> = Raw::Cut("");

    /// Whether there is a value, be it `null`.
    pub(super) fn exists(&self) -> bool {
        !self.is_empty()
    }

    pub(super) fn into_text(self) -> Zeroizing<String> {
        match self {
            Self::Cut(text) => Zeroizing::new(text.to_owned()),
            Self::Made(text) => text,
        }
    }

    /// The same, of no other text.
    pub(super) fn detach(self) -> Raw<'static> {
        match self {
            Self::Cut("") => Raw::ABSENT,
            other => Raw::Made(other.into_text()),
        }
    }
}

impl Deref for Raw<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Cut(text) => text,
            Self::Made(text) => text,
        }
    }
}
