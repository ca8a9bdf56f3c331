//! Values of flags as Go reads them.

use std::time::Duration;

use signet_keys::sealed::Scope;

use super::flags::LogValue;

/// A truth value by any of its names.
pub(super) fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(format!(
            "strconv.ParseBool: parsing {text:?}: invalid syntax"
        )),
    }
}

/// A scope; nothing means strict.
pub(super) fn scope(text: &str) -> Result<Scope, String> {
    if text.is_empty() {
        return Ok(Scope::Strict);
    }
    text.parse()
        .map_err(|_| "must be one of: strict, namespace-wide, cluster-wide".to_owned())
}

/// A time as Go writes it (`1h30m`, `1.5s`, `500ms`), or a number of seconds; none for zero.
///
/// The peer looks at the value only when it talks to a cluster, and so never refuses it here: what
/// is no time is none.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the parser takes functions that can fail"
)]
pub(super) fn duration(text: &str) -> Result<Option<Duration>, String> {
    let seconds = text.parse().ok().map(Duration::from_secs);
    let time = seconds.or_else(|| units(text));
    Ok(time.filter(|time| !time.is_zero()))
}

fn units(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let number = rest.find(|char: char| !char.is_ascii_digit() && char != '.')?;
        let unit_length = rest[number..]
            .find(|char: char| char.is_ascii_digit() || char == '.')
            .unwrap_or(rest.len() - number);
        let (amount, unit) = rest[..number + unit_length].split_at(number);
        let seconds = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        let amount: f64 = amount.parse().ok()?;
        total += Duration::try_from_secs_f64(amount * seconds).ok()?;
        rest = &rest[number + unit_length..];
    }
    Some(total)
}

/// A list separated by commas: one record of CSV, so that an item in double quotes may have commas.
pub(super) fn list(text: &str) -> Result<Vec<String>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut items = Vec::new();
    let mut rest = text;
    loop {
        let column = text.len() - rest.len() + 1;
        let (item, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted_item(quoted)
                .ok_or_else(|| format!("column {column}: a quoted item does not end"))?
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            if rest[..end].contains('"') {
                return Err(format!("column {column}: a quote inside of an item"));
            }
            (rest[..end].to_owned(), &rest[end..])
        };
        items.push(item);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return Ok(items),
        }
    }
}

/// Text up to the closing quote, `""` standing for one, and what follows: a comma or the end.
fn quoted_item(text: &str) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = text;
    loop {
        let quote = rest.find('"')?;
        item.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                item.push('"');
                rest = next;
            }
            None => return (rest.is_empty() || rest.starts_with(',')).then_some((item, rest)),
        }
    }
}

/// Whether the logging library would take a value.
pub(super) fn check_log_value(kind: LogValue, text: &str) -> Result<(), String> {
    match kind {
        LogValue::Text => Ok(()),
        LogValue::Switch => switch(text).map(|_| ()).map_err(|_| PARSE_ERROR.to_owned()),
        LogValue::Level => level(text),
        LogValue::Severity => {
            let names = ["INFO", "WARNING", "ERROR", "FATAL"];
            if names.iter().any(|name| text.eq_ignore_ascii_case(name)) {
                Ok(())
            } else {
                level(text)
            }
        }
        LogValue::Size => text
            .parse::<u64>()
            .map(|_| ())
            .map_err(|_| PARSE_ERROR.to_owned()),
        LogValue::TraceLocation => text
            .split_once(':')
            .filter(|(file, line)| file.contains('.') && line.parse::<u32>().is_ok_and(|n| n > 0))
            .map(|_| ())
            .ok_or_else(|| "syntax error: expect file.go:234".to_owned()),
        LogValue::Modules => {
            let is_setting = |setting: &str| {
                setting.is_empty()
                    || setting.split_once('=').is_some_and(|(pattern, level)| {
                        !pattern.is_empty() && level.parse::<i32>().is_ok()
                    })
            };
            text.split(',')
                .all(is_setting)
                .then_some(())
                .ok_or_else(|| "syntax error: expect comma-separated list of filename=N".to_owned())
        }
    }
}

const PARSE_ERROR: &str = "parse error";

fn level(text: &str) -> Result<(), String> {
    text.parse::<i32>()
        .map(|_| ())
        .map_err(|_| format!("strconv.ParseInt: parsing {text:?}: invalid syntax"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_list_is_a_record_of_csv() {
        assert_eq!(list("").unwrap(), Vec::<String>::new());
        assert_eq!(list("a,b,,c").unwrap(), ["a", "b", "", "c"]);
        assert_eq!(list("\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(list("\"a\"\"b\"").unwrap(), ["a\"b"]);
        assert!(list("a\"b").is_err());
        assert!(list("\"a").is_err());
        assert!(list("\"a\"b").is_err());
    }

    #[test]
    fn a_time_has_units_or_is_in_seconds() {
        let time = |text| duration(text).unwrap();
        assert_eq!(time("0"), None);
        assert_eq!(time("0s"), None);
        assert_eq!(time("30"), Some(Duration::from_secs(30)));
        assert_eq!(time("1h30m"), Some(Duration::from_mins(90)));
        assert_eq!(time("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(time("soon"), None);
    }

    #[test]
    fn a_switch_takes_the_words_that_go_takes() {
        assert!(switch("T").unwrap());
        assert!(!switch("False").unwrap());
        assert!(switch("yes").is_err());
        assert!(switch("").is_err());
    }

    #[test]
    fn flags_of_the_logging_library_are_checked_though_they_do_nothing() {
        assert!(check_log_value(LogValue::Level, "10").is_ok());
        assert!(check_log_value(LogValue::Level, "high").is_err());
        assert!(check_log_value(LogValue::Severity, "warning").is_ok());
        assert!(check_log_value(LogValue::Severity, "2").is_ok());
        assert!(check_log_value(LogValue::Severity, "loud").is_err());
        assert!(check_log_value(LogValue::TraceLocation, "file.go:234").is_ok());
        assert!(check_log_value(LogValue::TraceLocation, "file.go").is_err());
        assert!(check_log_value(LogValue::Modules, "a*=2,b=3").is_ok());
        assert!(check_log_value(LogValue::Modules, "a").is_err());
        assert!(check_log_value(LogValue::Size, "-1").is_err());
    }
}
