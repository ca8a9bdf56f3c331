//! Outputs made comparable: every encryption gives other bytes of the same length.

use std::fmt::Write as _;

/// Shorter ones are not ciphertext: an empty item for a key of 2048 bits has 274 bytes.
const SHORTEST: usize = 300;

/// Replaces every run of base64 that is long enough by `<sealed N>`, N its length.
pub fn normal(text: &[u8], folder: &str) -> String {
    let text = String::from_utf8_lossy(text).replace(folder, "{dir}");
    let mut out = String::new();
    let mut run = String::new();
    for char in text.chars().map(Some).chain([None]) {
        match char {
            Some(char) if char.is_ascii_alphanumeric() || "+/=".contains(char) => run.push(char),
            other => {
                if run.len() >= SHORTEST {
                    let _ = write!(out, "<sealed {}>", run.len());
                } else {
                    out.push_str(&run);
                }
                run.clear();
                out.extend(other);
            }
        }
    }
    out
}

#[test]
fn only_ciphertext_is_replaced() {
    let long = "A".repeat(400);
    assert_eq!(
        normal(format!("a: {long}\nb: aGk=\n").as_bytes(), "/tmp"),
        "a: <sealed 400>\nb: aGk=\n"
    );
}
