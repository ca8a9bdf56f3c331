//! Floats, in Go's forms.

use super::Printer;
use crate::error::Failure;
use crate::value::{Integer, IntegerKind, Number, Value};

impl Printer<'_> {
    pub(super) fn float(&mut self, value: f64, verb: char, whole: &Value) -> Result<(), Failure> {
        let precision = self.flags.precision;
        let (form, precision) = match verb {
            'v' => ('g', precision),
            'b' | 'g' | 'G' | 'x' | 'X' => (verb, precision),
            'e' | 'E' | 'f' => (verb, Some(precision.unwrap_or(6))),
            'F' => ('f', Some(precision.unwrap_or(6))),
            _ => return self.bad_verb(whole, verb),
        };
        let mut text = format(value.abs(), form, precision);
        let negative = value.is_sign_negative() && !value.is_nan();
        let sign = match () {
            () if negative => "-",
            () if self.flags.plus => "+",
            () if self.flags.space => " ",
            () => "",
        };
        if !value.is_finite() {
            if value.is_infinite() && sign.is_empty() {
                text.insert(0, '+');
            }
            return self.pad_with_spaces([sign, &text].concat().as_bytes());
        }
        if self.flags.sharp && form != 'b' {
            text = with_point(&text, form, precision);
        }
        let padding = self
            .flags
            .width
            .unwrap_or(0)
            .saturating_sub(sign.len() + text.len());
        if self.flags.zero && !self.flags.minus && !sign.is_empty() {
            self.push(sign)?;
            self.out.fill(b'0', padding)?;
            return self.push(text);
        }
        self.pad([sign, &text].concat().as_bytes())
    }

    /// A number of JSON prints as it was written. As a float it is what Go makes of it, and where Go would
    /// refuse an integer verb it is the integer that is written there.
    pub(super) fn number(
        &mut self,
        number: &Number,
        verb: char,
        whole: &Value,
    ) -> Result<(), Failure> {
        match (verb, number.as_i128()) {
            ('v', _) if self.flags.precision.is_none() => self.pad(number.as_str().as_bytes()),
            ('d' | 'o' | 'O' | 'c' | 'U', Some(value)) => self.integer(
                Integer {
                    kind: IntegerKind::Int,
                    value,
                },
                verb,
                whole,
            ),
            _ => self.float(number.as_f64(), verb, whole),
        }
    }
}

/// Writes a float that is not negative. No precision: as many digits as tell it from all others.
pub(crate) fn format(value: f64, form: char, precision: Option<usize>) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return "Inf".to_owned();
    }
    match form {
        'b' => binary(value),
        'x' | 'X' => hexadecimal(value, form, precision),
        'f' => match precision {
            Some(precision) => format!("{value:.precision$}"),
            None => format!("{value}"),
        },
        'e' | 'E' => exponential(value, form, precision),
        _ => general(value, form, precision),
    }
}

/// Go writes at least two digits of exponent, and its sign.
fn exponential(value: f64, form: char, precision: Option<usize>) -> String {
    let (mantissa, exponent) = digits(value, precision);
    let sign = if exponent < 0 { '-' } else { '+' };
    let exponent = exponent.unsigned_abs();
    format!("{mantissa}{form}{sign}{exponent:02}")
}

/// `%g`: the exponential form for what is very large or very small.
fn general(value: f64, form: char, precision: Option<usize>) -> String {
    let wanted = precision.map(|precision| precision.max(1));
    let (mantissa, exponent) = digits(value, wanted.map(|digits| digits - 1));
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        &mantissa
    };
    let count = mantissa.chars().filter(char::is_ascii_digit).count();
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    let threshold = match wanted {
        // The shortest form changes over where six digits would.
        None => 6,
        Some(wanted) => {
            let wanted = i32::try_from(wanted).unwrap_or(i32::MAX);
            if wanted > count && count > exponent {
                count
            } else {
                wanted
            }
        }
    };
    if exponent < -4 || exponent >= threshold {
        let sign = if exponent < 0 { '-' } else { '+' };
        let e = if form == 'G' { 'E' } else { 'e' };
        return format!("{mantissa}{e}{sign}{:02}", exponent.unsigned_abs());
    }
    match wanted {
        None => format!("{value}"),
        Some(_) => positional(mantissa, exponent),
    }
}

