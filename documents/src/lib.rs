//! Text to tree and back without losing a byte: YAML and JSON manifests.
