//! `sops set`

use std::path::Path;

use serde_json::Value;
use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::tree::{PathPart, parse_path};
use signet_documents::sops::{Encrypted, FileFormat};
use signet_keys::sops::LastModified;

use crate::files::{self, Input};
use crate::paths::absolute;
use crate::secrets::{
    ChangeError, Layout, PlainFile, SecretFile, Services, encrypt_under, exposure, newer, output,
    set,
};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{IDEMPOTENT, VALUE_FILE, VALUE_STDIN};
use super::super::log;
use super::super::options::{self, Place};
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;
use super::decrypt::Unlocking;

/// A part of a file and its new value.
pub(super) struct Change {
    path: Vec<PathPart>,
    value: Value,
}

impl Change {
    /// Reads a path and JSON. The value is not repeated in the errors.
    pub(super) fn parse(path: &str, value: &[u8]) -> Result<Self, Failure> {
        let path =
            parse_path(path).map_err(|_| fail(codes::BAD_SET, "Invalid set index format"))?;
        let value = serde_json::from_slice(value)
            .map_err(|_| fail(codes::BAD_SET, "Value for --set is not valid JSON"))?;
        Ok(Self { path, value })
    }
}

/// Runs `sops set`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let flags = &arguments.flags;
    let (by_file, by_stdin) = (flags.is_on(&VALUE_FILE), flags.is_on(&VALUE_STDIN));
    if by_file && by_stdin {
        return Err(fail(
            codes::GENERIC,
            "Error: cannot use both --value-file and --value-stdin",
        ));
    }
    let (file, path, value) = match (arguments.words.as_slice(), by_stdin) {
        ([file, path], true) => (file, path, None),
        ([file, path, value], false) => (file, path, Some(value)),
        (_, true) => {
            return Err(fail(
                codes::NO_FILE,
                "Error: file specified, or index and value are missing. Need precisely 2 positional \
                 arguments since --value-stdin is used.",
            ));
        }
        (_, false) => {
            return Err(fail(
                codes::NO_FILE,
                "Error: no file specified, or index and value are missing. Need precisely 3 \
                 positional arguments.",
            ));
        }
    };
    let place = in_place(file, context);
    let (input, output) = options::formats(flags, &place.name);
    let unlocking = Unlocking::read(arguments)?;
    let secret = open(&place, input, context)?;
    let value = match value {
        None => context.ui.read_stdin().map_err(|error| {
            fail(
                codes::GENERIC,
                format!("cannot read standard input: {error}"),
            )
        })?,
        Some(name) if by_file => files::read(Path::new(name))
            .map_err(|error| fail(codes::GENERIC, crate::error::chain(&error)))?,
        Some(value) => value.clone().into_bytes().into(),
    };
    let change = Change::parse(path, &value)?;
    let changed = self::change(&secret, &change, &unlocking, context)?;
    match changed {
        None if flags.is_on(&IDEMPOTENT) => Ok(ExitStatus::Success),
        changed => {
            let layout = options::layout(arguments)?;
            let written = write(&place, &secret, changed, output, layout, context)?;
            if let Some(told) = exposure::of(&secret.metadata, &change.path) {
                log::warn(context, &told);
            }
            Ok(written)
        }
    }
}

/// The place of a file that is always changed where it is.
pub(super) fn in_place(file: &str, context: &Context) -> Place {
    let path = absolute(&context.env, file);
    Place {
        output: Some(path.clone()),
        name: path.clone(),
        file: Some(path),
    }
}

/// Reads the file.
pub(super) fn open(
    place: &Place,
    format: FileFormat,
    context: &mut Context,
) -> Result<SecretFile, Failure> {
    let source = place.file.clone().map_or(Input::Stdin, Input::File);
    SecretFile::open(&source, format, &mut context.ui).map_err(refuse)
}

/// The file with the change, encrypted; nothing if it has that value already.
pub(super) fn change(
    secret: &SecretFile,
    change: &Change,
    unlocking: &Unlocking,
    context: &mut Context,
) -> Result<Option<Encrypted>, Failure> {
    edit(secret, unlocking, context, |decrypted| {
        set(secret, decrypted, &change.path, &change.value)
    })
}

/// Decrypts a file, lets it be changed, and encrypts it again; nothing if there is no change.
pub(super) fn edit(
    secret: &SecretFile,
    unlocking: &Unlocking,
    context: &mut Context,
    edit: impl FnOnce(&mut signet_documents::sops::Decrypted) -> Result<Option<PlainFile>, ChangeError>,
) -> Result<Option<Encrypted>, Failure> {
    let services = Services::open(&unlocking.services, context).map_err(refuse)?;
    let cipher = unlocking.unlock(secret, &services, context)?;
    let mut decrypted = secret.decrypt(&cipher, unlocking.check).map_err(refuse)?;
    let Some(plain) = edit(&mut decrypted).map_err(refuse)? else {
        return Ok(None);
    };
    let metadata = Metadata {
        version: newer(&secret.metadata.version),
        ..secret.metadata.clone()
    };
    let now = LastModified::from(context.env.now());
    let kept = Some(&mut decrypted.kept);
    let encrypted = encrypt_under(&plain, &metadata, &cipher, kept, &now).map_err(refuse)?;
    result::warn(&encrypted.warnings, context);
    Ok(Some(encrypted))
}

/// Writes the changed file back; one that has not changed stays as it is.
pub(super) fn write(
    place: &Place,
    secret: &SecretFile,
    changed: Option<Encrypted>,
    format: FileFormat,
    layout: Layout,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let input = secret.file.format();
    let bytes = match changed {
        Some(changed) => changed.bytes,
        None if format == input => return Ok(ExitStatus::Success),
        None => secret.bytes.to_vec(),
    };
    let bytes = output::encrypted(bytes, input, format, layout).map_err(refuse)?;
    match &place.output {
        Some(path) => result::rewrite(path, secret, &bytes),
        None => result::write(None, &bytes, context),
    }
}
