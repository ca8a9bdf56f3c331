//! Texts. Where Go counts bytes, so do these; a text that is cut in a character is no UTF-8 any more.

use super::Table;
use super::cast::{to_text, to_texts};
use crate::error::Failure;
use crate::limits::Context;
use crate::printf::{self, quote};
use crate::signature::{Function, Int, Rest};
use crate::value::{Elements, List, Map, Text, Value};

mod case;
mod shorten;

pub(super) fn table() -> Table {
    let mut table = vec![
        ("cat", Function::new(cat)),
        ("contains", Function::new(contains)),
        ("hasPrefix", Function::new(has_prefix)),
        ("hasSuffix", Function::new(has_suffix)),
        ("hello", Function::new(hello)),
        ("indent", Function::new(indent)),
        ("join", Function::new(join)),
        ("nindent", Function::new(nindent)),
        ("nospace", Function::new(nospace)),
        ("plural", Function::new(plural)),
        ("quote", Function::new(quote)),
        ("repeat", Function::new(repeat)),
        ("replace", Function::new(replace)),
        ("sortAlpha", Function::new(sort_alpha)),
        ("split", Function::new(split)),
        ("splitList", Function::new(split_list)),
        ("splitn", Function::new(splitn)),
        ("squote", Function::new(squote)),
        ("toString", Function::new(to_string)),
        ("toStrings", Function::new(to_strings)),
        ("trim", Function::new(trim)),
        ("trimAll", Function::new(trim_all)),
        ("trimall", Function::new(trim_all)),
        ("trimPrefix", Function::new(trim_prefix)),
        ("trimSuffix", Function::new(trim_suffix)),
    ];
    table.extend(case::table());
    table.extend(shorten::table());
    table
}

fn hello(_: &mut Context<'_, '_>) -> Result<&'static str, Failure> {
    Ok("Hello!")
}

fn contains(_: &mut Context<'_, '_>, part: Text, text: Text) -> Result<bool, Failure> {
    Ok(find(&text, &part).is_some())
}

fn has_prefix(_: &mut Context<'_, '_>, prefix: Text, text: Text) -> Result<bool, Failure> {
    Ok(text.starts_with(&prefix))
}

fn has_suffix(_: &mut Context<'_, '_>, suffix: Text, text: Text) -> Result<bool, Failure> {
    Ok(text.ends_with(&suffix))
}

/// Where one text is in another.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}

fn trim(_: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    Ok(trim_while(&text, char::is_whitespace))
}

fn trim_all(_: &mut Context<'_, '_>, cut: Text, text: Text) -> Result<Text, Failure> {
    let cut = cut.lossy();
    Ok(trim_while(&text, |c| cut.contains(c)))
}

/// Without the characters at both ends that are of a kind.
fn trim_while(text: &Text, kind: impl Fn(char) -> bool) -> Text {
    if let Some(text) = text.as_str() {
        return text.trim_matches(kind).into();
    }
    // Bytes that are no UTF-8 are of no kind.
    let is_kind = |bytes: &[u8]| {
        let c = std::str::from_utf8(bytes)
            .ok()
            .and_then(|text| text.chars().next());
        c.is_some_and(&kind)
    };
    let mut rest: &[u8] = text;
    while let Some(length) = (1..=4.min(rest.len())).find(|length| is_kind(&rest[..*length])) {
        rest = &rest[length..];
    }
    while let Some(length) =
        (1..=4.min(rest.len())).find(|length| is_kind(&rest[rest.len() - length..]))
    {
        rest = &rest[..rest.len() - length];
    }
    rest.into()
}

fn trim_prefix(_: &mut Context<'_, '_>, prefix: Text, text: Text) -> Result<Text, Failure> {
    Ok(text
        .strip_prefix(&*prefix)
        .map_or_else(|| text.clone(), Text::from))
}

fn trim_suffix(_: &mut Context<'_, '_>, suffix: Text, text: Text) -> Result<Text, Failure> {
    Ok(text
        .strip_suffix(&*suffix)
        .map_or_else(|| text.clone(), Text::from))
}

/// Go looks at bytes here, so each byte of a longer character becomes a character.
fn nospace(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    let space = |byte: &u8| char::from(*byte).is_whitespace();
    if !text.iter().any(space) {
        return Ok(text);
    }
    let mut sink = context.sink();
    for byte in text.iter().filter(|byte| !space(byte)) {
        sink.push_char(char::from(*byte))?;
    }
    Ok(sink.finish())
}

fn repeat(context: &mut Context<'_, '_>, count: Int, text: Text) -> Result<Text, Failure> {
    if count.0 < 0 {
        return Err("negative repeat count".into());
    }
    let mut sink = context.sink();
    if text.is_empty() {
        return Ok(text);
    }
    for _ in 0..count.0 {
        sink.push(&text)?;
    }
    Ok(sink.finish())
}

fn replace(
    context: &mut Context<'_, '_>,
    old: Text,
    new: Text,
    text: Text,
) -> Result<Text, Failure> {
    let mut sink = context.sink();
    if old.is_empty() {
        // Between all characters.
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                sink.push(&new)?;
                sink.push_char(c)?;
            }
            for byte in chunk.invalid() {
                sink.push(&new)?;
                sink.push([*byte])?;
            }
        }
        sink.push(&new)?;
        return Ok(sink.finish());
    }
    let mut rest: &[u8] = &text;
    while let Some(at) = find(rest, &old) {
        sink.push(&rest[..at])?;
        sink.push(&new)?;
        rest = &rest[at + old.len()..];
    }
    sink.push(rest)?;
    Ok(sink.finish())
}

