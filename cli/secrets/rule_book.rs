//! The rules of a run over many files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use signet_documents::rules::{CreationRule, DestinationRule};

use crate::Context;
use crate::paths::absolute;

use super::{Found, RuleSource, RulesError};

/// Gives each file its rules: those of a named file, or of the `.sops.yaml` that is nearest to it. Each
/// is looked for, read and parsed once.
#[derive(Debug)]
pub struct RuleBook {
    named: Option<PathBuf>,
    known: Mutex<BTreeMap<RuleSource, Option<Arc<Found>>>>,
}

impl RuleBook {
    /// A book that takes all rules from this file, if there is one.
    pub fn new(named: Option<PathBuf>) -> Self {
        Self {
            named,
            known: Mutex::default(),
        }
    }

    /// What the rules say of a new file whose path is absolute: nothing if there are none.
    pub fn creation(&self, file: &Path) -> Result<Option<CreationRule>, RulesError> {
        match self.of(&self.source(file))? {
            Some(found) => found.creation(file),
            None => Ok(None),
        }
    }

    /// The same, where a file cannot be without.
    pub fn required(&self, file: &Path) -> Result<CreationRule, RulesError> {
        let rule = self.creation(file)?;
        rule.ok_or_else(|| self.source(file).no_recipients())
    }

    /// Where a file is published whose path is absolute.
    pub fn destination(&self, file: &Path) -> Result<DestinationRule, RulesError> {
        let source = self.source(file);
        match self.of(&source)? {
            Some(found) => found.destination(file),
            None => Err(source.none()),
        }
    }

    /// Tells what in the rules for these files and folders does nothing, such as a misspelled key.
    /// Rules that cannot be used at all are told where they are needed.
    pub fn tell_warnings(&self, paths: &[PathBuf], context: &mut Context) {
        let mut told = BTreeSet::new();
        for path in paths {
            let path = absolute(&context.env, path);
            // The rules of what is in a folder may stand in the folder itself.
            let inside = if path.is_dir() { path.join("_") } else { path };
            let Ok(Some(found)) = self.of(&self.source(&inside)) else {
                continue;
            };
            if told.insert(found.path.clone()) {
                for warning in found.rules.warnings() {
                    let line = format!("`{}`: {warning}", found.path.display());
                    context.ui.warn(&context.env, line);
                }
            }
        }
    }

    fn source(&self, file: &Path) -> RuleSource {
        match &self.named {
            Some(path) => RuleSource::File(path.clone()),
            None => RuleSource::Above(file.parent().unwrap_or(Path::new("/")).to_owned()),
        }
    }

    fn of(&self, source: &RuleSource) -> Result<Option<Arc<Found>>, RulesError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(source) {
            return Ok(found.clone());
        }
        let found = match source.path() {
            None => None,
            Some(path) => {
                let file = RuleSource::File(path.clone());
                let read = match known.get(&file).cloned().flatten() {
                    Some(found) => found,
                    None => Arc::new(Found::read(&path)?),
                };
                known.insert(file, Some(Arc::clone(&read)));
                Some(read)
            }
        };
        known.insert(source.clone(), found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn folders_share_the_rules_above_them_and_these_are_read_once() {
        let tree = tempfile::tempdir().unwrap();
        let at = |name: &str| tree.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::create_dir_all(at("own")).unwrap();
        let rules = |age| format!("creation_rules: [{{age: {age}}}]\n");
        std::fs::write(at(".sops.yaml"), rules("age1all")).unwrap();
        std::fs::write(at("own/.sops.yaml"), rules("age1own")).unwrap();
        let book = RuleBook::new(None);
        let key = |file: &str| book.required(&at(file)).unwrap().groups[0][0].to_string();
        assert_eq!(key("a/x.yaml"), "age1all");
        assert_eq!(key("own/x.yaml"), "age1own");
        // What is read is kept, whatever becomes of the file meanwhile.
        std::fs::write(at(".sops.yaml"), "not rules").unwrap();
        assert_eq!(key("a/b/y.yaml"), "age1all");
        assert_eq!(key("z.yaml"), "age1all");
    }

    #[test]
    fn a_file_without_rules_has_no_recipients_and_no_destination() {
        let tree = tempfile::tempdir().unwrap();
        let book = RuleBook::new(Some(tree.path().join("rules.yaml")));
        std::fs::write(tree.path().join("rules.yaml"), "{}\n").unwrap();
        let file = tree.path().join("x.yaml");
        assert_eq!(book.creation(&file).unwrap(), None);
        assert!(matches!(
            book.required(&file),
            Err(RulesError::NoRecipients { .. })
        ));
        assert!(book.destination(&file).unwrap_err().is_no_rule());
    }
}
