//! `sops decrypt`

use signet_documents::sops::tree::parse_path;
use signet_documents::sops::{Decrypted, FileFormat, MacCheck};
use signet_keys::sops::Cipher;
use signet_keys::sops::master_key::DecryptionOrder;

use crate::files::Input;
use crate::secrets::{Layout, SecretFile, ServiceOptions, Services, output};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{EXTRACT, IGNORE_MAC, VERBOSE};
use super::super::log;
use super::super::options::{self, Place};
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;

/// Everything that a file is decrypted with.
#[derive(Debug)]
pub(super) struct Unlocking {
    pub(super) services: ServiceOptions,
    pub(super) order: DecryptionOrder,
    pub(super) check: MacCheck,
    pub(super) verbose: bool,
}

impl Unlocking {
    pub(super) fn read(arguments: &Arguments) -> Result<Self, Failure> {
        let flags = &arguments.flags;
        Ok(Self {
            services: options::services(flags),
            order: options::order(flags)?,
            check: if flags.is_on(&IGNORE_MAC) {
                MacCheck::DangerIgnore
            } else {
                MacCheck::Verify
            },
            verbose: flags.is_on(&VERBOSE),
        })
    }

    /// Asks for the data key of a file.
    pub(super) fn unlock(
        &self,
        secret: &SecretFile,
        services: &Services,
        context: &mut Context,
    ) -> Result<Cipher, Failure> {
        let cipher = secret.unlock(services, &self.order);
        if self.verbose {
            log::keys(services, context);
        }
        let cipher = cipher.map_err(refuse)?;
        if self.verbose {
            log::decrypting(context);
        }
        Ok(cipher)
    }

    /// Reads a file, and asks for its data key.
    fn read_and_unlock(
        &self,
        source: &Input,
        format: FileFormat,
        context: &mut Context,
    ) -> Result<(SecretFile, Services, Cipher), Failure> {
        let secret = SecretFile::open(source, format, &mut context.ui).map_err(refuse)?;
        let services = Services::open(&self.services, context).map_err(refuse)?;
        let cipher = self.unlock(&secret, &services, context)?;
        Ok((secret, services, cipher))
    }

    /// Opens a file, and proves it as far as that is asked for.
    pub(super) fn open(
        &self,
        source: &Input,
        format: FileFormat,
        context: &mut Context,
    ) -> Result<Unlocked, Failure> {
        let (secret, services, cipher) = self.read_and_unlock(source, format, context)?;
        let decrypted = secret.decrypt(&cipher, self.check).map_err(refuse)?;
        Ok(Unlocked {
            secret,
            services,
            cipher,
            decrypted,
        })
    }
}

/// A file that was opened, and what opened it.
pub(super) struct Unlocked {
    pub(super) secret: SecretFile,
    pub(super) services: Services,
    pub(super) cipher: Cipher,
    pub(super) decrypted: Decrypted,
}

#[derive(Debug)]
struct Decrypt {
    place: Place,
    input: FileFormat,
    output: FileFormat,
    layout: Layout,
    extract: Option<String>,
    unlocking: Unlocking,
}

/// Runs `sops decrypt`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let place = Place::with_stdin(arguments, context)?.existing()?;
    decrypt(arguments, place, context)
}

/// Decrypts what was found to be there.
pub(super) fn decrypt(
    arguments: &Arguments,
    place: Place,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let (input, output) = options::formats(&arguments.flags, &place.name);
    Decrypt {
        place,
        input,
        output,
        layout: options::layout(arguments)?,
        extract: arguments.flags.text(&EXTRACT).map(str::to_owned),
        unlocking: Unlocking::read(arguments)?,
    }
    .run(arguments, context)
}

impl Decrypt {
    fn run(self, arguments: &Arguments, context: &mut Context) -> Result<ExitStatus, Failure> {
        // A rules file that is named and cannot be read is told, though nothing is taken from it.
        options::rules(arguments, &context.env)
            .load_if_there()
            .map_err(refuse)?;
        let path = match &self.extract {
            Some(text) => parse_path(text).map_err(|error| {
                fail(
                    codes::BAD_PATH,
                    format!("error parsing --extract path: {error}"),
                )
            })?,
            None => Vec::new(),
        };
        let source = self.place.file.clone().map_or(Input::Stdin, Input::File);
        let (secret, _, cipher) = self
            .unlocking
            .read_and_unlock(&source, self.input, context)?;
        let check = self.unlocking.check;
        let is_own_text = output::is_own_text(self.input, self.output, self.layout);
        let text = if path.is_empty() && is_own_text {
            let (text, warnings) = secret.decrypt_text(&cipher, check).map_err(refuse)?;
            result::warn(&warnings, context);
            text
        } else {
            let decrypted = secret.decrypt(&cipher, check).map_err(refuse)?;
            result::warn(&decrypted.warnings, context);
            if self.unlocking.verbose && !path.is_empty() {
                log::truncating(&path, context);
            }
            let text = if path.is_empty() {
                output::decrypted(decrypted, self.input, self.output, self.layout)
            } else {
                output::part(&decrypted.tree, &path, self.output, self.layout)
            };
            text.map_err(refuse)?
        };
        result::write(self.place.output.as_deref(), text.expose(), context)
    }
}
