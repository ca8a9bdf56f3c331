//! The type of a scalar, from its text, style and tag.

use super::number::{Integer, parse_float, parse_integer};
use crate::tree::{Kind, Node, ScalarStyle};

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Resolved {
    Binary,
    Bool(bool),
    Float(f64),
    Integer(Integer),
    Null,
    /// The text itself, dates included.
    String,
}

/// A tag that does not go with its scalar.
#[derive(Debug)]
pub(super) struct TagMismatch;

/// The type of a scalar; `None` for a node that is none.
pub(super) fn resolve(node: Node<'_>) -> Result<Option<Resolved>, TagMismatch> {
    let (style, text) = match node.kind() {
        Kind::Scalar(style) => (style, node.text().unwrap_or_default()),
        Kind::Missing => (ScalarStyle::Plain, ""),
        Kind::Alias(_) | Kind::Mapping(_) | Kind::Sequence(_) => return Ok(None),
    };
    let untyped = || match style {
        ScalarStyle::Plain => resolve_plain(text),
        _ => Resolved::String,
    };
    let resolved = match node.tag() {
        None => untyped(),
        Some("!!binary") => Resolved::Binary,
        Some("!!null") => match resolve_plain(text) {
            Resolved::Null => Resolved::Null,
            _ => return Err(TagMismatch),
        },
        Some("!!bool") => match resolve_plain(text) {
            bool @ Resolved::Bool(_) => bool,
            _ => return Err(TagMismatch),
        },
        Some("!!int") => match resolve_plain(text) {
            integer @ Resolved::Integer(_) => integer,
            _ => return Err(TagMismatch),
        },
        Some("!!float") => match resolve_plain(text) {
            number @ (Resolved::Float(_) | Resolved::Integer(_)) => number,
            _ => return Err(TagMismatch),
        },
        Some("!!timestamp") if !looks_like_date(text) => return Err(TagMismatch),
        // `!!str`, and tags that say nothing that JSON could carry.
        Some(_) => Resolved::String,
    };
    Ok(Some(resolved))
}

/// The type of a plain scalar.
pub(crate) fn resolve_plain(text: &str) -> Resolved {
    if let Some(word) = resolve_word(text) {
        return word;
    }
    match text.as_bytes().first() {
        Some(b'.') if underscores_are_between_digits(text) => {
            parse_float(&text.replace('_', "")).map_or(Resolved::String, Resolved::Float)
        }
        Some(b'+' | b'-' | b'0'..=b'9') => {
            let digits = text.replace('_', "");
            parse_integer(&digits)
                .map(Resolved::Integer)
                .or_else(|| parse_float(&digits).map(Resolved::Float))
                .unwrap_or(Resolved::String)
        }
        _ => Resolved::String,
    }
}

fn underscores_are_between_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'_')
        .all(|(at, _)| digit(at.wrapping_sub(1)) && digit(at + 1))
}

fn resolve_word(text: &str) -> Option<Resolved> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Resolved::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Resolved::Bool(false)
        }
        "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
        ".nan" | ".NaN" | ".NAN" => Resolved::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Resolved::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Resolved::Float(f64::NEG_INFINITY),
        _ => return None,
    })
}

/// Whether go-yaml 2 takes a plain scalar for a date: `2006-1-2`, with a time after `T`, `t` or a
/// space. Such text is quoted when written, though it is read as a string.
pub(crate) fn looks_like_date(text: &str) -> bool {
    let Some((date, time)) = text.find(['T', 't', ' ']).map_or(Some((text, None)), |at| {
        Some((&text[..at], Some((&text[at..=at], &text[at + 1..]))))
    }) else {
        return false;
    };
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let in_range = year.len() == 4
        && [year, month, day]
            .iter()
            .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        && (1..=2).contains(&month.len())
        && (1..=2).contains(&day.len())
        && days_of_month(number(year), number(month))
            .is_some_and(|days| number(day).is_some_and(|day| (1..=days).contains(&day)));
    in_range
        && match time {
            None => true,
            Some((" ", time)) => is_clock(time),
            Some((_, time)) => split_zone(time).is_some_and(is_clock),
        }
}

fn days_of_month(year: Option<u32>, month: Option<u32>) -> Option<u32> {
    let year = year?;
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    Some(match month? {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    })
}

/// The time before its zone, `Z` or `+07:00`.
fn split_zone(time: &str) -> Option<&str> {
    if let Some(clock) = time.strip_suffix('Z') {
        return Some(clock);
    }
    let zone = time.len().checked_sub(6)?;
    let (clock, zone) = (time.get(..zone)?, time.get(zone..)?);
    let hours = zone.strip_prefix(['+', '-'])?;
    let (hours, minutes) = hours.split_once(':')?;
    let below = |text: &str, limit: u32| {
        text.len() == 2
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|value: u32| value <= limit)
    };
    (below(hours, 24) && below(minutes, 60)).then_some(clock)
}

fn is_clock(time: &str) -> bool {
    let mut parts = time.split(':');
    let (Some(hour), Some(minute), Some(second), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (second, fraction) = match second.find(['.', ',']) {
        Some(at) => (&second[..at], Some(&second[at + 1..])),
        None => (second, None),
    };
    let below = |text: &str, limit: u32| {
        (1..=2).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|value: u32| value < limit)
    };
    below(hour, 24)
        && below(minute, 60)
        && below(second, 60)
        && fraction.is_none_or(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Whether text is a base 60 number of YAML 1.1: read as a string, and yet quoted when written.
pub(crate) fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = unsigned.split(':');
    let first = parts.next().unwrap_or_default();
    let mut rest: Vec<&str> = parts.collect();
    let Some(last) = rest.pop() else {
        return false;
    };
    let (last, fraction) = last.split_once('.').unwrap_or((last, ""));
    rest.push(last);
    let sixtieth = |part: &&str| match part.as_bytes() {
        [digit] | [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    let digit_or_underscore = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    first.starts_with(|char: char| char.is_ascii_digit())
        && first.bytes().all(digit_or_underscore)
        && rest.iter().all(sixtieth)
        && fraction.bytes().all(digit_or_underscore)
}
