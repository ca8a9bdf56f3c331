//! The format of `printf`: flags, width, precision, argument numbers.

use super::{Flags, Printer};
use crate::error::Failure;
use crate::value::Value;

/// Go takes no larger width or precision from an argument; in the format it may have one digit more.
const LARGEST: usize = 1_000_000;

/// A walk through a format and its arguments.
pub(super) struct Walk<'a> {
    printer: Printer<'a>,
    format: &'a [u8],
    values: &'a [Value],
    at: usize,
    argument: usize,
    /// Whether any `[n]` was seen: then left-over arguments are no mistake.
    reordered: bool,
    /// Whether the argument numbers of this directive name arguments.
    good_number: bool,
    /// Whether a `[n]` was the last thing seen.
    after_number: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(printer: Printer<'a>, format: &'a [u8], values: &'a [Value]) -> Self {
        Self {
            printer,
            format,
            values,
            at: 0,
            argument: 0,
            reordered: false,
            good_number: true,
            after_number: false,
        }
    }

    pub(super) fn run(mut self) -> Result<(), Failure> {
        while self.at < self.format.len() {
            let rest = &self.format[self.at..];
            let length = rest
                .iter()
                .position(|byte| *byte == b'%')
                .unwrap_or(rest.len());
            self.printer.push(&rest[..length])?;
            self.at += length;
            if self.at < self.format.len() {
                self.at += 1;
                self.directive()?;
            }
        }
        self.left_over()
    }

    fn directive(&mut self) -> Result<(), Failure> {
        self.printer.flags = Flags::default();
        self.good_number = true;
        self.after_number = false;
        self.flags();
        self.number();
        self.width()?;
        self.precision()?;
        if !self.after_number {
            self.number();
        }
        let Some(verb) = self.verb() else {
            return self.printer.push("%!(NOVERB)");
        };
        if verb == '%' {
            return self.printer.push("%");
        }
        if !self.good_number {
            return self.mistake(verb, "BADINDEX");
        }
        let Some(value) = self.values.get(self.argument) else {
            return self.mistake(verb, "MISSING");
        };
        self.argument += 1;
        let flags = &mut self.printer.flags;
        if verb == 'v' {
            flags.sharp_v = std::mem::take(&mut flags.sharp);
            flags.plus_v = std::mem::take(&mut flags.plus);
        }
        self.printer.argument(value, verb)
    }

    fn mistake(&mut self, verb: char, what: &str) -> Result<(), Failure> {
        self.printer.push("%!")?;
        self.printer.out.push_char(verb)?;
        self.printer.push(format!("({what})"))
    }

    fn flags(&mut self) {
        let flags = &mut self.printer.flags;
        while let Some(byte) = self.format.get(self.at) {
            match byte {
                b'#' => flags.sharp = true,
                b'0' => flags.zero = true,
                b'+' => flags.plus = true,
                b'-' => flags.minus = true,
                b' ' => flags.space = true,
                _ => return,
            }
            self.at += 1;
        }
    }

    fn width(&mut self) -> Result<(), Failure> {
        if self.peek() == Some(b'*') {
            self.at += 1;
            let width = self.star();
            let Some(width) = width else {
                return self.printer.push("%!(BADWIDTH)");
            };
            let flags = &mut self.printer.flags;
            if width < 0 {
                flags.minus = true;
                flags.zero = false;
            }
            flags.width = Some(width.unsigned_abs());
            self.after_number = false;
            return Ok(());
        }
        self.printer.flags.width = self.digits(self.format.len());
        if self.after_number && self.printer.flags.width.is_some() {
            self.good_number = false;
        }
        Ok(())
    }

    fn precision(&mut self) -> Result<(), Failure> {
        // At the end of the format the dot is the verb.
        if self.peek() != Some(b'.') || self.at + 1 == self.format.len() {
            return Ok(());
        }
        self.at += 1;
        if self.after_number {
            self.good_number = false;
        }
        self.number();
        if self.peek() != Some(b'*') {
            let precision = self.digits(self.format.len());
            self.printer.flags.precision = Some(precision.unwrap_or(0));
            return Ok(());
        }
        self.at += 1;
        let precision = self.star().and_then(|value| usize::try_from(value).ok());
        self.printer.flags.precision = precision;
        self.after_number = false;
        match precision {
            Some(_) => Ok(()),
            None => self.printer.push("%!(BADPREC)"),
        }
    }

    /// The argument that `*` stands for.
    fn star(&mut self) -> Option<isize> {
        let value = self.values.get(self.argument)?;
        self.argument += 1;
        let Value::Integer(integer) = value else {
            return None;
        };
        let number = isize::try_from(integer.value).ok()?;
        (number.unsigned_abs() <= LARGEST).then_some(number)
    }

    /// A number of the format. One that is too large eats the rest of it, as in Go.
    fn digits(&mut self, end: usize) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.format[..end]
            .get(self.at)
            .filter(|byte| byte.is_ascii_digit())
        {
            let value = number.unwrap_or(0);
            if value > LARGEST {
                self.at = end;
                return None;
            }
            number = Some(value * 10 + usize::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    /// `[n]`: which argument comes next.
    fn number(&mut self) {
        self.after_number = false;
        if self.peek() != Some(b'[') {
            return;
        }
        self.reordered = true;
        let rest = &self.format[self.at..];
        let Some(close) = rest
            .iter()
            .position(|byte| *byte == b']')
            .filter(|_| rest.len() >= 3)
        else {
            self.good_number = false;
            self.at += 1;
            return;
        };
        let end = self.at + close;
        self.at += 1;
        let number = self.digits(end);
        let whole = self.at == end;
        self.at = end + 1;
        match number.and_then(|number| number.checked_sub(1)) {
            Some(index) if whole && index < self.values.len() => {
                self.argument = index;
                self.after_number = true;
            }
            index => {
                self.good_number = false;
                self.after_number = whole && (index.is_some() || number == Some(0));
            }
        }
    }

    fn verb(&mut self) -> Option<char> {
        let rest = self.format.get(self.at..).filter(|rest| !rest.is_empty())?;
        let chunk = rest.utf8_chunks().next()?;
        let verb = chunk.valid().chars().next();
        self.at += verb.map_or(1, char::len_utf8);
        Some(verb.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn left_over(&mut self) -> Result<(), Failure> {
        let left = self.values.get(self.argument..).unwrap_or_default();
        if self.reordered || left.is_empty() {
            return Ok(());
        }
        self.printer.flags = Flags::default();
        self.printer.push("%!(EXTRA ")?;
        for (index, value) in left.iter().enumerate() {
            if index > 0 {
                self.printer.push(", ")?;
            }
            self.printer.with_type(value)?;
        }
        self.printer.push(")")
    }

    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }
}
