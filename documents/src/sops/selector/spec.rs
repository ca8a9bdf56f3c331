//! Selectors as files and rules write them.

/// What in a file is encrypted. A file has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectorSpec {
    /// Values behind a comment that matches, and comments that follow it.
    EncryptedCommentRegex(String),
    /// What is below a key that matches.
    EncryptedRegex(String),
    /// What is below a key with this end.
    EncryptedSuffix(String),
    /// All but values behind a comment that matches.
    UnencryptedCommentRegex(String),
    /// All but what is below a key that matches.
    UnencryptedRegex(String),
    /// All but what is below a key with this end.
    UnencryptedSuffix(String),
}

/// `unencrypted_suffix: _unencrypted`: what a file means that has no selector.
impl Default for SelectorSpec {
    fn default() -> Self {
        Self::UnencryptedSuffix("_unencrypted".to_owned())
    }
}

impl SelectorSpec {
    /// The names of the fields, in the order of their names.
    pub const FIELDS: [&'static str; 6] = [
        "encrypted_comment_regex",
        "encrypted_regex",
        "encrypted_suffix",
        "unencrypted_comment_regex",
        "unencrypted_regex",
        "unencrypted_suffix",
    ];

    /// The selector of a field; `None` if there is no such field or its text is empty, which sets
    /// nothing.
    pub fn of_field(field: &str, text: String) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        Some(match field {
            "encrypted_comment_regex" => Self::EncryptedCommentRegex(text),
            "encrypted_regex" => Self::EncryptedRegex(text),
            "encrypted_suffix" => Self::EncryptedSuffix(text),
            "unencrypted_comment_regex" => Self::UnencryptedCommentRegex(text),
            "unencrypted_regex" => Self::UnencryptedRegex(text),
            "unencrypted_suffix" => Self::UnencryptedSuffix(text),
            _ => return None,
        })
    }

    /// The name of its field in the metadata and in rules.
    pub fn field(&self) -> &'static str {
        match self {
            Self::EncryptedCommentRegex(_) => "encrypted_comment_regex",
            Self::EncryptedRegex(_) => "encrypted_regex",
            Self::EncryptedSuffix(_) => "encrypted_suffix",
            Self::UnencryptedCommentRegex(_) => "unencrypted_comment_regex",
            Self::UnencryptedRegex(_) => "unencrypted_regex",
            Self::UnencryptedSuffix(_) => "unencrypted_suffix",
        }
    }

    /// The suffix or regular expression.
    pub fn text(&self) -> &str {
        match self {
            Self::EncryptedCommentRegex(text)
            | Self::EncryptedRegex(text)
            | Self::EncryptedSuffix(text)
            | Self::UnencryptedCommentRegex(text)
            | Self::UnencryptedRegex(text)
            | Self::UnencryptedSuffix(text) => text,
        }
    }
}
