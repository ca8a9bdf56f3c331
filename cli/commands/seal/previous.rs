//! What stands in the file that `--output` replaces: the ciphertexts that an unchanged item can keep,
//! and what the new text no longer has.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use signet_keys::sealed::Label;

use super::lost::lost;
use crate::files::{self, Input, ReadError};
use crate::manifest::{Manifest, ManifestError};
use crate::{Hint, sealed};

/// Ciphertexts by what they are bound to and the name of their item.
#[derive(Debug, Default)]
pub(super) struct Previous {
    items: HashMap<Vec<u8>, BTreeMap<String, String>>,
    manifest: Option<Manifest>,
}

/// Why a file is not replaced.
#[derive(Debug, thiserror::Error)]
pub(super) enum PreviousError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("`{path}` is there already and holds no SealedSecret; it was not replaced")]
    NotSealed { path: String },
    #[error("{0}; it was not replaced")]
    Malformed(ManifestError),
}

impl Hint for PreviousError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Read(error) => error.hint(),
            Self::NotSealed { .. } | Self::Malformed(_) => Some(
                "`--output` replaces sealed files alone: name another file, or remove that one first"
                    .to_owned(),
            ),
        }
    }
}

impl Previous {
    /// The `SealedSecrets` of a file. One that cannot be read is as good as none: its items are sealed
    /// anew.
    pub(super) fn read(
        path: &Path,
        inputs: &[Manifest],
        namespace: Option<&str>,
    ) -> Result<Self, PreviousError> {
        let input = Input::File(path.to_owned());
        let bytes = files::read(path)?;
        if bytes.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        let manifest = Manifest::parse(&input, bytes).map_err(PreviousError::Malformed)?;
        let is_input = || inputs.iter().any(|it| it.input == input);
        if !manifest.resources().any(|it| sealed::is_sealed(&it)) && !is_input() {
            let path = path.display().to_string();
            return Err(PreviousError::NotSealed { path });
        }
        let items = sealed::all(&manifest).flatten().filter_map(|sealed| {
            let label = sealed.label(namespace).ok()?;
            // The label of wider scopes does not tell objects apart; their names do.
            let key = key(&label, sealed.name());
            Some((key, sealed.object.spec.encrypted_data))
        });
        let items = items.collect();
        let manifest = Some(manifest);
        Ok(Self { items, manifest })
    }

    /// The ciphertext of an item.
    pub(super) fn item(&self, label: &Label, name: &str, item: &str) -> Option<&str> {
        let items = self.items.get(&key(label, name))?;
        items.get(item).map(String::as_str)
    }

    /// What the file holds and its new text does not, in words; nothing when nothing goes.
    pub(super) fn lost(&self, new: &[u8]) -> Option<String> {
        let old = self.manifest.as_ref()?;
        let new = Manifest::parse(&old.input, new.to_vec().into()).ok()?;
        let lost = lost(old, &new);
        let file = &old.input;
        (!lost.is_empty()).then(|| {
            format!(
                "what `{file}` held and the input does not have is gone: {} (`--into {file}` would \
                 leave it there)",
                lost.join(", ")
            )
        })
    }
}

fn key(label: &Label, name: &str) -> Vec<u8> {
    // Neither part can hold a NUL.
    [label.as_bytes(), b"\0", name.as_bytes()].concat()
}
