//! Values with fields and methods: times, certificates, versions.

use std::fmt;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::Text;

/// A moment, seen in a zone.
#[derive(Clone, Debug)]
pub struct Time {
    /// The moment.
    pub at: Timestamp,
    /// Whose clock shows it.
    pub zone: TimeZone,
    /// The abbreviation of the zone, where the zone itself has none.
    pub(crate) name: Option<Arc<str>>,
}

impl Time {
    /// A moment as a zone shows it.
    pub fn new(at: Timestamp, zone: TimeZone) -> Self {
        Self {
            at,
            zone,
            name: None,
        }
    }

    pub(crate) fn zoned(&self) -> Zoned {
        self.at.to_zoned(self.zone.clone())
    }
}

/// A certificate and its private key, both in PEM.
#[derive(Clone)]
pub struct Certificate {
    /// `.Cert`.
    pub cert: Text,
    /// `.Key`.
    pub key: Text,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Certificate(<redacted>)")
    }
}

/// A semantic version, and the text that it was read from.
#[derive(Clone, PartialEq, Eq)]
pub struct Version {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    pub(crate) patch: u64,
    pub(crate) prerelease: Text,
    pub(crate) metadata: Text,
    pub(crate) original: Text,
}

/// Without what the original text may have had around it.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (mark, part) in [('-', &self.prerelease), ('+', &self.metadata)] {
            if !part.is_empty() {
                write!(f, "{mark}{}", part.lossy())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Version(<redacted>)")
    }
}
