//! Any text is a dotenv or INI file or is refused; a value that is set reads back, and what one
//! dialect of dotenv writes it reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::{
    dotenv::{self, Dialect, Dotenv},
    ini::{self, Ini},
};

fuzz_target!(|text: &str| {
    if Dotenv::parse(text).is_ok() {
        let shell = Dialect::Quoted.of_sops(text);
        let _ = Dialect::Quoted.to_sops(&shell);
        dotenv::set(text, "key", "a\nb").expect("the key is a key and the text a file");
    }
    let _ = Dialect::Quoted.to_sops(text);
    let Ok(file) = Ini::parse(text) else { return };
    for section in &file.sections {
        for key in &section.keys {
            let value = key.value.text();
            if let Ok(changed) = ini::set(text, &section.name, &key.name, value) {
                let changed = Ini::parse(&changed).expect("what is set is a file");
                let read = changed
                    .section(&section.name)
                    .and_then(|found| found.key(&key.name));
                assert!(read.is_some());
            }
        }
    }
});
