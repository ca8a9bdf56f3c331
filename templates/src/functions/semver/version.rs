//! A version: `v1.2.3-rc.1+build`, of which only the first number must be there.

use std::cmp::Ordering;

use crate::value::{Text, Version};

pub(super) fn parse(original: &Text) -> Option<Version> {
    let text = original.as_str()?;
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, metadata) = split(text, '+');
    let (numbers, prerelease) = split(text, '-');
    if prerelease.is_some_and(|part| !is_valid(part, false))
        || metadata.is_some_and(|part| !is_valid(part, true))
    {
        return None;
    }
    let mut numbers = numbers.split('.').map(|number| {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        number.parse::<u64>().ok().filter(|_| digits)
    });
    let major = numbers.next()??;
    let minor = numbers.next().unwrap_or(Some(0))?;
    let patch = numbers.next().unwrap_or(Some(0))?;
    if numbers.next().is_some() {
        return None;
    }
    let (prerelease, metadata) = (
        prerelease.unwrap_or("").into(),
        metadata.unwrap_or("").into(),
    );
    Some(Version {
        major,
        minor,
        patch,
        prerelease,
        metadata,
        original: original.clone(),
    })
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Parts of letters, digits and dashes; a number in a prerelease has no leading zero.
fn is_valid(text: &str, leading_zeros: bool) -> bool {
    text.split('.').all(|part| {
        let number = part.bytes().all(|byte| byte.is_ascii_digit());
        let zero = part.len() > 1 && part.starts_with('0');
        let valid = part
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        !part.is_empty() && valid && (leading_zeros || !(number && zero))
    })
}

/// Metadata does not count.
pub(super) fn compare(left: &Version, right: &Version) -> Ordering {
    let numbers = |version: &Version| (version.major, version.minor, version.patch);
    let prereleases = || match (left.prerelease.is_empty(), right.prerelease.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => compare_prereleases(&left.prerelease, &right.prerelease),
    };
    numbers(left).cmp(&numbers(right)).then_with(prereleases)
}

/// Part by part: numbers as numbers and before words, and less parts before more.
pub(super) fn compare_prereleases(left: &Text, right: &Text) -> Ordering {
    let (left, right) = (left.lossy(), right.lossy());
    let mut right = right.split('.');
    for left in left.split('.') {
        let Some(right) = right.next() else {
            return Ordering::Greater;
        };
        let order = match (left.parse::<u64>(), right.parse::<u64>()) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => left.cmp(right),
        };
        if order.is_ne() {
            return order;
        }
    }
    if right.next().is_some() {
        Ordering::Less
    } else {
        Ordering::Equal
    }
}
