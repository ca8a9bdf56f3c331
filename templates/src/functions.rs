//! The functions that templates call, by name.
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "a function owns its arguments and may fail: that is how it is called"
)]

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::signature::Function;

mod builtin;
mod cast;
mod crypto;
pub(crate) mod dates;
mod dicts;
mod encoding;
mod flow;
mod json;
mod lists;
mod math;
pub(crate) mod methods;
mod passwords;
mod paths;
mod random;
mod regular;
mod semver;
mod strings;
mod types;
mod url;
mod yaml;

/// The names of `and` and `or`, which evaluate no more operands than they need: the one thing that a
/// function cannot do for itself.
pub(crate) const AND: &str = "and";
pub(crate) const OR: &str = "or";

type Table = Vec<(&'static str, Function)>;

/// Whether there is a function of that name.
pub(crate) fn exists(name: &str) -> bool {
    name == AND || name == OR || find(name).is_some()
}

pub(crate) fn find(name: &str) -> Option<&'static Function> {
    functions().get(name)
}

fn functions() -> &'static HashMap<&'static str, Function> {
    static FUNCTIONS: OnceLock<HashMap<&'static str, Function>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        // Sprig's functions come later and win over those of the language: `slice`.
        let tables = [
            builtin::table,
            crypto::table,
            dates::table,
            dicts::table,
            encoding::table,
            flow::table,
            json::table,
            lists::table,
            math::table,
            passwords::table,
            paths::table,
            random::table,
            regular::table,
            semver::table,
            strings::table,
            types::table,
            url::table,
            yaml::table,
        ];
        tables
            .into_iter()
            .flat_map(|table: fn() -> Table| table())
            .collect()
    })
}

/// The names of all functions, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = functions().keys().copied().chain([AND, OR]).collect();
    names.sort_unstable();
    names
}
