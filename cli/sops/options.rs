//! Parts of the arguments that several commands share, as values.

use std::path::PathBuf;

use signet_documents::sops::FileFormat;
use signet_documents::sops::selector::SelectorSpec;
use signet_keys::sops::master_key::{
    DecryptionOrder, KeyType, KmsOptions, MasterKey, NotationError,
};

use crate::paths::absolute;
use crate::secrets::{Layout, RuleSource, ServiceOptions};
use crate::{Context, Env, Failure};

use super::flags::{
    ADD_AGE, ADD_AZURE_KV, ADD_GCP_KMS, ADD_HCKMS, ADD_KMS, ADD_PGP, ADD_VAULT, AGE, AWS_PROFILE,
    AZURE_KV, CONFIG, CONTEXT, ENCRYPTED_COMMENT_REGEX, ENCRYPTED_REGEX, ENCRYPTED_SUFFIX,
    FILENAME_OVERRIDE, GCP_KMS, GROUP_AGE, GROUP_AZURE_KV, GROUP_GCP_KMS, GROUP_HCKMS, GROUP_KMS,
    GROUP_PGP, GROUP_VAULT, HCKMS, IN_PLACE, INDENT, INPUT_TYPE, KMS, LAYOUT, LOCAL_SERVICE, ORDER,
    OUTPUT, OUTPUT_TYPE, PGP, RM_AGE, RM_AZURE_KV, RM_GCP_KMS, RM_HCKMS, RM_KMS, RM_PGP, RM_VAULT,
    SERVICE, THRESHOLD, UNENCRYPTED_COMMENT_REGEX, UNENCRYPTED_REGEX, UNENCRYPTED_SUFFIX, VAULT,
};
use super::go_flags::{Flag, Values};
use super::parser::Arguments;
use super::{codes, codes::fail, log};

/// What a command reads and where the result goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The file that is read; standard input without one.
    pub(super) file: Option<PathBuf>,
    /// The file that is written; standard output without one.
    pub(super) output: Option<PathBuf>,
    /// The name that chooses rules and formats.
    pub(super) name: PathBuf,
}

impl Place {
    /// Of a command that may read standard input.
    pub(super) fn with_stdin(
        arguments: &Arguments,
        context: &mut Context,
    ) -> Result<Self, Failure> {
        let flags = &arguments.flags;
        refuse_two_outputs(flags)?;
        if arguments.words.is_empty() && flags.is_on(&IN_PLACE) {
            return Err(fail(
                codes::CONFLICT,
                "Error: cannot use --in-place when reading from stdin",
            ));
        }
        let file = first_word(arguments, context);
        Ok(Self::of(file, flags, &context.env))
    }

    /// Of a command that needs a file.
    pub(super) fn of_file(arguments: &Arguments, context: &mut Context) -> Result<Self, Failure> {
        refuse_two_outputs(&arguments.flags)?;
        let file = named_file(arguments, context)?;
        Ok(Self::of(Some(file), &arguments.flags, &context.env))
    }

    fn of(file: Option<String>, flags: &Values, env: &Env) -> Self {
        let file = file.map(|file| absolute(env, &file));
        let name = flags
            .text(&FILENAME_OVERRIDE)
            .map(|name| absolute(env, name));
        Self {
            output: match flags.text(&OUTPUT) {
                Some(output) => Some(absolute(env, output)),
                None if flags.is_on(&IN_PLACE) => file.clone(),
                None => None,
            },
            name: name.or_else(|| file.clone()).unwrap_or_default(),
            file,
        }
    }

    /// Refuses a file that is not there.
    pub(super) fn existing(self) -> Result<Self, Failure> {
        match &self.file {
            Some(file) if !file.exists() => Err(fail(
                codes::NO_FILE,
                format!(
                    "Error: cannot operate on non-existent file {:?}",
                    file.display().to_string()
                ),
            )),
            _ => Ok(self),
        }
    }
}

fn refuse_two_outputs(flags: &Values) -> Result<(), Failure> {
    if flags.is_on(&IN_PLACE) && flags.text(&OUTPUT).is_some() {
        return Err(fail(
            codes::CONFLICT,
            "Error: cannot operate on both --output and --in-place",
        ));
    }
    Ok(())
}

