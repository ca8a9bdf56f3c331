//! How files are laid out that are written anew.

use super::RulesError;
use super::section::{Reader, Section};

/// The indents that the peer would use. They count where a file has no layout of its own to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stores {
    /// Spaces a level in YAML; 0: four.
    pub yaml_indent: i32,
    /// Spaces a level in JSON; -1: a tab.
    pub json_indent: i32,
    /// Spaces a level in the JSON of binary files; -1: a tab.
    pub json_binary_indent: i32,
}

impl Default for Stores {
    fn default() -> Self {
        Self {
            yaml_indent: 0,
            json_indent: -1,
            json_binary_indent: -1,
        }
    }
}

/// Reads `stores`.
pub(super) fn read(reader: &mut Reader, top: &Section<'_>) -> Result<Stores, RulesError> {
    let mut stores = Stores::default();
    let Some(node) = top.get("stores") else {
        return Ok(stores);
    };
    let section = reader.section(node, "`stores`")?;
    let known = ["dotenv", "ini", "json", "json_binary", "yaml"];
    reader.warn_of_unknown(&section, &known);
    let indents = [
        ("yaml", &mut stores.yaml_indent),
        ("json", &mut stores.json_indent),
        ("json_binary", &mut stores.json_binary_indent),
    ];
    for (name, indent) in indents {
        let Some(node) = section.get(name) else {
            continue;
        };
        let store = reader.section(node, "a store")?;
        reader.warn_of_unknown(&store, &["indent"]);
        *indent = store.number("indent")?.unwrap_or(*indent);
    }
    Ok(stores)
}
