//! `sops publish`

use std::path::{Path, PathBuf};

use signet_documents::sops::FileFormat;
use signet_keys::sops::LastModified;
use signet_keys::sops::master_key::DecryptionOrder;

use crate::files::Input;
use crate::paths::absolute;
use crate::secrets::publish::{Outcome, Plan, Uploader, Work, without_extension};
use crate::secrets::{Found, SecretFile, Services};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{OMIT_EXTENSIONS, RECURSIVE, VERBOSE, YES};
use super::super::log::{self, Level};
use super::super::options;
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;

#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the switches of the command"
)]
struct Publish {
    /// What was named.
    root: PathBuf,
    rules: Found,
    yes: bool,
    omit_extensions: bool,
    recursive: bool,
    verbose: bool,
    services: Services,
    order: DecryptionOrder,
}

/// Runs `sops publish`: a file, or all files of a folder one after the other, until one fails.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let rules = options::rules(arguments, &context.env)
        .load()
        .map_err(refuse)?;
    let root = PathBuf::from(options::named_file(arguments, context)?);
    let at = absolute(&context.env, &root);
    if !at.exists() {
        let told = format!("stat {}: no such file or directory", root.display());
        return Err(fail(codes::GENERIC, told));
    }
    let flags = &arguments.flags;
    let recursive = flags.is_on(&RECURSIVE);
    if at.is_dir() && !recursive {
        let told = "can't operate on a directory without --recursive flag.";
        log::write(context, Level::Fatal, told);
        return Ok(ExitStatus::Code(codes::GENERIC));
    }
    let command = Publish {
        rules,
        yes: flags.is_on(&YES),
        omit_extensions: flags.is_on(&OMIT_EXTENSIONS),
        recursive,
        verbose: flags.is_on(&VERBOSE) || arguments.program.is_on(&VERBOSE),
        order: options::order(flags)?,
        services: Services::open(&options::services(flags), context).map_err(refuse)?,
        root,
    };
    for path in files(&command.root, context.env.current_dir())? {
        command.file(&path, context)?;
    }
    Ok(ExitStatus::Success)
}

impl Publish {
    fn file(&self, path: &Path, context: &mut Context) -> Result<(), Failure> {
        let plan = self.plan(path, context)?;
        let opened = plan.open(&self.services, &self.order);
        self.tell(&plan, opened.is_ok(), context);
        let opened = opened.map_err(refuse)?;
        if let Some(change) = plan.difference() {
            let told = "The following changes will be made to the file's key groups:\n";
            let told = format!("{told}{}", result::difference(&change));
            context.ui.data(told.as_bytes())?;
        }
        let shown = absolute(&context.env, path).display().to_string();
        if !self.yes && !agreed(&shown, &plan.place(&context.env), context)? {
            let told = format!("Publication of {shown} canceled");
            if !self.recursive {
                return Err(fail(codes::GENERIC, told));
            }
            return context.ui.data(format!("{told}\n").as_bytes());
        }
        let now = LastModified::from(context.env.now());
        let content = plan.content(opened, &self.services, &now);
        if self.verbose {
            log::keys(&self.services, context);
        }
        let (content, warnings) = content.map_err(refuse)?;
        result::warn(&warnings, context);
        let uploader = Uploader::open(context).map_err(refuse)?;
        let outcome = uploader.upload(&content).map_err(refuse)?;
        if outcome == (Outcome::Written { unseen: true }) {
            let told = format!(
                "Cannot check if destination secret already exists in {}. New version will be created \
                 even if the data has not been changed.",
                plan.rule.destination.path(&plan.name)
            );
            log::write_of(context, "PUBLISH", Level::Warning, &told);
        }
        Ok(())
    }

    /// Tells what was done to open a file.
    fn tell(&self, plan: &Plan, is_open: bool, context: &mut Context) {
        let work = plan.work();
        if !self.verbose || work == Work::Nothing {
            return;
        }
        if work == Work::Recreation {
            let told = "Re-encrypting tree before publishing";
            log::write_of(context, "PUBLISH", Level::Debug, told);
        }
        log::keys(&self.services, context);
        if is_open {
            log::decrypting(context);
        }
    }

    fn plan(&self, path: &Path, context: &mut Context) -> Result<Plan, Failure> {
        let typed = path.to_string_lossy();
        let rule = self.rules.destination_as_typed(&typed).map_err(refuse)?;
        let below = path.strip_prefix(clean(&self.root)).unwrap_or(path);
        // A file that is named itself has nothing below it.
        let name = if self.recursive && below != Path::new("") {
            below.display().to_string()
        } else {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let format = FileFormat::of_name(&typed);
        let source = Input::File(absolute(&context.env, path));
        let secret = SecretFile::open(&source, format, &mut context.ui).map_err(refuse)?;
        Ok(Plan {
            secret,
            name: if self.omit_extensions || rule.omit_extensions {
                without_extension(&name)
            } else {
                name
            },
            rule,
        })
    }
}

/// The file, or all files below the folder by their names; links to folders are not followed.
fn files(path: &Path, current: &Path) -> Result<Vec<PathBuf>, Failure> {
    let at = current.join(path);
    if !at.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let failed = |error: std::io::Error| {
        let told = format!("cannot read the folder `{}`: {error}", path.display());
        fail(codes::GENERIC, told)
    };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&at).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_link = entry.file_type().map_err(failed)?.is_symlink();
        if !(is_link && entry.path().is_dir()) {
            names.push(entry.file_name());
        }
    }
    names.sort();
    let below = names
        .iter()
        .map(|name| files(&clean(path).join(name), current));
    Ok(below.collect::<Result<Vec<_>, _>>()?.concat())
}

/// As Go writes the path of a folder in front of its files.
fn clean(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| !matches!(part, std::path::Component::CurDir))
        .collect()
}

fn agreed(path: &str, place: &str, context: &mut Context) -> Result<bool, Failure> {
    loop {
        let question = format!("uploading {path} to {place} ? (y/n): ");
        context.ui.data(question.as_bytes())?;
        let line = context.ui.read_line().ok().flatten();
        let line = line.ok_or_else(|| fail(codes::GENERIC, "EOF"))?;
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["y"] => return Ok(true),
            ["n"] => return Ok(false),
            [_] => {}
            [] => return Err(fail(codes::GENERIC, "unexpected newline")),
            _ => return Err(fail(codes::GENERIC, "expected newline")),
        }
    }
}
