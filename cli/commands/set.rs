//! `signet set FILE KEY`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use signet_documents::edit::Editor;
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::SealError;

use crate::certificates::CertificateOptions;
use crate::certificates::source::Source;
use crate::files::{self, Input};
use crate::manifest::Manifest;
use crate::sealed::{self, Sealed};
use crate::sealing::{Memory, Sealer};
use crate::value::ValueOptions;
use crate::{Context, ExitStatus, Failure, names};

pub mod secret;

use secret::SecretOptions;

const EXAMPLES: &str = "\
Examples:
  signet set db.yaml password                    asked for, hidden
  printf %s \"$PASSWORD\" | signet set db.yaml password
  signet set db.yaml tls.crt --from-file server.crt
  pwgen 32 1 | signet set db.yaml password --trim-newline
  signet set secrets.enc.yaml '[\"db\"][\"password\"]'   a SOPS file";

/// Set one value of a sealed or a SOPS file, in place
///
/// Nothing else in the file moves. Scope, name and namespace of a sealed item come from the file, so do the recipients of a SOPS file.
/// The value is never an argument: other users of the machine could read it there, and the shell would remember it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Set {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    value: ValueOptions,
    // Caught so that a value typed here by mistake is refused without being repeated.
    #[arg(hide = true)]
    rest: Vec<String>,
    /// Certificate to seal with: a file or URL; else the cluster's or the pinned one
    #[arg(long, value_name = "FILE")]
    cert: Option<Source>,
    #[command(flatten)]
    certificate: CertificateOptions,
    /// Neither read nor write the local proofs of unchanged values
    #[arg(long)]
    no_state: bool,
    /// The value is JSON: a number, a list, a mapping
    #[arg(long, help_heading = "For SOPS files")]
    json: bool,
    #[command(flatten)]
    secret: SecretOptions,
}

/// One item of one `SealedSecret` in a file, or one value of a SOPS file.
#[derive(Args, Debug)]
pub struct Target {
    /// The sealed or encrypted file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The item; in a SOPS file a key, or a path as `["key"][0]`
    #[arg(value_name = "KEY")]
    key: String,
    /// Which `SealedSecret`, when the file holds several
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Namespace that it is deployed to, when the file names none
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
}

impl Set {
    /// Seals the value and writes the file.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        if !self.rest.is_empty() || self.target.key.contains('=') {
            return Err(Failure::usage("the value is not an argument").with_hint(
                "other users of this machine could read it there; type it when asked, pipe it in, \
                 or use `--from-file FILE`",
            ));
        }
        let Target { file, key, .. } = &self.target;
        if secret::is_secret(file) {
            let value = self.value.read(&format!("`{key}`"), context)?;
            return self.secret.set(file, key, &value, self.json, context);
        }
        let manifest = self.target.read(context)?;
        let sealed = self.target.find(&manifest)?;
        let label = sealed.label(self.target.namespace.as_deref())?;
        let certificate = match &self.cert {
            Some(source) => self.certificate.named(source, context)?,
            None => self.certificate.usual(context)?,
        };
        let value = self
            .value
            .read(&format!("`{key}` of `{}`", sealed.name()), context)?;

        let memory = Memory::open(context, !self.no_state, KeyRing::default());
        let sealer = Sealer::new(&certificate, &memory);
        let previous = sealed.object.spec.encrypted_data.get(key);
        let item = sealer
            .item(&label, key, value.expose(), previous.map(String::as_str))
            .map_err(|error| cannot_seal(key, &error))?;
        let told = match previous {
            Some(previous) if *previous == item => "has that value already",
            Some(_) => "is changed",
            None => "is added",
        };
        let mut editor = Editor::new(sealed.resource.document_node());
        sealed.set_items(&mut editor, &BTreeMap::from([(key.clone(), item)]))?;
        self.target.write(&manifest, &sealed, editor)?;
        memory.save(context);
        let note = format!(
            "`{key}` of `{}` {told} in `{}`",
            sealed.name(),
            file.display()
        );
        context.ui.note(&context.env, note);
        Ok(ExitStatus::Success)
    }
}

impl Target {
    /// Reads the file, if the item can be one of it.
    pub fn read(&self, context: &mut Context) -> Result<Manifest, Failure> {
        names::item(&self.key).map_err(|error| Failure::usage(error.to_string()))?;
        let input = Input::File(self.file.clone());
        Ok(Manifest::read(&input, &mut context.ui)?)
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The item's name.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The one `SealedSecret` that is meant.
    pub fn find<'a>(&self, manifest: &'a Manifest) -> Result<Sealed<'a>, Failure> {
        let file = self.file.display();
        let mut found = sealed::all(manifest).collect::<Result<Vec<_>, _>>()?;
        if let Some(name) = &self.name {
            found.retain(|sealed| sealed.name() == name);
        }
        match (found.pop(), found.as_slice()) {
            (Some(only), []) => Ok(only),
            (Some(last), others) => {
                let names: Vec<_> = others.iter().chain([&last]).map(Sealed::name).collect();
                Err(Failure::new(format!(
                    "`{file}` holds several SealedSecrets: {}",
                    names.join(", ")
                ))
                .with_hint("say which one with `--name NAME`"))
            }
            (None, _) => Err(match &self.name {
                Some(name) => Failure::new(format!("`{file}` holds no SealedSecret `{name}`")),
                None => Failure::new(format!("`{file}` holds no SealedSecret"))
                    .with_hint("seal a Secret first: `signet seal secret.yaml`"),
            }),
        }
    }

    /// Writes the edited file, unless someone else changed it meanwhile.
    pub fn write(
        &self,
        manifest: &Manifest,
        sealed: &Sealed<'_>,
        editor: Editor<'_>,
    ) -> Result<(), Failure> {
        let text = editor.apply().map_err(|error| sealed.edit_error(error))?;
        files::rewrite(&self.file, &manifest.bytes, &manifest.text.encode(&text))?;
        Ok(())
    }
}

/// A value could not be sealed; says which, not what.
pub fn cannot_seal(item: &str, error: &SealError) -> Failure {
    Failure::new(format!("cannot seal `{item}`: {error}"))
}
