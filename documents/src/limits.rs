//! How much of a foreign file is read before it is refused.
//!
//! The figures are far above what Kubernetes stores (an object ends at 1.5 MiB in etcd), above what
//! people keep in one encrypted file (a million values are some 150 MiB), and below what would exhaust
//! memory or the stack.

/// Largest file that is read, in bytes.
pub const MAX_SOURCE_BYTES: usize = 256 << 20;

/// Deepest nesting of mappings and sequences, aliases followed.
pub const MAX_NESTING: usize = 200;

/// Most nodes that one conversion may reach through aliases, merge keys included. A document of a
/// few lines can otherwise stand for billions of nodes.
pub const MAX_ALIASED_NODES: usize = 400_000;
