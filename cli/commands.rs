//! One verb, one file.

pub mod cert;
pub mod completion;
pub mod keys;
pub mod man;
pub mod reseal;
pub mod seal;
pub mod set;
pub mod status;
pub mod unseal;
pub mod unset;
