//! The fields of a mapping, weakly typed.

use std::collections::BTreeMap;

use super::{MetaTree, MetadataError};

/// A mapping, and where it is.
pub(super) struct Fields<'t> {
    entries: &'t [(String, MetaTree)],
    path: String,
}

impl<'t> Fields<'t> {
    /// Null is a mapping without entries.
    pub(super) fn of(tree: &'t MetaTree, path: String) -> Result<Self, MetadataError> {
        match tree {
            MetaTree::Map(entries) => Ok(Self { entries, path }),
            MetaTree::Null => Ok(Self { entries: &[], path }),
            _ => Err(MetadataError::Type {
                field: path,
                expected: "a mapping",
            }),
        }
    }

    /// The path of a field.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }

    /// The text of a field; empty if it is not there.
    pub(super) fn text(&self, name: &str) -> Result<String, MetadataError> {
        let text = self.get(name).map_or(Some(String::new()), text_of);
        text.ok_or_else(|| self.mistyped(name, "a text"))
    }

    /// The text of a field; `None` if it is empty.
    pub(super) fn optional(&self, name: &str) -> Result<Option<String>, MetadataError> {
        Ok(Some(self.text(name)?).filter(|text| !text.is_empty()))
    }

    /// A number of things; 0 if it is not there.
    pub(super) fn number(&self, name: &str) -> Result<usize, MetadataError> {
        let number = match self.get(name) {
            None | Some(MetaTree::Null) => Some(0),
            Some(MetaTree::Int(number)) => usize::try_from(*number).ok(),
            Some(MetaTree::Text(text)) if text.is_empty() => Some(0),
            // Some versions read all numbers of JSON as such with a point.
            Some(MetaTree::Text(text)) => text.strip_suffix(".0").unwrap_or(text).parse().ok(),
            Some(MetaTree::Bool(_) | MetaTree::List(_) | MetaTree::Map(_)) => None,
        };
        number.ok_or_else(|| self.mistyped(name, "a number of key groups"))
    }

    /// A truth value; false if it is not there.
    pub(super) fn flag(&self, name: &str) -> Result<bool, MetadataError> {
        let flag = match self.get(name) {
            None | Some(MetaTree::Null) => Some(false),
            Some(MetaTree::Bool(value)) => Some(*value),
            Some(MetaTree::Int(number)) => Some(*number != 0),
            Some(MetaTree::Text(text)) => truth(text),
            Some(MetaTree::List(_) | MetaTree::Map(_)) => None,
        };
        flag.ok_or_else(|| self.mistyped(name, "true or false"))
    }

    /// The mappings of a list; none if it is not there.
    pub(super) fn list(&self, name: &str) -> Result<Vec<Fields<'t>>, MetadataError> {
        let items = match self.get(name) {
            None | Some(MetaTree::Null) => &[],
            Some(MetaTree::List(items)) => items.as_slice(),
            Some(MetaTree::Map(entries)) if entries.is_empty() => &[],
            Some(one @ MetaTree::Map(_)) => std::slice::from_ref(one),
            Some(_) => return Err(self.mistyped(name, "a list")),
        };
        let items = items.iter().enumerate();
        items
            .map(|(index, item)| Fields::of(item, format!("{}[{index}]", self.path(name))))
            .collect()
    }

    /// The texts of a mapping; those that are null are left out.
    pub(super) fn pairs(&self, name: &str) -> Result<BTreeMap<String, String>, MetadataError> {
        let fields = match self.get(name) {
            None => return Ok(BTreeMap::new()),
            Some(MetaTree::List(items)) if items.is_empty() => return Ok(BTreeMap::new()),
            Some(tree) => Fields::of(tree, self.path(name))?,
        };
        let set = fields.entries.iter();
        set.filter(|(_, value)| *value != MetaTree::Null)
            .map(|(key, value)| {
                let text = text_of(value).ok_or_else(|| fields.mistyped(key, "a text"))?;
                Ok((key.clone(), text))
            })
            .collect()
    }

    /// The last one, should a field be there twice. Upper and lower case are the same if nothing is
    /// spelt exactly so.
    fn get(&self, name: &str) -> Option<&'t MetaTree> {
        let find = |same: fn(&str, &str) -> bool| {
            let mut found = self.entries.iter().rev();
            found.find(|(key, _)| same(key, name))
        };
        let found = find(|a, b| a == b).or_else(|| find(str::eq_ignore_ascii_case));
        found.map(|(_, value)| value)
    }

    fn mistyped(&self, name: &str, expected: &'static str) -> MetadataError {
        MetadataError::Type {
            field: self.path(name),
            expected,
        }
    }
}

fn text_of(tree: &MetaTree) -> Option<String> {
    Some(match tree {
        MetaTree::Null => String::new(),
        MetaTree::Text(text) => text.clone(),
        MetaTree::Bool(value) => i32::from(*value).to_string(),
        MetaTree::Int(number) => number.to_string(),
        MetaTree::List(_) | MetaTree::Map(_) => return None,
    })
}

/// Go's words for truth values.
fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "" | "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}
