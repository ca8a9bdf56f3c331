//! An edit of any document gives text that is read, with the value where it was put.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use signet_documents::{edit::Editor, value::to_json, yaml::Stream};

fuzz_target!(|text: &str| {
    let Ok(stream) = Stream::parse(text) else { return };
    let Some(document) = stream.documents().first() else { return };
    let Some(root) = document.root().filter(|root| to_json(*root).is_ok()) else { return };
    let mut editor = Editor::new(document);
    if editor.set(root, &["a", "b"], &Value::from("x")).is_err() {
        return;
    }
    let new = editor.apply().expect("one edit does not overlap");
    let stream = Stream::parse(&new).expect("an edited document can be read");
    let root = stream.documents()[0].root().expect("it has the entry");
    let value = to_json(root).expect("it has a value as before");
    assert_eq!(value["a"]["b"], "x");
});
