//! The signet-controller binary.

fn main() {}
