//! INI in the layout of `sops`: what the library `ini.v1` makes of a tree.
//!
//! The `=` of a section stand below each other, an empty line stands between sections, comments begin
//! with `; `. Comments outside of sections are dropped. A comment in front of a key goes to the key
//! before it, since the peer reads the comment of a key to stand behind it.

use std::collections::{HashMap, hash_map::Entry};

use zeroize::Zeroizing;

use super::sops_text::{text, text_of};
use crate::ini::{self, DEFAULT_SECTION, Quote};
use crate::sops::tree::{Branch, TreeItem, TreeValue};

/// Why a tree cannot be written as INI.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IniEmitError {
    /// A value outside of sections.
    #[error("`{key}` is not a map: all values of an INI file are in sections")]
    NotASection {
        /// The key.
        key: String,
    },
    /// A list or map inside of a section.
    #[error("`{key}` in `{section}` is a list or map, for which an INI file has no place")]
    Complex {
        /// The section.
        section: String,
        /// The key.
        key: String,
    },
    /// A section or key without a name.
    #[error("a section or key has an empty name, which an INI file cannot say")]
    EmptyName,
}

/// A section to be written.
#[derive(Default)]
pub(crate) struct Section<'t> {
    pub(crate) name: &'t str,
    pub(crate) comment: &'t str,
    pub(crate) keys: Vec<Key<'t>>,
}

/// A key to be written.
pub(crate) struct Key<'t> {
    pub(crate) name: &'t str,
    pub(crate) value: Zeroizing<String>,
    pub(crate) comment: &'t str,
}

/// A file.
pub fn file(branch: &Branch) -> Result<Zeroizing<String>, IniEmitError> {
    let sections: Vec<Section<'_>> = branch
        .entries()
        .map(|(name, value)| section(name, value))
        .collect::<Result<_, _>>()?;
    let mut out = Zeroizing::new(String::new());
    for (index, section) in sections.iter().enumerate() {
        write(section, index == 0, &mut out);
        let written = index > 0 || section.has_header() || !section.keys.is_empty();
        if written && index + 1 < sections.len() {
            out.push('\n');
        }
    }
    Ok(out)
}

/// A section with its header, but for the keys that stand in no section.
pub(crate) fn write(section: &Section<'_>, first: bool, out: &mut String) {
    for line in lines(section.comment) {
        comment(line, out);
    }
    if !first || section.has_header() {
        out.push('[');
        out.push_str(section.name);
        out.push_str("]\n");
    }
    let names = section.keys.iter().map(|key| ini::key_text(key.name).len());
    let width = names.max().unwrap_or_default();
    for key in &section.keys {
        for line in lines(key.comment) {
            comment(line.trim(), out);
        }
        let name = ini::key_text(key.name);
        out.push_str(&name);
        out.extend(std::iter::repeat_n(' ', width - name.len()));
        out.push_str(" = ");
        out.push_str(&Zeroizing::new(ini::value_text(&key.value, Quote::None)));
        out.push('\n');
    }
}

impl Section<'_> {
    fn has_header(&self) -> bool {
        !self.name.eq_ignore_ascii_case(DEFAULT_SECTION)
    }
}

fn section<'t>(name: &'t str, value: &'t TreeValue) -> Result<Section<'t>, IniEmitError> {
    let TreeValue::Map(branch) = value else {
        let key = name.to_owned();
        return Err(IniEmitError::NotASection { key });
    };
    if name.is_empty() {
        return Err(IniEmitError::EmptyName);
    }
    let mut section = Section {
        name,
        ..Section::default()
    };
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (index, item) in branch.items.iter().enumerate() {
        match item {
            TreeItem::Comment(comment) if index == 0 => section.comment = text_of(&comment.text),
            TreeItem::Comment(comment) => {
                if let Some(before) = section.keys.last_mut() {
                    before.comment = text_of(&comment.text);
                }
            }
            TreeItem::Entry { key, value } => {
                let complex = || IniEmitError::Complex {
                    section: name.to_owned(),
                    key: key.clone(),
                };
                let value = text(value).ok_or_else(complex)?;
                if key.is_empty() {
                    return Err(IniEmitError::EmptyName);
                }
                // A key that is there twice keeps its place and takes the last value.
                match places.entry(key) {
                    Entry::Occupied(place) => section.keys[*place.get()].value = value,
                    Entry::Vacant(place) => {
                        place.insert(section.keys.len());
                        section.keys.push(Key {
                            name: key,
                            value,
                            comment: "",
                        });
                    }
                }
            }
        }
    }
    Ok(section)
}

fn lines(comment: &str) -> impl Iterator<Item = &str> {
    comment.split('\n').filter(|_| !comment.is_empty())
}

fn comment(line: &str, out: &mut String) {
    if let Some(mark @ ('#' | ';')) = line.chars().next() {
        out.extend([mark, ' ']);
        out.push_str(line[1..].trim());
    } else {
        out.push_str("; ");
        out.push_str(line);
    }
    out.push('\n');
}
