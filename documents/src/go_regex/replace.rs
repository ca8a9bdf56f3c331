//! Replacing what a pattern matches, as Go's `ReplaceAllString` does.

use regex::{Captures, Regex};

use super::{GoRegexError, compile, translate};

/// A pattern and what takes the place of its matches.
#[derive(Clone, Debug)]
pub struct GoReplace {
    regex: Regex,
    /// Names of the groups; of most, nothing.
    groups: Vec<String>,
    template: Vec<Part>,
}

/// A part of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Group(usize),
    Name(String),
}

impl GoReplace {
    /// Compiles a pattern and its replacement, in which `$1`, `${1}`, `$name` and `${name}` are groups
    /// and `$$` is a dollar. The longest name counts: `$1x` is the group `1x`, which nothing has.
    ///
    /// # Errors
    /// What [`GoRegex`](super::GoRegex) refuses.
    pub fn new(pattern: &str, replacement: &str) -> Result<Self, GoRegexError> {
        let (regex, groups) = compile(pattern, translate::Captures::Keep)?;
        Ok(Self {
            regex,
            groups,
            template: parse(replacement),
        })
    }

    /// The text with every match replaced; `None` if it would be longer than so many bytes.
    pub fn replace_all(&self, text: &str, longest: usize) -> Option<String> {
        let mut out = String::new();
        let mut end = 0;
        for found in self.regex.captures_iter(text) {
            let whole = found.get_match();
            out.push_str(&text[end..whole.start()]);
            end = whole.end();
            for part in &self.template {
                out.push_str(self.text_of(part, &found));
                if out.len() > longest {
                    return None;
                }
            }
        }
        out.push_str(&text[end..]);
        (out.len() <= longest).then_some(out)
    }

    fn text_of<'t>(&'t self, part: &'t Part, found: &Captures<'t>) -> &'t str {
        let group = match part {
            Part::Text(text) => return text,
            Part::Group(group) => found.get(*group),
            // Of several groups with one name, the first that took part.
            Part::Name(name) => {
                let named = self.groups.iter().enumerate();
                let mut named = named.filter(|(_, group)| *group == name);
                named.find_map(|(index, _)| found.get(index + 1))
            }
        };
        group.map_or("", |group| group.as_str())
    }
}

fn parse(replacement: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = replacement;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            text.push('$');
            rest = after;
        } else if let Some((name, after)) = name(rest) {
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(group(name));
            rest = after;
        } else {
            text.push('$');
        }
    }
    text.push_str(rest);
    parts.push(Part::Text(text));
    parts
}

/// The name of a group that stands next, and what is behind it.
fn name(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let inner = braced.unwrap_or(text);
    let word = |c: char| c == '_' || c.is_alphanumeric();
    let end = inner.find(|c| !word(c)).unwrap_or(inner.len());
    let (name, after) = inner.split_at(end);
    let after = match braced {
        Some(_) => after.strip_prefix('}')?,
        None => after,
    };
    (!name.is_empty()).then_some((name, after))
}

fn group(name: &str) -> Part {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = name == "0" || !name.starts_with('0');
    let number = name.parse().ok().filter(|number| *number < 100_000_000);
    match number {
        Some(number) if is_number && is_plain => Part::Group(number),
        _ => Part::Name(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn replaced(pattern: &str, replacement: &str, text: &str) -> String {
        let replace = GoReplace::new(pattern, replacement).unwrap();
        replace.replace_all(text, 1000).unwrap()
    }

    #[test]
    fn matches_are_replaced_as_in_go() {
        for (pattern, replacement, text, expected) in [
            ("^/app/(.*)$", "$1", "/app/db/user", "db/user"),
            ("/", "_", "a/b/c", "a_b_c"),
            ("(a)(b)?", "[$2$1]", "abac", "[ba][a]c"),
            (
                "(?P<first>a)(?<second>b)",
                "${second}-$first",
                "xab",
                "xb-a",
            ),
            ("(a)", "$1x", "a", ""),
            ("(a)", "${1}x", "a", "ax"),
            ("(a)", "$$1$", "a", "$1$"),
            ("(a)", "${1$2", "a", "${1"),
            ("(a)", "$9$", "a", "$"),
            ("(a)", "$01", "a", ""),
            ("(?P<01>a)", "<$01>", "a", "<a>"),
            ("(?:a)(b)", "$1", "ab", "b"),
            ("a*", "-", "baaac", "-b-c-"),
            ("", "-", "ab", "-a-b-"),
            ("a|ab", "<$0>", "abab", "<a>b<a>b"),
            ("a+?", "<$0>", "aaa", "<a><a><a>"),
            ("(?U)a+", "<$0>", "aaa", "<a><a><a>"),
            ("(?U)a+?", "<$0>", "aaa", "<aaa>"),
            ("(a+)(a*)", "$2|$1", "aaa", "|aaa"),
            ("(a+?)(a*)", "$2|$1", "aaa", "aa|a"),
            ("(?P<n>a)|(?P<n>b)", "<$n>", "ab", "<a><b>"),
            ("(?i)DB", "x", "db-DB", "x-x"),
        ] {
            let out = replaced(pattern, replacement, text);
            assert_eq!(out, expected, "{pattern} by {replacement} in {text}");
        }
    }

    #[test]
    fn a_text_that_grows_too_long_is_none() {
        let replace = GoReplace::new(".", "$0$0$0$0").unwrap();
        assert_eq!(replace.replace_all("abc", 12).unwrap().len(), 12);
        assert_eq!(replace.replace_all("abc", 11), None);
    }
}
