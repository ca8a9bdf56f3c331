//! Starts the real servers and peers that the tests need, and stops them.
