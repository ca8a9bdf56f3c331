//! Upper and lower case, and names in the styles of programming languages.

use std::iter::Peekable;
use std::str::Chars;

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![
        ("camelcase", Function::new(camelcase)),
        ("kebabcase", Function::new(kebabcase)),
        ("lower", Function::new(lower)),
        ("snakecase", Function::new(snakecase)),
        ("swapcase", Function::new(swapcase)),
        ("title", Function::new(title)),
        ("untitle", Function::new(untitle)),
        ("upper", Function::new(upper)),
    ]
}

/// Go maps a character to one character; where Rust knows several (`ß`), it stays.
fn to_upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    if upper.len() == 1 {
        upper.next().unwrap_or(c)
    } else {
        c
    }
}

fn to_lower(c: char) -> char {
    match c {
        // The one character whose lower case is two.
        'İ' => 'i',
        c => c.to_lowercase().next().unwrap_or(c),
    }
}

/// Changes characters; bytes that are no UTF-8 become replacement characters.
fn mapped(
    context: &Context<'_, '_>,
    text: &Text,
    mut map: impl FnMut(char) -> char,
) -> Result<Text, Failure> {
    let mut sink = context.sink();
    for c in text.lossy().chars() {
        sink.push_char(map(c))?;
    }
    Ok(sink.finish())
}

fn upper(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    mapped(context, &text, to_upper)
}

fn lower(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    mapped(context, &text, to_lower)
}

/// The first letter of each word in upper case.
fn title(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    let mut before = ' ';
    mapped(context, &text, |c| {
        let starts = is_separator(before);
        before = c;
        if starts { to_upper(c) } else { c }
    })
}

fn is_separator(c: char) -> bool {
    match c {
        '_' => false,
        c if c.is_ascii() => !c.is_ascii_alphanumeric(),
        c => !c.is_alphanumeric() && c.is_whitespace(),
    }
}

/// The first letter of each word in lower case.
fn untitle(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    let mut starts = true;
    mapped(context, &text, |c| {
        if c.is_whitespace() {
            starts = true;
            return c;
        }
        if std::mem::take(&mut starts) {
            to_lower(c)
        } else {
            c
        }
    })
}

fn swapcase(context: &mut Context<'_, '_>, text: Text) -> Result<Text, Failure> {
    mapped(context, &text, |c| match c {
        c if c.is_uppercase() => to_lower(c),
        c if c.is_lowercase() => to_upper(c),
        c => c,
    })
}

fn is_connector(c: char) -> bool {
    c == '-' || c == '_' || c.is_whitespace()
}

/// `snake_case_name` to `SnakeCaseName`. Connectors at the ends stay, and of several all but one.
fn camelcase(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    let text = text.lossy();
    let start = text.find(|c| !is_connector(c)).unwrap_or(text.len());
    let mut name = text[..start].to_owned();
    let mut chars = text[start..].chars();
    let Some(first) = chars.next() else {
        return Ok(name);
    };
    let mut current = to_upper(first);
    // In a word that begins in upper case, what follows in upper case becomes lower: `HTTP`.
    let mut shouting = first.is_uppercase();
    for c in chars {
        let before = current;
        current = c;
        if is_connector(before) {
            if is_connector(current) {
                name.push(before);
                continue;
            }
            shouting = current.is_uppercase();
            current = to_upper(current);
            continue;
        }
        if shouting {
            if current.is_uppercase() {
                current = to_lower(current);
            } else {
                shouting = false;
            }
        }
        name.push(before);
    }
    name.push(current);
    Ok(name)
}

fn snakecase(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(separated(&text.lossy(), '_'))
}

fn kebabcase(_: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    Ok(separated(&text.lossy(), '-'))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Upper,
    Lower,
    Connector,
    Punctuation,
    Other,
}

fn is_cased(c: char) -> bool {
    c.is_uppercase() || c.is_lowercase()
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        // Go's punctuation has no symbols in it.
        return c.is_ascii_punctuation() && !"$+<=>^`|~".contains(c);
    }
    !c.is_alphanumeric() && crate::printf::quote::is_punctuation(c)
}

fn kind(c: char) -> Kind {
    match c {
        c if is_connector(c) => Kind::Connector,
        c if is_punctuation(c) => Kind::Punctuation,
        c if c.is_uppercase() => Kind::Upper,
        c if is_cased(c) => Kind::Lower,
        c if c.is_numeric() => Kind::Number,
        _ => Kind::Other,
    }
}

