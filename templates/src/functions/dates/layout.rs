//! Layouts: dates are described by how a certain moment looks, Mon Jan 2 15:04:05 MST 2006.

/// A part of a layout that stands for a part of the date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Month,
    MonthShort,
    MonthNumber,
    MonthPadded,
    Weekday,
    WeekdayShort,
    Day,
    DaySpaced,
    DayPadded,
    YearDaySpaced,
    YearDayPadded,
    Hour,
    Hour12,
    Hour12Padded,
    Minute,
    MinutePadded,
    Second,
    SecondPadded,
    Year,
    YearShort,
    NoonUpper,
    NoonLower,
    ZoneName,
    Zone(Zone),
    /// `.000`: so many digits after a dot or comma.
    Fraction(usize),
    /// `.999`: the same without zeros at the end.
    FractionTrimmed(usize),
}

/// How an offset from UTC is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a form is these four answers"
)]
pub(super) struct Zone {
    /// `Z` stands for no offset.
    pub(super) z: bool,
    pub(super) colon: bool,
    pub(super) minutes: bool,
    pub(super) seconds: bool,
}

/// Splits a layout at its first part: the text before it, the part, what is after it.
pub(super) fn next(layout: &str) -> (&str, Option<Part>, &str) {
    for (start, _) in layout.char_indices() {
        let rest = &layout[start..];
        if let Some((part, length)) = part(rest) {
            return (&layout[..start], Some(part), &rest[length..]);
        }
        // In `_2006` the underscore is text before the year.
        if let Some(after) = rest.strip_prefix("_2006") {
            return (&layout[..=start], Some(Part::Year), after);
        }
    }
    (layout, None, "")
}

fn part(rest: &str) -> Option<(Part, usize)> {
    let fixed: [(&str, Part); 24] = [
        ("January", Part::Month),
        ("Monday", Part::Weekday),
        ("MST", Part::ZoneName),
        ("002", Part::YearDayPadded),
        ("01", Part::MonthPadded),
        ("02", Part::DayPadded),
        ("03", Part::Hour12Padded),
        ("04", Part::MinutePadded),
        ("05", Part::SecondPadded),
        ("06", Part::YearShort),
        ("15", Part::Hour),
        ("1", Part::MonthNumber),
        ("2006", Part::Year),
        ("2", Part::Day),
        ("__2", Part::YearDaySpaced),
        ("_2006", Part::Year),
        ("_2", Part::DaySpaced),
        ("3", Part::Hour12),
        ("4", Part::Minute),
        ("5", Part::Second),
        ("PM", Part::NoonUpper),
        ("pm", Part::NoonLower),
        ("Jan", Part::MonthShort),
        ("Mon", Part::WeekdayShort),
    ];
    for (text, part) in fixed {
        if !rest.starts_with(text) {
            continue;
        }
        if text == "_2006" {
            return None;
        }
        let short = matches!(part, Part::MonthShort | Part::WeekdayShort);
        let goes_on = rest[text.len()..].starts_with(|c: char| c.is_ascii_lowercase());
        if short && goes_on {
            return None;
        }
        return Some((part, text.len()));
    }
    zone(rest).or_else(|| fraction(rest))
}

fn zone(rest: &str) -> Option<(Part, usize)> {
    let z = match rest.as_bytes().first()? {
        b'Z' => true,
        b'-' => false,
        _ => return None,
    };
    let forms = [
        ("070000", false, true, true),
        ("07:00:00", true, true, true),
        ("0700", false, true, false),
        ("07:00", true, true, false),
        ("07", false, false, false),
    ];
    forms
        .into_iter()
        .find_map(|(text, colon, minutes, seconds)| {
            let part = Part::Zone(Zone {
                z,
                colon,
                minutes,
                seconds,
            });
            rest[1..]
                .starts_with(text)
                .then_some((part, 1 + text.len()))
        })
}

fn fraction(rest: &str) -> Option<(Part, usize)> {
    let digits = rest.strip_prefix(['.', ','])?;
    let digit = digits.chars().next().filter(|c| matches!(c, '0' | '9'))?;
    let after = digits.trim_start_matches(digit);
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let count = digits.len() - after.len();
    let part = if digit == '0' {
        Part::Fraction(count)
    } else {
        Part::FractionTrimmed(count)
    };
    Some((part, 1 + count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_is_split_at_its_parts() {
        assert_eq!(next("on Monday, "), ("on ", Some(Part::Weekday), ", "));
        assert_eq!(next("Months"), ("Months", None, ""));
        assert_eq!(next("_2006"), ("_", Some(Part::Year), ""));
        assert_eq!(next("x.000Z"), ("x", Some(Part::Fraction(3)), "Z"));
        assert_eq!(next(".0001"), (".00", Some(Part::MonthPadded), ""));
    }
}
