//! Texts under `%s`, `%q`, `%x` and `%X`.

use super::{Printer, quote};
use crate::error::Failure;
use crate::value::Value;

impl Printer<'_> {
    pub(super) fn text(&mut self, text: &[u8], verb: char, whole: &Value) -> Result<(), Failure> {
        match verb {
            'v' if self.flags.sharp_v => self.quoted(text),
            'v' | 's' => {
                let text = self.truncated(text);
                self.pad(text)
            }
            'q' => self.quoted(text),
            'x' => self.hexadecimal(text, b"0123456789abcdef", b"0x"),
            'X' => self.hexadecimal(text, b"0123456789ABCDEF", b"0X"),
            _ => self.bad_verb(whole, verb),
        }
    }

    /// The precision counts characters.
    fn truncated<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let Some(precision) = self.flags.precision else {
            return text;
        };
        let mut left = precision;
        let mut end = 0;
        for chunk in text.utf8_chunks() {
            let valid = chunk.valid().chars().map(char::len_utf8);
            for length in valid.chain(chunk.invalid().iter().map(|_| 1)) {
                if left == 0 {
                    return &text[..end];
                }
                left -= 1;
                end += length;
            }
        }
        text
    }

    fn quoted(&mut self, text: &[u8]) -> Result<(), Failure> {
        let text = self.truncated(text);
        if self.flags.sharp && quote::can_backquote(text) {
            let quoted = [b"`", text, b"`"].concat();
            return self.pad(&quoted);
        }
        let quoted = quote::text(text, self.flags.plus);
        self.pad(quoted.as_bytes())
    }

    /// Two digits a byte; with a space between the bytes, with a prefix once or, then, for each.
    fn hexadecimal(
        &mut self,
        text: &[u8],
        digits: &[u8; 16],
        prefix: &[u8],
    ) -> Result<(), Failure> {
        let length = self
            .flags
            .precision
            .map_or(text.len(), |precision| precision.min(text.len()));
        let text = &text[..length];
        let mut hex = Vec::with_capacity(text.len() * 2);
        for (index, byte) in text.iter().enumerate() {
            if index > 0 && self.flags.space {
                hex.push(b' ');
            }
            if self.flags.sharp && (index == 0 || self.flags.space) {
                hex.extend_from_slice(prefix);
            }
            hex.extend([
                digits[usize::from(byte >> 4)],
                digits[usize::from(byte & 15)],
            ]);
        }
        self.pad(&hex)
    }
}
