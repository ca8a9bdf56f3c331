//! `signet edit FILE`

use std::path::{Path, PathBuf};

use clap::Args;
use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::{Encrypted, FileFormat, MacCheck};
use signet_keys::sops::LastModified;

use crate::editor::Editor;
use crate::secrets::edit::{Edited, beginning, edit};
use crate::secrets::options::{InputOptions, RuleOptions, UnlockOptions};
use crate::secrets::{Recipients, Services, consent, encrypt, encrypt_under, newer, work};
use crate::{Context, ExitStatus, Failure, files};

const EXAMPLES: &str = "\
Examples:
  signet edit secrets.enc.yaml
  EDITOR='code --wait' signet edit secrets.enc.yaml

The plaintext is in memory where the system has a folder for that, readable by you alone, and gone when
the editor closes. Values that do not change keep their ciphertext. A file that is not there is made by
the rules.";

/// Edit a SOPS file in your editor
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Edit {
    /// The encrypted file
    #[arg(value_name = "FILE")]
    file: PathBuf,
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

impl Edit {
    /// Opens the editor, and writes what comes back.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let format = self.input.format(&self.file);
        let services = Services::open(&self.unlock.services.services(), context)?;
        if self.file.exists() {
            self.existing(format, &services, context)
        } else {
            self.new_file(format, &services, context)
        }
    }

    fn existing(
        &self,
        format: FileFormat,
        services: &Services,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let order = self.unlock.order()?;
        let mut opened = work::open(&self.file, format, services, &order, MacCheck::Verify)?;
        let rules = self.rules.book(&context.env);
        let strange = work::strange(&opened.secret, &self.file, &rules, &context.env)?;
        consent::ask(&self.name(), &strange, self.accept, context)?;
        let text = &opened.decrypted.text;
        let edited = edit(text, &self.file_name(), format, &editor(context)?, context)?;
        let Edited::Changed(plain) = edited else {
            return Ok(self.unchanged(&edited, context));
        };
        let metadata = Metadata {
            version: newer(&opened.secret.metadata.version),
            ..opened.secret.metadata.clone()
        };
        let now = LastModified::from(context.env.now());
        let kept = Some(&mut opened.decrypted.kept);
        let encrypted = encrypt_under(&plain, &metadata, &opened.cipher, kept, &now)?;
        warn(&encrypted, context);
        files::rewrite(&self.file, &opened.secret.bytes, &encrypted.bytes)?;
        context
            .ui
            .note(&context.env, format!("`{}` is changed", self.name()));
        Ok(ExitStatus::Success)
    }

    fn new_file(
        &self,
        format: FileFormat,
        services: &Services,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let rules = self.rules.book(&context.env);
        rules.tell_warnings(std::slice::from_ref(&self.file), context);
        let path = crate::paths::absolute(&context.env, &self.file);
        let rule = Recipients::from(rules.required(&path)?);
        let text = beginning(format);
        let edited = edit(&text, &self.file_name(), format, &editor(context)?, context)?;
        let Edited::Changed(plain) = edited else {
            return Ok(self.unchanged(&edited, context));
        };
        let now = LastModified::from(context.env.now());
        let encrypted = encrypt(&plain, &rule, services, &now)?;
        warn(&encrypted, context);
        files::write(&self.file, &encrypted.bytes)?;
        context
            .ui
            .note(&context.env, format!("`{}` is made", self.name()));
        Ok(ExitStatus::Success)
    }

    fn unchanged(&self, edited: &Edited, context: &mut Context) -> ExitStatus {
        context
            .ui
            .note(&context.env, format!("`{}` is as it was", self.name()));
        if matches!(edited, Edited::Unchanged { at_once: true }) {
            let told = "the editor came back at once: one with a window of its own must be told to \
                        wait, such as EDITOR='code --wait'";
            context.ui.warn(&context.env, told);
        }
        ExitStatus::Success
    }

    fn name(&self) -> String {
        self.file.display().to_string()
    }

    fn file_name(&self) -> String {
        let name = Path::new(&self.file).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

fn editor(context: &Context) -> Result<Editor, Failure> {
    Ok(Editor::find(
        &context.env,
        &["SOPS_EDITOR", "VISUAL", "EDITOR"],
    )?)
}

fn warn(encrypted: &Encrypted, context: &mut Context) {
    for warning in &encrypted.warnings {
        context.ui.warn(&context.env, warning);
    }
}
