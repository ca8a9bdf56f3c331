//! `#(path operator value)`.

use zeroize::Zeroizing;

use super::GetError;
use super::budget::Budget;
use super::find;
use super::json::{self, Kind};
use super::wildcard;

/// A condition on an element of an array.
pub(super) struct Query {
    path: String,
    operator: Operator,
    value: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// Nothing but that there is something.
    Exists,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Like,
    NotLike,
    /// A sign that means nothing.
    Unknown,
}

impl Query {
    /// Reads a query, with which the path begins; and what is behind its bracket. `None` if the bracket
    /// is not closed.
    pub(super) fn parse(path: &str) -> Option<(Self, &str)> {
        let bytes = path.as_bytes();
        let (mut position, mut depth) = (2, 1);
        let mut comparison = None;
        let mut is_escaped = false;
        loop {
            let byte = *bytes.get(position)?;
            match byte {
                b'!' | b'=' | b'<' | b'>' | b'%' if depth == 1 && comparison.is_none() => {
                    comparison = Some(position);
                }
                b'\\' => position += 1,
                b'[' | b'(' => depth += 1,
                b']' | b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'"' => {
                    let length = json::string_end(&path[position..]);
                    is_escaped |= path[position..position + length].contains('\\');
                    position += length - 1;
                }
                _ => {}
            }
            position += 1;
        }
        let after = &path[position + 1..];
        let inner = json::trim(&path[2..comparison.unwrap_or(position)]);
        let comparison = comparison.map_or("", |start| json::trim(&path[start..position]));
        let (operator, value) = operator(comparison);
        let value = json::trim(value);
        let unquoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        let value = match unquoted {
            Some(text) if is_escaped => (*json::unescape(text)).clone(),
            Some(text) => text.to_owned(),
            None => value.to_owned(),
        };
        let query = Self {
            path: inner.to_owned(),
            operator,
            value,
        };
        Some((query, after))
    }

    /// Whether an element fulfils it.
    pub(super) fn fits(&self, element: &str, budget: &Budget) -> Result<bool, GetError> {
        let is_nested = matches!(json::kind(element), Kind::Object | Kind::Array);
        let found = if is_nested {
            find::get(element, &self.path, budget)?
        } else if self.path.is_empty() {
            super::raw::Raw::Cut(element)
        } else {
            return Ok(false);
        };
        let Some(wanted) = self.value.strip_prefix('~') else {
            return compare(self.operator, &found, &self.value, budget);
        };
        let holds = match wanted {
            "*" => found.exists(),
            "null" => matches!(json::kind(&found), Kind::Absent | Kind::Null),
            "true" => is_true(&found),
            "false" => is_false(&found),
            _ => return Ok(false),
        };
        compare(
            self.operator,
            if holds { "true" } else { "false" },
            "true",
            budget,
        )
    }
}

fn operator(comparison: &str) -> (Operator, &str) {
    const OPERATORS: [(&str, Operator); 9] = [
        ("!=", Operator::NotEqual),
        ("!%", Operator::NotLike),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("==", Operator::Equal),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("=", Operator::Equal),
        ("%", Operator::Like),
    ];
    for (sign, operator) in OPERATORS {
        if let Some(value) = comparison.strip_prefix(sign) {
            return (operator, value);
        }
    }
    match comparison {
        "!" => (Operator::Unknown, ""),
        _ => (Operator::Exists, comparison),
    }
}

fn compare(
    operator: Operator,
    found: &str,
    wanted: &str,
    budget: &Budget,
) -> Result<bool, GetError> {
    let kind = json::kind(found);
    if kind == Kind::Absent || operator == Operator::Exists {
        return Ok(kind != Kind::Absent);
    }
    let order = match kind {
        Kind::String => {
            let text = json::text(found);
            match operator {
                Operator::Like => return wildcard::matches(&text, wanted, budget),
                Operator::NotLike => return Ok(!wildcard::matches(&text, wanted, budget)?),
                _ => Some((*text).cmp(wanted)),
            }
        }
        Kind::Number => number(found).partial_cmp(&number(wanted)),
        Kind::True | Kind::False => return Ok(compare_truth(operator, kind == Kind::True, wanted)),
        _ => return Ok(false),
    };
    Ok(match operator {
        Operator::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
        Operator::NotEqual => order.is_none_or(std::cmp::Ordering::is_ne),
        Operator::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Operator::LessOrEqual => order.is_some_and(std::cmp::Ordering::is_le),
        Operator::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
        Operator::GreaterOrEqual => order.is_some_and(std::cmp::Ordering::is_ge),
        _ => false,
    })
}

fn compare_truth(operator: Operator, found: bool, wanted: &str) -> bool {
    let same = if found { "true" } else { "false" };
    let other = if found { "false" } else { "true" };
    match operator {
        Operator::Equal => wanted == same,
        Operator::NotEqual => wanted != same,
        Operator::Greater => found && wanted == other,
        Operator::GreaterOrEqual => found,
        Operator::Less => !found && wanted == other,
        Operator::LessOrEqual => !found,
        _ => false,
    }
}

/// What is no number counts as zero.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or(0.0)
}

fn is_true(raw: &str) -> bool {
    match json::kind(raw) {
        Kind::True => true,
        Kind::Number => number(raw) != 0.0,
        Kind::String => matches!(&**lower(raw), "1" | "t" | "true"),
        _ => false,
    }
}

fn is_false(raw: &str) -> bool {
    match json::kind(raw) {
        Kind::Absent | Kind::Null | Kind::False => true,
        Kind::Number => number(raw) == 0.0,
        Kind::String => matches!(&**lower(raw), "0" | "f" | "false"),
        _ => false,
    }
}

fn lower(raw: &str) -> Zeroizing<String> {
    Zeroizing::new(json::text(raw).to_lowercase())
}
