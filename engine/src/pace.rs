//! The pace of private-key work: what is asked between one item and the next.
//!
//! An object may have thousands of items, and each costs milliseconds. Whoever calls decides whether
//! others get a turn in between, and whether it goes on at all.

/// Asked before each item.
pub trait Pace {
    /// Whether to go on, after so many private-key operations. It may take its time to answer.
    fn goes_on(&mut self, spent: usize) -> bool;
}

/// Without a pause, to the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steady;

impl Pace for Steady {
    fn goes_on(&mut self, _: usize) -> bool {
        true
    }
}

/// The pace said that it does not go on, so nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before all items were opened")]
pub struct Stopped;
