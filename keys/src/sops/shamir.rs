//! Shamir's secret sharing as Vault has it, from which the peer took it: over GF(2^8)
//! with the polynomial x^8 + x^4 + x^3 + x + 1, one random polynomial for each byte of the secret.
//!
//! ```text
//!  part   y, as many bytes as the secret | x, one byte, never 0
//! ```
//!
//! x is the number of the part, from 1, as the peer gives it; on reading any different numbers do.
//! There are no tables and no branches on secret bytes, so time and cache tell nothing of them.

use zeroize::Zeroizing;

use crate::Plaintext;

/// Why a secret was not split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// More parts than there are numbers for them, or fewer than the threshold.
    #[error("a secret is split into 2 to 255 parts and not fewer than the threshold, not {0}")]
    Parts(
        /// How many were wanted.
        usize,
    ),
    /// With a threshold of one each part is the secret.
    #[error("the threshold is at least 2, not {0}")]
    Threshold(
        /// What was wanted.
        usize,
    ),
    /// There is nothing to split.
    #[error("there is no secret to split")]
    Empty,
    /// The system gave no random numbers.
    #[error("the system's random number generator is unavailable")]
    Random,
}

/// Why parts were not put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CombineError {
    /// One part is never enough.
    #[error("at least 2 parts are needed, {0} given")]
    TooFew(
        /// How many there are.
        usize,
    ),
    /// A part is too short to be one, or the parts differ in length.
    #[error("the parts differ in length or are too short")]
    Length,
    /// Two parts have the same number.
    #[error("two parts are the same or have the same number")]
    Duplicate,
    /// A part has the number 0, which would be the secret itself.
    #[error("a part has the number 0")]
    Zero,
}

/// Splits a secret so that any `threshold` of the parts give it back and fewer tell nothing of it.
pub fn split(secret: &[u8], parts: usize, threshold: usize) -> Result<Vec<Plaintext>, SplitError> {
    if threshold < 2 {
        return Err(SplitError::Threshold(threshold));
    }
    let last = u8::try_from(parts).map_err(|_| SplitError::Parts(parts))?;
    if parts < threshold {
        return Err(SplitError::Parts(parts));
    }
    if secret.is_empty() {
        return Err(SplitError::Empty);
    }
    // The coefficients of one byte's polynomial, from the highest power down to the first.
    let degree = threshold - 1;
    let mut random = Zeroizing::new(vec![0; secret.len() * degree]);
    getrandom::fill(&mut random).map_err(|_| SplitError::Random)?;

    let part = |x: u8| {
        let mut part = Vec::with_capacity(secret.len() + 1);
        let polynomials = secret.iter().zip(random.chunks_exact(degree));
        part.extend(polynomials.map(|(byte, coefficients)| {
            let higher = coefficients.iter().fold(0, |sum, c| multiply(sum ^ c, x));
            higher ^ byte
        }));
        part.push(x);
        Plaintext::new(part)
    };
    Ok((1..=last).map(part).collect())
}

/// Puts parts together, in any order. Too few of them, or parts of different secrets, give bytes that
/// mean nothing.
pub fn combine(parts: &[Plaintext]) -> Result<Plaintext, CombineError> {
    if parts.len() < 2 {
        return Err(CombineError::TooFew(parts.len()));
    }
    let points: Option<Vec<_>> = parts
        .iter()
        .map(|part| part.expose().split_last())
        .collect();
    let points = points.ok_or(CombineError::Length)?;
    let length = points[0].1.len();
    if length == 0 || points.iter().any(|(_, y)| y.len() != length) {
        return Err(CombineError::Length);
    }
    let mut seen = [false; 256];
    for (x, _) in &points {
        if **x == 0 {
            return Err(CombineError::Zero);
        }
        if std::mem::replace(&mut seen[usize::from(**x)], true) {
            return Err(CombineError::Duplicate);
        }
    }

    let mut secret = Zeroizing::new(vec![0; length]);
    for (x, y) in &points {
        let others = points
            .iter()
            .map(|(other, _)| **other)
            .filter(|other| other != *x);
        let weight = weight(**x, others);
        for (sum, y) in secret.iter_mut().zip(*y) {
            *sum ^= multiply(*y, weight);
        }
    }
    Ok(secret.into())
}

/// Lagrange's polynomial of one part at 0. In this field a difference is a sum.
fn weight(x: u8, others: impl Iterator<Item = u8>) -> u8 {
    others.fold(1, |product, other| {
        multiply(product, multiply(other, inverse(other ^ x)))
    })
}

/// The product in the field, by the same steps whatever the factors are.
fn multiply(a: u8, b: u8) -> u8 {
    let (mut product, mut power) = (0, a);
    for bit in 0..8 {
        product ^= power & mask(b >> bit);
        power = (power << 1) ^ (0x1B & mask(power >> 7));
    }
    product
}

/// All bits set as the lowest one is.
fn mask(bit: u8) -> u8 {
    (bit & 1).wrapping_neg()
}

/// The inverse of every element but 0, its 254th power.
fn inverse(a: u8) -> u8 {
    let mut result = 1;
    let mut square = a;
    for _ in 0..7 {
        square = multiply(square, square);
        result = multiply(result, square);
    }
    result
}

#[cfg(test)]
mod tests;
