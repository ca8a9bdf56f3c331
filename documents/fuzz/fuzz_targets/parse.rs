//! Any bytes are read or refused, and what is read can be converted and written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::{emit::kubernetes_yaml, source::decode, value::to_json, yaml::Stream};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes) else { return };
    let Ok(stream) = Stream::parse(text.as_str()) else { return };
    for document in stream.documents() {
        if let Some(Ok(value)) = document.root().map(to_json) {
            kubernetes_yaml(&value);
        }
    }
});
