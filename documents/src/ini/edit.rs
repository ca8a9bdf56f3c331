//! Setting and removing one key, all else unchanged.

use zeroize::Zeroizing;

use super::{DEFAULT_SECTION, Ini, IniError, Quote, Section, key_text, value_text};
use crate::splice::{self, Splice};

/// Why a key is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// The text is no INI file.
    #[error(transparent)]
    Ini(#[from] IniError),
    /// The value has several lines with both `` ` `` and `"""`, which no quotes can hold.
    #[error(
        "the value for `{key}` cannot be said in an INI file: it has lines, backticks and triple quotes"
    )]
    Value {
        /// The key.
        key: String,
    },
    /// The section or key would be read as something else.
    #[error("`{name}` cannot be the name of a section or key of an INI file")]
    Name {
        /// The name.
        name: String,
    },
}

/// The file with a key of a section that has this value: where it stands, below the last key of the
/// section, or in a new section at the end.
pub fn set(
    source: &str,
    section: &str,
    key: &str,
    value: &str,
) -> Result<Zeroizing<String>, SetError> {
    let ini = Ini::parse(source)?;
    let found = ini.section(section);
    if let Some(standing) = found.and_then(|section| section.key(key)) {
        let range = standing.value.range.clone();
        let text = value_text(value, standing.value.quote);
        let text = applied(source, Splice::new(range, text));
        let key = key.to_owned();
        return if reads_back(&text, section, &key, value) {
            Ok(text)
        } else {
            Err(SetError::Value { key })
        };
    }
    let line = format!("{} = {}\n", key_text(key), value_text(value, Quote::None));
    let text = if let Some(found) = found {
        applied(source, below(source, found, &line))
    } else {
        let gap = match source {
            "" => "",
            _ if source.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let text = format!("{gap}[{section}]\n{line}");
        applied(source, Splice::insert(source.len(), text))
    };
    if reads_back(&text, section, key, value) {
        Ok(text)
    } else {
        let name = key.to_owned();
        Err(SetError::Name { name })
    }
}

/// A name or value may be such that it reads as something else.
fn reads_back(text: &str, section: &str, key: &str, value: &str) -> bool {
    Ini::parse(text).is_ok_and(|ini| {
        let key = ini.section(section).and_then(|found| found.key(key));
        key.is_some_and(|key| key.value.text() == value)
    })
}

/// The file without a key of a section; `None` if it has none of this name. The comment above it stays.
pub fn remove(
    source: &str,
    section: &str,
    key: &str,
) -> Result<Option<Zeroizing<String>>, IniError> {
    let ini = Ini::parse(source)?;
    let found = ini.section(section).and_then(|section| section.key(key));
    Ok(found.map(|key| applied(source, Splice::delete(key.lines.clone()))))
}

/// A line below the last key of a section, or below its header; before everything in the section
/// without one.
fn below(source: &str, section: &Section, line: &str) -> Splice {
    let end = match (section.keys.last(), &section.header) {
        (Some(last), _) => last.lines.end,
        (None, Some(header)) => header.end,
        (None, None) => 0,
    };
    let before = &source[..end];
    let line_break = if before.is_empty() || before.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let is_first = section.name == DEFAULT_SECTION && end == 0 && !source.is_empty();
    let gap = if is_first { "\n" } else { "" };
    Splice::insert(end, format!("{line_break}{line}{gap}"))
}

/// One splice alone overlaps nothing.
fn applied(source: &str, splice: Splice) -> Zeroizing<String> {
    Zeroizing::new(splice::apply(source, vec![splice]).unwrap_or_else(|_| source.to_owned()))
}
