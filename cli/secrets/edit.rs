//! Plaintext in the user's editor, and nowhere else.

use std::io;

use signet_documents::sops::FileFormat;
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use crate::editor::{Editor, EditorError};
use crate::files::{self, Input};
use crate::private_folder::PrivateFolder;
use crate::process::Signals;
use crate::{Context, Failure, Hint};

use super::{OpenError, PlainFile};

/// What came back from the editor.
#[derive(Debug)]
pub enum Edited {
    /// Another text.
    Changed(PlainFile),
    /// The same text. `at_once`: so soon that nobody can have read it.
    Unchanged {
        /// The editor most likely handed the file to a window that was still open.
        at_once: bool,
    },
}

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The editor.
    #[error(transparent)]
    Editor(#[from] EditorError),
    /// The file for the editor cannot be made or read.
    #[error("cannot make a temporary file")]
    File(#[source] io::Error),
    /// What was written is no file of the format, and nobody is there to write it again.
    #[error("nothing was changed: {0}")]
    Invalid(OpenError),
}

impl Hint for EditError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Editor(error) => error.hint(),
            Self::File(_) => None,
            Self::Invalid(error) => error.hint(),
        }
    }
}

/// Lets the user edit a text in a file of this name. What is no file of its format is opened again, as
/// long as somebody says so.
pub fn edit(
    text: &Plaintext,
    name: &str,
    format: FileFormat,
    editor: &Editor,
    context: &mut Context,
) -> Result<Edited, EditError> {
    let folder = PrivateFolder::create(&context.env, "signet-").map_err(EditError::File)?;
    let signals = Signals::watch(context.ui.terminals().stdin).map_err(EditError::File)?;
    signals.wipe_at_end(&folder);
    if !folder.is_in_memory() && context.ui.terminals().stderr {
        let told = "there is no folder in memory, so the plaintext is on disk while it is edited";
        context.ui.note(&context.env, told);
    }
    let path = folder.write(name, text.expose()).map_err(EditError::File)?;
    let input = Input::File(name.into());
    loop {
        let at_once = editor.edit(&path, &signals)?;
        let bytes = read(&path)?;
        if bytes.as_slice() == text.expose() {
            return Ok(Edited::Unchanged { at_once });
        }
        match PlainFile::parse(&input, format, bytes) {
            Ok(plain) => return Ok(Edited::Changed(plain)),
            Err(error) if again(&error, context) => {}
            Err(error) => return Err(EditError::Invalid(error)),
        }
    }
}

fn read(path: &std::path::Path) -> Result<Zeroizing<Vec<u8>>, EditError> {
    files::read(path).map_err(|error| {
        EditError::File(io::Error::other(format!(
            "the editor left no file: {error}"
        )))
    })
}

/// Tells what is wrong; false when nobody is there.
fn again(error: &OpenError, context: &mut Context) -> bool {
    let failure = Failure {
        hint: error.hint(),
        ..Failure::new(error.to_string())
    };
    context.ui.failure(&context.env, &failure);
    context
        .ui
        .message("press Enter to edit it again, or Ctrl-C to give up");
    matches!(context.ui.read_line(), Ok(Some(_)))
}

/// What a new file begins with.
pub fn beginning(format: FileFormat) -> Plaintext {
    let text = match format {
        FileFormat::Yaml => {
            "# Replace this by your secrets, save, and close the editor.\nexample: value\n"
        }
        FileFormat::Json => "{\n\t\"example\": \"value\"\n}\n",
        FileFormat::Dotenv => {
            "# Replace this by your secrets, save, and close the editor.\nEXAMPLE=value\n"
        }
        FileFormat::Ini => {
            "; Replace this by your secrets, save, and close the editor.\n[section]\nexample = value\n"
        }
        FileFormat::Binary => "Replace this by your secret, save, and close the editor.\n",
    };
    Plaintext::new(text.as_bytes().to_vec())
}
