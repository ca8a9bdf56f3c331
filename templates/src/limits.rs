//! How much a template may do, and the world that it may know of.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::error::{Failure, Limit};
use crate::text::Sink;

/// What one rendering may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the output.
    pub output_bytes: usize,
    /// Bytes of all values that functions make, together.
    pub memory_bytes: usize,
    /// Steps: one for each node and call, and more for a call that reads or writes much. A million
    /// take about a second.
    pub steps: u64,
    /// How deep templates call each other, and how deep values that are printed or compared may nest.
    pub depth: usize,
    /// Keys, certificates and password hashes made: each takes up to a second on purpose.
    pub derivations: u32,
}

impl Default for Limits {
    /// Room for any Secret: Kubernetes stores at most 1 MiB of it.
    fn default() -> Self {
        Self {
            output_bytes: 4 << 20,
            memory_bytes: 64 << 20,
            steps: 2_000_000,
            depth: 100,
            derivations: 16,
        }
    }
}

/// Where random bytes come from.
pub trait Random {
    /// Fills the buffer with bytes that nobody can guess.
    fn fill(&mut self, buffer: &mut [u8]);
}

impl<F: FnMut(&mut [u8])> Random for F {
    fn fill(&mut self, buffer: &mut [u8]) {
        self(buffer);
    }
}

/// All that a template learns of the world around it.
pub struct Ambient<'a> {
    /// What `now` says.
    pub now: Timestamp,
    /// The zone that Go calls Local: in a cluster, UTC.
    pub zone: TimeZone,
    /// For keys, certificates and the `rand` functions.
    pub random: &'a mut dyn Random,
}

/// What functions work with beside their arguments.
pub(crate) struct Context<'a, 'b> {
    pub(crate) ambient: &'a mut Ambient<'b>,
    budget: Limits,
}

impl<'a, 'b> Context<'a, 'b> {
    pub(crate) fn new(limits: &Limits, ambient: &'a mut Ambient<'b>) -> Self {
        Self {
            ambient,
            budget: *limits,
        }
    }

    pub(crate) fn spend_steps(&mut self, steps: usize) -> Result<(), Failure> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.budget.steps = self.budget.steps.checked_sub(steps).ok_or(Limit::Steps)?;
        Ok(())
    }

    pub(crate) fn spend_memory(&mut self, bytes: usize) -> Result<(), Failure> {
        let left = self.budget.memory_bytes.checked_sub(bytes);
        self.budget.memory_bytes = left.ok_or(Limit::Memory)?;
        Ok(())
    }

    pub(crate) fn spend_derivation(&mut self) -> Result<(), Failure> {
        let left = self.budget.derivations.checked_sub(1);
        self.budget.derivations = left.ok_or(Limit::Derivations)?;
        Ok(())
    }

    /// Refuses to make so many values before they are made. What is made is paid for when the function
    /// returns it.
    pub(crate) fn afford(&self, count: usize) -> Result<(), Failure> {
        let bytes = count.saturating_mul(size_of::<crate::Value>());
        if bytes > self.budget.memory_bytes {
            return Err(Limit::Memory.into());
        }
        Ok(())
    }

    /// Takes the text that a function makes; it is paid for when the function returns it.
    pub(crate) fn sink(&self) -> Sink {
        Sink::new(self.budget.memory_bytes, Limit::Memory)
    }

    pub(crate) fn depth(&self) -> usize {
        self.budget.depth
    }

    pub(crate) fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.ambient.random.fill(&mut bytes);
        bytes
    }
}
