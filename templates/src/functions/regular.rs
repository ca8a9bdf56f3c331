//! Regular expressions, in Go's syntax.

use std::borrow::Cow;

use regex::bytes::{Captures, Regex, RegexBuilder};

use super::Table;
use super::strings::texts;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Int};
use crate::value::{Elements, List, Text};

mod translate;

pub(super) fn table() -> Table {
    vec![
        ("mustRegexFind", Function::new(find)),
        ("mustRegexFindAll", Function::new(find_all)),
        ("mustRegexMatch", Function::new(must_match)),
        ("mustRegexReplaceAll", Function::new(replace_all)),
        (
            "mustRegexReplaceAllLiteral",
            Function::new(replace_all_literal),
        ),
        ("mustRegexSplit", Function::new(split)),
        ("regexFind", Function::new(find)),
        ("regexFindAll", Function::new(find_all)),
        ("regexMatch", Function::new(is_match)),
        ("regexQuoteMeta", Function::new(quote_meta)),
        ("regexReplaceAll", Function::new(replace_all)),
        ("regexReplaceAllLiteral", Function::new(replace_all_literal)),
        ("regexSplit", Function::new(split)),
    ]
}

/// The size of a compiled expression: what Go allows is about the same.
const SIZE: usize = 4 << 20;

fn compile(context: &mut Context<'_, '_>, pattern: &Text, text: &Text) -> Result<Regex, Failure> {
    // Compiling takes long, and so does matching of what is long.
    context.spend_steps(100 + pattern.len() + text.len() / 16)?;
    let invalid = || Failure::from("error parsing the regular expression");
    let pattern = pattern.as_str().ok_or_else(invalid)?;
    let pattern = translate::translate(pattern);
    let built = RegexBuilder::new(&pattern)
        .size_limit(SIZE)
        .dfa_size_limit(SIZE)
        .build();
    built.map_err(|_| invalid())
}

/// An expression that is none matches nothing.
fn is_match(context: &mut Context<'_, '_>, pattern: Text, text: Text) -> Result<bool, Failure> {
    match must_match(context, pattern, text) {
        Err(Failure::Said(_)) => Ok(false),
        matched => matched,
    }
}

fn must_match(context: &mut Context<'_, '_>, pattern: Text, text: Text) -> Result<bool, Failure> {
    Ok(compile(context, &pattern, &text)?.is_match(&text))
}

fn find(context: &mut Context<'_, '_>, pattern: Text, text: Text) -> Result<Text, Failure> {
    let regex = compile(context, &pattern, &text)?;
    Ok(regex
        .find(&text)
        .map_or_else(Text::default, |found| found.as_bytes().into()))
}

/// Where the expression matches. Go passes over an empty match right after another match.
fn matches(regex: &Regex, text: &[u8]) -> Vec<(usize, usize)> {
    let mut before = None;
    let all = regex
        .find_iter(text)
        .map(|found| (found.start(), found.end()));
    all.filter(|(start, end)| {
        let adjacent = start == end && before == Some(*start);
        before = Some(*end);
        !adjacent
    })
    .collect()
}

fn at_most(count: Int) -> usize {
    usize::try_from(count.0).unwrap_or(usize::MAX)
}

fn find_all(
    context: &mut Context<'_, '_>,
    pattern: Text,
    text: Text,
    count: Int,
) -> Result<List, Failure> {
    let regex = compile(context, &pattern, &text)?;
    let found = matches(&regex, &text).into_iter().take(at_most(count));
    let found: Vec<Text> = found.map(|(start, end)| text[start..end].into()).collect();
    if found.is_empty() {
        return Ok(List::nil(Elements::Text));
    }
    Ok(texts(found))
}

/// `$1`, `$name` and `${name}` stand for groups: a name is as long as it can be.
fn replace_all(
    context: &mut Context<'_, '_>,
    pattern: Text,
    text: Text,
    replacement: Text,
) -> Result<Text, Failure> {
    let regex = compile(context, &pattern, &text)?;
    replaced(context, &regex, &text, |captures, out| {
        let mut expanded = Vec::new();
        captures.expand(&replacement, &mut expanded);
        out.push(&expanded)
    })
}

fn replace_all_literal(
    context: &mut Context<'_, '_>,
    pattern: Text,
    text: Text,
    replacement: Text,
) -> Result<Text, Failure> {
    let regex = compile(context, &pattern, &text)?;
    replaced(context, &regex, &text, |_, out| out.push(&replacement))
}

fn replaced(
    context: &Context<'_, '_>,
    regex: &Regex,
    text: &[u8],
    with: impl Fn(&Captures<'_>, &mut crate::text::Sink) -> Result<(), Failure>,
) -> Result<Text, Failure> {
    let mut sink = context.sink();
    let mut end = 0;
    let mut before = None;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        if whole.is_empty() && before == Some(whole.start()) {
            continue;
        }
        before = Some(whole.end());
        sink.push(&text[end..whole.start()])?;
        with(&captures, &mut sink)?;
        end = whole.end();
    }
    sink.push(&text[end..])?;
    Ok(sink.finish())
}

/// At most so many parts; what matches nothing at the ends makes no part.
fn split(
    context: &mut Context<'_, '_>,
    pattern: Text,
    text: Text,
    count: Int,
) -> Result<List, Failure> {
    let regex = compile(context, &pattern, &text)?;
    if count.0 == 0 {
        return Ok(List::nil(Elements::Text));
    }
    if !pattern.is_empty() && text.is_empty() {
        return Ok(texts(vec![Text::default()]));
    }
    let most = at_most(count);
    let mut parts: Vec<Text> = Vec::new();
    let (mut start, mut end) = (0, 0);
    for (from, to) in matches(&regex, &text).into_iter().take(most) {
        if parts.len() + 1 == most {
            break;
        }
        end = from;
        if to != 0 {
            parts.push(text[start..end].into());
        }
        start = to;
    }
    if end != text.len() {
        parts.push(text[start..].into());
    }
    Ok(texts(parts))
}

fn quote_meta(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    let mut sink = context.sink();
    for byte in text.iter() {
        let quoted: Cow<'_, [u8]> = match byte {
            b'\\' | b'.' | b'+' | b'*' | b'?' | b'(' | b')' | b'|' | b'[' | b']' | b'{' | b'}'
            | b'^' | b'$' => vec![b'\\', *byte].into(),
            byte => vec![*byte].into(),
        };
        sink.push(quoted)?;
    }
    Ok(sink.finish())
}
