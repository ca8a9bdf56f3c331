//! PEM blocks.

use zeroize::Zeroizing;

use crate::functions::encoding::{base64, from_base64};

/// A block: what it says that it is, and its bytes.
pub(super) struct Block {
    pub(super) label: String,
    /// Lines of `Name: value` before the bytes.
    headers: Vec<String>,
    pub(super) der: Zeroizing<Vec<u8>>,
}

/// The blocks of a text; what is between them, and what is broken, is passed over.
pub(super) fn blocks(text: &[u8]) -> Vec<Block> {
    let text = String::from_utf8_lossy(text);
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(label) = line
            .trim_end()
            .strip_prefix("-----BEGIN ")
            .and_then(|rest| rest.strip_suffix("-----"))
        else {
            continue;
        };
        let end = format!("-----END {label}-----");
        let mut headers = Vec::new();
        let mut body = String::new();
        let mut ahead = lines.clone();
        let closed = loop {
            let Some(line) = ahead.next().map(str::trim) else {
                break false;
            };
            if line == end {
                break true;
            }
            if line.starts_with("-----BEGIN ") {
                break false;
            }
            if body.is_empty() && line.contains(':') {
                headers.push(line.to_owned());
            } else {
                body.push_str(line);
            }
        };
        if let (true, Some(der)) = (closed, from_base64(body.as_bytes())) {
            lines = ahead;
            blocks.push(Block {
                label: label.to_owned(),
                headers,
                der: der.into(),
            });
        }
    }
    blocks
}

/// A block in lines of 64 characters.
pub(super) fn encode(label: &str, der: &[u8]) -> String {
    let block = Block {
        label: label.to_owned(),
        headers: Vec::new(),
        der: der.to_vec().into(),
    };
    block.to_pem()
}

impl Block {
    pub(super) fn to_pem(&self) -> String {
        let Self {
            label,
            headers,
            der,
        } = self;
        let mut text = format!("-----BEGIN {label}-----\n");
        for header in headers {
            text.push_str(header);
            text.push('\n');
        }
        if !headers.is_empty() {
            text.push('\n');
        }
        let body = base64(der);
        let mut rest = body.as_str();
        while !rest.is_empty() {
            let (line, after) = rest.split_at(rest.len().min(64));
            text.push_str(line);
            text.push('\n');
            rest = after;
        }
        text.push_str("-----END ");
        text.push_str(label);
        text.push_str("-----\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_among_other_text() {
        let text = format!(
            "x\n{}between\n-----BEGIN BROKEN-----\n!\n{}",
            encode("A", &[1; 50]),
            encode("B", b"b")
        );
        let found = blocks(text.as_bytes());
        let labels: Vec<&str> = found.iter().map(|block| block.label.as_str()).collect();
        assert_eq!(labels, ["A", "B"]);
        assert_eq!(**found[0].der, [1; 50]);
        assert_eq!(found[0].to_pem(), encode("A", &[1; 50]));
    }
}
