//! The first step of a path, as it is read on an object and on an array.

use super::modifier;
use super::query::Query;

/// What comes behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest<'p> {
    /// Nothing.
    End,
    /// More steps, from where this one leads.
    More(&'p str),
    /// A path of its own, on what this one finds.
    Pipe(&'p str),
}

/// A step on an object: a key, or a pattern of keys.
pub(super) struct Key<'p> {
    pub(super) name: String,
    pub(super) is_pattern: bool,
    pub(super) rest: Rest<'p>,
}

pub(super) fn key(path: &str) -> Key<'_> {
    let mut name = String::new();
    let mut is_pattern = false;
    let mut escaped = false;
    for (position, character) in path.char_indices() {
        match character {
            _ if escaped => {
                escaped = false;
                name.push(character);
                continue;
            }
            '\\' => {
                escaped = true;
                continue;
            }
            '|' => {
                let rest = Rest::Pipe(&path[position + 1..]);
                return Key {
                    name,
                    is_pattern,
                    rest,
                };
            }
            '.' => {
                let rest = behind_dot(&path[position + 1..]);
                return Key {
                    name,
                    is_pattern,
                    rest,
                };
            }
            '*' | '?' => is_pattern = true,
            _ => {}
        }
        name.push(character);
    }
    Key {
        name,
        is_pattern,
        rest: Rest::End,
    }
}

fn behind_dot(path: &str) -> Rest<'_> {
    if is_own_path(path) {
        Rest::Pipe(path)
    } else {
        Rest::More(path)
    }
}

/// Whether a path changes what is before it, so that a dot is as good as a bar.
fn is_own_path(path: &str) -> bool {
    match path.as_bytes().first() {
        Some(b'[' | b'{') => true,
        Some(b'@') => {
            let end = path.find(['.', '|', ':']).unwrap_or(path.len());
            modifier::by_name(&path[1..end]).is_some()
        }
        _ => false,
    }
}

/// A step on an array.
pub(super) enum Step<'p> {
    /// To one element; `None`: to none.
    Index(Option<usize>, Rest<'p>),
    /// `#`: how many there are.
    Count(Rest<'p>),
    /// `#.path`: the path, on all elements.
    Each(&'p str),
    /// `#(…)`: to the first that fits.
    First(Query, Rest<'p>),
    /// `#(…)#`: all that fit.
    All(Query, Rest<'p>),
}

pub(super) fn step(path: &str) -> Step<'_> {
    if path.starts_with("#(") || path.starts_with("#[") {
        let Some((query, after)) = Query::parse(path) else {
            return Step::Index(None, Rest::End);
        };
        let (marks, rest) = split(after, false);
        return if marks.starts_with('#') {
            Step::All(query, rest)
        } else {
            Step::First(query, rest)
        };
    }
    if let Some(path) = path.strip_prefix("#.") {
        return Step::Each(path);
    }
    let (name, rest) = split(path, !path.starts_with('#'));
    if name == "#" {
        return Step::Count(rest);
    }
    let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    Step::Index(digits.then(|| name.parse().ok()).flatten(), rest)
}

fn split(path: &str, changes_count: bool) -> (&str, Rest<'_>) {
    let Some(position) = path.find(['.', '|']) else {
        return (path, Rest::End);
    };
    let (name, after) = (&path[..position], &path[position + 1..]);
    let rest = match path.as_bytes()[position] {
        b'|' => Rest::Pipe(after),
        _ if changes_count && !name.contains('#') => behind_dot(after),
        _ => Rest::More(after),
    };
    (name, rest)
}

/// Splits a path at the bar that does not stand in brackets of a query, an escape or an object of paths.
pub(super) fn split_at_bar(path: &str) -> Option<(&str, &str)> {
    if !path.contains('|') {
        return None;
    }
    if path.starts_with('{') {
        let object = super::json::balanced(path);
        return Some((object, path[object.len()..].strip_prefix('|')?));
    }
    let bytes = path.as_bytes();
    let mut position = 0;
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'\\' => position += 1,
            b'|' => return Some((&path[..position], &path[position + 1..])),
            b'.' if bytes.get(position + 1) == Some(&b'#') => {
                position += 2;
                match bytes.get(position)? {
                    b'(' => position += brackets(&path[position..], b'(', b')'),
                    b'[' => position += brackets(&path[position..], b'[', b']'),
                    _ => {}
                }
            }
            b'.' if position + 1 == bytes.len() => return None,
            _ => {}
        }
        position += 1;
    }
    None
}

/// Where the bracket that a text begins with is closed; only brackets of its kind count.
fn brackets(text: &str, open: u8, close: u8) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut position) = (1, 1);
    while let Some(&byte) = bytes.get(position) {
        match byte {
            b'\\' => position += 1,
            b'"' => position += super::json::string_end(&text[position..]) - 1,
            _ if byte == open => depth += 1,
            _ if byte == close => {
                depth -= 1;
                if depth == 0 {
                    return position;
                }
            }
            _ => {}
        }
        position += 1;
    }
    text.len()
}
