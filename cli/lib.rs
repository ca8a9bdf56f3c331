//! The command line of signet as a library, so that tests and other binaries can call it.
