//! `@name:argument`, which makes another value of one, and `!literal`, which is one itself.

use std::collections::HashMap;

use zeroize::Zeroizing;

use super::GetError;
use super::budget::Budget;
use super::find;
use super::json::{self, Elements, Kind, Members};
use super::pretty::{self, Layout};
use super::raw::Raw;

/// Makes JSON of JSON, by an argument; no text for no value.
pub(super) type Modifier =
    fn(json: &str, argument: &str, budget: &Budget) -> Result<Zeroizing<String>, GetError>;

pub(super) fn by_name(name: &str) -> Option<Modifier> {
    Some(match name {
        "this" => |json, _, _| Ok(Zeroizing::new(json.to_owned())),
        // All that comes here is valid.
        "valid" => |json, _, _| Ok(Zeroizing::new(json.to_owned())),
        "pretty" => |json, argument, _| Ok(laid_out(json, argument)),
        "ugly" => |json, _, _| Ok(pretty::ugly(json)),
        "reverse" => |json, _, _| Ok(reverse(json)),
        "flatten" => |json, argument, _| Ok(flatten(json, is_set(argument, "deep"))),
        "join" => |json, argument, _| Ok(join(json, is_set(argument, "preserve"))),
        "keys" => |json, _, _| Ok(keys(json)),
        "values" => |json, _, _| Ok(values(json)),
        "tostr" => |json, _, _| Ok(to_string(json)),
        "fromstr" => |json, _, _| Ok(from_string(json)),
        "group" => |json, _, _| Ok(group(json)),
        "dig" => dig,
        _ => return None,
    })
}

/// Applies the modifier that a path begins with; and the path behind it.
pub(super) fn apply<'p>(
    json: &str,
    path: &'p str,
    budget: &Budget,
) -> Result<Option<(Raw<'static>, &'p str)>, GetError> {
    let end = path.find([':', '|', '.']).unwrap_or(path.len());
    let Some(modifier) = by_name(&path[1..end]) else {
        return Ok(None);
    };
    let (argument, after) = match path[end..].strip_prefix(':') {
        Some(rest) => rest.split_at(argument_end(rest)),
        None => ("", &path[end..]),
    };
    budget.spend(json.len())?;
    let made = modifier(json, argument, budget)?;
    budget.spend(made.len())?;
    let trimmed = match json::kind(&made) {
        // The line feed behind what was laid out belongs to it.
        Kind::Object | Kind::Array => made.trim_start(),
        _ => made.trim(),
    };
    let made = Raw::Made(Zeroizing::new(trimmed.to_owned()));
    Ok(Some((made, after)))
}

fn argument_end(text: &str) -> usize {
    match text.as_bytes().first() {
        Some(b'"') => return json::string_end(text),
        Some(b'{' | b'[') => return json::balanced(text).len(),
        _ => {}
    }
    let mut position = 0;
    while let Some(byte) = text.as_bytes().get(position) {
        match byte {
            b'|' => break,
            b'"' => position += json::string_end(&text[position..]),
            b'{' | b'[' | b'(' => position += json::balanced(&text[position..]).len(),
            _ => position += 1,
        }
    }
    position.min(text.len())
}

/// The value that a path begins with behind its `!`; and the path behind it.
pub(super) fn literal(path: &str) -> Option<(Raw<'static>, &str)> {
    let text = &path[1..];
    let end = match text.as_bytes().first()? {
        // Nothing can be asked of a string.
        b'"' => return Some((valid(&text[..json::string_end(text)]), "")),
        b'{' | b'[' | b'-' | b'0'..=b'9' => json::balanced(text).len(),
        _ => {
            let end = text.find(['|', '.']).unwrap_or(text.len());
            matches!(&text[..end], "true" | "false" | "null").then_some(end)?
        }
    };
    let (value, after) = text.split_at(end);
    Some((valid(value), after))
}

fn valid(value: &str) -> Raw<'static> {
    if json::is_valid(value) {
        Raw::Made(value.to_owned().into())
    } else {
        Raw::ABSENT
    }
}

/// A member of an argument that is an object.
fn argument<'a>(argument: &'a str, name: &str) -> Option<&'a str> {
    if !json::is_valid(argument) {
        return None;
    }
    let members = Members::of(argument).filter(|(key, _)| *json::text(key) == *name);
    members.last().map(|(_, value)| value)
}

fn is_set(text: &str, name: &str) -> bool {
    argument(text, name).is_some_and(|value| match json::kind(value) {
        Kind::True => true,
        Kind::String => matches!(&*json::text(value).to_lowercase(), "1" | "t" | "true"),
        Kind::Number => value.parse().is_ok_and(|number: f64| number != 0.0),
        _ => false,
    })
}

fn laid_out(json: &str, text: &str) -> Zeroizing<String> {
    let mut layout = Layout::default();
    let space = |name| {
        let is_space = |c: &char| matches!(c, ' ' | '\t' | '\n' | '\r');
        argument(text, name).map(|value| json::plain(value).chars().filter(is_space).collect())
    };
    if let Some(indent) = space("indent") {
        layout.indent = indent;
    }
    if let Some(prefix) = space("prefix") {
        layout.prefix = prefix;
    }
    if let Some(width) = argument(text, "width") {
        layout.width = json::plain(width).parse().unwrap_or_default();
    }
    layout.sort_keys = is_set(text, "sortKeys");
    if json.is_empty() {
        return Zeroizing::default();
    }
    pretty::pretty(json, &layout)
}

