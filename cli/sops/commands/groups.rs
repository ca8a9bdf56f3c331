//! `sops groups add`, `sops groups delete`

use signet_documents::sops::{FileFormat, MacCheck};
use signet_keys::sops::master_key::DecryptionOrder;
use signet_keys::sops::{Cipher, LastModified, MasterKey};

use crate::files::Input;
use crate::secrets::{SecretFile, ServiceOptions, Services, keys_of, rotate};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{GROUP_FILE, GROUP_IN_PLACE};
use super::super::log::{self, Level};
use super::super::options;
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;
use super::rotate::empty_group;

#[derive(Debug)]
struct Groups {
    file: String,
    in_place: bool,
    threshold: Option<usize>,
    services: ServiceOptions,
}

/// Runs `sops groups add`.
pub(in super::super) fn add(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let group = options::group(&arguments.flags)?;
    Groups::read(arguments).change(context, |groups| {
        groups.push(group);
        Ok(())
    })
}

/// Runs `sops groups delete`.
pub(in super::super) fn delete(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let [index] = arguments.words.as_slice() else {
        return Err(fail(
            codes::GENERIC,
            "error: exactly one positional argument (index) required",
        ));
    };
    let Ok(index) = index.parse::<usize>() else {
        let told = format!(
            "failed to parse [index] argument: strconv.ParseUint: parsing {index:?}: invalid syntax"
        );
        log::write(context, Level::Fatal, &told);
        return Ok(ExitStatus::Code(codes::GENERIC));
    };
    Groups::read(arguments).change(context, |groups| {
        if index >= groups.len() {
            return Err(fail(
                codes::READ,
                format!(
                    "there is no key group {index}: the file has {}",
                    groups.len()
                ),
            ));
        }
        groups.remove(index);
        Ok(())
    })
}

impl Groups {
    fn read(arguments: &Arguments) -> Self {
        let flags = &arguments.flags;
        Self {
            file: flags.text(&GROUP_FILE).unwrap_or_default().to_owned(),
            in_place: flags.is_on(&GROUP_IN_PLACE),
            threshold: options::threshold(flags),
            services: options::services(flags),
        }
    }

    /// A group has a part of the data key, so that with other groups it needs a new one.
    fn change(
        self,
        context: &mut Context,
        change: impl FnOnce(&mut Vec<Vec<MasterKey>>) -> Result<(), Failure>,
    ) -> Result<ExitStatus, Failure> {
        let path = std::path::PathBuf::from(&self.file);
        let format = FileFormat::of_name(&self.file);
        let source = Input::File(path.clone());
        let mut secret = SecretFile::open(&source, format, &mut context.ui).map_err(refuse)?;
        let services = Services::open(&self.services, context).map_err(refuse)?;
        let order = DecryptionOrder::default();
        let key = services
            .recover(&source, &secret.metadata, &order)
            .map_err(refuse)?;
        let decrypted = secret
            .decrypt(&Cipher::new(&key), MacCheck::Verify)
            .map_err(refuse)?;
        let mut groups = keys_of(&secret.metadata);
        change(&mut groups)?;
        if groups.iter().any(Vec::is_empty) {
            return Err(fail(codes::GENERIC, empty_group(&groups)));
        }
        let threshold = self.threshold.or(secret.metadata.shamir_threshold);
        if let Some(needed) = threshold.filter(|needed| *needed > groups.len()) {
            let there = groups.len();
            return Err(fail(
                codes::GENERIC,
                format!(
                    "removing this key group will make the Shamir threshold impossible to satisfy: \
                     Shamir threshold is {needed}, but we only have {there} key groups"
                ),
            ));
        }
        secret.metadata.shamir_threshold = threshold;
        let now = LastModified::from(context.env.now());
        let changed = rotate(&secret, &decrypted, &groups, &services, &now).map_err(refuse)?;
        let output = self.in_place.then_some(path);
        result::write(output.as_deref(), &changed.bytes, context)
    }
}
