//! `sops` without a command: what it did before it had any.

use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{DECRYPT, ENCRYPT, IN_PLACE, ROTATE, SET, VERBOSE};
use super::super::log::{self, Level};
use super::super::options::{self, Place};
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::{decrypt, edit, encrypt, rotate, set};

/// What is done with the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Decrypt,
    Edit,
    Encrypt,
    Rotate,
    Set,
}

/// Runs `sops FILE`, `sops -d FILE` and the like.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let place = Place::of_file(arguments, context)?;
    let mode = mode(arguments, context);
    let writes = arguments.flags.is_on(&IN_PLACE) || matches!(mode, Mode::Edit | Mode::Set);
    let status = work(mode, arguments, place, context)?;
    if writes && arguments.flags.is_on(&VERBOSE) {
        log::write(context, Level::Info, "File written successfully");
    }
    Ok(status)
}

fn work(
    mode: Mode,
    arguments: &Arguments,
    place: Place,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    if matches!(mode, Mode::Decrypt | Mode::Encrypt) {
        let place = place.existing()?;
        return match mode {
            Mode::Decrypt => decrypt::decrypt(arguments, place, context),
            _ => encrypt::encrypt(arguments, place, context),
        };
    }
    // Where there are rules, all but decryption wants one for the file, though it takes nothing from it.
    options::rules(arguments, &context.env)
        .creation(&place.name)
        .map_err(refuse)?;
    match mode {
        Mode::Rotate => rotate::rotate(arguments, place.existing()?, context),
        Mode::Set => set_part(arguments, place, context),
        _ => edit::edit(arguments, place, context),
    }
}

/// The last of those that were given counts, in this order.
fn mode(arguments: &Arguments, context: &mut Context) -> Mode {
    let flags = &arguments.flags;
    let given = [
        (flags.is_on(&ENCRYPT), Mode::Encrypt),
        (flags.is_on(&DECRYPT), Mode::Decrypt),
        (flags.is_on(&ROTATE), Mode::Rotate),
        (flags.text(&SET).is_some(), Mode::Set),
    ];
    let given: Vec<_> = given.iter().filter(|(given, _)| *given).collect();
    if given.len() > 1 {
        log::warn(
            context,
            "More than one command (--encrypt, --decrypt, --rotate, --set) has been specified. Only \
             the changes made by the last one will be visible. Note that this behavior is deprecated \
             and will cause an error eventually.",
        );
    }
    given.last().map_or(Mode::Edit, |(_, mode)| *mode)
}

/// `--set '["path"] value'`
fn set_part(
    arguments: &Arguments,
    place: Place,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let text = arguments.flags.text(&SET).unwrap_or_default();
    let (path, value) = text
        .split_once("] ")
        .ok_or_else(|| fail(codes::BAD_SET, "Invalid --set format"))?;
    let change = set::Change::parse(&format!("{path}]"), value.as_bytes())?;
    let mut place = place.existing()?;
    place.output.clone_from(&place.file);
    let (input, output) = options::formats(&arguments.flags, &place.name);
    let unlocking = decrypt::Unlocking::read(arguments)?;
    let secret = set::open(&place, input, context)?;
    let changed = set::change(&secret, &change, &unlocking, context)?;
    let layout = options::layout(arguments)?;
    set::write(&place, &secret, changed, output, layout, context)
}
