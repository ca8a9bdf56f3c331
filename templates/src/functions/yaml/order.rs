//! The order of keys: numbers inside of them by their value, letters after all else.

use std::cmp::Ordering;

pub(super) fn compare(left: &str, right: &str) -> Ordering {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    for at in 0..left.len().min(right.len()) {
        let (a, b) = (left[at], right[at]);
        if a == b {
            continue;
        }
        return match (a.is_alphabetic(), b.is_alphabetic()) {
            (true, true) => a.cmp(&b),
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let zero = a == '0' || b == '0';
                let digits = |c: &&char| c.is_ascii_digit();
                let before = left[..at].iter().rev().take_while(digits);
                let follows = zero && before.into_iter().any(|c| *c != '0');
                let (a_value, a_length) = number(&left[at..], follows);
                let (b_value, b_length) = number(&right[at..], follows);
                a_value
                    .cmp(&b_value)
                    .then(a_length.cmp(&b_length))
                    .then(a.cmp(&b))
            }
        };
    }
    left.len().cmp(&right.len())
}

fn number(chars: &[char], follows: bool) -> (i64, usize) {
    let digits = chars.iter().map_while(|c| c.to_digit(10));
    let start = (i64::from(follows), 0);
    digits.fold(start, |(value, length), digit| {
        (
            value.wrapping_mul(10).wrapping_add(digit.into()),
            length + 1,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn numbers_are_in_the_order_of_their_values() {
        let mut keys = ["a10", "a2", "b", "B", "_", "1", "a", "a02"];
        keys.sort_by(|left, right| compare(left, right));
        assert_eq!(keys, ["_", "1", "B", "a", "a2", "a02", "a10", "b"]);
    }
}
