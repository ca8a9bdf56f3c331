//! Go's `fmt`: how values print, alone and under the verbs of `printf`.

use crate::error::Failure;
use crate::text::Sink;
use crate::value::Value;

mod directive;
pub(crate) mod float;
mod integer;
pub(crate) mod quote;
mod text;
mod walk;

/// Writes a value as `%v` does.
pub(crate) fn print(out: &mut Sink, value: &Value, depth: usize) -> Result<(), Failure> {
    Printer::new(out, depth).argument(value, 'v')
}

/// Go's `Sprint`: a space between two operands that both are no strings.
pub(crate) fn sprint(out: &mut Sink, values: &[Value], depth: usize) -> Result<(), Failure> {
    let mut after_text = true;
    for value in values {
        let is_text = matches!(value, Value::Text(_));
        if !is_text && !after_text {
            out.push(" ")?;
        }
        print(out, value, depth)?;
        after_text = is_text;
    }
    Ok(())
}

/// Go's `Sprintln`: a space between all operands, and a line end.
pub(crate) fn sprintln(out: &mut Sink, values: &[Value], depth: usize) -> Result<(), Failure> {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push(" ")?;
        }
        print(out, value, depth)?;
    }
    out.push("\n")
}

/// Go's `Sprintf`. What is wrong with the format is told in the output, as Go does.
pub(crate) fn sprintf(
    out: &mut Sink,
    format: &[u8],
    values: &[Value],
    depth: usize,
) -> Result<(), Failure> {
    directive::Walk::new(Printer::new(out, depth), format, values).run()
}

/// What stands between `%` and the verb.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "flags are")]
struct Flags {
    plus: bool,
    minus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    /// `%+v`
    plus_v: bool,
    /// `%#v`
    sharp_v: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

/// Writes values under flags.
struct Printer<'a> {
    out: &'a mut Sink,
    flags: Flags,
    /// How deep values may still nest.
    depth: usize,
}

impl<'a> Printer<'a> {
    fn new(out: &'a mut Sink, depth: usize) -> Self {
        Self {
            out,
            flags: Flags::default(),
            depth,
        }
    }

    fn push(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.out.push(text)
    }

    /// Writes a text at the width asked for, in characters.
    fn pad(&mut self, text: &[u8]) -> Result<(), Failure> {
        let padding = self
            .flags
            .width
            .unwrap_or(0)
            .saturating_sub(count_chars(text));
        if self.flags.minus {
            self.push(text)?;
            return self.out.fill(b' ', padding);
        }
        let byte = if self.flags.zero { b'0' } else { b' ' };
        self.out.fill(byte, padding)?;
        self.push(text)
    }

    /// As [`Self::pad`], but never with zeros.
    fn pad_with_spaces(&mut self, text: &[u8]) -> Result<(), Failure> {
        let zero = std::mem::replace(&mut self.flags.zero, false);
        let padded = self.pad(text);
        self.flags.zero = zero;
        padded
    }
}

/// Characters of a text; every byte that is no UTF-8 is one.
pub(crate) fn count_chars(text: &[u8]) -> usize {
    let chunks = text.utf8_chunks();
    chunks
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}
