//! Integers under `%d`, `%b`, `%o`, `%O`, `%x`, `%X`, `%c`, `%q` and `%U`.

use super::{Printer, quote};
use crate::error::Failure;
use crate::value::{Integer, Value};

impl Printer<'_> {
    pub(super) fn integer(
        &mut self,
        integer: Integer,
        verb: char,
        whole: &Value,
    ) -> Result<(), Failure> {
        let Integer { kind, value } = integer;
        let character = || {
            let code = u32::try_from(value).ok();
            code.and_then(char::from_u32)
                .unwrap_or(char::REPLACEMENT_CHARACTER)
        };
        match verb {
            'v' if self.flags.sharp_v && kind.is_unsigned() => {
                self.flags.sharp = true;
                let written = self.digits(value, 'x');
                self.flags.sharp = false;
                written
            }
            'v' | 'd' | 'b' | 'o' | 'O' | 'x' | 'X' => self.digits(value, verb),
            'c' => self.pad(character().to_string().as_bytes()),
            'q' => {
                let quoted = quote::rune(character(), self.flags.plus);
                self.pad(quoted.as_bytes())
            }
            'U' => self.code_point(value, character()),
            _ => self.bad_verb(whole, verb),
        }
    }

    fn digits(&mut self, value: i128, verb: char) -> Result<(), Failure> {
        let flags = self.flags;
        let magnitude = value.unsigned_abs();
        let sign = match value {
            ..0 => "-",
            _ if flags.plus => "+",
            _ if flags.space => " ",
            _ => "",
        };
        let mut digits = match verb {
            'b' => format!("{magnitude:b}"),
            'o' | 'O' => format!("{magnitude:o}"),
            'x' => format!("{magnitude:x}"),
            'X' => format!("{magnitude:X}"),
            _ => magnitude.to_string(),
        };
        let least = match (flags.precision, flags.width) {
            // Go writes nothing for a zero of which no digits are wanted.
            (Some(0), _) if value == 0 => {
                digits.clear();
                return self.pad_with_spaces(b"");
            }
            (Some(precision), _) => precision,
            (None, Some(width)) if flags.zero && !flags.minus => width.saturating_sub(sign.len()),
            _ => 0,
        };
        let zeros = least.saturating_sub(digits.len());
        let leads_with_zero = zeros > 0 || digits.starts_with('0');
        let prefix = match verb {
            'O' => "0o",
            'b' if flags.sharp => "0b",
            'o' if flags.sharp && !leads_with_zero => "0",
            'x' if flags.sharp => "0x",
            'X' if flags.sharp => "0X",
            _ => "",
        };
        let text = [sign, prefix, &"0".repeat(zeros), &digits].concat();
        self.pad_with_spaces(text.as_bytes())
    }

    fn code_point(&mut self, value: i128, character: char) -> Result<(), Failure> {
        let least = self.flags.precision.unwrap_or(4).max(4);
        // A negative one prints as the 64 bits that it is.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the bits are meant"
        )]
        let digits = format!("{:X}", value as u64);
        let zeros = "0".repeat(least.saturating_sub(digits.len()));
        let mut text = format!("U+{zeros}{digits}");
        if self.flags.sharp
            && u32::try_from(value).is_ok_and(|code| char::from_u32(code).is_some())
            && quote::is_printable(character)
        {
            text = format!("{text} '{character}'");
        }
        self.pad_with_spaces(text.as_bytes())
    }
}
