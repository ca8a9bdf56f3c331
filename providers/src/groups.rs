//! Whole key groups: the data key out of them, and into them.

pub(crate) mod recover;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod wrap;
