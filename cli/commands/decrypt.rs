//! `signet decrypt PATH…`

use std::path::PathBuf;

use clap::Args;
use signet_documents::sops::Warning;
use signet_documents::sops::tree::parse_path;

use crate::files::{self, Input};
use crate::secrets::batch::{self, Done, Words};
use crate::secrets::options::{InputOptions, MacOptions, OutputOptions, UnlockOptions};
use crate::secrets::{SecretFile, Services, output, tree, work};
use crate::{Context, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet decrypt secrets.yaml                        to standard output
  signet decrypt secrets.yaml --extract '[\"db\"][\"password\"]'
  signet decrypt secrets.yaml --output-type dotenv -o .env
  signet decrypt --in-place config/                  every encrypted file below it

A file that is decrypted has the bytes it had before it was encrypted, as far as the format keeps them.";

const WORDS: Words = Words {
    doing: "decrypting",
    done: "decrypted",
    would: "would decrypt",
};

/// Decrypt SOPS files
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Decrypt {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Replace the files by what is in them
    #[arg(short, long, conflicts_with_all = ["output", "extract"])]
    in_place: bool,
    /// Write to this file instead of standard output; for its owner alone if it is new
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only this part of the document, as `["key"][0]`
    #[arg(long, value_name = "PATH")]
    extract: Option<String>,
    /// Only say what would be done
    #[arg(long, requires = "in_place")]
    dry_run: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    layout: OutputOptions,
    #[command(flatten)]
    mac: MacOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

impl Decrypt {
    /// Decrypts one file to where it is wanted, or many in place.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        if self.in_place {
            return self.all(context);
        }
        let [path] = self.paths.as_slice() else {
            return Err(Failure::usage("several files are decrypted in place only")
                .with_hint("add `--in-place`, or name one file"));
        };
        self.one(path, context)
    }

    fn one(&self, path: &std::path::Path, context: &mut Context) -> Result<ExitStatus, Failure> {
        let format = self.input.format(path);
        let part = match &self.extract {
            Some(text) => parse_path(text).map_err(|error| Failure::usage(error.to_string()))?,
            None => Vec::new(),
        };
        let source = Input::from_argument(path.to_owned());
        let secret = SecretFile::open(&source, format, &mut context.ui)?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let cipher = secret.unlock(&services, &self.unlock.order()?)?;
        let check = self.mac.check();
        let mut warn = |warnings: &[Warning]| {
            for warning in warnings {
                context.ui.warn(&context.env, warning);
            }
        };
        let (to, layout) = (self.layout.format(format), self.layout.layout());
        let text = if part.is_empty() && output::is_own_text(format, to, layout) {
            let (text, warnings) = secret.decrypt_text(&cipher, check)?;
            warn(&warnings);
            text
        } else {
            let decrypted = secret.decrypt(&cipher, check)?;
            warn(&decrypted.warnings);
            if part.is_empty() {
                output::decrypted(decrypted, format, to, layout)?
            } else {
                output::part(&decrypted.tree, &part, to, layout)?
            }
        };
        match &self.output {
            Some(file) if !file.exists() => files::write_private(file, text.expose())?,
            Some(file) => files::write(file, text.expose())?,
            None => context.ui.data(text.expose())?,
        }
        Ok(ExitStatus::Success)
    }

    fn all(&self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let paths = tree::encrypted(&self.paths)?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let order = self.unlock.order()?;
        Ok(batch::each(paths, WORDS, self.dry_run, context, |path| {
            let format = self.input.format(path);
            let opened = work::open(path, format, &services, &order, self.mac.check())?;
            let warnings = opened.decrypted.warnings.iter();
            let warnings = warnings.map(ToString::to_string).collect();
            let (to, layout) = (self.layout.format(format), self.layout.layout());
            let text = output::decrypted(opened.decrypted, format, to, layout)?;
            if !self.dry_run {
                files::rewrite(path, &opened.secret.bytes, text.expose())?;
            }
            Ok(Done {
                changed: true,
                warnings,
            })
        }))
    }
}
