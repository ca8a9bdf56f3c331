//! `sops rotate`

use signet_documents::sops::FileFormat;
use signet_keys::sops::{LastModified, MasterKey};

use crate::files::Input;
use crate::secrets::{Layout, change_keys, keys_of, output, rotate as renew};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::log;
use super::super::options::{self, Place};
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;
use super::decrypt::{Unlocked, Unlocking};

#[derive(Debug)]
struct Rotate {
    place: Place,
    input: FileFormat,
    output: FileFormat,
    layout: Layout,
    add: Vec<MasterKey>,
    remove: Vec<MasterKey>,
    unlocking: Unlocking,
}

/// Runs `sops rotate`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let place = Place::of_file(arguments, context)?;
    let (add, remove) = options::changes(&arguments.flags)?;
    if let Some(file) = place.file.as_ref().filter(|file| !file.exists())
        && !(add.is_empty() && remove.is_empty())
    {
        return Err(fail(
            codes::NO_FILE_FOR_KEYS,
            format!(
                "Error: cannot add or remove keys on non-existent file {:?}, use the `edit` \
                 subcommand instead.",
                file.display().to_string()
            ),
        ));
    }
    rotate(arguments, place, context)
}

/// Rotates what was found to be there.
pub(super) fn rotate(
    arguments: &Arguments,
    place: Place,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let (input, output) = options::formats(&arguments.flags, &place.name);
    let (add, remove) = options::changes(&arguments.flags)?;
    Rotate {
        place,
        input,
        output,
        layout: options::layout(arguments)?,
        add,
        remove,
        unlocking: Unlocking::read(arguments)?,
    }
    .run(context)
}

impl Rotate {
    fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let source = self.place.file.clone().map_or(Input::Stdin, Input::File);
        let Unlocked {
            secret,
            services,
            decrypted,
            ..
        } = self.unlocking.open(&source, self.input, context)?;
        let mut groups = keys_of(&secret.metadata);
        change_keys(&mut groups, &self.add, &self.remove);
        if groups.iter().any(Vec::is_empty) {
            return Err(fail(codes::GENERIC, empty_group(&groups)));
        }
        let now = LastModified::from(context.env.now());
        let rotated = renew(&secret, &decrypted, &groups, &services, &now);
        if self.unlocking.verbose {
            log::keys(&services, context);
        }
        let rotated = rotated.map_err(refuse)?;
        result::warn(&rotated.warnings, context);
        let bytes = output::encrypted(rotated.bytes, self.input, self.output, self.layout)
            .map_err(refuse)?;
        result::write(self.place.output.as_deref(), &bytes, context)
    }
}

/// In the peer's words, which name the group where there are several.
pub(super) fn empty_group(groups: &[Vec<MasterKey>]) -> String {
    if groups.len() == 1 {
        return "Could not generate data key: [empty key group provided]".to_owned();
    }
    let index = groups.iter().position(Vec::is_empty).unwrap_or_default();
    format!("Could not generate data key: [key group {index} is empty]")
}
