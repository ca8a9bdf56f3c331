//! Paths into JSON in the language of `github.com/tidwall/gjson`, which `property` fields are written in.
//!
//! ```text
//! db.hosts.0            by keys and positions; `\.` is a dot of a key, `*` and `?` match
//! users.#               how many; `users.#.name` the names of all
//! users.#(age>=18).name the first that fits; `#(…)#` all of them; `==`, `!=`, `<`, `<=`, `>`, `>=`, `%`, `!%`
//! users|@reverse|0      what is left of `|` is all that the rest sees; `@…` changes it
//! {user,"p":password}   an object, or with `[…]` an array, of several paths; `!"text"` is itself
//! ```
//!
//! What gjson reads in broken JSON depends on how it skips; here the text must be JSON. Numbers keep
//! their text. A path cannot cost more than a fixed amount of work.

mod budget;
mod find;
mod json;
mod modifier;
mod multipath;
mod path;
mod pretty;
mod query;
mod raw;
mod wildcard;

use zeroize::Zeroizing;

use budget::Budget;
pub(super) use json::{Elements, Members, is_valid, object, plain, quote, quote_plain, text};

/// What a path leads to. It may be a secret, and is wiped from memory when dropped.
pub(super) struct Found(Zeroizing<String>);

/// Why a path cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GetError {
    /// The text is not JSON.
    NotJson,
    /// There is nothing.
    Missing,
    /// It would be too much work: the path is too long, too deep, or makes copies of copies.
    TooMuch,
}

/// Longest path, in bytes.
const LONGEST_PATH: usize = 16 << 10;

/// Follows a path.
pub(super) fn get(json: &str, path: &str) -> Result<Found, GetError> {
    if path.len() > LONGEST_PATH {
        return Err(GetError::TooMuch);
    }
    let valid = if path.starts_with("..") {
        json::are_valid(json)
    } else {
        json::is_valid(json)
    };
    if !valid {
        return Err(GetError::NotJson);
    }
    let found = find::get(json, path, &Budget::new())?;
    if !found.exists() {
        return Err(GetError::Missing);
    }
    Ok(Found(found.into_text()))
}

impl Found {
    #[cfg(test)]
    /// The JSON of it.
    pub(super) fn raw(&self) -> &str {
        &self.0
    }

    /// As it stands in a Secret: a string without its quotes, nothing for `null`, else the JSON.
    pub(super) fn text(&self) -> Zeroizing<String> {
        json::plain(&self.0)
    }
}

#[cfg(test)]
mod tests;
