//! `.sops.yaml`: which keys a new file is encrypted for, what in it is encrypted, and where it is
//! published.
//!
//! ```text
//!  creation_rules     the first whose path_regex matches a file is its rule
//!  destination_rules  the same for publishing
//!  stores             how files are laid out that are written anew
//! ```
//!
//! Only the rule that a file has must make sense, as for the peer: what is wrong in another does not
//! stand in the way, and [`Rules::problems`] lists it. Wrong types anywhere make the whole file
//! unusable. Keys that mean nothing, which the peer ignores without a word, are warnings.

mod creation;
mod destination;
mod error;
mod keys;
mod lookup;
mod path;
mod section;
mod spelling;
mod stores;
mod warning;

pub use creation::CreationRule;
pub use destination::{Destination, DestinationRule};
pub use error::RulesError;
pub use lookup::{Lookup, lookup};
pub use path::{PathStyle, RulePath};
pub use stores::Stores;
pub use warning::{Warning, WarningKind};

use crate::go_regex::GoRegex;
use crate::yaml::{Document, Stream};
use section::Reader;

/// The rules of one file.
#[derive(Debug, Clone)]
pub struct Rules {
    creation: Option<Vec<Slot<CreationRule>>>,
    destinations: Vec<Slot<DestinationRule>>,
    stores: Stores,
    warnings: Vec<Warning>,
}

/// A rule and what it is for, each of which may not make sense.
#[derive(Debug, Clone)]
struct Slot<R> {
    /// `None`: every file.
    path: Option<Result<GoRegex, RulesError>>,
    rule: Result<R, RulesError>,
}

impl Rules {
    /// Reads the text of a `.sops.yaml`. As the peer, it takes the first document of several.
    ///
    /// # Errors
    /// What is not YAML, and values of another type than their key has.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let stream = Stream::parse(text).map_err(RulesError::Yaml)?;
        let mut rules = Self {
            creation: None,
            destinations: Vec::new(),
            stores: Stores::default(),
            warnings: Vec::new(),
        };
        let root = stream.documents().first().and_then(Document::root);
        let Some(root) = root.filter(|root| !root.is_null()) else {
            return Ok(rules);
        };
        let mut reader = Reader::default();
        let top = reader.section(root, "the file")?;
        if let Some(list) = top.list("creation_rules")? {
            let rule = |node| creation::read(&mut reader, node);
            rules.creation = Some(list.into_iter().map(rule).collect::<Result<_, _>>()?);
        }
        for node in top.list("destination_rules")?.unwrap_or_default() {
            rules
                .destinations
                .push(destination::read(&mut reader, node)?);
        }
        rules.stores = stores::read(&mut reader, &top)?;
        // Other keys at the top hold anchors, so only what looks like one of these is told.
        reader.warn_of_misspelt(&top, &["creation_rules", "destination_rules", "stores"]);
        rules.warnings = reader.warnings;
        rules.warn_of_unreachable();
        rules.warnings.sort_by_key(|warning| warning.at);
        Ok(rules)
    }

    /// The rule of a file. `None` if there are no creation rules, which is as if there were no
    /// `.sops.yaml`.
    ///
    /// # Errors
    /// No rule matches, or the one that does makes no sense, or one before it cannot be tried.
    pub fn creation_rule(&self, path: &RulePath) -> Result<Option<&CreationRule>, RulesError> {
        let Some(slots) = &self.creation else {
            return Ok(None);
        };
        let tests = |regex: &GoRegex| path.matches(regex);
        match first(slots, tests)? {
            Some(rule) => Ok(Some(rule)),
            None => Err(RulesError::NoCreationRule {
                path: path.as_str().to_owned(),
            }),
        }
    }

    /// The destination of a file. Unlike creation rules these are tried on the path as it was typed.
    ///
    /// # Errors
    /// No rule matches, or the one that does makes no sense, or one before it cannot be tried. The
    /// peer takes an expression that is none for one that does not match, and publishes elsewhere.
    pub fn destination_rule(&self, argument: &str) -> Result<&DestinationRule, RulesError> {
        let tests = |regex: &GoRegex| regex.is_match(argument);
        first(&self.destinations, tests)?.ok_or_else(|| RulesError::NoDestinationRule {
            path: argument.to_owned(),
        })
    }

    /// How files are laid out that are written anew.
    pub fn stores(&self) -> &Stores {
        &self.stores
    }

    /// What probably is not as it was meant, in the order of the file.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What makes no sense in any rule.
    pub fn problems(&self) -> impl Iterator<Item = &RulesError> {
        let creation = self.creation.iter().flatten();
        let creation = creation.flat_map(Slot::problems);
        creation.chain(self.destinations.iter().flat_map(Slot::problems))
    }

    /// All creation rules that make sense, in order.
    pub fn creation_rules(&self) -> impl Iterator<Item = &CreationRule> {
        let slots = self.creation.iter().flatten();
        slots.filter_map(|slot| slot.rule.as_ref().ok())
    }

    /// Rules behind one that has every file.
    fn warn_of_unreachable(&mut self) {
        let slots = self.creation.iter().flatten();
        let behind = slots.skip_while(|slot| slot.path.is_some()).skip(1);
        let rules = behind.filter_map(|slot| slot.rule.as_ref().ok());
        let unreachable = rules.map(|rule| Warning {
            at: rule.at,
            kind: WarningKind::Unreachable,
        });
        self.warnings.extend(unreachable.collect::<Vec<_>>());
    }
}

impl<R> Slot<R> {
    fn problems(&self) -> impl Iterator<Item = &RulesError> {
        let path = self.path.as_ref().and_then(|path| path.as_ref().err());
        path.into_iter().chain(self.rule.as_ref().err())
    }
}

/// The first rule that is for a file.
fn first<R>(
    slots: &[Slot<R>],
    matches: impl Fn(&GoRegex) -> bool,
) -> Result<Option<&R>, RulesError> {
    for slot in slots {
        let found = match &slot.path {
            None => true,
            Some(Ok(regex)) => matches(regex),
            Some(Err(error)) => return Err(error.clone()),
        };
        if found {
            return slot.rule.as_ref().map(Some).map_err(Clone::clone);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
