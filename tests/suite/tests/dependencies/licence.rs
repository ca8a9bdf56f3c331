//! SPDX licence expressions, with the `/` that older crates write for `OR`.

use std::iter::Peekable;

pub enum Licence {
    Id(String),
    All(Vec<Licence>),
    Any(Vec<Licence>),
}

impl Licence {
    pub fn parse(expression: &str) -> Self {
        let spaced = expression
            .replace('(', " ( ")
            .replace(')', " ) ")
            .replace('/', " OR ");
        any(&mut spaced.split_whitespace().peekable())
    }

    pub fn is_met_by(&self, allowed: &[&str]) -> bool {
        match self {
            Self::Id(id) => allowed.contains(&id.as_str()),
            Self::All(sides) => sides.iter().all(|side| side.is_met_by(allowed)),
            Self::Any(sides) => sides.iter().any(|side| side.is_met_by(allowed)),
        }
    }
}

fn any<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Licence {
    let mut sides = vec![all(words)];
    while words.next_if_eq(&"OR").is_some() {
        sides.push(all(words));
    }
    Licence::Any(sides)
}

fn all<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Licence {
    let mut sides = vec![one(words)];
    while words.next_if_eq(&"AND").is_some() {
        sides.push(one(words));
    }
    Licence::All(sides)
}

fn one<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Licence {
    if words.next_if_eq(&"(").is_some() {
        let inner = any(words);
        words.next();
        return inner;
    }
    let mut id = words.next().unwrap_or_default().to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        id = format!("{id} WITH {}", words.next().unwrap_or_default());
    }
    Licence::Id(id)
}

#[test]
fn an_expression_needs_every_side_of_and_and_one_side_of_or() {
    let met = |expression: &str, allowed: &[&str]| Licence::parse(expression).is_met_by(allowed);
    assert!(met("MIT OR GPL-2.0-only", &["MIT"]));
    assert!(met("MIT/GPL-2.0-only", &["MIT"]));
    assert!(!met("MIT AND GPL-2.0-only", &["MIT"]));
    assert!(met(
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        &["MIT", "Unicode-3.0"]
    ));
    assert!(!met(
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        &["MIT", "Apache-2.0"]
    ));
    assert!(!met("Apache-2.0 WITH LLVM-exception", &["Apache-2.0"]));
    assert!(!met("", &["MIT"]));
}
