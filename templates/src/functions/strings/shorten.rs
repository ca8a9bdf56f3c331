//! Texts made shorter or broken into lines.

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Int};
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![
        ("abbrev", Function::new(abbrev)),
        ("abbrevboth", Function::new(abbrevboth)),
        ("initials", Function::new(initials)),
        ("substr", Function::new(substr)),
        ("trunc", Function::new(trunc)),
        ("wrap", Function::new(wrap)),
        ("wrapWith", Function::new(wrap_with)),
    ]
}

/// The first bytes, or the last ones if the length is negative.
fn trunc(_: &mut Context<'_, '_>, length: Int, text: Text) -> Result<Text, Failure> {
    let wanted = usize::try_from(length.0.unsigned_abs()).unwrap_or(usize::MAX);
    if wanted >= text.len() {
        return Ok(text);
    }
    Ok(if length.0 < 0 {
        text[text.len() - wanted..].into()
    } else {
        text[..wanted].into()
    })
}

/// From one byte to another. A negative start is the beginning, an end past the end is the end.
fn substr(_: &mut Context<'_, '_>, start: Int, end: Int, text: Text) -> Result<Text, Failure> {
    let part = match (usize::try_from(start.0), usize::try_from(end.0)) {
        (Err(_), Ok(end)) => text.get(..end),
        (Err(_), Err(_)) => None,
        (Ok(start), Ok(end)) if end <= text.len() => text.get(start..end),
        (Ok(start), _) => text.get(start..),
    };
    part.map(Text::from)
        .ok_or_else(|| "slice bounds out of range".into())
}

const DOTS: &[u8] = b"...";

fn abbrev(_: &mut Context<'_, '_>, width: Int, text: Text) -> Result<Text, Failure> {
    if width.0 < 4 {
        return Ok(text);
    }
    Ok(abbreviated(&text, 0, width.count()).into())
}

fn abbrevboth(_: &mut Context<'_, '_>, left: Int, width: Int, text: Text) -> Result<Text, Failure> {
    if width.0 < 4 || (left.0 > 0 && width.0 < 7) {
        return Ok(text);
    }
    // An offset before the text never comes to the left edge.
    Ok(abbreviated(&text, left.count(), width.count()).into())
}

/// What is around `offset`, in `width` bytes with dots where something is left out.
fn abbreviated(text: &[u8], offset: usize, width: usize) -> Vec<u8> {
    if text.len() <= width {
        return text.to_vec();
    }
    let kept = width - DOTS.len();
    let offset = offset.min(text.len()).min(text.len() - kept);
    if offset <= 4 {
        return [&text[..kept], DOTS].concat();
    }
    if width < 7 {
        return Vec::new();
    }
    let end = &text[text.len() - kept..];
    if offset + kept < text.len() {
        return [DOTS, &abbreviated(&text[offset..], 0, kept)].concat();
    }
    [DOTS, end].concat()
}

/// Of each byte after a space, as a character.
fn initials(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    let mut after_space = true;
    let mut initials = String::new();
    for c in text.iter().map(|byte| char::from(*byte)) {
        let space = c.is_whitespace();
        if after_space && !space {
            initials.push(c);
        }
        after_space = space;
    }
    Ok(initials)
}

fn wrap(context: &mut Context<'_, '_>, width: Int, text: Text) -> Result<Text, Failure> {
    wrapped(context, width, b"\n", false, &text)
}

fn wrap_with(
    context: &mut Context<'_, '_>,
    width: Int,
    separator: Text,
    text: Text,
) -> Result<Text, Failure> {
    let separator: &[u8] = if separator.is_empty() {
        b"\n"
    } else {
        &separator
    };
    wrapped(context, width, separator, true, &text)
}

/// Lines of at most `width` bytes, broken at spaces; words that are longer are broken or not.
fn wrapped(
    context: &mut Context<'_, '_>,
    width: Int,
    separator: &[u8],
    breaks_words: bool,
    text: &[u8],
) -> Result<Text, Failure> {
    let width = width.count().max(1);
    let mut sink = context.sink();
    let mut rest = text;
    while rest.len() > width {
        if rest[0] == b' ' {
            rest = &rest[1..];
            continue;
        }
        let space = rest[..=width].iter().rposition(|byte| *byte == b' ');
        let space = match space {
            None if breaks_words => {
                sink.push(&rest[..width])?;
                sink.push(separator)?;
                rest = &rest[width..];
                continue;
            }
            None => rest[width..]
                .iter()
                .position(|byte| *byte == b' ')
                .map(|at| at + width),
            space => space,
        };
        let Some(space) = space else {
            break;
        };
        sink.push(&rest[..space])?;
        sink.push(separator)?;
        rest = &rest[space + 1..];
    }
    sink.push(rest)?;
    Ok(sink.finish())
}
