//! Times of YAML, as the peer's library reads and spells them.

use std::fmt::Write as _;

/// The spelling of RFC 3339 of a plain scalar that is a time: `2006-1-2`, with a time of the day after
/// `T`, `t` (a zone follows) or a space (none follows). Without a zone it is UTC.
pub(super) fn canonical(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if !(0..4).all(is_digit) || bytes.get(4) != Some(&b'-') {
        return None;
    }
    let mut reader = Reader {
        rest: text.get(5..)?,
    };
    let year: u32 = text.get(..4)?.parse().ok()?;
    let month = reader.number(12)?;
    reader.skip("-")?;
    let day = reader.number(31)?;
    if month == 0 || day == 0 || day > days(year, month) {
        return None;
    }
    let mut out = format!("{year:04}-{month:02}-{day:02}T");
    let zone = match reader.rest.chars().next() {
        None => {
            out.push_str("00:00:00Z");
            return Some(out);
        }
        Some(' ') => false,
        Some('T' | 't') => true,
        Some(_) => return None,
    };
    reader.rest = &reader.rest[1..];
    let hour = reader.number(23)?;
    reader.skip(":")?;
    let minute = reader.number(59)?;
    reader.skip(":")?;
    let second = reader.number(59)?;
    // Writing to a string cannot fail.
    let _ = write!(out, "{hour:02}:{minute:02}:{second:02}");
    reader.fraction(&mut out)?;
    if zone {
        reader.zone(&mut out)?;
    } else {
        out.push('Z');
    }
    reader.rest.is_empty().then_some(out)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// One or two digits.
    fn number(&mut self, most: u32) -> Option<u32> {
        let digits = self
            .rest
            .bytes()
            .take(2)
            .take_while(u8::is_ascii_digit)
            .count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok().filter(|number| *number <= most)
    }

    fn skip(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    /// Parts of a second, to the nanosecond, without the zeros at their end.
    fn fraction(&mut self, out: &mut String) -> Option<()> {
        let Some(rest) = self.rest.strip_prefix(['.', ',']) else {
            return Some(());
        };
        let count = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = rest.split_at(count);
        if digits.is_empty() {
            return None;
        }
        self.rest = rest;
        let digits = digits[..count.min(9)].trim_end_matches('0');
        if !digits.is_empty() {
            out.push('.');
            out.push_str(digits);
        }
        Some(())
    }

    fn zone(&mut self, out: &mut String) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            out.push('Z');
            return Some(());
        }
        let sign = self
            .rest
            .chars()
            .next()
            .filter(|sign| matches!(sign, '+' | '-'))?;
        let two_digits = |text: &str| -> Option<u32> {
            let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten()
        };
        let hours = two_digits(self.rest.get(1..3)?).filter(|hours| *hours <= 23)?;
        let minutes = two_digits(self.rest.get(4..6)?).filter(|minutes| *minutes <= 59)?;
        if self.rest.as_bytes().get(3) != Some(&b':') {
            return None;
        }
        self.rest = self.rest.get(6..)?;
        if (hours, minutes) == (0, 0) {
            out.push('Z');
        } else {
            let _ = write!(out, "{sign}{hours:02}:{minutes:02}");
        }
        Some(())
    }
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn times_are_spelled_in_one_way() {
        for (text, time) in [
            ("2024-01-01", "2024-01-01T00:00:00Z"),
            ("2024-1-2", "2024-01-02T00:00:00Z"),
            ("2001-01-02 03:04:05", "2001-01-02T03:04:05Z"),
            (
                "2001-12-14t21:59:43.10-05:00",
                "2001-12-14T21:59:43.1-05:00",
            ),
            ("2001-12-14T1:2:3Z", "2001-12-14T01:02:03Z"),
            ("2001-12-14T01:02:03+00:00", "2001-12-14T01:02:03Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(time), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_stays_text() {
        for text in [
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-01-01T00:00:00",
            "2024-01-01 00:00:00Z",
            "2024-01-01 00:00",
            "2024-01-01x",
            "20240-01-01",
            "2001-12-14 21:59:43.10 -5",
        ] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