/// Splits into words: runs of one kind, but `HTTPServer` is `HTTP` and `Server`.
fn words(text: &str) -> Vec<(Kind, String)> {
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        let kind = kind(first);
        let mut word = String::from(first);
        match kind {
            Kind::Upper => upper_word(&mut word, &mut chars),
            Kind::Lower => take(&mut word, &mut chars, |c| is_cased(c) && !c.is_uppercase()),
            Kind::Number => take(&mut word, &mut chars, char::is_numeric),
            Kind::Connector => take(&mut word, &mut chars, is_connector),
            Kind::Punctuation => take(&mut word, &mut chars, is_punctuation),
            Kind::Other => take(&mut word, &mut chars, |c| {
                !is_connector(c) && !is_cased(c) && !c.is_numeric() && !is_punctuation(c)
            }),
        }
        words.push((kind, word));
    }
    words
}

fn take(word: &mut String, chars: &mut Peekable<Chars<'_>>, kind: impl Fn(char) -> bool) {
    while let Some(c) = chars.next_if(|c| kind(*c)) {
        word.push(c);
    }
}

fn upper_word(word: &mut String, chars: &mut Peekable<Chars<'_>>) {
    let Some(second) = chars.peek().copied() else {
        return;
    };
    if !second.is_uppercase() {
        take(word, chars, |c| is_cased(c) && !c.is_uppercase());
        return;
    }
    // The last capital belongs to the small letters after it.
    loop {
        let mut ahead = chars.clone();
        let (next, after) = (ahead.next(), ahead.next());
        let Some(next) = next.filter(|c| c.is_uppercase()) else {
            return;
        };
        if after.is_some_and(|c| is_cased(c) && !c.is_uppercase()) {
            return;
        }
        word.push(next);
        chars.next();
    }
}

/// Words in lower case with connectors between them. A number stays with the letters after it, and with
/// the word before it if no letters follow.
fn separated(text: &str, connector: char) -> String {
    let words = words(text);
    let mut name = String::new();
    let mut index = 0;
    let kind_at = |index: usize| words.get(index).map(|(kind, _)| *kind);
    let breaks = |kind: Option<Kind>| {
        kind.is_some_and(|kind| kind != Kind::Punctuation && kind != Kind::Connector)
    };
    let glues = |kind: Option<Kind>| matches!(kind, Some(Kind::Lower | Kind::Number));
    while let Some((kind, word)) = words.get(index) {
        write(&mut name, *kind, word, connector);
        index += 1;
        if index == words.len() {
            break;
        }
        match kind {
            Kind::Connector | Kind::Punctuation => {}
            Kind::Number => index = glue(&mut name, &words, index, connector, glues, breaks),
            _ if kind_at(index) != Some(Kind::Number) => {
                if breaks(kind_at(index)) {
                    name.push(connector);
                }
            }
            // A number at the very end, or before anything but letters, belongs to the word before it.
            _ if index + 1 == words.len() => {}
            _ if kind_at(index + 1) != Some(Kind::Lower) => {
                write(&mut name, Kind::Number, &words[index].1, connector);
                index += 1;
                if breaks(kind_at(index)) {
                    name.push(connector);
                }
            }
            _ => {
                name.push(connector);
                write(&mut name, Kind::Number, &words[index].1, connector);
                index = glue(&mut name, &words, index + 1, connector, glues, breaks);
            }
        }
    }
    name
}

/// Writes the letters and numbers that go on without a break; gives the index of what comes next.
fn glue(
    name: &mut String,
    words: &[(Kind, String)],
    mut index: usize,
    connector: char,
    glues: impl Fn(Option<Kind>) -> bool,
    breaks: impl Fn(Option<Kind>) -> bool,
) -> usize {
    let kind_at = |index: usize| words.get(index).map(|(kind, _)| *kind);
    while glues(kind_at(index)) {
        write(name, words[index].0, &words[index].1, connector);
        index += 1;
    }
    if breaks(kind_at(index)) {
        name.push(connector);
    }
    index
}

fn write(name: &mut String, kind: Kind, word: &str, connector: char) {
    match kind {
        Kind::Upper | Kind::Lower => name.extend(word.chars().map(to_lower)),
        Kind::Connector => name.extend(word.chars().map(|_| connector)),
        _ => name.push_str(word),
    }
}
