//! Strings and numbers as Go's `encoding/json` writes them.

use std::fmt::{self, Write as _};

/// A string in quotes.
pub(super) fn string(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        let short = match char {
            '"' | '\\' => char,
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(char));
                continue;
            }
            _ => {
                out.push(char);
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out.push('"');
}

/// A number: the shortest digits, with an exponent below 1e-6 and from 1e21 on.
pub(super) struct Float(pub(super) f64);

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.abs();
        if magnitude == 0.0 || (1e-6..1e21).contains(&magnitude) {
            return write!(f, "{}", self.0);
        }
        let scientific = format!("{:e}", self.0);
        match scientific.split_once('e') {
            // Rust leaves the sign of a positive exponent out, Go writes it.
            Some((digits, exponent)) if !exponent.starts_with('-') => {
                write!(f, "{digits}e+{exponent}")
            }
            _ => f.write_str(&scientific),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_an_exponent_where_javascript_gives_them_one() {
        for (number, text) in [
            (1.0, "1"),
            (-0.5, "-0.5"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e-10, "1.5e-10"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (18_446_744_073_709_552_000.0, "18446744073709552000"),
        ] {
            assert_eq!(Float(number).to_string(), text);
        }
    }

    #[test]
    fn what_a_browser_could_take_for_markup_is_escaped() {
        let mut out = String::new();
        string("<a>&\u{2028}\u{7f}\u{1}\"\\\n", &mut out);
        assert_eq!(
            out,
            "\"\\u003ca\\u003e\\u0026\\u2028\u{7f}\\u0001\\\"\\\\\\n\""
        );
    }
}
