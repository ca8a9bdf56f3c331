//! `{2}`, `{2,}` and `{2,5}`.

use super::cursor::Cursor;

/// Most repetitions, those of nested ones multiplied.
pub(super) const MAX: u32 = 1000;

/// Bounds of a repetition.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) min: u32,
    /// `None`: without an end.
    pub(super) max: Option<u32>,
}

/// Reads bounds. `None`, and nothing taken, if what follows is not of this form, which makes the brace
/// a text; an error if the numbers are of no use.
pub(super) fn bounds(cursor: &mut Cursor<'_>) -> Result<Option<Bounds>, String> {
    let mut at = *cursor;
    let Some((min, max)) = read(&mut at) else {
        return Ok(None);
    };
    let written = &cursor.rest()[..cursor.rest().len() - at.rest().len()];
    let invalid = || format!("invalid repeat count `{written}`");
    let min = number(min).ok_or_else(invalid)?;
    let max = match max {
        Some("") => None,
        Some(max) => Some(number(max).ok_or_else(invalid)?),
        None => Some(min),
    };
    if max.is_some_and(|max| max < min) {
        return Err(invalid());
    }
    *cursor = at;
    Ok(Some(Bounds { min, max }))
}

/// The two numbers as they are written. The second may be empty, and is `None` without a comma.
fn read<'p>(cursor: &mut Cursor<'p>) -> Option<(&'p str, Option<&'p str>)> {
    cursor.eat("{").then_some(())?;
    let min = digits(cursor)?;
    let max = match (cursor.eat(","), cursor.peek()) {
        (false, _) => None,
        (true, Some('}')) => Some(""),
        (true, _) => Some(digits(cursor)?),
    };
    cursor.eat("}").then_some((min, max))
}

/// A number without needless zeros before it.
fn digits<'p>(cursor: &mut Cursor<'p>) -> Option<&'p str> {
    let digits = cursor.take_while(|char| char.is_ascii_digit());
    let number = !digits.is_empty() && (digits == "0" || !digits.starts_with('0'));
    number.then_some(digits)
}

fn number(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|number| *number <= MAX)
}
