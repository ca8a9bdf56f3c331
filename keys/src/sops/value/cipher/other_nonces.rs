//! Decryption with a nonce of any length (NIST SP 800-38D, 7.1 and 7.2). The length is part of the
//! types of `aes-gcm`, and what a file has is known only when it is read. No program writes such
//! files, so this is built for size and not for speed.

use aes_gcm::Tag;
use aes_gcm::aes::Aes256;
use aes_gcm::aes::cipher::{Block, BlockCipherEncrypt};
use ctutils::CtEq;
use ghash::GHash;
use ghash::universal_hash::UniversalHash;

/// Decrypts in place. `false` when the tag does not fit; the data is then still encrypted.
pub(super) fn decrypt(aes: &Aes256, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &Tag) -> bool {
    let mut key = Block::<Aes256>::default();
    aes.encrypt_block(&mut key);
    let hash = GHash::new(&key);

    let first = first_counter(&hash, nonce);
    let mut expected = checksum(hash, aad, data);
    apply(aes, first, &mut expected);
    if !expected.ct_eq(tag).to_bool() {
        return false;
    }
    let mut counter = first;
    for block in data.chunks_mut(16) {
        increment(&mut counter);
        apply(aes, counter, block);
    }
    true
}

fn first_counter(hash: &GHash, nonce: &[u8]) -> Block<Aes256> {
    if let Ok(nonce) = <&[u8; 12]>::try_from(nonce) {
        let mut counter = Block::<Aes256>::default();
        counter[..12].copy_from_slice(nonce);
        counter[15] = 1;
        return counter;
    }
    checksum(hash.clone(), &[], nonce)
}

/// The hash of both texts, each filled up to whole blocks, and of their lengths in bits.
fn checksum(mut hash: GHash, aad: &[u8], data: &[u8]) -> Block<Aes256> {
    hash.update_padded(aad);
    hash.update_padded(data);
    let bits = |text: &[u8]| (text.len() as u64 * 8).to_be_bytes();
    let mut lengths = Block::<Aes256>::default();
    lengths[..8].copy_from_slice(&bits(aad));
    lengths[8..].copy_from_slice(&bits(data));
    hash.update(&[lengths]);
    hash.finalize()
}

/// Adds the key stream of one counter to at most one block.
fn apply(aes: &Aes256, mut counter: Block<Aes256>, block: &mut [u8]) {
    aes.encrypt_block(&mut counter);
    for (byte, stream) in block.iter_mut().zip(counter) {
        *byte ^= stream;
    }
}

/// The last four bytes count, and start again at zero.
fn increment(counter: &mut Block<Aes256>) {
    for byte in counter[12..].iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}
