//! `{path,"name":path}` and `[path,path]`: several paths at once.

use zeroize::Zeroizing;

use super::GetError;
use super::budget::Budget;
use super::find;
use super::json;
use super::raw::Raw;

/// What the paths lead to, and the path behind the bracket. `None` if the bracket is not closed or
/// something else follows it: then it is the name of a key.
pub(super) fn collect<'p>(
    json: &str,
    path: &'p str,
    budget: &Budget,
) -> Result<Option<(Raw<'static>, &'p str)>, GetError> {
    let Some((selectors, after)) = split(path) else {
        return Ok(None);
    };
    if !(after.is_empty() || after.starts_with(['.', '|'])) {
        return Ok(None);
    }
    let (open, close) = if path.starts_with('{') {
        ('{', '}')
    } else {
        ('[', ']')
    };
    let mut out = Zeroizing::new(String::from(open));
    for Selector { name, path } in selectors {
        let found = find::get(json, path, budget)?;
        if !found.exists() {
            continue;
        }
        budget.spend(found.len() + path.len())?;
        if out.len() > 1 {
            out.push(',');
        }
        if open == '{' {
            member(&mut out, name, path);
        }
        out.push_str(&found);
    }
    out.push(close);
    Ok(Some((Raw::Made(out), after)))
}

fn member(out: &mut String, name: &str, path: &str) {
    if name.starts_with('"') && json::is_valid(name) {
        out.push_str(name);
    } else if !name.is_empty() {
        json::quote(out, name);
    } else {
        let last = last_name(path);
        json::quote(out, if is_simple(last) { last } else { "_" });
    }
    out.push(':');
}

struct Selector<'p> {
    /// Of the member; without one it has that of the last step.
    name: &'p str,
    path: &'p str,
}

/// Splits at the commas, up to the bracket that closes.
fn split(path: &str) -> Option<(Vec<Selector<'_>>, &str)> {
    let bytes = path.as_bytes();
    let mut selectors = Vec::new();
    let (mut start, mut colon, mut has_argument) = (1, None, false);
    let (mut position, mut depth) = (1, 1);
    let selector = |start: usize, colon: Option<usize>, end: usize| match colon {
        Some(colon) => Selector {
            name: &path[start..colon],
            path: &path[colon + 1..end],
        },
        None => Selector {
            name: "",
            path: &path[start..end],
        },
    };
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'\\' => position += 1,
            // The colon behind a modifier is before its argument.
            b'@' if matches!(bytes[position - 1], b'.' | b'|') => has_argument = true,
            b':' if !has_argument && colon.is_none() && depth == 1 => colon = Some(position),
            b',' if depth == 1 => {
                selectors.push(selector(start, colon, position));
                (start, colon, has_argument) = (position + 1, None, false);
            }
            b'"' => position += json::string_end(&path[position..]) - 1,
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    selectors.push(selector(start, colon, position));
                    return Some((selectors, &path[position + 1..]));
                }
            }
            _ => {}
        }
        position += 1;
    }
    None
}

fn last_name(path: &str) -> &str {
    for (position, _) in path.rmatch_indices(['.', '|']) {
        if !path[..position].ends_with('\\') {
            return &path[position + 1..];
        }
    }
    path
}

fn is_simple(name: &str) -> bool {
    !name.contains(|c: char| {
        c < ' ' || matches!(c, '[' | ']' | '{' | '}' | '(' | ')' | '#' | '|' | '!')
    })
}
