//! In which order the keys of a group are tried.

use super::{KeyType, MasterKey};

/// Kinds of keys, the first tried first. Kinds that are not named come after those that are; keys of
/// one kind keep the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecryptionOrder(Vec<KeyType>);

/// A kind is named twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the decryption order names `{0}` twice")]
pub struct DuplicateKeyType(
    /// The kind.
    pub String,
);

/// `age,pgp`: what works without a network comes first.
impl Default for DecryptionOrder {
    fn default() -> Self {
        Self(vec![KeyType::Age, KeyType::Pgp])
    }
}

impl DecryptionOrder {
    /// Reads `age,pgp`, and gives the words that name no kind: the peer takes them without a word, so
    /// they are a warning and not an error. Nothing at all is the order of the file.
    pub fn parse(text: &str) -> Result<(Self, Vec<String>), DuplicateKeyType> {
        let words: Vec<&str> = match text {
            "" => Vec::new(),
            text => text.split(',').collect(),
        };
        let mut order = Vec::new();
        let mut unknown = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if words[..index].contains(word) {
                return Err(DuplicateKeyType((*word).to_owned()));
            }
            match word.parse() {
                Ok(kind) => order.push(kind),
                Err(_) => unknown.push((*word).to_owned()),
            }
        }
        Ok((Self(order), unknown))
    }

    /// The keys of a group in the order in which they are tried.
    pub fn sorted<'k, T>(
        &self,
        keys: impl IntoIterator<Item = &'k T>,
        key: impl Fn(&T) -> &MasterKey,
    ) -> Vec<&'k T> {
        let mut keys: Vec<&T> = keys.into_iter().collect();
        keys.sort_by_key(|item| self.rank(key(item).key_type()));
        keys
    }

    fn rank(&self, kind: KeyType) -> usize {
        let named = self.0.iter().position(|named| *named == kind);
        named.unwrap_or(self.0.len())
    }
}
