//! Files encrypted by `sops`.

pub mod metadata;
pub mod readers;
pub mod selector;
