//! Any bytes are a SOPS file of a format or are refused: metadata, content and metadata written anew.
//! The way through encryption and back runs as a property test, `tests/sops_properties.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::sops::{File, FileFormat};

fuzz_target!(|bytes: &[u8]| {
    for format in FileFormat::ALL {
        let Ok(file) = File::parse(format, bytes) else { continue };
        let _ = file.tree();
        if let Ok(Some(metadata)) = file.metadata() {
            let _ = file.with_metadata(&metadata);
        }
    }
});