/// The file that a command names; a second one is passed over.
pub(super) fn named_file(arguments: &Arguments, context: &mut Context) -> Result<String, Failure> {
    first_word(arguments, context).ok_or_else(|| fail(codes::NO_FILE, "Error: no file specified"))
}

fn first_word(arguments: &Arguments, context: &mut Context) -> Option<String> {
    if arguments.words.len() > 1 {
        log::warn(
            context,
            "More than one positional argument provided. Only the first one will be used!",
        );
        let like_flags = arguments
            .words
            .iter()
            .skip(1)
            .filter(|word| word.starts_with('-'));
        for word in like_flags {
            let told = format!(
                "Note that one of the ignored positional argument is {word:?}, which looks like a flag. \
                 Flags must always be provided before the first positional argument!"
            );
            log::warn(context, &told);
        }
    }
    arguments.words.first().cloned()
}

/// The formats of input and output; the name tells what no flag does, and a word that names no format
/// is as if it were not given.
pub(super) fn formats(flags: &Values, name: &std::path::Path) -> (FileFormat, FileFormat) {
    let by_name = FileFormat::of_name(&name.to_string_lossy());
    let given = |flag| flags.text(flag).and_then(|word| word.parse().ok());
    (
        given(&INPUT_TYPE).unwrap_or(by_name),
        given(&OUTPUT_TYPE).unwrap_or(by_name),
    )
}

/// How the output is laid out. An indentation is asked for to be seen, so it lays out anew.
pub(super) fn layout(arguments: &Arguments) -> Result<Layout, Failure> {
    let indent = arguments
        .program
        .number(&INDENT)
        .filter(|indent| *indent != 0);
    match arguments.flags.text(&LAYOUT) {
        Some("sops") => Ok(Layout::Sops { indent }),
        Some(_) => Err(fail(codes::GENERIC, "--layout knows `sops` only")),
        None if indent.is_some() => Ok(Layout::Sops { indent }),
        None => Ok(Layout::Kept),
    }
}

/// Which key services are asked.
pub(super) fn services(flags: &Values) -> ServiceOptions {
    ServiceOptions {
        local: flags.is_on(&LOCAL_SERVICE),
        remote: flags.texts(&SERVICE),
    }
}

/// Where rules come from.
pub(super) fn rules(arguments: &Arguments, env: &Env) -> RuleSource {
    match arguments.program.text(&CONFIG) {
        Some(path) => RuleSource::File(absolute(env, path)),
        None => RuleSource::Above(env.current_dir().to_owned()),
    }
}

/// Which keys are tried first.
pub(super) fn order(flags: &Values) -> Result<DecryptionOrder, Failure> {
    let Some(text) = flags.text(&ORDER) else {
        return Ok(DecryptionOrder::default());
    };
    match DecryptionOrder::parse(text) {
        Ok((order, _unknown)) => Ok(order),
        Err(error) => Err(fail(
            codes::DUPLICATE_ORDER,
            format!("Duplicate decryption key type: {}", error.0),
        )),
    }
}

/// How many groups are needed, if the command line says so.
pub(super) fn threshold(flags: &Values) -> Option<usize> {
    let number = flags.number(&THRESHOLD)?;
    usize::try_from(number).ok().filter(|number| *number != 0)
}

/// The master keys of the command line and the environment, in the order of a file.
pub(super) fn keys(flags: &Values) -> Result<Vec<MasterKey>, Failure> {
    list(flags, &KEYS, &kms_options(flags)?)
}

/// The keys to add and to remove.
pub(super) fn changes(flags: &Values) -> Result<(Vec<MasterKey>, Vec<MasterKey>), Failure> {
    let kms = kms_options(flags)?;
    Ok((list(flags, &ADDED, &kms)?, list(flags, &REMOVED, &kms)?))
}

/// The keys of a new group.
pub(super) fn group(flags: &Values) -> Result<Vec<MasterKey>, Failure> {
    let kms = kms_options(flags)?;
    let mut keys = Vec::new();
    for (kind, flag) in GROUP {
        for text in flags.texts(&flag) {
            keys.extend(MasterKey::list(kind, &text, &kms).map_err(|error| bad_key(&error))?);
        }
    }
    Ok(keys)
}

