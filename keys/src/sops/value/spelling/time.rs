//! Times of RFC 3339.

/// The spelling of a time: no zeros at the end of the parts of a second, `Z` for UTC. `None` if the text
/// is no time; the type of an encrypted value is not authenticated, so that may be anything.
pub(super) fn canonical(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let (date, rest) = text.split_at_checked(10)?;
    let [year, month, day] = numbers(date, ["", "-", "-"], [4, 2, 2])?;
    let (clock, rest) = rest.split_at_checked(9)?;
    let [hour, minute, second] = numbers(clock, ["T", ":", ":"], [2, 2, 2])?;
    let in_range = (1..=12).contains(&month)
        && (1..=days(year, month)).contains(&day)
        && hour <= 23
        && minute <= 59
        && second <= 59;
    let (fraction, zone) = fraction(rest)?;
    let zone = match zone {
        "Z" => "Z",
        _ => offset(zone)?,
    };
    let point = if fraction.is_empty() { "" } else { "." };
    in_range.then(|| format!("{date}{clock}{point}{fraction}{zone}"))
}

/// Three numbers of a fixed width, each behind its mark, and nothing else.
fn numbers(text: &str, marks: [&str; 3], widths: [usize; 3]) -> Option<[u32; 3]> {
    let mut rest = text;
    let mut found = [0; 3];
    for ((number, mark), width) in found.iter_mut().zip(marks).zip(widths) {
        let (digits, behind) = rest.strip_prefix(mark)?.split_at_checked(width)?;
        *number = digits_of(digits)?;
        rest = behind;
    }
    rest.is_empty().then_some(found)
}

fn digits_of(text: &str) -> Option<u32> {
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| text.parse().ok()).flatten()
}

/// The parts of a second to the nanosecond, and what follows.
fn fraction(text: &str) -> Option<(&str, &str)> {
    let Some(rest) = text.strip_prefix('.') else {
        return Some(("", text));
    };
    let end = rest.find(|char: char| !char.is_ascii_digit())?;
    let (digits, zone) = rest.split_at(end);
    let kept = &digits[..digits.len().min(9)];
    (!digits.is_empty()).then(|| (kept.trim_end_matches('0'), zone))
}

fn offset(zone: &str) -> Option<&str> {
    let rest = zone.strip_prefix(['+', '-'])?;
    let (hours, minutes) = rest.split_once(':')?;
    let two_digits = |text: &str| digits_of(text).filter(|_| text.len() == 2);
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    let in_range = hours <= 23 && minutes <= 59;
    in_range.then_some(if (hours, minutes) == (0, 0) {
        "Z"
    } else {
        zone
    })
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
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
            ("2024-01-02T03:04:05.120Z", "2024-01-02T03:04:05.12Z"),
            ("2024-01-02T03:04:05.000Z", "2024-01-02T03:04:05Z"),
            ("2024-01-02T03:04:05+00:00", "2024-01-02T03:04:05Z"),
            (
                "2024-01-02T03:04:05.1234567891-05:30",
                "2024-01-02T03:04:05.123456789-05:30",
            ),
        ] {
            assert_eq!(canonical(text.as_bytes()).as_deref(), Some(time), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "x\nadmin: true",
            "2024-01-02",
            "2024-01-02 03:04:05Z",
            "2024-01-02t03:04:05Z",
            "2024-01-02T03:04:05",
            "2024-01-02T03:04:05.Z",
            "2024-01-02T03:04:05,1Z",
            "2024-01-02T03:04:60Z",
            "2024-01-02T24:04:05Z",
            "2023-02-29T00:00:00Z",
            "2024-00-10T00:00:00Z",
            "2024-01-02T03:04:05+24:00",
            "2024-01-02T03:04:05+1:00",
            "2024-01-02T03:04:05Z\nadmin: true",
            "2024-01-02T03:04:05+00:00 # x",
            "+024-01-02T03:04:05Z",
            "2024-01-0\u{e9}T03:04:05Z",
        ] {
            assert_eq!(canonical(text.as_bytes()), None, "{text}");
        }
    }
}
