//! What tests of several modules need.
#![allow(clippy::expect_used)]

/// The bytes of a file in `tests/fixtures`.
macro_rules! fixture {
    ($path:literal) => {
        &include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/fixtures/",
            $path
        ))[..]
    };
}
pub(crate) use fixture;

/// Reads hexadecimal digits.
pub(crate) fn from_hex(digits: &str) -> Vec<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16).expect("a hexadecimal digit");
    let byte = |pair: &[u8]| u8::try_from(value(pair[0]) << 4 | value(pair[1]));
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map(|pair| byte(pair).expect("a byte")).collect()
}