type KeyFlags = [(KeyType, Flag); 7];

const KEYS: KeyFlags = [
    (KeyType::Kms, KMS),
    (KeyType::GcpKms, GCP_KMS),
    (KeyType::HcKms, HCKMS),
    (KeyType::AzureKv, AZURE_KV),
    (KeyType::HcVault, VAULT),
    (KeyType::Pgp, PGP),
    (KeyType::Age, AGE),
];

const ADDED: KeyFlags = [
    (KeyType::Kms, ADD_KMS),
    (KeyType::GcpKms, ADD_GCP_KMS),
    (KeyType::HcKms, ADD_HCKMS),
    (KeyType::AzureKv, ADD_AZURE_KV),
    (KeyType::HcVault, ADD_VAULT),
    (KeyType::Pgp, ADD_PGP),
    (KeyType::Age, ADD_AGE),
];

const REMOVED: KeyFlags = [
    (KeyType::Kms, RM_KMS),
    (KeyType::GcpKms, RM_GCP_KMS),
    (KeyType::HcKms, RM_HCKMS),
    (KeyType::AzureKv, RM_AZURE_KV),
    (KeyType::HcVault, RM_VAULT),
    (KeyType::Pgp, RM_PGP),
    (KeyType::Age, RM_AGE),
];

const GROUP: KeyFlags = [
    (KeyType::Kms, GROUP_KMS),
    (KeyType::GcpKms, GROUP_GCP_KMS),
    (KeyType::HcKms, GROUP_HCKMS),
    (KeyType::AzureKv, GROUP_AZURE_KV),
    (KeyType::HcVault, GROUP_VAULT),
    (KeyType::Pgp, GROUP_PGP),
    (KeyType::Age, GROUP_AGE),
];

fn list(flags: &Values, of: &KeyFlags, kms: &KmsOptions) -> Result<Vec<MasterKey>, Failure> {
    let mut keys = Vec::new();
    for (kind, flag) in of {
        let text = flags.text(flag).unwrap_or_default();
        keys.extend(MasterKey::list(*kind, text, kms).map_err(|error| bad_key(&error))?);
    }
    Ok(keys)
}

fn bad_key(error: &NotationError) -> Failure {
    Failure {
        hint: error.hint().map(str::to_owned),
        ..fail(codes::GENERIC, error.to_string())
    }
}

fn kms_options(flags: &Values) -> Result<KmsOptions, Failure> {
    let context = flags.text(&CONTEXT).unwrap_or_default();
    let context = MasterKey::kms_context(context)
        .map_err(|_| fail(codes::BAD_CONTEXT, "Invalid KMS encryption context format"))?;
    Ok(KmsOptions {
        context,
        aws_profile: flags.text(&AWS_PROFILE).map(str::to_owned),
    })
}

/// What the command line says is encrypted: at most one way.
pub(super) fn selector(flags: &Values) -> Result<Option<SelectorSpec>, Failure> {
    let all = [
        UNENCRYPTED_SUFFIX,
        ENCRYPTED_SUFFIX,
        UNENCRYPTED_REGEX,
        ENCRYPTED_REGEX,
        UNENCRYPTED_COMMENT_REGEX,
        ENCRYPTED_COMMENT_REGEX,
    ];
    let mut given = all.iter().filter_map(|flag| {
        let text = flags.text(flag)?;
        SelectorSpec::of_field(&flag.name().replace('-', "_"), text.to_owned())
    });
    match (given.next(), given.next()) {
        (_, Some(_)) => Err(two_selectors()),
        (one, None) => Ok(one),
    }
}

/// More than one way to say what is encrypted.
pub(super) fn two_selectors() -> Failure {
    fail(
        codes::CONFLICT,
        "Error: cannot use more than one of encrypted_suffix, unencrypted_suffix, encrypted_regex, \
         unencrypted_regex, encrypted_comment_regex, or unencrypted_comment_regex in the same file",
    )
}

#[cfg(test)]
mod tests;
