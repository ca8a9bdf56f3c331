//! `signet set` and `signet unset` on a SOPS file.

use std::path::Path;

use clap::Args;
use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::readers::SelectorDrift;
use signet_documents::sops::tree::{PathPart, parse_path};
use signet_documents::sops::{Encrypted, FileFormat, MacCheck};
use signet_keys::Plaintext;
use signet_keys::sops::LastModified;

use crate::secrets::options::{InputOptions, RuleOptions, UnlockOptions};
use crate::secrets::{
    PlainFile, RuleBook, Services, consent, encrypt_under, exposure, newer, set, tree, unset, work,
};
use crate::{Context, ExitStatus, Failure, files};

/// Options for SOPS files.
#[derive(Args, Debug)]
#[command(next_help_heading = "For SOPS files")]
pub struct SecretOptions {
    /// Keep recipients and settings that the rules do not know
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

/// Whether a file is encrypted with SOPS. One that cannot be read is none: the reason is told by who
/// reads it next.
pub fn is_secret(file: &Path) -> bool {
    files::read(file).is_ok_and(|bytes| tree::looks_encrypted(&bytes))
}

impl SecretOptions {
    /// Sets one value.
    pub fn set(
        &self,
        file: &Path,
        key: &str,
        value: &Plaintext,
        is_json: bool,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let path = part(key)?;
        let value = if is_json {
            serde_json::from_slice(value.expose())
                .map_err(|_| Failure::usage("the value is not JSON"))?
        } else {
            let text = std::str::from_utf8(value.expose());
            let text = text.map_err(|_| Failure::new("the value is not UTF-8 text"))?;
            serde_json::Value::String(text.to_owned())
        };
        let rules = self.rules.book(&context.env);
        let mut opened = self.open(file, &rules, context)?;
        refuse_exposure(&opened, file, &path, &rules, context)?;
        let Some(plain) = set(&opened.secret, &mut opened.decrypted, &path, &value)? else {
            let told = format!("`{key}` has that value already in `{}`", file.display());
            context.ui.note(&context.env, told);
            return Ok(ExitStatus::Success);
        };
        let encrypted = encrypt(&plain, &mut opened, context)?;
        files::rewrite(file, &opened.secret.bytes, &encrypted.bytes)?;
        if let Some(told) = exposure::of(&opened.secret.metadata, &path) {
            context.ui.warn(&context.env, told);
        }
        let told = format!("`{key}` is set in `{}`", file.display());
        context.ui.note(&context.env, told);
        Ok(ExitStatus::Success)
    }

    /// Removes one value.
    pub fn unset(
        &self,
        file: &Path,
        key: &str,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let path = part(key)?;
        let rules = self.rules.book(&context.env);
        let mut opened = self.open(file, &rules, context)?;
        let plain = unset(&opened.secret, &mut opened.decrypted, &path)?;
        let encrypted = encrypt(&plain, &mut opened, context)?;
        files::rewrite(file, &opened.secret.bytes, &encrypted.bytes)?;
        let told = format!("`{key}` is removed from `{}`", file.display());
        context.ui.note(&context.env, told);
        Ok(ExitStatus::Success)
    }

    fn format(&self, file: &Path) -> FileFormat {
        self.input.format(file)
    }

    /// Opens and proves the file, and asks about what is strange.
    fn open(
        &self,
        file: &Path,
        rules: &RuleBook,
        context: &mut Context,
    ) -> Result<work::Opened, Failure> {
        let services = Services::open(&self.unlock.services.services(), context)?;
        let order = self.unlock.order()?;
        let opened = work::open(file, self.format(file), &services, &order, MacCheck::Verify)?;
        let strange = work::strange(&opened.secret, file, rules, &context.env)?;
        consent::ask(&file.display().to_string(), &strange, self.accept, context)?;
        Ok(opened)
    }
}

/// A new value that the rules want encrypted and the file's older selector leaves plain.
fn refuse_exposure(
    opened: &work::Opened,
    file: &Path,
    path: &[PathPart],
    rules: &RuleBook,
    context: &Context,
) -> Result<(), Failure> {
    let Some(rule) = work::rule(file, rules, &context.env)? else {
        return Ok(());
    };
    let Some(drift) = SelectorDrift::between(&opened.secret.metadata, &rule) else {
        return Ok(());
    };
    let exposed = drift.exposes(exposure::keys(path));
    if !exposed.map_err(|error| Failure::new(error.to_string()))? {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the value would be stored in plaintext: `{}` is chosen by `{}: {}`, older than the rules",
        file.display(),
        drift.file.field(),
        drift.file.text()
    ))
    .with_hint("decrypt the file and encrypt it anew, so that it gets the selector of the rules"))
}

/// `["key"][0]`, or the name of a key at the top.
fn part(key: &str) -> Result<Vec<PathPart>, Failure> {
    if key.starts_with('[') {
        return parse_path(key).map_err(|error| Failure::usage(error.to_string()));
    }
    Ok(vec![PathPart::Key(key.to_owned())])
}

fn encrypt(
    plain: &PlainFile,
    opened: &mut work::Opened,
    context: &mut Context,
) -> Result<Encrypted, Failure> {
    let metadata = Metadata {
        version: newer(&opened.secret.metadata.version),
        ..opened.secret.metadata.clone()
    };
    let now = LastModified::from(context.env.now());
    let kept = Some(&mut opened.decrypted.kept);
    let encrypted = encrypt_under(plain, &metadata, &opened.cipher, kept, &now)?;
    for warning in &encrypted.warnings {
        context.ui.warn(&context.env, warning);
    }
    Ok(encrypted)
}
