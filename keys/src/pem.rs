//! Blocks of PEM text (RFC 7468), found as leniently as Go's `encoding/pem` finds them: text before,
//! between and after blocks is ignored, lines may have any length and either line end.

use zeroize::Zeroizing;

use crate::base64;

/// One complete block.
pub(crate) struct Block {
    /// The words between `BEGIN` and the dashes, for example `RSA PRIVATE KEY`.
    pub label: String,
    /// What the base64 says; `None` when it is not base64.
    pub der: Option<Zeroizing<Vec<u8>>>,
    /// Whether the old encryption headers (RFC 1421, `Proc-Type: 4,ENCRYPTED`) stand before the body.
    pub encrypted: bool,
}

/// The complete blocks of a text in their order.
pub(crate) fn blocks(text: &[u8]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    while let Some(line) = lines.next() {
        if let Some(label) = boundary(line, b"-----BEGIN ")
            && let Some(block) = body(label, &mut lines)
        {
            found.push(block);
        }
    }
    found
}

/// DER as a PEM block, 64 characters a line and a line end after the last, as Go writes it.
pub(crate) fn encode(label: &str, der: &[u8]) -> Zeroizing<String> {
    let body = Zeroizing::new(base64::encode(der));
    let around = 2 * label.len() + 40;
    let mut text = Zeroizing::new(String::with_capacity(body.len() + body.len() / 64 + around));
    text.extend(["-----BEGIN ", label, "-----\n"]);
    let mut rest = body.as_str();
    while !rest.is_empty() {
        // Base64 is ASCII, so every index is a character boundary.
        let (line, others) = rest.split_at(rest.len().min(64));
        text.extend([line, "\n"]);
        rest = others;
    }
    text.extend(["-----END ", label, "-----\n"]);
    text
}

/// The end of the sentence that what was wanted was not found: what there is instead.
pub(crate) fn only(labels: &[String]) -> String {
    match labels {
        [] => String::new(),
        labels => format!(", only: {}", labels.join(", ")),
    }
}

/// Reads up to the end line of this label. A block that never ends is none.
fn body<'a>(label: &[u8], lines: &mut impl Iterator<Item = &'a [u8]>) -> Option<Block> {
    let mut text = Zeroizing::new(Vec::with_capacity(8192));
    let mut encrypted = false;
    for line in lines {
        if boundary(line, b"-----END ") == Some(label) {
            return Some(Block {
                label: String::from_utf8_lossy(label).into_owned(),
                der: base64::decode_bytes(&text).ok().map(Zeroizing::new),
                encrypted,
            });
        }
        if line.contains(&b':') {
            encrypted |= line.starts_with(b"Proc-Type:") && line.ends_with(b"ENCRYPTED");
        } else {
            text.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
        }
    }
    None
}

/// The label of a line that begins or ends a block.
fn boundary<'a>(line: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    line.strip_prefix(prefix)?.strip_suffix(b"-----")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for length in [0, 1, 47, 48, 49, 1000] {
            let der = vec![0xA5; length];
            let text = encode("CERTIFICATE", &der);
            assert!(text.lines().all(|line| line.len() <= 64));
            let found = blocks(text.as_bytes());
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].label, "CERTIFICATE");
            assert_eq!(found[0].der.as_deref(), Some(&der));
        }
    }

    #[test]
    fn text_around_blocks_and_any_line_shape_are_fine() {
        let text =
            b"Bag Attributes\r\n  -----BEGIN A-----\r\nAA\r\nAA\r\n-----END A-----\r\nsubject=x\n\
            -----BEGIN B-----\n\nAQ = =\n-----END B-----";
        let found = blocks(text);
        let all: Vec<_> = found
            .iter()
            .map(|b| (b.label.as_str(), b.der.as_deref().unwrap()))
            .collect();
        assert_eq!(all, [("A", &vec![0, 0, 0]), ("B", &vec![1])]);
    }

    #[test]
    fn a_block_without_its_end_is_none() {
        assert!(blocks(b"-----BEGIN A-----\nAAAA\n-----END B-----\n").is_empty());
        assert!(blocks(b"-----BEGIN A-----").is_empty());
    }

    #[test]
    fn an_encrypted_block_is_known_by_its_header() {
        let text = b"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n\
            AAAA\n-----END RSA PRIVATE KEY-----\n";
        let found = blocks(text);
        assert!(found[0].encrypted);
        assert_eq!(found[0].der.as_deref(), Some(&vec![0, 0, 0]));
    }

    #[test]
    fn a_body_that_is_not_base64_has_no_der() {
        let found = blocks(b"-----BEGIN A-----\n!!!!\n-----END A-----\n");
        assert!(found[0].der.is_none());
    }
}