/// An array or object of pieces.
fn wrap<T: AsRef<str>>(
    open: char,
    pieces: impl IntoIterator<Item = T>,
    close: char,
) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::from(open));
    for piece in pieces {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(piece.as_ref());
    }
    out.push(close);
    out
}

fn member(key: &str, value: &str) -> Zeroizing<String> {
    Zeroizing::new(format!("{key}:{value}"))
}

fn reverse(json: &str) -> Zeroizing<String> {
    match json::kind(json) {
        Kind::Array => {
            let mut elements: Vec<_> = Elements::of(json).collect();
            elements.reverse();
            wrap('[', elements, ']')
        }
        Kind::Object => {
            let mut members: Vec<_> = Members::of(json).map(|(k, v)| member(k, v)).collect();
            members.reverse();
            wrap('{', members.iter().map(|member| member.as_str()), '}')
        }
        _ => Zeroizing::new(json.to_owned()),
    }
}

fn flatten(json: &str, deep: bool) -> Zeroizing<String> {
    if json::kind(json) != Kind::Array {
        return Zeroizing::new(json.to_owned());
    }
    let mut out = Vec::new();
    for element in Elements::of(json) {
        if json::kind(element) == Kind::Array {
            spread(element, deep, &mut out);
        } else {
            out.push(element);
        }
    }
    wrap('[', out, ']')
}

fn spread<'j>(array: &'j str, deep: bool, out: &mut Vec<&'j str>) {
    if !deep {
        // All at once: what is between them stays.
        let inner = array.trim().strip_prefix('[');
        let inner = inner.and_then(|rest| rest.strip_suffix(']'));
        out.extend(inner.map(str::trim).filter(|inner| !inner.is_empty()));
        return;
    }
    for element in Elements::of(array) {
        if json::kind(element) == Kind::Array {
            spread(element, deep, out);
        } else {
            out.push(element);
        }
    }
}

fn join(json: &str, keep_all: bool) -> Zeroizing<String> {
    if json::kind(json) != Kind::Array {
        return Zeroizing::new(json.to_owned());
    }
    let all = Elements::of(json).flat_map(Members::of);
    if keep_all {
        let members: Vec<_> = all.map(|(key, value)| member(key, value)).collect();
        return wrap('{', members.iter().map(|member| member.as_str()), '}');
    }
    let mut members: Vec<(&str, &str)> = Vec::new();
    let mut positions = HashMap::new();
    for (key, value) in all {
        let name = json::text(key).to_owned();
        let position = *positions.entry(name).or_insert(members.len());
        match members.get_mut(position) {
            Some(member) => member.1 = value,
            None => members.push((key, value)),
        }
    }
    let members: Vec<_> = members
        .iter()
        .map(|(key, value)| member(key, value))
        .collect();
    wrap('{', members.iter().map(|member| member.as_str()), '}')
}

fn keys(json: &str) -> Zeroizing<String> {
    match json::kind(json) {
        Kind::Absent => wrap::<&str>('[', [], ']'),
        Kind::Object => wrap('[', Members::of(json).map(|(key, _)| key), ']'),
        Kind::Array => wrap('[', Elements::of(json).map(|_| "null"), ']'),
        _ => wrap('[', ["null"], ']'),
    }
}

fn values(json: &str) -> Zeroizing<String> {
    match json::kind(json) {
        Kind::Absent => wrap::<&str>('[', [], ']'),
        Kind::Object => wrap('[', Members::of(json).map(|(_, value)| value), ']'),
        Kind::Array => Zeroizing::new(json.to_owned()),
        _ => wrap('[', [json.trim()], ']'),
    }
}

fn to_string(json: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::default();
    json::quote(&mut out, json);
    out
}

/// What is in a string, if it is JSON; another value as it is.
fn from_string(json: &str) -> Zeroizing<String> {
    let text = json::plain(json);
    if json::is_valid(&text) {
        text
    } else {
        Zeroizing::default()
    }
}

/// Turns an object of arrays into an array of objects.
fn group(json: &str) -> Zeroizing<String> {
    if json::kind(json) != Kind::Object {
        return Zeroizing::default();
    }
    let mut groups: Vec<Vec<Zeroizing<String>>> = Vec::new();
    for (key, array) in Members::of(json) {
        for (position, value) in Elements::of(array).enumerate() {
            if position == groups.len() {
                groups.push(Vec::new());
            }
            groups[position].push(member(key, value));
        }
    }
    let objects: Vec<_> = groups
        .iter()
        .map(|members| wrap('{', members.iter().map(|member| member.as_str()), '}'))
        .collect();
    wrap('[', objects.iter().map(|object| object.as_str()), ']')
}

/// What a path leads to from anywhere within.
fn dig(json: &str, path: &str, budget: &Budget) -> Result<Zeroizing<String>, GetError> {
    let mut all = Vec::new();
    dig_into(json, path, budget, &mut all)?;
    Ok(wrap('[', all.iter().map(|found| found.as_str()), ']'))
}

fn dig_into(
    json: &str,
    path: &str,
    budget: &Budget,
    all: &mut Vec<Zeroizing<String>>,
) -> Result<(), GetError> {
    budget.spend(json.len())?;
    let found = find::get(json, path, budget)?;
    if found.exists() {
        all.push(found.into_text());
    }
    let inner = Members::of(json).map(|(_, value)| value);
    for value in inner.chain(Elements::of(json)) {
        dig_into(value, path, budget, all)?;
    }
    Ok(())
}
