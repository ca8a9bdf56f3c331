//! Decimal arithmetic, so that a tenth and two tenths are three tenths.

use crate::error::Failure;
use crate::functions::cast::to_float;
use crate::value::Value;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// Applies an operation to one value after the other.
pub(super) fn fold(first: f64, others: &[Value], operation: Operation) -> Result<f64, Failure> {
    if !first.is_finite() {
        return Err(NOT_FINITE.into());
    }
    let mut total = Decimal::new(first);
    let mut float = first;
    for other in others.iter().map(to_float) {
        if !other.is_finite() {
            return Err(NOT_FINITE.into());
        }
        if operation == Operation::Divide && other == 0.0 {
            return Err("decimal division by 0".into());
        }
        let exact = total.zip(Decimal::new(other));
        total = exact.and_then(|(left, right)| left.apply(operation, right));
        float = match total {
            Some(total) => total.to_float(),
            // Of more digits than are kept: then floats are as good.
            None => approximate(operation, float, other),
        };
        total = total.or_else(|| Decimal::new(float));
    }
    Ok(float)
}

const NOT_FINITE: &str = "a number is infinite or not a number";

fn approximate(operation: Operation, left: f64, right: f64) -> f64 {
    match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide => left / right,
    }
}

/// `coefficient * 10^exponent`
#[derive(Debug, Clone, Copy)]
struct Decimal {
    coefficient: i128,
    exponent: i32,
}

/// How many decimal places a quotient has.
const PLACES: i32 = 16;

impl Decimal {
    /// The shortest decimal that is this float. `None`: out of range.
    fn new(float: f64) -> Option<Self> {
        let text = format!("{float:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i32 = exponent.parse().ok()?;
        Some(Self {
            coefficient: [whole, fraction].concat().parse().ok()?,
            exponent: exponent - i32::try_from(fraction.len()).ok()?,
        })
    }

    fn to_float(self) -> f64 {
        let text = format!("{}e{}", self.coefficient, self.exponent);
        text.parse().unwrap_or(f64::NAN)
    }

    fn apply(self, operation: Operation, other: Self) -> Option<Self> {
        match operation {
            Operation::Add => self.sum(other, i128::checked_add),
            Operation::Subtract => self.sum(other, i128::checked_sub),
            Operation::Multiply => Some(Self {
                coefficient: self.coefficient.checked_mul(other.coefficient)?,
                exponent: self.exponent + other.exponent,
            }),
            Operation::Divide => self.quotient(other),
        }
    }

    fn sum(self, other: Self, sum: fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let (left, right) = (self.scaled(exponent)?, other.scaled(exponent)?);
        Some(Self {
            coefficient: sum(left, right)?,
            exponent,
        })
    }

    /// The coefficient at a lower exponent.
    fn scaled(self, exponent: i32) -> Option<i128> {
        let power = u32::try_from(self.exponent - exponent).ok()?;
        self.coefficient.checked_mul(10i128.checked_pow(power)?)
    }

    /// Rounded to the last place, away from zero at the half.
    fn quotient(self, other: Self) -> Option<Self> {
        let exponent = -PLACES;
        let power = self.exponent - other.exponent - exponent;
        let scale = 10i128.checked_pow(power.unsigned_abs())?;
        let (dividend, divisor) = if power < 0 {
            (self.coefficient, other.coefficient.checked_mul(scale)?)
        } else {
            (self.coefficient.checked_mul(scale)?, other.coefficient)
        };
        let (quotient, rest) = (
            dividend.checked_div(divisor)?,
            dividend.checked_rem(divisor)?,
        );
        let up = rest.checked_mul(2)?.abs() >= divisor.abs();
        let away = dividend.signum() * divisor.signum() * i128::from(up);
        Some(Self {
            coefficient: quotient + away,
            exponent,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    #[test]
    fn tenths_add_up() {
        let others = [Value::from(0.2)];
        assert_eq!(fold(0.1, &others, Operation::Add).unwrap(), 0.3);
        assert_eq!(fold(0.3, &[0.1.into()], Operation::Subtract).unwrap(), 0.2);
    }

    #[test]
    fn a_quotient_has_sixteen_places() {
        let third = fold(1.0, &[3.0.into()], Operation::Divide).unwrap();
        assert_eq!(third, 0.333_333_333_333_333_3);
        assert!(fold(1.0, &[0.0.into()], Operation::Divide).is_err());
    }

    #[test]
    fn what_is_out_of_range_is_computed_as_floats() {
        assert_eq!(
            fold(1e300, &[1e-300.into()], Operation::Add).unwrap(),
            1e300
        );
    }
}
