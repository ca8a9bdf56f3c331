//! Any pattern is compiled or refused, and a quoted one matches itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::go_regex::GoRegex;

fuzz_target!(|input: (&str, &str)| {
    let (pattern, text) = input;
    if let Ok(regex) = GoRegex::new(pattern) {
        regex.is_match(text);
    }
    if !text.contains('\\') && let Ok(regex) = GoRegex::new(&format!(r"^\Q{text}\E$")) {
        assert!(regex.is_match(text));
    }
});
