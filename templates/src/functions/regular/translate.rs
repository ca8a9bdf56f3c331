//! Go's syntax in the words of the `regex` crate. The two are nearly one; what differs is written anew:
//! Go's `\d`, `\s`, `\w` and `\b` are of ASCII alone, `\Q…\E` quotes, `\C` is not supported by either here,
//! a brace that begins no repetition is a brace, and in a class `&&`, `--`, `~~` and `[` mean themselves.

use std::fmt::Write;

/// The same expression for the `regex` crate. What Go refuses may be refused only there.
pub(super) fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' => escape(rest, &mut out, false),
            '[' => class(rest, &mut out),
            '{' if !is_repetition(rest) => {
                out.push_str("\\{");
                1
            }
            c => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// One escape; gives how much of the text it was.
fn escape(text: &str, out: &mut String, in_class: bool) -> usize {
    let Some(c) = text[1..].chars().next() else {
        out.push('\\');
        return 1;
    };
    let ascii = match (c, in_class) {
        ('d', _) => "0-9",
        ('s', _) => r"\t\n\x0c\r ",
        ('w', _) => "0-9A-Za-z_",
        ('D', false) => "^0-9",
        ('S', false) => r"^\t\n\x0c\r ",
        ('W', false) => "^0-9A-Za-z_",
        ('b', false) => {
            out.push_str(r"(?-u:\b)");
            return 2;
        }
        ('B', false) => {
            out.push_str(r"(?-u:\B)");
            return 2;
        }
        ('D', true) => {
            out.push_str("[^0-9]");
            return 2;
        }
        ('S', true) => {
            out.push_str(r"[^\t\n\x0c\r ]");
            return 2;
        }
        ('W', true) => {
            out.push_str("[^0-9A-Za-z_]");
            return 2;
        }
        ('Q', _) => {
            let quoted = &text[2..];
            let end = quoted.find("\\E");
            out.push_str(&regex::escape(&quoted[..end.unwrap_or(quoted.len())]));
            return 2 + end.map_or(quoted.len(), |end| end + 2);
        }
        ('E', _) => return 2,
        ('0'..='7', _) => return octal(text, out),
        (c, _) => {
            out.push('\\');
            out.push(c);
            return 1 + c.len_utf8();
        }
    };
    if in_class {
        out.push_str(ascii);
    } else {
        out.push('[');
        out.push_str(ascii);
        out.push(']');
    }
    2
}

/// `\123` and `\0`: Go has no references to groups; a single digit but 0 is refused.
fn octal(text: &str, out: &mut String) -> usize {
    let digits: String = text[1..]
        .chars()
        .take(3)
        .take_while(|c| c.is_digit(8))
        .collect();
    match u32::from_str_radix(&digits, 8) {
        Ok(code) if digits.len() > 1 || digits == "0" => {
            _ = write!(out, "\\x{{{code:x}}}");
        }
        _ => out.push_str("\\8"),
    }
    1 + digits.len()
}

/// A class in brackets; gives how much of the text it was.
fn class(text: &str, out: &mut String) -> usize {
    let mut at = 1;
    out.push('[');
    if text[at..].starts_with('^') {
        out.push('^');
        at += 1;
    }
    let first = at;
    while let Some(c) = text[at..].chars().next() {
        match c {
            ']' if at > first => {
                out.push(']');
                return at + 1;
            }
            '\\' => at += escape(&text[at..], out, true),
            '[' if text[at..].starts_with("[:") && text[at..].contains(":]") => {
                let end = text[at..].find(":]").map_or(1, |end| end + 2);
                out.push_str(&text[at..at + end]);
                at += end;
            }
            '[' | ']' | '&' | '~' => {
                out.push('\\');
                out.push(c);
                at += 1;
            }
            '-' if text[at + 1..].starts_with('-') => {
                out.push_str(r"\-");
                at += 1;
            }
            c => {
                out.push(c);
                at += c.len_utf8();
            }
        }
    }
    // Unclosed: both refuse it.
    at
}

/// `{n}`, `{n,}`, `{n,m}`
fn is_repetition(text: &str) -> bool {
    let Some((inside, _)) = text[1..].split_once('}') else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match inside.split_once(',') {
        Some((least, most)) => is_number(least) && (most.is_empty() || is_number(most)),
        None => is_number(inside),
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn what_both_mean_alike_is_left_alone() {
        for pattern in [
            "a+b*?",
            "(?i)x|y",
            "[a-z^]",
            r"\pL\.",
            "(?P<n>x)",
            "a{2,3}",
            "[[:alpha:]_]",
        ] {
            assert_eq!(translate(pattern), pattern);
        }
    }

    #[test]
    fn what_they_mean_differently_is_written_anew() {
        assert_eq!(translate(r"\d"), "[0-9]");
        assert_eq!(translate(r"[\d&&x]"), r"[0-9\&\&x]");
        assert_eq!(translate(r"\Qa.b\E."), r"a\.b.");
        assert_eq!(translate("a{,2}"), r"a\{,2}");
        assert_eq!(translate(r"\101"), r"\x{41}");
        assert_eq!(translate(r"[][]"), r"[\]\[]");
    }
}
