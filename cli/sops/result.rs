//! Where a result goes, and what is told beside it.

use std::path::Path;

use signet_documents::sops::Warning;
use signet_documents::sops::readers::KeyDiff;

use crate::secrets::SecretFile;
use crate::{Context, ExitStatus, Failure, files};

use super::log;
use super::refusals::refuse;

/// Writes a result to a file, or to standard output.
pub(super) fn write(
    output: Option<&Path>,
    bytes: &[u8],
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    match output {
        Some(path) => files::write(path, bytes).map_err(refuse)?,
        None => context.ui.data(bytes)?,
    }
    Ok(ExitStatus::Success)
}

/// Writes a changed file back, unless someone else changed it meanwhile.
pub(super) fn rewrite(
    path: &Path,
    secret: &SecretFile,
    bytes: &[u8],
) -> Result<ExitStatus, Failure> {
    files::rewrite(path, &secret.bytes, bytes).map_err(refuse)?;
    Ok(ExitStatus::Success)
}

/// Tells what the user should know.
pub(super) fn warn(warnings: &[Warning], context: &mut Context) {
    for warning in warnings {
        log::warn(context, &warning.to_string());
    }
}

/// How the keys of groups differ, as the peer shows it.
pub(super) fn difference(change: &KeyDiff) -> String {
    let mut lines = Vec::new();
    for (index, group) in change.groups.iter().enumerate() {
        lines.push(format!("Group {}\n", index + 1));
        let kinds = [
            ("   ", &group.common),
            ("+++", &group.added),
            ("---", &group.removed),
        ];
        for (sign, keys) in kinds {
            lines.extend(keys.iter().map(|key| format!("{sign} {key}\n")));
        }
    }
    lines.concat()
}
