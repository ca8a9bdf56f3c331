//! Values that a file keeps in the clear.

use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::selector::{Selector, SelectorSpec};
use signet_documents::sops::tree::PathPart;

/// What to tell of a value that was put at a path and is not encrypted there: whoever set it may have
/// thought so. A key that ends in `_unencrypted`, where that is the sign, says it by itself.
pub fn of(metadata: &Metadata, path: &[PathPart]) -> Option<String> {
    let spec = metadata.effective_selector();
    let selector = Selector::compile(&spec).ok()?;
    let plain = !selector.encrypts_path(keys(path));
    let said = matches!(spec, SelectorSpec::UnencryptedSuffix(_));
    (plain && !said).then(|| {
        format!(
            "the value is stored in the clear: the file encrypts what `{}: {}` says",
            spec.field(),
            spec.text()
        )
    })
}

/// The keys on a path; items of a list are encrypted as the list is.
pub fn keys(path: &[PathPart]) -> impl Iterator<Item = &str> + Clone {
    path.iter().filter_map(|part| match part {
        PathPart::Key(key) => Some(key.as_str()),
        PathPart::Index(_) => None,
    })
}
