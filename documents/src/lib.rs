//! Text to tree and back without losing a byte: YAML and JSON manifests, dotenv and INI files.
//!
//! ```text
//!  bytes --source::decode--> text --yaml::Stream::parse--> documents of nodes, each with its bytes
//!                                                             |              |
//!                              value::to_json <---------------+              +--> edit, manifest::sealed
//!                                    |                                             |
//!                              emit::kubernetes_yaml                        text, all else unchanged
//! ```
//!
//! Nothing here reads a file, a clock or the network. What a document says may be secret: no type
//! prints a scalar, and no error quotes one.

pub mod dotenv;
pub mod edit;
pub mod emit;
pub mod go_regex;
pub mod ini;
pub mod limits;
pub mod manifest;
pub mod rules;
pub mod sops;
pub mod source;
pub mod splice;
pub mod value;
pub mod yaml;

mod json;
mod lines;
mod position;
mod tree;

pub use position::Position;
