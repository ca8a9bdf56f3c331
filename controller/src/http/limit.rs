//! The limit of requests that cost private-key work.
//!
//! Counted by the address of the TCP peer, never by `X-Forwarded-For`, which the caller writes
//! (D21), and over all callers together. Behind the API server's proxy all callers share one
//! address: so the limit has to be one that checking a folder of files does not meet
//! (sealed-secrets#870).

use std::{
    collections::HashMap,
    net::IpAddr,
    time::{Duration, Instant},
};

/// Addresses remembered at most; past it those that have used nothing lately are dropped.
const REMEMBERED: usize = 4096;
/// All addresses together may do this many times what one may.
const TOGETHER: f64 = 10.0;

/// A rate and the burst above it.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// Requests a second.
    pub per_second: f64,
    /// Requests at once above the rate.
    pub burst: f64,
}

/// The limiter. The time comes in with every call.
#[derive(Debug)]
pub struct Limiter {
    rate: Rate,
    together: Bucket,
    peers: HashMap<IpAddr, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Limiter {
    /// A limiter with every bucket full.
    pub fn new(rate: Rate, now: Instant) -> Self {
        Self {
            rate,
            together: Bucket::full(together(rate), now),
            peers: HashMap::new(),
        }
    }

    /// Takes one request of `peer`, or says after how long to come again.
    pub fn take(&mut self, peer: IpAddr, now: Instant) -> Result<(), Duration> {
        if self.peers.len() >= REMEMBERED && !self.peers.contains_key(&peer) {
            let rate = self.rate;
            self.peers.retain(|_, bucket| !bucket.is_full(rate, now));
            if self.peers.len() >= REMEMBERED {
                return Err(Duration::from_secs(1));
            }
        }
        let own = self
            .peers
            .entry(peer)
            .or_insert_with(|| Bucket::full(self.rate, now));
        own.check(self.rate, now)?;
        self.together.check(together(self.rate), now)?;
        own.tokens -= 1.0;
        self.together.tokens -= 1.0;
        Ok(())
    }
}

fn together(rate: Rate) -> Rate {
    Rate {
        per_second: rate.per_second * TOGETHER,
        burst: rate.burst * TOGETHER,
    }
}

impl Bucket {
    fn full(rate: Rate, now: Instant) -> Self {
        Self {
            tokens: rate.burst + 1.0,
            filled: now,
        }
    }

    fn fill(&mut self, rate: Rate, now: Instant) {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * rate.per_second).min(rate.burst + 1.0);
        self.filled = now;
    }

    fn is_full(mut self, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        self.tokens >= rate.burst + 1.0
    }

    fn check(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        self.fill(rate, now);
        if self.tokens >= 1.0 {
            return Ok(());
        }
        Err(Duration::from_secs_f64(
            (1.0 - self.tokens) / rate.per_second,
        ))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const RATE: Rate = Rate {
        per_second: 2.0,
        burst: 2.0,
    };

    fn peer(number: u32) -> IpAddr {
        IpAddr::from(number.to_be_bytes())
    }

    #[test]
    fn the_burst_and_one_are_let_through_at_once_then_the_rate() {
        let now = Instant::now();
        let mut limiter = Limiter::new(RATE, now);
        for _ in 0..3 {
            limiter.take(peer(1), now).unwrap();
        }
        assert_eq!(limiter.take(peer(1), now), Err(Duration::from_millis(500)));
        assert!(
            limiter
                .take(peer(1), now + Duration::from_millis(499))
                .is_err()
        );
        assert!(
            limiter
                .take(peer(1), now + Duration::from_millis(500))
                .is_ok()
        );
    }

    #[test]
    fn one_peer_does_not_use_up_what_another_may() {
        let now = Instant::now();
        let mut limiter = Limiter::new(RATE, now);
        while limiter.take(peer(1), now).is_ok() {}
        assert!(limiter.take(peer(2), now).is_ok());
    }

    #[test]
    fn many_peers_together_are_limited_too() {
        let now = Instant::now();
        let mut limiter = Limiter::new(RATE, now);
        let passed = (0..1000)
            .filter(|number| limiter.take(peer(*number), now).is_ok())
            .count();
        assert_eq!(passed, 21);
    }

    #[test]
    fn the_memory_of_peers_is_bounded() {
        let mut now = Instant::now();
        let mut limiter = Limiter::new(
            Rate {
                per_second: 1000.0,
                burst: 1000.0,
            },
            now,
        );
        for number in 0..20_000 {
            now += Duration::from_micros(200);
            let _ = limiter.take(peer(number), now);
        }
        assert!(limiter.peers.len() <= REMEMBERED);
    }
}
