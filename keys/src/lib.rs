//! Key material and ciphertext: sealed envelope, certificates, key ring.
