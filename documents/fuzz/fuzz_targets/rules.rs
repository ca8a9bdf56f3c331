//! Any text is rules or refused, and the rules answer for any path.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::rules::{PathStyle, RulePath, Rules};

fuzz_target!(|input: (&str, &str)| {
    let (text, path) = input;
    let Ok(rules) = Rules::parse(text) else { return };
    let path = RulePath::new("/repo", path, PathStyle::Windows);
    let _ = rules.creation_rule(&path);
    let _ = rules.destination_rule(path.as_str());
    rules.warnings().iter().for_each(|warning| drop(warning.to_string()));
    rules.problems().for_each(|problem| drop((problem.to_string(), problem.hint())));
});
