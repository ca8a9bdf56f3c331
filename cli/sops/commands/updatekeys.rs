//! `sops updatekeys`

use std::path::{Path, PathBuf};

use signet_documents::sops::FileFormat;
use signet_documents::sops::readers::KeyDiff;
use signet_keys::sops::LastModified;
use signet_keys::sops::master_key::DecryptionOrder;

use crate::files::{self, Input};
use crate::paths::absolute;
use crate::secrets::{Found, SecretFile, ServiceOptions, Services, update};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{INPUT_TYPE, YES};
use super::super::log::{self, Level};
use super::super::options;
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result::difference;

#[derive(Debug)]
struct UpdateKeys {
    format: Option<FileFormat>,
    yes: bool,
    services: ServiceOptions,
}

/// Runs `sops updatekeys`: one file after the other, and the rest though one fails.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let rules = options::rules(arguments, &context.env)
        .load()
        .map_err(refuse)?;
    if arguments.words.is_empty() {
        return Err(fail(codes::NO_FILE, "Error: no file specified"));
    }
    let flags = &arguments.flags;
    let command = UpdateKeys {
        format: flags.text(&INPUT_TYPE).and_then(|word| word.parse().ok()),
        yes: flags.is_on(&YES),
        services: options::services(flags),
    };
    if let [only] = arguments.words.as_slice() {
        command.file(&absolute(&context.env, only), &rules, context)?;
        return Ok(ExitStatus::Success);
    }
    let mut failed = 0;
    for word in &arguments.words {
        if let Err(failure) = command.file(&absolute(&context.env, word), &rules, context) {
            log::write(context, Level::Error, &failure.message);
            failed += 1;
        }
    }
    if failed == 0 {
        return Ok(ExitStatus::Success);
    }
    Err(fail(
        codes::GENERIC,
        format!("failed updating {failed} key(s)"),
    ))
}

impl UpdateKeys {
    fn file(&self, path: &Path, rules: &Found, context: &mut Context) -> Result<(), Failure> {
        if !path.exists() {
            let told = format!("stat {}: no such file or directory", path.display());
            return Err(fail(codes::GENERIC, told));
        }
        let name = path.display().to_string();
        timed(context, &format!("Syncing keys for file {name}"));
        let format = self.format.unwrap_or_else(|| FileFormat::of_name(&name));
        let source = Input::File(PathBuf::from(path));
        let secret = SecretFile::open(&source, format, &mut context.ui).map_err(refuse)?;
        let rule = rules.creation(path).map_err(refuse)?;
        let rule = rule.ok_or_else(|| fail(codes::GENERIC, "config has no creation rules"))?;
        let change = KeyDiff::between(&secret.metadata, &rule);
        if !change.needs_wrapping() {
            timed(context, &format!("File {name} already up to date"));
            return Ok(());
        }
        let has_threshold = secret.metadata.shamir_threshold.is_some();
        context.ui.data(told(&change, has_threshold).as_bytes())?;
        if !self.yes && !agreed(context)? {
            timed(context, &format!("File {name} left unchanged"));
            return Ok(());
        }
        let services = Services::open(&self.services, context).map_err(refuse)?;
        let order = DecryptionOrder::default();
        let key = services
            .recover(&source, &secret.metadata, &order)
            .map_err(refuse)?;
        // What cannot be proven is not given to others.
        secret.prove(&key).map_err(refuse)?;
        let now = LastModified::from(context.env.now());
        let bytes = update(&secret, &key, &rule, &services, &now).map_err(refuse)?;
        files::rewrite(path, &secret.bytes, &bytes).map_err(refuse)?;
        timed(context, &format!("File {name} synced with new keys"));
        Ok(())
    }
}

fn agreed(context: &mut Context) -> Result<bool, Failure> {
    loop {
        context.ui.data(b"Is this okay? (y/n):")?;
        let line = context.ui.read_line().ok().flatten();
        let line = line.ok_or_else(|| fail(codes::GENERIC, "EOF"))?;
        match line.trim() {
            "y" | "Y" => return Ok(true),
            "n" | "N" => return Ok(false),
            _ => {}
        }
    }
}

/// In the words of the peer, which tells a threshold only where the file has one.
fn told(change: &KeyDiff, has_threshold: bool) -> String {
    let mut text = "The following changes will be made to the file's groups:\n".to_owned();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if let Some(threshold) = change.threshold.filter(|_| has_threshold) {
        line(format!("+++ shamir_threshold: {}", threshold.to));
        line(format!("--- shamir_threshold: {}", threshold.from));
    }
    text + &difference(change)
}

/// A line with the time in front, as this command of the peer prints them.
fn timed(context: &mut Context, text: &str) {
    let time = context.env.now().strftime("%Y/%m/%d %H:%M:%S").to_string();
    context.ui.message(&format!("{time} {text}"));
}
