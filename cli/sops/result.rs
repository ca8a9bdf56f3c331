//! Where a result goes, and what is told beside it.

use std::path::Path;

use signet_documents::sops::Warning;

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
