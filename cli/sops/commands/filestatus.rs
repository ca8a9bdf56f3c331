//! `sops filestatus`

use signet_documents::sops::{File, FileFormat};

use crate::files;
use crate::{Context, ExitStatus, Failure};

use super::super::codes;
use super::super::flags::INPUT_TYPE;
use super::super::log::{self, Level};
use super::super::options;
use super::super::parser::Arguments;
use super::super::refusals::refuse;

/// Runs `sops filestatus`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let name = options::named_file(arguments, context)?;
    let format = arguments.flags.text(&INPUT_TYPE);
    let format = format.and_then(|word| word.parse().ok());
    let format = format.unwrap_or_else(|| FileFormat::of_name(&name));
    match is_encrypted(&name, format) {
        Ok(encrypted) => {
            let told = format!("{{\"encrypted\":{encrypted}}}\n");
            context.ui.data(told.as_bytes())?;
            Ok(ExitStatus::Success)
        }
        Err(failure) => {
            let told = format!(
                "cannot check file status: cannot load encrypted file: {}",
                failure.message
            );
            log::write(context, Level::Fatal, &told);
            Ok(ExitStatus::Code(codes::GENERIC))
        }
    }
}

/// Metadata alone is not enough: it must say by which version and with which checksum.
fn is_encrypted(name: &str, format: FileFormat) -> Result<bool, Failure> {
    let bytes = files::read(name.as_ref()).map_err(refuse)?;
    let file = File::parse(format, &bytes).map_err(|error| Failure::new(error.to_string()))?;
    let metadata = file
        .metadata()
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(metadata.is_some_and(|metadata| !metadata.version.is_empty() && metadata.mac.is_some()))
}
