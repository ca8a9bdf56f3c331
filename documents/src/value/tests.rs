#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{ConvertError, to_json};
use crate::yaml::Stream;

fn convert(text: &str) -> Result<Value, ConvertError> {
    let stream = Stream::parse(text).unwrap();
    to_json(stream.documents()[0].root().unwrap())
}

#[test]
fn a_key_that_is_there_twice_is_an_error_that_names_both_places() {
    let error = convert("a:\n  b: 1\n  c: 2\n  \"b\": 3\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4, column 3: the key `b` stands already at line 2, column 3"
    );
}

#[test]
fn an_integer_beyond_64_bits_becomes_a_floating_point_number_as_in_kubernetes() {
    let value = convert("[12345678901234567890123, 18446744073709551615]").unwrap();
    assert_eq!(value, json!([1.234_567_890_123_456_8e22, u64::MAX]));
}

#[test]
fn an_alias_inside_of_its_own_anchor_is_refused() {
    assert!(matches!(
        convert("a: &x [1, *x]\n"),
        Err(ConvertError::AliasOfItself { .. })
    ));
}

#[test]
fn aliases_that_multiply_are_stopped() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        let _ = writeln!(text, "a{level}: &a{level} [{}]", vec![alias; 10].join(", "));
    }
    assert!(matches!(
        convert(&text),
        Err(ConvertError::TooManyAliases { .. })
    ));
}

#[test]
fn aliases_that_nest_are_stopped_before_the_stack_is() {
    let mut text = "a0: &a0 [x]\n".to_owned();
    for level in 1..10_000 {
        let _ = writeln!(text, "a{level}: &a{level} [*a{}]", level - 1);
    }
    assert!(matches!(convert(&text), Err(ConvertError::TooDeep { .. })));
}

#[test]
fn a_mapping_of_many_keys_takes_no_time_for_each_pair_of_them() {
    let text = (0..50_000).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "k{number}: A");
        text
    });
    let began = std::time::Instant::now();
    assert_eq!(convert(&text).unwrap().as_object().unwrap().len(), 50_000);
    // A second or two without optimisation; several minutes if it were quadratic.
    assert!(began.elapsed().as_secs() < 45, "{:?}", began.elapsed());
}

#[test]
fn an_error_does_not_quote_the_value() {
    for text in ["a: !!int hunter2\n", "a: !!binary hunter2!\n", "a: .inf\n"] {
        let error = convert(text).unwrap_err();
        let message = format!("{error} {error:?}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}
