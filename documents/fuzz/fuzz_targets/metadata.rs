//! Any text is metadata or refused, and what is written is read as the same metadata.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::{
    sops::{
        metadata::{MetaTree, Metadata},
        readers::access,
        selector::Selector,
    },
    yaml::Stream,
};

fuzz_target!(|text: &str| {
    let Ok(stream) = Stream::parse(text) else { return };
    let Some(root) = stream.documents().first().and_then(|document| document.root()) else { return };
    let Ok(tree) = MetaTree::of_node(root) else { return };
    let Ok(metadata) = Metadata::read(&tree) else { return };
    access(&metadata, None);
    let _ = metadata.split();
    let _ = Selector::compile(&metadata.effective_selector());
    // One group without keys leaves no trace in a file.
    if metadata.keys().count() > 0 {
        assert_eq!(Metadata::read(&metadata.write()), Ok(metadata));
    }
});