fn indent(context: &mut Context<'_, '_>, spaces: Int, text: Text) -> Result<Text, Failure> {
    indented(context, spaces, &text, "")
}

fn nindent(context: &mut Context<'_, '_>, spaces: Int, text: Text) -> Result<Text, Failure> {
    indented(context, spaces, &text, "\n")
}

fn indented(
    context: &mut Context<'_, '_>,
    spaces: Int,
    text: &[u8],
    before: &str,
) -> Result<Text, Failure> {
    if spaces.0 < 0 {
        return Err("negative repeat count".into());
    }
    let mut sink = context.sink();
    sink.push(before)?;
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if index > 0 {
            sink.push("\n")?;
        }
        sink.fill(b' ', spaces.count())?;
        sink.push(line)?;
    }
    Ok(sink.finish())
}

fn plural(_: &mut Context<'_, '_>, one: Text, many: Text, count: Int) -> Result<Text, Failure> {
    Ok(if count.0 == 1 { one } else { many })
}

fn quote(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    spaced(context, &values.0, |context, value| {
        let text = to_text(context, value)?;
        Ok(quote::text(&text, false).into())
    })
}

fn squote(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    spaced(context, &values.0, |context, value| {
        let mut sink = context.sink();
        sink.push("'")?;
        printf::print(&mut sink, value, context.depth())?;
        sink.push("'")?;
        Ok(sink.finish())
    })
}

/// All values that are something, with spaces between them.
fn spaced(
    context: &mut Context<'_, '_>,
    values: &[Value],
    written: impl Fn(&Context<'_, '_>, &Value) -> Result<Text, Failure>,
) -> Result<Text, Failure> {
    let mut sink = context.sink();
    let values = values.iter().filter(|value| !matches!(value, Value::Nil));
    for (index, value) in values.enumerate() {
        if index > 0 {
            sink.push(" ")?;
        }
        sink.push(written(context, value)?)?;
    }
    Ok(sink.finish())
}

fn cat(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    spaced(context, &values.0, |context, value| {
        let mut sink = context.sink();
        printf::print(&mut sink, value, context.depth())?;
        Ok(sink.finish())
    })
}

fn to_string(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    to_text(context, &value)
}

pub(super) fn texts(items: Vec<Text>) -> List {
    List::new(Elements::Text, items.into_iter().map(Value::Text).collect())
}

fn to_strings(context: &mut Context<'_, '_>, value: Value) -> Result<List, Failure> {
    to_texts(context, &value).map(texts)
}

fn sort_alpha(context: &mut Context<'_, '_>, value: Value) -> Result<List, Failure> {
    let mut items = match value {
        Value::Nil => vec!["<nil>".into()],
        value => to_texts(context, &value)?,
    };
    items.sort();
    Ok(texts(items))
}

fn join(context: &mut Context<'_, '_>, separator: Text, value: Value) -> Result<Text, Failure> {
    let mut sink = context.sink();
    for (index, item) in to_texts(context, &value)?.into_iter().enumerate() {
        if index > 0 {
            sink.push(&separator)?;
        }
        sink.push(item)?;
    }
    Ok(sink.finish())
}

/// The parts of a text; at most so many, the last of them with all that is left.
fn parts(
    context: &mut Context<'_, '_>,
    separator: &Text,
    most: usize,
    text: &Text,
) -> Result<Vec<Text>, Failure> {
    context.afford(text.len() / separator.len().max(1))?;
    let mut parts = Vec::new();
    let mut rest: &[u8] = text;
    if separator.is_empty() {
        // Into characters.
        while parts.len() + 1 < most && !rest.is_empty() {
            let valid = rest
                .utf8_chunks()
                .next()
                .and_then(|chunk| chunk.valid().chars().next());
            let (part, after) = rest.split_at(valid.map_or(1, char::len_utf8));
            parts.push(Text::from(part));
            rest = after;
        }
        if !rest.is_empty() && most > 0 {
            parts.push(rest.into());
        }
        return Ok(parts);
    }
    while parts.len() + 1 < most {
        let Some(at) = find(rest, separator) else {
            break;
        };
        parts.push(rest[..at].into());
        rest = &rest[at + separator.len()..];
    }
    if most > 0 {
        parts.push(rest.into());
    }
    Ok(parts)
}

fn split_list(context: &mut Context<'_, '_>, separator: Text, text: Text) -> Result<List, Failure> {
    parts(context, &separator, usize::MAX, &text).map(texts)
}

fn split(context: &mut Context<'_, '_>, separator: Text, text: Text) -> Result<Map, Failure> {
    parts(context, &separator, usize::MAX, &text).map(numbered)
}

fn splitn(
    context: &mut Context<'_, '_>,
    separator: Text,
    most: Int,
    text: Text,
) -> Result<Map, Failure> {
    let most = usize::try_from(most.0).unwrap_or(usize::MAX);
    parts(context, &separator, most, &text).map(numbered)
}

/// `_0`, `_1` and so on.
fn numbered(parts: Vec<Text>) -> Map {
    let entries = parts.into_iter().enumerate();
    let entries = entries.map(|(index, part)| (format!("_{index}").into(), Value::Text(part)));
    Map::new(Elements::Text, entries.collect())
}