/// Digits and exponent put together without an exponent.
fn positional(mantissa: &str, exponent: i32) -> String {
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let Ok(whole) = usize::try_from(exponent) else {
        let zeros = usize::try_from(-1 - exponent).unwrap_or(0);
        return format!("0.{}{digits}", "0".repeat(zeros));
    };
    let padded = format!("{digits:0<width$}", width = whole + 1);
    let (whole, fraction) = padded.split_at(whole + 1);
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

/// `d.ddd` and the power of ten; no precision: the shortest that tells the float from others.
fn digits(value: f64, precision: Option<usize>) -> (String, i32) {
    let text = match precision {
        Some(precision) => format!("{value:.precision$e}"),
        None => format!("{value:e}"),
    };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

/// The 53 bits of the mantissa as a whole number, and the power of two.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = i32::try_from((bits >> 52) & 0x7ff).unwrap_or(0);
    match exponent {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), exponent - 1075),
    }
}

fn binary(value: f64) -> String {
    let (mantissa, exponent) = parts(value);
    format!("{mantissa}p{exponent:+}")
}

/// `0x1.8p+00`
fn hexadecimal(value: f64, form: char, precision: Option<usize>) -> String {
    let (mut mantissa, mut exponent) = parts(value);
    if mantissa == 0 {
        exponent = 0;
    } else {
        // A leading 1 at bit 60, so that all hexadecimal digits stay whole.
        let shift = i32::try_from(mantissa.leading_zeros()).unwrap_or(0) - 3;
        mantissa <<= shift;
        exponent += 60 - shift;
    }
    if let Some(digits) = precision.filter(|digits| *digits < 15) {
        let drop = 60 - 4 * u32::try_from(digits).unwrap_or(0);
        let half = 1u64 << (drop - 1);
        let rest = mantissa & ((1 << drop) - 1);
        mantissa >>= drop;
        mantissa += u64::from(rest > half || (rest == half && mantissa & 1 == 1));
        mantissa <<= drop;
        if mantissa >> 61 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let fraction = format!("{:015x}", mantissa & ((1 << 60) - 1));
    let fraction = match precision {
        Some(digits) if digits <= 15 => fraction[..digits].to_owned(),
        Some(digits) => format!("{fraction:0<digits$}"),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    let text = format!(
        "0x{}{point}{fraction}p{sign}{:02}",
        mantissa >> 60,
        exponent.unsigned_abs()
    );
    if form == 'X' {
        text.to_uppercase()
    } else {
        text
    }
}

/// `%#g` and its like: with a decimal point always, and for `%g` with all digits.
fn with_point(text: &str, form: char, precision: Option<usize>) -> String {
    let hexadecimal = matches!(form, 'x' | 'X');
    let mut missing = match form {
        'g' | 'G' | 'x' | 'X' => precision.unwrap_or(6),
        _ => 0,
    };
    let exponent = if hexadecimal {
        text.find(['p', 'P'])
    } else {
        text.find(['e', 'E'])
    };
    let (number, tail) = text.split_at(exponent.unwrap_or(text.len()));
    let significant = number.chars().skip_while(|c| matches!(c, '0' | '.'));
    missing = missing.saturating_sub(significant.filter(|c| *c != '.').count());
    let mut number = number.to_owned();
    if !number.contains('.') {
        if number == "0" {
            missing = missing.saturating_sub(1);
        }
        number.push('.');
    }
    number + &"0".repeat(missing) + tail
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn the_shortest_form_has_an_exponent_where_go_has_one() {
        let short = |value| format(value, 'g', None);
        assert_eq!(short(0.1), "0.1");
        assert_eq!(short(100_000.0), "100000");
        assert_eq!(short(0.0001), "0.0001");
        assert_eq!(short(0.00001), "1e-05");
        assert_eq!(short(1_000_000.0), "1e+06");
        assert_eq!(short(12_345_678.0), "1.2345678e+07");
        assert_eq!(short(0.0), "0");
    }

    #[test]
    fn precision_counts_digits_for_g_and_decimals_for_the_others() {
        assert_eq!(format(1234.5678, 'g', Some(3)), "1.23e+03");
        assert_eq!(format(1234.5678, 'g', Some(6)), "1234.57");
        assert_eq!(format(1234.5678, 'f', Some(1)), "1234.6");
        assert_eq!(format(1234.5678, 'e', Some(2)), "1.23e+03");
        assert_eq!(format(0.5, 'f', Some(0)), "0");
    }

    #[test]
    fn binary_and_hexadecimal_forms_are_exact() {
        assert_eq!(format(1.0, 'b', None), "4503599627370496p-52");
        assert_eq!(format(1.5, 'x', None), "0x1.8p+00");
        assert_eq!(format(1.999, 'x', Some(0)), "0x1p+01");
        assert_eq!(format(0.0, 'x', None), "0x0p+00");
    }
}
