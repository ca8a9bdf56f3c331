//! One verb, one file.

pub mod cert;
pub mod completion;
pub mod man;
