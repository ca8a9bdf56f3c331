//! Integers with their Go type, and numbers that keep their text.

use std::sync::Arc;

/// An integer of one of Go's types. `i128` holds the values of all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// The type.
    pub kind: IntegerKind,
    /// The value.
    pub value: i128,
}

/// Which of Go's integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IntegerKind {
    /// `int`: constants of a template, lengths.
    Int,
    /// `int64`: what arithmetic gives.
    Int64,
    /// `uint8`: a byte of a text.
    Uint8,
    /// `uint64`: a part of a version.
    Uint64,
    /// `time.Duration`, in nanoseconds.
    Duration,
    /// `time.Month`, from 1.
    Month,
    /// `time.Weekday`, from Sunday, 0.
    Weekday,
}

impl IntegerKind {
    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Int64 => "int64",
            Self::Uint8 => "uint8",
            Self::Uint64 => "uint64",
            Self::Duration => "time.Duration",
            Self::Month => "time.Month",
            Self::Weekday => "time.Weekday",
        }
    }

    pub(super) fn kind_name(self) -> &'static str {
        match self {
            Self::Int | Self::Month | Self::Weekday => "int",
            Self::Int64 | Self::Duration => "int64",
            Self::Uint8 => "uint8",
            Self::Uint64 => "uint64",
        }
    }

    pub(crate) fn is_unsigned(self) -> bool {
        matches!(self, Self::Uint8 | Self::Uint64)
    }
}

/// A number as JSON or YAML writes it. Its text is kept, so that `12345678` does not become
/// `1.2345678e+07` and a number of 20 digits keeps them all.
#[derive(Clone)]
pub struct Number {
    text: Arc<str>,
    float: f64,
}

impl Number {
    /// Takes the text of a JSON number. `None` if it is none.
    pub fn new(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.starts_with(|c: char| c.is_ascii_digit())
            || !text.ends_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let float: f64 = text.parse().ok()?;
        float.is_finite().then(|| Self {
            text: text.into(),
            float,
        })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What Go computes with.
    pub fn as_f64(&self) -> f64 {
        self.float
    }

    /// The whole number that it is written as, if it is.
    pub fn as_i128(&self) -> Option<i128> {
        self.text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_number_keeps_its_text() {
        let number = Number::new("12345678901234567890").unwrap();
        assert_eq!(number.as_str(), "12345678901234567890");
        assert_eq!(number.as_i128(), Some(12_345_678_901_234_567_890));
        assert_eq!(Number::new("1.50").unwrap().as_i128(), None);
    }

    #[test]
    fn what_json_does_not_call_a_number_is_none() {
        for text in [
            "", "-", "+1", ".5", "5.", "inf", "NaN", "1e999", "0x10", "1_0",
        ] {
            assert!(Number::new(text).is_none(), "{text}");
        }
    }
}
