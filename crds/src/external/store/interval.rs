//! How often a store is checked.

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::duration::GoDuration;

/// Seconds, or a duration.
#[derive(Serialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(untagged)]
pub enum StoreInterval {
    /// Seconds: the only form of `v1beta1`.
    Seconds(i64),
    /// A duration in Go's form.
    Duration(GoDuration),
}

impl StoreInterval {
    /// As a duration. Not above zero: as the controller is told.
    pub fn duration(self) -> GoDuration {
        match self {
            Self::Seconds(seconds) => GoDuration::from_secs(seconds),
            Self::Duration(duration) => duration,
        }
    }
}

impl<'de> Deserialize<'de> for StoreInterval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(i64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(seconds) => Ok(Self::Seconds(seconds)),
            // A number in quotes is seconds too.
            Written::Text(text) => match text.parse() {
                Ok(seconds) => Ok(Self::Seconds(seconds)),
                Err(_) => text.parse().map(Self::Duration).map_err(de::Error::custom),
            },
        }
    }
}
