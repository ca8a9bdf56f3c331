//! `signet unset FILE KEY`

use clap::Args;
use signet_documents::edit::Editor;

use super::set::Target;
use super::set::secret::{SecretOptions, is_secret};
use crate::{Context, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet unset db.yaml old-password
  signet unset all.yaml old-password --name db
  signet unset secrets.enc.yaml '[\"db\"][\"old\"]'      a SOPS file";

/// Remove one value from a sealed or a SOPS file, in place
///
/// A sealed file needs no certificate and no key for it; a SOPS file needs one of its keys, for the checksum.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Unset {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    secret: SecretOptions,
}

impl Unset {
    /// Removes the item and writes the file.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        if is_secret(self.target.file()) {
            return self
                .secret
                .unset(self.target.file(), self.target.key(), context);
        }
        let manifest = self.target.read(context)?;
        let sealed = self.target.find(&manifest)?;
        let key = self.target.key();
        let items = &sealed.object.spec.encrypted_data;
        if !items.contains_key(key) {
            let known: Vec<_> = items.keys().map(String::as_str).collect();
            return Err(Failure::new(format!(
                "{}: `{}` has no item `{key}`; there are: {}",
                sealed.place,
                sealed.name(),
                known.join(", ")
            )));
        }
        let mut editor = Editor::new(sealed.resource.document_node());
        sealed.remove_item(&mut editor, key)?;
        self.target.write(&manifest, &sealed, editor)?;
        let note = format!("`{key}` of `{}` is removed", sealed.name());
        context.ui.note(&context.env, note);
        Ok(ExitStatus::Success)
    }
}
