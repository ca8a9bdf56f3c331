//! What follows a backslash.

use super::cursor::Cursor;

/// A set of characters with a name.
pub(super) enum Set {
    /// `\d`, `\s`, `\w` and their opposites: ranges of ASCII, as the inside of a class.
    Perl { ranges: &'static str, negated: bool },
    /// `\pL`, `\p{Greek}` and their opposites: the same for Rust.
    Unicode(String),
}

/// General categories and their other names, without underscores.
const CATEGORIES: [&str; 80] = [
    "c",
    "casedletter",
    "cc",
    "cf",
    "closepunctuation",
    "cn",
    "cntrl",
    "co",
    "combiningmark",
    "connectorpunctuation",
    "control",
    "cs",
    "currencysymbol",
    "dashpunctuation",
    "decimalnumber",
    "digit",
    "enclosingmark",
    "finalpunctuation",
    "format",
    "initialpunctuation",
    "l",
    "lc",
    "letter",
    "letternumber",
    "lineseparator",
    "ll",
    "lm",
    "lo",
    "lowercaseletter",
    "lt",
    "lu",
    "m",
    "mark",
    "mathsymbol",
    "mc",
    "me",
    "mn",
    "modifierletter",
    "modifiersymbol",
    "n",
    "nd",
    "nl",
    "no",
    "nonspacingmark",
    "number",
    "openpunctuation",
    "other",
    "otherletter",
    "othernumber",
    "otherpunctuation",
    "othersymbol",
    "p",
    "paragraphseparator",
    "pc",
    "pd",
    "pe",
    "pf",
    "pi",
    "po",
    "privateuse",
    "ps",
    "punct",
    "punctuation",
    "s",
    "sc",
    "separator",
    "sk",
    "sm",
    "so",
    "spaceseparator",
    "spacingmark",
    "surrogate",
    "symbol",
    "titlecaseletter",
    "unassigned",
    "uppercaseletter",
    "z",
    "zl",
    "zp",
    "zs",
];

/// Reads `\d`, `\pL` and the like. `None`, and nothing taken, if it is something else.
pub(super) fn set(cursor: &mut Cursor<'_>) -> Result<Option<Set>, String> {
    let mut at = *cursor;
    if !at.eat("\\") {
        return Ok(None);
    }
    let perl = |ranges, negated| Set::Perl { ranges, negated };
    let set = match at.next() {
        Some('d') => perl("0-9", false),
        Some('D') => perl("0-9", true),
        Some('s') => perl(r"\t\n\f\r ", false),
        Some('S') => perl(r"\t\n\f\r ", true),
        Some('w') => perl("0-9A-Za-z_", false),
        Some('W') => perl("0-9A-Za-z_", true),
        Some('p') => Set::Unicode(unicode(&mut at, false)?),
        Some('P') => Set::Unicode(unicode(&mut at, true)?),
        _ => return Ok(None),
    };
    *cursor = at;
    Ok(Some(set))
}

/// Reads the name of a class of Unicode, general category or script. Whether there is such a script
/// shows when the pattern is compiled.
fn unicode(cursor: &mut Cursor<'_>, negated: bool) -> Result<String, String> {
    let invalid = |name: &str| format!("unknown class of characters `{name}`");
    let name = if cursor.eat("{") {
        let name = cursor.until("}");
        name.ok_or_else(|| invalid(cursor.rest()))?.to_owned()
    } else {
        cursor.next().map(String::from).unwrap_or_default()
    };
    let (negated, plain) = match name.strip_prefix('^') {
        Some(plain) => (!negated, plain),
        None => (negated, name.as_str()),
    };
    let plain: String = plain
        .chars()
        .filter(|char| !matches!(char, '_' | '-' | ' '))
        .map(|char| char.to_ascii_lowercase())
        .collect();
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Err(invalid(&name));
    }
    // Without the kind of the property Rust takes many more, of which Go has none.
    let kind = match plain.as_str() {
        // No text has surrogates, and Rust no name for them.
        "cs" | "surrogate" => {
            let caret = if negated { "" } else { "^" };
            return Ok(format!(r"[{caret}\x{{0}}-\x{{10FFFF}}]"));
        }
        "any" | "ascii" | "assigned" => "",
        plain if CATEGORIES.contains(&plain) => "gc=",
        _ => "sc=",
    };
    let letter = if negated { 'P' } else { 'p' };
    Ok(format!(r"\{letter}{{{kind}{plain}}}"))
}

/// Reads the escape of one character, which stands next with its backslash.
pub(super) fn character(cursor: &mut Cursor<'_>) -> Result<char, String> {
    let mut at = *cursor;
    at.eat("\\");
    let Some(first) = at.next() else {
        return Err("it ends with a backslash".to_owned());
    };
    let char = match first {
        'a' => Some('\x07'),
        'f' => Some('\x0c'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\x0b'),
        'x' => hexadecimal(&mut at),
        '0'..='7' => octal(first, &mut at),
        _ if first.is_ascii() && !first.is_ascii_alphanumeric() => Some(first),
        _ => None,
    };
    let written = &cursor.rest()[..cursor.rest().len() - at.rest().len()];
    let char = char.ok_or_else(|| format!("invalid escape `{written}`"))?;
    *cursor = at;
    Ok(char)
}

/// `\x7F` or `\x{10FFFF}`.
fn hexadecimal(cursor: &mut Cursor<'_>) -> Option<char> {
    let digits = if cursor.eat("{") {
        cursor.until("}")?
    } else {
        let two = cursor.rest().get(..2)?;
        cursor.eat(two);
        two
    };
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = hexadecimal.then(|| digits.trim_start_matches('0'))?;
    match value {
        "" => Some('\0'),
        value => char::from_u32(u32::from_str_radix(value, 16).ok()?),
    }
}

/// `\0`, `\12` or `\123`; one digit other than zero would be a back reference.
fn octal(first: char, cursor: &mut Cursor<'_>) -> Option<char> {
    let is_octal = |char: Option<char>| char.and_then(|char| char.to_digit(8));
    let mut value = first.to_digit(8)?;
    if first != '0' {
        is_octal(cursor.peek())?;
    }
    for _ in 0..2 {
        let Some(digit) = is_octal(cursor.peek()) else {
            break;
        };
        cursor.next();
        value = value * 8 + digit;
    }
    char::from_u32(value)
}
