//! Rust types of the custom resources, their conditions and generated YAML.
