//! `sops edit`

use signet_documents::sops::{Encrypted, FileFormat, metadata::Metadata};
use signet_keys::sops::LastModified;

use crate::editor::Editor;
use crate::files::Input;
use crate::secrets::edit::{Edited, beginning, edit as in_editor};
use crate::secrets::{
    Layout, Recipients, SecretFile, Services, encrypt as seal, encrypt_under, newer, output,
};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::SHOW_MASTER_KEYS;
use super::super::log;
use super::super::options::{self, Place};
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;
use super::decrypt::{Unlocked, Unlocking};
use super::encrypt::recipients;

/// The variables that name the editor.
const VARIABLES: [&str; 2] = ["SOPS_EDITOR", "EDITOR"];

#[derive(Debug)]
struct Edit {
    place: Place,
    input: FileFormat,
    output: FileFormat,
    layout: Layout,
    show_master_keys: bool,
    unlocking: Unlocking,
}

/// Runs `sops edit`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let place = Place::of_file(arguments, context)?;
    edit(arguments, place, context)
}

/// Edits a file that is there, or a new one.
pub(super) fn edit(
    arguments: &Arguments,
    place: Place,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let (input, output) = options::formats(&arguments.flags, &place.name);
    let edit = Edit {
        input,
        output,
        layout: options::layout(arguments)?,
        show_master_keys: arguments.flags.is_on(&SHOW_MASTER_KEYS),
        unlocking: Unlocking::read(arguments)?,
        place,
    };
    if edit.place.file.as_ref().is_some_and(|file| file.exists()) {
        return edit.existing(context);
    }
    let recipients = recipients(arguments, &edit.place.name, context)?;
    edit.new_file(&recipients, context)
}

impl Edit {
    fn existing(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let source = self.place.file.clone().map_or(Input::Stdin, Input::File);
        let Unlocked {
            secret,
            cipher,
            mut decrypted,
            ..
        } = self.unlocking.open(&source, self.input, context)?;
        result::warn(&decrypted.warnings, context);
        if self.show_master_keys {
            show(&secret.metadata, context);
        }
        let edited = self.in_editor(&decrypted.text, context)?;
        let Edited::Changed(plain) = edited else {
            return Err(unchanged(&edited));
        };
        let metadata = Metadata {
            version: newer(&secret.metadata.version),
            ..secret.metadata.clone()
        };
        let now = LastModified::from(context.env.now());
        let kept = Some(&mut decrypted.kept);
        let encrypted = encrypt_under(&plain, &metadata, &cipher, kept, &now).map_err(refuse)?;
        self.finish(encrypted, Some(&secret), context)
    }

    fn new_file(
        self,
        recipients: &Recipients,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let services = Services::open(&self.unlocking.services, context).map_err(refuse)?;
        let edited = self.in_editor(&beginning(self.input), context)?;
        let Edited::Changed(plain) = edited else {
            return Err(unchanged(&edited));
        };
        let now = LastModified::from(context.env.now());
        let encrypted = seal(&plain, recipients, &services, &now);
        if self.unlocking.verbose {
            log::keys(&services, context);
        }
        let encrypted = encrypted.map_err(refuse)?;
        self.finish(encrypted, None, context)
    }

    fn in_editor(
        &self,
        text: &signet_keys::Plaintext,
        context: &mut Context,
    ) -> Result<Edited, Failure> {
        let editor = Editor::find(&context.env, &VARIABLES).map_err(refuse)?;
        let name = self.place.name.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        in_editor(text, &name, self.input, &editor, context).map_err(refuse)
    }

    fn finish(
        self,
        encrypted: Encrypted,
        secret: Option<&SecretFile>,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        result::warn(&encrypted.warnings, context);
        let bytes = output::encrypted(encrypted.bytes, self.input, self.output, self.layout)
            .map_err(refuse)?;
        match (secret, &self.place.file) {
            (Some(secret), Some(path)) => result::rewrite(path, secret, &bytes),
            (_, path) => result::write(path.as_deref(), &bytes, context),
        }
    }
}

fn unchanged(edited: &Edited) -> Failure {
    let failure = fail(codes::NOT_MODIFIED, "File has not changed, exiting.");
    match edited {
        Edited::Unchanged { at_once: true } => failure.with_hint(
            "the editor came back at once: one with a window of its own must be told to wait, such as \
             EDITOR='code --wait'",
        ),
        _ => failure,
    }
}

fn show(metadata: &Metadata, context: &mut Context) {
    for (index, group) in metadata.groups.iter().enumerate() {
        context.ui.message(&format!("Group {}", index + 1));
        for wrapped in &group.keys {
            let key = &wrapped.key;
            context
                .ui
                .message(&format!("    {}: {key}", key.type_name()));
        }
    }
}
