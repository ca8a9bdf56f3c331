//! `sops exec-file`

use std::path::{Component, Path};

use signet_documents::sops::FileFormat;
use signet_keys::Plaintext;

use crate::files::Input;
use crate::paths::absolute;
use crate::process::shared_memory;
use crate::process::user::User;
use crate::secrets::exec::{self, ExecError, SecretPath};
use crate::secrets::{Layout, output};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{BACKGROUND, FILENAME, NO_FIFO, USER};
use super::super::log::{self, Level};
use super::super::options;
use super::super::parser::Arguments;
use super::super::refusals::refuse;
use super::super::result;
use super::decrypt::Unlocking;
use super::exec_env::{background, cannot_run, finish, shell, user};

#[derive(Debug)]
struct ExecFile {
    file: String,
    command: String,
    name: String,
    input: FileFormat,
    output: FileFormat,
    no_fifo: bool,
    background: bool,
    user: Option<User>,
    unlocking: Unlocking,
}

/// Runs `sops exec-file`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let [file, command] = arguments.words.as_slice() else {
        return Err(fail(codes::GENERIC, "error: missing file to decrypt"));
    };
    let flags = &arguments.flags;
    if flags.is_on(&BACKGROUND) {
        log::warn(
            context,
            "exec-file's --background option is deprecated and will be removed in a future version of sops",
        );
    }
    let name = flags.text(&FILENAME).unwrap_or("tmp-file");
    if !is_local(name) {
        return Err(fail(
            codes::GENERIC,
            "The provided filename is not a local path.",
        ));
    }
    let user = match user(flags.text(&USER)) {
        Ok(user) => user,
        Err(told) => {
            log::write(context, Level::Fatal, &told);
            return Ok(ExitStatus::Code(codes::GENERIC));
        }
    };
    let (input, output) = options::formats(flags, Path::new(file));
    ExecFile {
        file: file.clone(),
        command: command.clone(),
        name: name.to_owned(),
        input,
        output,
        no_fifo: flags.is_on(&NO_FIFO),
        background: flags.is_on(&BACKGROUND),
        user,
        unlocking: Unlocking::read(arguments)?,
    }
    .run(context)
}

impl ExecFile {
    fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let source = Input::File(absolute(&context.env, &self.file));
        let decrypted = self.unlocking.open(&source, self.input, context)?.decrypted;
        result::warn(&decrypted.warnings, context);
        let text =
            output::decrypted(decrypted, self.input, self.output, Layout::Kept).map_err(refuse)?;
        if self.background {
            return self.start(&text);
        }
        let place = if self.no_fifo {
            SecretPath::file(&self.name, &text, context)
        } else {
            SecretPath::pipe(&self.name, text, context)
        };
        let place = place.map_err(|error| cannot_run(&error))?;
        let mut command = shell(&self.command.replace("{}", &place.path()));
        if let Some(user) = &self.user {
            place.give_to(user).map_err(|error| cannot_run(&error))?;
            user.apply(&mut command);
        }
        let ended =
            exec::run_with(&mut command, place, context).map_err(|error| cannot_run(&error))?;
        Ok(finish(ended, context))
    }

    /// Starts the command and leaves it alone. Its file must not need us, so it is one in memory.
    fn start(&self, text: &Plaintext) -> Result<ExitStatus, Failure> {
        let failed = |error| cannot_run(&ExecError::File(error));
        let file = shared_memory::create(text.expose()).map_err(failed)?;
        let mut command = shell(&self.command.replace("{}", &shared_memory::path(&file)));
        if let Some(user) = &self.user {
            let (uid, gid) = user.ids();
            std::os::unix::fs::fchown(&file, Some(uid), Some(gid)).map_err(failed)?;
            user.apply(&mut command);
        }
        background(&mut command)
    }
}

/// A name below the folder.
fn is_local(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_out_of_the_folder_is_refused() {
        for good in ["a.txt", "./a.txt"] {
            assert!(is_local(good), "{good}");
        }
        for bad in ["", "../a", "/a", "a/../../b"] {
            assert!(!is_local(bad), "{bad}");
        }
    }
}
