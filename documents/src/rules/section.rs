//! The mappings of the rules: their keys looked up, typed, and those left over told.

use std::collections::BTreeMap;

use super::spelling;
use super::{RulesError, Warning, WarningKind};
use crate::value::{Resolved, resolve_plain};
use crate::yaml::{Kind, Node, ScalarStyle};

/// Most entries and items that are read, aliases followed.
const MAX_READ: usize = 200_000;

/// Most warnings of one file.
const MAX_WARNINGS: usize = 200;

/// Deepest nesting of `merge` and of merge keys.
pub(super) const MAX_DEPTH: usize = 32;

/// What is gathered on the way.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) warnings: Vec<Warning>,
    read: usize,
}

/// A mapping, its merge keys resolved.
pub(super) struct Section<'a> {
    pub(super) node: Node<'a>,
    place: &'static str,
    /// Each key with itself and its value.
    entries: BTreeMap<&'a str, (Node<'a>, Node<'a>)>,
}

impl Reader {
    /// Reads a mapping; null has no entries.
    pub(super) fn section<'a>(
        &mut self,
        node: Node<'a>,
        place: &'static str,
    ) -> Result<Section<'a>, RulesError> {
        let mut section = Section {
            node,
            place,
            entries: BTreeMap::new(),
        };
        if !node.is_null() {
            self.merge(node, 0, &mut section)?;
        }
        Ok(section)
    }

    /// Adds the entries of a mapping whose keys are not there yet: what the mapping itself says wins
    /// over what it merges, and what is merged first over what comes later.
    fn merge<'a>(
        &mut self,
        node: Node<'a>,
        depth: usize,
        section: &mut Section<'a>,
    ) -> Result<(), RulesError> {
        if !node.is_mapping() {
            let at = node.position();
            let place = if depth == 0 {
                section.place
            } else {
                "what `<<` merges"
            };
            return Err(RulesError::Mapping { at, place });
        }
        let mut own: BTreeMap<&str, Node<'a>> = BTreeMap::new();
        let mut merged = Vec::new();
        for entry in node.entries() {
            self.count(entry.key, depth)?;
            let key = entry.key.text().unwrap_or_default();
            let plain = matches!(entry.key.kind(), Kind::Scalar(ScalarStyle::Plain));
            if key == "<<" && plain {
                merged.push(entry.value);
                continue;
            }
            if let Some(first) = own.insert(key, entry.key) {
                return Err(RulesError::DuplicateKey {
                    at: entry.key.position(),
                    first: first.position(),
                    key: key.to_owned(),
                });
            }
            section
                .entries
                .entry(key)
                .or_insert((entry.key, entry.value));
        }
        for value in merged {
            if value.is_sequence() {
                for item in value.items() {
                    self.merge(item.node, depth + 1, section)?;
                }
            } else {
                self.merge(value, depth + 1, section)?;
            }
        }
        Ok(())
    }

    /// Counts something read.
    pub(super) fn count(&mut self, node: Node<'_>, depth: usize) -> Result<(), RulesError> {
        self.read += 1;
        if self.read > MAX_READ || depth > MAX_DEPTH {
            return Err(RulesError::TooLarge {
                at: node.position(),
            });
        }
        Ok(())
    }

    /// Warns of all keys that are not known.
    pub(super) fn warn_of_unknown(&mut self, section: &Section<'_>, known: &[&'static str]) {
        self.warn(section, known, false);
    }

    /// Warns of keys that are not known and are like one that is.
    pub(super) fn warn_of_misspelt(&mut self, section: &Section<'_>, known: &[&'static str]) {
        self.warn(section, known, true);
    }

    fn warn(&mut self, section: &Section<'_>, known: &[&'static str], only_misspelt: bool) {
        for (key, (at, _)) in &section.entries {
            let meant = spelling::likely(key, known);
            if known.contains(key) || (only_misspelt && meant.is_none()) {
                continue;
            }
            let warning = Warning {
                at: at.position(),
                kind: WarningKind::UnknownKey {
                    key: (*key).to_owned(),
                    place: section.place,
                    meant,
                },
            };
            // One mapping may be merged into many rules.
            if self.warnings.len() < MAX_WARNINGS && !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

impl<'a> Section<'a> {
    /// The value of a key, if it is not null.
    pub(super) fn get(&self, key: &str) -> Option<Node<'a>> {
        let (_, value) = self.entries.get(key)?;
        Some(*value).filter(|value| !value.is_null())
    }

    /// A text, whatever type YAML takes it for; empty ones are none.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, RulesError> {
        let Some(node) = self.get(key) else {
            return Ok(None);
        };
        let text = node
            .text()
            .ok_or_else(|| self.mistyped(node, key, "a text"))?;
        Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
    }

    /// A whole number.
    pub(super) fn number(&self, key: &str) -> Result<Option<i32>, RulesError> {
        let Some(node) = self.get(key) else {
            return Ok(None);
        };
        let text = node.text().unwrap_or_default();
        let number = text.strip_suffix(".0").unwrap_or(text).parse();
        let number = number.map_err(|_| self.mistyped(node, key, "a whole number"))?;
        Ok(Some(number))
    }

    /// A truth value; false if it is not there.
    pub(super) fn flag(&self, key: &str) -> Result<bool, RulesError> {
        let Some(node) = self.get(key) else {
            return Ok(false);
        };
        match resolve_plain(node.text().unwrap_or_default()) {
            Resolved::Bool(value) => Ok(value),
            _ => Err(self.mistyped(node, key, "true or false")),
        }
    }

    /// The items of a list, those left out that are null.
    pub(super) fn list(&self, key: &str) -> Result<Option<Vec<Node<'a>>>, RulesError> {
        let Some(node) = self.get(key) else {
            return Ok(None);
        };
        if !node.is_sequence() {
            return Err(self.mistyped(node, key, "a list"));
        }
        let items = node.items().map(|item| item.node);
        Ok(Some(items.filter(|item| !item.is_null()).collect()))
    }

    /// A list of texts, with the place of each; one text alone stands for a list of one.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<(Node<'a>, &'a str)>, RulesError> {
        let Some(node) = self.get(key) else {
            return Ok(Vec::new());
        };
        let items = match node.text() {
            Some(_) => vec![node],
            None => self.list(key)?.unwrap_or_default(),
        };
        let texts = items.into_iter().map(|item| {
            let text = item.text();
            let expected = "a text or a list of texts";
            Ok((
                item,
                text.ok_or_else(|| self.mistyped(item, key, expected))?,
            ))
        });
        texts.collect()
    }

    pub(super) fn mistyped(&self, node: Node<'_>, key: &str, expected: &'static str) -> RulesError {
        RulesError::Type {
            at: node.position(),
            key: key.to_owned(),
            place: self.place,
            expected,
        }
    }
}
