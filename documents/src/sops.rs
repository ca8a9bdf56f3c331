//! Files encrypted by `sops`.

pub mod metadata;
pub mod selector;
