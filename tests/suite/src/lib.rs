//! The judges: structure, interop, cluster, chaos, scale. The tests are in `tests/`.
