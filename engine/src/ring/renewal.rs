//! When a new sealing key is due.

use jiff::{SignedDuration, Timestamp};

use super::Keys;

/// What the administrator wants of new keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renewal {
    /// Age at which the newest key gets a successor; `None` for never.
    pub period: Option<SignedDuration>,
    /// The newest key must be younger than this moment, say that of a leak.
    pub cutoff: Option<Timestamp>,
    /// Whether keys may be made here at all (sealed-secrets#702).
    pub may_mint: bool,
}

/// What the keys need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing before this moment, or ever.
    Nothing {
        /// When to ask again.
        until: Option<Timestamp>,
    },
    /// A new key.
    Key(Why),
    /// A key that may not be made here: somebody has to bring one.
    Rescue(Why),
}

/// Why a new key is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// There is none.
    NoKey,
    /// The newest is older than the cutoff.
    Cutoff,
    /// The newest has reached the age of renewal.
    Renewal,
    /// The certificate of the newest has expired, and clients refuse to seal with it.
    Expired,
}

/// Decides whether a key is due.
///
/// The age of a key is the time that it has been in this cluster, not that of its certificate: a key
/// that came from a backup or from a certificate authority is in use for a whole period before it
/// gets a successor (sealed-secrets#1588). The cutoff goes by the order of keys, as that is what
/// makes one the newest. With renewal off nothing is made but the first key and what the cutoff asks
/// for.
pub fn needs_key(keys: &Keys, now: Timestamp, renewal: &Renewal) -> Need {
    let why = match why(keys, now, renewal) {
        Ok(until) => {
            return Need::Nothing {
                until: until.filter(|_| renewal.may_mint),
            };
        }
        Err(why) => why,
    };
    match why {
        _ if renewal.may_mint => Need::Key(why),
        // The keys at hand still open everything: no reason for alarm.
        Why::Renewal => Need::Nothing { until: None },
        Why::NoKey | Why::Cutoff | Why::Expired => Need::Rescue(why),
    }
}

fn why(keys: &Keys, now: Timestamp, renewal: &Renewal) -> Result<Option<Timestamp>, Why> {
    let Some(newest) = keys.ring.newest() else {
        return Err(Why::NoKey);
    };
    if renewal
        .cutoff
        .is_some_and(|cutoff| newest.ordering < cutoff)
    {
        return Err(Why::Cutoff);
    }
    let Some(period) = renewal.period else {
        return Ok(None);
    };
    if newest.certificate.is_expired(now) {
        return Err(Why::Expired);
    }
    let since = keys.newest_arrival(now).unwrap_or(newest.ordering);
    // A period beyond the end of time is never.
    let due = since.checked_add(period).ok();
    if due.is_some_and(|due| due <= now) {
        return Err(Why::Renewal);
    }
    let expired = newest
        .certificate
        .not_after()
        .checked_add(SignedDuration::from_secs(1))
        .ok();
    Ok(due.into_iter().chain(expired).min())
}
