//! What Kubernetes takes as a name: checked when something is sealed for it, as the API server would
//! say so only after the commit.

use crate::Hint;

/// Longest name of an object and of an item.
const LONGEST: usize = 253;
/// Longest name of a namespace.
const LONGEST_NAMESPACE: usize = 63;

/// Which rule a name breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// A Secret's item. It is not repeated: it may be a value that was typed in the wrong place.
    #[error("an item's name has letters, digits, `-`, `_` and `.`, at most {LONGEST}")]
    Item,
    /// An object.
    #[error(
        "`{0}` is no name of a Secret: that has a-z, 0-9, `-` and `.`, at most {LONGEST}, and begins \
         and ends with a letter or digit, as does each part between dots"
    )]
    Object(String),
    /// A namespace.
    #[error(
        "`{0}` is no name of a namespace: that has a-z, 0-9 and `-`, at most {LONGEST_NAMESPACE}, and \
         begins and ends with a letter or digit"
    )]
    Namespace(String),
}

impl Hint for NameError {}

/// Refuses what cannot be the key of a Secret's item.
pub fn item(text: &str) -> Result<(), NameError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = !text.is_empty() && text.len() <= LONGEST && text.chars().all(plain);
    if !fits || text == "." || text.starts_with("..") {
        return Err(NameError::Item);
    }
    Ok(())
}

/// Refuses what cannot be the name of a Secret.
pub fn object(text: &str) -> Result<(), NameError> {
    if text.len() <= LONGEST && text.split('.').all(is_label) {
        return Ok(());
    }
    Err(NameError::Object(text.to_owned()))
}

/// Refuses what cannot be the name of a namespace.
pub fn namespace(text: &str) -> Result<(), NameError> {
    if text.len() <= LONGEST_NAMESPACE && is_label(text) {
        return Ok(());
    }
    Err(NameError::Namespace(text.to_owned()))
}

fn is_label(text: &str) -> bool {
    let end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let plain = |c: char| end(c) || c == '-';
    text.starts_with(end) && text.ends_with(end) && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_items_name_is_what_the_api_server_takes() {
        for good in ["password", "tls.crt", "A_b-c.9", ".dockerconfigjson"] {
            assert!(item(good).is_ok(), "{good}");
        }
        for bad in ["", "a/b", "a b", ".", "..", "..a", "é", &"a".repeat(254)] {
            assert!(item(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_objects_and_namespaces_are_what_the_api_server_takes() {
        for good in ["db", "db-1.main", "0", &"a".repeat(63)] {
            assert!(object(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "Db",
            "a_b",
            "-a",
            "a-",
            "a..b",
            ".a",
            "a.-b",
            &"a".repeat(254),
        ] {
            assert!(object(bad).is_err(), "{bad}");
        }
        assert!(namespace("team-a").is_ok());
        for bad in ["", "team.a", "Team", &"a".repeat(64)] {
            assert!(namespace(bad).is_err(), "{bad}");
        }
    }
}
