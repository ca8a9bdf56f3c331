//! `sops encrypt`

use signet_documents::sops::FileFormat;
use signet_keys::sops::LastModified;

use crate::files::Input;
use crate::secrets::{
    Layout, PlainFile, Recipients, RuleSource, ServiceOptions, Services, encrypt as seal, output,
};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{FILENAME_OVERRIDE, MAC_ONLY_ENCRYPTED, VERBOSE};
use super::super::log;
use super::super::options::{self, Place};
use super::super::parser::Arguments;
use super::super::refusals::{refuse, refuse_plain};
use super::super::result;

#[derive(Debug)]
struct Encrypt {
    place: Place,
    input: FileFormat,
    output: FileFormat,
    layout: Layout,
    services: ServiceOptions,
    verbose: bool,
}

/// Runs `sops encrypt`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let place = Place::with_stdin(arguments, context)?;
    if place.file.is_none() && arguments.flags.text(&FILENAME_OVERRIDE).is_none() {
        return Err(fail(
            codes::CONFLICT,
            "Error: must specify --filename-override when reading from stdin",
        ));
    }
    encrypt(arguments, place.existing()?, context)
}

/// Encrypts what was found to be there.
pub(super) fn encrypt(
    arguments: &Arguments,
    place: Place,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let (input, output) = options::formats(&arguments.flags, &place.name);
    let recipients = recipients(arguments, &place.name, context)?;
    Encrypt {
        place,
        input,
        output,
        layout: options::layout(arguments)?,
        services: options::services(&arguments.flags),
        verbose: arguments.flags.is_on(&VERBOSE),
    }
    .run(&recipients, context)
}

impl Encrypt {
    fn run(self, recipients: &Recipients, context: &mut Context) -> Result<ExitStatus, Failure> {
        let source = self.place.file.clone().map_or(Input::Stdin, Input::File);
        let plain = PlainFile::open(&source, self.input, &mut context.ui).map_err(refuse_plain)?;
        let services = Services::open(&self.services, context).map_err(refuse)?;
        let now = LastModified::from(context.env.now());
        let encrypted = seal(&plain, recipients, &services, &now);
        if self.verbose {
            log::keys(&services, context);
        }
        let encrypted = encrypted.map_err(refuse)?;
        result::warn(&encrypted.warnings, context);
        let bytes = output::encrypted(encrypted.bytes, self.input, self.output, self.layout)
            .map_err(refuse)?;
        result::write(self.place.output.as_deref(), &bytes, context)
    }
}

/// For whom a new file is encrypted: keys of the command line and the environment replace those of
/// the rules, which must have a rule for the file all the same.
pub(super) fn recipients(
    arguments: &Arguments,
    name: &std::path::Path,
    context: &Context,
) -> Result<Recipients, Failure> {
    let source = options::rules(arguments, &context.env);
    let rule = source.creation(name).map_err(refuse)?.map(Recipients::from);
    let keys = options::keys(&arguments.flags)?;
    choose(arguments, rule, keys, &source)
}

fn choose(
    arguments: &Arguments,
    rule: Option<Recipients>,
    keys: Vec<signet_keys::sops::MasterKey>,
    source: &RuleSource,
) -> Result<Recipients, Failure> {
    let by_rule = rule.is_some();
    let mut recipients = rule.unwrap_or_default();
    if !keys.is_empty() {
        recipients.groups = vec![keys];
    } else if !by_rule {
        return Err(refuse(source.no_recipients()));
    }
    let flags = &arguments.flags;
    recipients.threshold = options::threshold(flags).or(recipients.threshold);
    match (options::selector(flags)?, &recipients.selector) {
        (Some(given), Some(of_rule)) if given.field() != of_rule.field() => {
            return Err(options::two_selectors());
        }
        (Some(given), _) => recipients.selector = Some(given),
        (None, _) => {}
    }
    recipients.mac_only_encrypted |= arguments.program.is_on(&MAC_ONLY_ENCRYPTED);
    Ok(recipients)
}
