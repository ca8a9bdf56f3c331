//! How much a path may cost.

use std::cell::Cell;

use super::GetError;

/// Bytes that may be looked at or written.
const WORK: usize = 64 << 20;

/// Paths within paths.
const DEPTH: usize = 64;

/// What is left.
pub(super) struct Budget {
    work: Cell<usize>,
    depth: Cell<usize>,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            work: Cell::new(WORK),
            depth: Cell::new(DEPTH),
        }
    }

    /// Takes so many bytes of work.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), GetError> {
        // Work on nothing is work too.
        let left = self.work.get().checked_sub(bytes + 1);
        self.work.set(left.ok_or(GetError::TooMuch)?);
        Ok(())
    }

    /// Goes one path deeper for as long as `inner` runs.
    pub(super) fn deeper<T>(
        &self,
        inner: impl FnOnce() -> Result<T, GetError>,
    ) -> Result<T, GetError> {
        let outer = self.depth.get();
        self.depth
            .set(outer.checked_sub(1).ok_or(GetError::TooMuch)?);
        let result = inner();
        self.depth.set(outer);
        result
    }
}
