//! Go's durations: `1h2m3.5s`.

const SECOND: u128 = 1_000_000_000;

/// Nanoseconds as Go writes them.
pub(crate) fn to_string(nanoseconds: i128) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let magnitude = nanoseconds.unsigned_abs();
    if magnitude == 0 {
        return "0s".to_owned();
    }
    if magnitude < SECOND {
        let (unit, name) = match magnitude {
            0..1_000 => (1, "ns"),
            1_000..1_000_000 => (1_000, "µs"),
            _ => (1_000_000, "ms"),
        };
        return format!("{sign}{}{name}", decimal(magnitude, unit));
    }
    let minutes = magnitude / (60 * SECOND);
    let seconds = decimal(magnitude % (60 * SECOND), SECOND);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

/// With as many decimals as are needed.
fn decimal(value: u128, unit: u128) -> String {
    let (whole, rest) = (value / unit, value % unit);
    if rest == 0 {
        return whole.to_string();
    }
    let width = unit.to_string().len() - 1;
    let fraction = format!("{rest:0width$}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

/// Nanoseconds of a text; `None` if Go does not take it for a duration.
pub(super) fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => split_digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after
            .find(|c: char| c == '.' || c.is_ascii_digit())
            .unwrap_or(after.len());
        let unit = unit(&after[..end])?;
        let whole: i128 = if whole.is_empty() {
            0
        } else {
            whole.parse().ok()?
        };
        total = total.checked_add(whole.checked_mul(unit)?)?;
        // More than 18 digits of a fraction are less than a nanosecond of an hour.
        let fraction = &fraction[..fraction.len().min(18)];
        if !fraction.is_empty() {
            let scale = 10i128.pow(u32::try_from(fraction.len()).ok()?);
            total += fraction.parse::<i128>().ok()? * unit / scale;
        }
        rest = &after[end..];
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn unit(name: &str) -> Option<i128> {
    Some(match name {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_go_writes_them() {
        for (nanoseconds, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5µs"),
            (2_000_000, "2ms"),
            (90_000_000_000, "1m30s"),
            (-3_661_500_000_000, "-1h1m1.5s"),
            (3_600_000_000_000, "1h0m0s"),
        ] {
            assert_eq!(to_string(nanoseconds), text);
        }
    }

    #[test]
    fn durations_are_read_as_go_reads_them() {
        assert_eq!(parse("1h15m30.918s"), Some(4_530_918_000_000));
        assert_eq!(parse("-.5s"), Some(-500_000_000));
        assert_eq!(parse("0"), Some(0));
        for text in ["", "1", "s", "1d", "1h ", "-", ".s"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
