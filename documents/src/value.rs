//! Nodes to JSON values, by the rules of Kubernetes' YAML reader (`sigs.k8s.io/yaml` over go-yaml
//! 2), which are those of YAML 1.1 with exceptions:
//!
//! * plain `yes`, `no`, `on`, `off`, `y`, `n` are booleans;
//! * `0x1f`, `0b11`, `0o17`, `017` and `1_000` are integers, up to 64 bits; longer decimal ones
//!   become floating point numbers; there are no base 60 numbers;
//! * dates stay strings, though [`Node::as_str`](crate::yaml::Node::as_str) gives them as well;
//! * keys that are numbers or booleans become strings; null keys are refused;
//! * `<<` merges, and what a merge brings replaces what stands before it in the same mapping;
//! * numbers without a fraction are integers, however they are written (`1.0`, `1e3`).
//!
//! Unlike there, a key that is twice in a mapping is an error.

mod convert;
mod number;
mod scalar;

pub(crate) use convert::key_name;
pub use convert::{ConvertError, to_json};
pub(crate) use number::{Integer, go_float, parse_float, parse_integer};
pub(crate) use scalar::{Resolved, is_base_60, looks_like_date, resolve_plain};

use crate::tree::Node;

pub(crate) fn is_string(node: Node<'_>) -> bool {
    matches!(scalar::resolve(node), Ok(Some(Resolved::String)))
}

pub(crate) fn is_null(node: Node<'_>) -> bool {
    matches!(scalar::resolve(node), Ok(Some(Resolved::Null)))
}

#[cfg(test)]
mod tests;
