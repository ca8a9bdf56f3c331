//! `sops unset`

use signet_documents::sops::tree::parse_path;

use crate::secrets::{ChangeError, PartError, unset};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::IDEMPOTENT;
use super::super::options;
use super::super::parser::Arguments;
use super::decrypt::Unlocking;
use super::set::{edit, in_place, open, write};

/// Runs `sops unset`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let [file, path] = arguments.words.as_slice() else {
        return Err(fail(
            codes::NO_FILE,
            "Error: no file specified, or index is missing",
        ));
    };
    let flags = &arguments.flags;
    let place = in_place(file, context);
    let (input, output) = options::formats(flags, &place.name);
    let unlocking = Unlocking::read(arguments)?;
    let path = parse_path(path).map_err(|_| fail(codes::BAD_SET, "Invalid unset index format"))?;
    let secret = open(&place, input, context)?;
    let missing_is_fine = flags.is_on(&IDEMPOTENT);
    let changed = edit(&secret, &unlocking, context, |decrypted| {
        match unset(&secret, decrypted, &path) {
            Err(ChangeError::Part(PartError::MissingKey(_) | PartError::OutOfBounds(_)))
                if missing_is_fine =>
            {
                Ok(None)
            }
            done => done.map(Some),
        }
    })?;
    let layout = options::layout(arguments)?;
    write(&place, &secret, changed, output, layout, context)
}
