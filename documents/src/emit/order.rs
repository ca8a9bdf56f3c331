//! The order in which go-yaml writes the keys of a mapping.

use std::cmp::Ordering;

/// Natural order: runs of digits by their number, letters after everything else, the rest by code
/// point.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let Some(at) = a.iter().zip(&b).position(|(x, y)| x != y) else {
        return a.len().cmp(&b.len());
    };
    let (x, y) = (a[at], b[at]);
    match (is_letter(x), is_letter(y)) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // A zero that continues a number is a digit like others; one that leads it counts for nothing.
    let inside_number = (x == '0' || y == '0')
        && a[..at]
            .iter()
            .rev()
            .take_while(|char| is_digit(**char))
            .any(|digit| *digit != '0');
    let (a_value, a_end) = number(&a, at, inside_number);
    let (b_value, b_end) = number(&b, at, inside_number);
    a_value
        .cmp(&b_value)
        .then(a_end.cmp(&b_end))
        .then(x.cmp(&y))
}

/// The number that begins at `at`, and where it ends. It may overflow as the peer's does.
fn number(text: &[char], at: usize, inside_number: bool) -> (i64, usize) {
    let mut value = i64::from(inside_number);
    let mut end = at;
    while let Some(digit) = text.get(end).filter(|char| is_digit(**char)) {
        let digit = i64::from(u32::from(*digit)) - i64::from(u32::from('0'));
        value = value.wrapping_mul(10).wrapping_add(digit);
        end += 1;
    }
    (value, end)
}

fn is_letter(char: char) -> bool {
    // Close to Go's `unicode.IsLetter`: Rust's alphabetic class has some marks more.
    char.is_alphabetic()
}

fn is_digit(char: char) -> bool {
    // Go counts the digits of other scripts too; no key of a Kubernetes object has any.
    char.is_ascii_digit()
}
