//! Metadata between the text of a format and its meaning.

/// A tree of plain values. Its mappings keep their order. Nothing in metadata is secret, so it can be
/// printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetaTree {
    /// Null, written or left out after the colon.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text. So is everything where a format does not tell texts from numbers, and times are.
    Text(String),
    /// A list.
    List(Vec<MetaTree>),
    /// A mapping.
    Map(Vec<(String, MetaTree)>),
}

impl MetaTree {
    /// The value of a key of a mapping; the last one, if the key is there twice.
    pub fn get(&self, key: &str) -> Option<&MetaTree> {
        let Self::Map(entries) = self else {
            return None;
        };
        let mut found = entries.iter().rev().filter(|(name, _)| name == key);
        found.next().map(|(_, value)| value)
    }

    /// A mapping in alphabetical order.
    pub(super) fn sorted(entries: impl IntoIterator<Item = (&'static str, MetaTree)>) -> Self {
        let entries = entries.into_iter();
        let mut entries: Vec<_> = entries
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self::Map(entries)
    }
}

impl From<&str> for MetaTree {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
