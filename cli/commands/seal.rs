//! `signet seal [FILE…]`

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use signet_keys::sealed::Scope;

use crate::certificates::CertificateOptions;
use crate::files::{self, Input};
use crate::manifest::Manifest;
use crate::output::ManifestFormat;
use crate::private_keys::KeyOptions;
use crate::sealing::{Memory, Sealer, Tally};
use crate::value::ValueOptions;
use crate::{Context, ExitStatus, Failure};

mod certificate;
mod comments;
mod into;
mod lost;
mod place;
mod previous;
mod raw;
mod secrets;

use certificate::NamedSource;
use place::{Output, Place};
use secrets::{Secrets, Work};

const EXAMPLES: &str = "\
Examples:
  signet seal secret.yaml --output sealed.yaml     unchanged items keep their ciphertext
  signet seal -i apps/*/secret.yaml                in place; comments and order stay
  kubectl create secret generic db -n team --dry-run=client -o yaml … | signet seal
  signet seal secret.yaml --cert dev.pem --cert prod.pem --output 'sealed-{cert}.yaml'
  signet seal secret.yaml --into sealed.yaml       only set these items there
  signet seal --raw --name db --namespace team     one value, asked for hidden";

/// Seal Secrets so that only the cluster can open them
///
/// Reads files or standard input with any number of documents and Lists. What is no Secret is passed
/// through as it is.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Seal {
    /// Files with Secrets, `-` for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Certificate to seal with: a file or URL, optionally with a name: `prod=https://…`; several
    /// give one output each
    #[arg(long, value_name = "[NAME=]FILE")]
    cert: Vec<NamedSource>,
    /// Where the items will open: `strict` (only under this name and namespace), `namespace-wide`
    /// or `cluster-wide`; else what the Secret's annotations say
    #[arg(long, value_name = "SCOPE", value_parser = scope)]
    scope: Option<Scope>,
    /// Name of the Secret, instead of the one in the file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Namespace of the Secret, for files that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// Seal a Secret without items
    #[arg(long)]
    allow_empty_data: bool,
    /// Refuse resources of other kinds instead of passing them through
    #[arg(long)]
    only_secrets: bool,

    /// Replace each Secret by its sealed form in the file itself
    #[arg(short, long, conflicts_with_all = ["output", "into", "format", "raw"])]
    in_place: bool,
    /// Write to this file; `{cert}` in it stands for the certificate's name. Items that are in the
    /// file already and have not changed keep their ciphertext
    #[arg(long, value_name = "FILE", conflicts_with_all = ["into", "raw"])]
    output: Option<String>,
    /// Set the items in this sealed file, in place; scope, name and namespace are those of the file,
    /// which has one SealedSecret, or one of each Secret's name
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scope", "name", "format", "raw"])]
    into: Option<PathBuf>,
    /// Form of the output; else that of the input
    #[arg(short = 'o', long, value_name = "yaml|json")]
    format: Option<ManifestFormat>,

    /// Seal one value and print it in base64
    #[arg(long, conflicts_with_all = ["files", "format", "only_secrets"])]
    raw: bool,
    #[command(flatten)]
    value: ValueOptions,

    #[command(flatten)]
    certificate: CertificateOptions,
    #[command(flatten)]
    keys: KeyOptions,
    /// Neither read nor write the local proofs of unchanged values
    #[arg(long)]
    no_state: bool,
}

impl Seal {
    /// Seals, and writes when all could be sealed.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        self.check()?;
        if self.raw {
            return raw::run(&self, context);
        }
        let inputs = self.inputs(context)?;
        let certificates = certificate::load(&self.cert, &self.certificate, context)?;
        let keys = self.keys.load(&mut context.ui)?.into_ring();
        let memory = Memory::open(context, !self.no_state, keys);
        let manifests = inputs
            .iter()
            .map(|input| Manifest::read(input, &mut context.ui))
            .collect::<Result<Vec<_>, _>>()?;

        let (mut done, mut tallies, mut losses) = (Vec::new(), Vec::new(), Vec::new());
        for (name, certificate) in &certificates {
            let sealer = Sealer::new(certificate, &memory);
            let work = Work {
                options: &self,
                sealer: &sealer,
            };
            if let Some(into) = &self.into {
                done.push(into::seal_into(into, &manifests, &work, context)?);
            } else {
                let place = self.place(name);
                let previous = place.previous(&manifests, self.namespace.as_deref())?;
                let secrets = Secrets::seal(&manifests, &previous, &work);
                if self.in_place && secrets.are_sealed_already() {
                    let note = "nothing to do: the files are sealed already";
                    context.ui.note(&context.env, note);
                    return Ok(ExitStatus::Success);
                }
                let secrets = secrets.finish(context)?;
                let output = place.output(secrets, &manifests, self.format, &mut losses)?;
                if let Output::Write { bytes, .. } = &output {
                    losses.extend(previous.lost(bytes));
                }
                done.push(output);
            }
            tallies.push(sealer.tally());
        }
        let linked = self.linked();
        for output in done {
            output.write(context)?;
        }
        for manifest in &manifests {
            if let Some(note) = comments::beside_values(manifest) {
                context.ui.note(&context.env, note);
            }
        }
        for path in linked {
            let warning = format!(
                "`{}` had another name (a hard link): under that one its values are still plain",
                path.display()
            );
            context.ui.warn(&context.env, warning);
        }
        for warning in losses {
            context.ui.warn(&context.env, warning);
        }
        for tally in tallies {
            self.tell(tally, context);
        }
        memory.save(context);
        Ok(ExitStatus::Success)
    }

    /// What the grammar cannot say.
    fn check(&self) -> Result<(), Failure> {
        let named = self.output.as_deref().is_some_and(place::has_name);
        if self.cert.len() > 1 && !named {
            return Err(Failure::usage("several certificates need one output each")
                .with_hint("use `--output 'sealed-{cert}.yaml'`, or run once for each"));
        }
        let from_value = self.value.from_file.is_some() || self.value.trim_newline;
        if from_value && !self.raw {
            return Err(
                Failure::usage("`--from-file` and `--trim-newline` need `--raw`")
                    .with_hint("to seal one value into a sealed file use `signet set FILE KEY`"),
            );
        }
        Ok(())
    }

    /// The named files; standard input when none is named and nobody would have to type it.
    fn inputs(&self, context: &Context) -> Result<Vec<Input>, Failure> {
        if self.files.is_empty() && context.ui.terminals().stdin {
            return Err(Failure::usage("no input: name files, or pipe Secrets in")
                .with_hint("`signet seal -` reads what you type"));
        }
        let mut inputs: Vec<_> = self
            .files
            .iter()
            .cloned()
            .map(Input::from_argument)
            .collect();
        if inputs.is_empty() {
            inputs.push(Input::Stdin);
        }
        if self.in_place && inputs.contains(&Input::Stdin) {
            return Err(Failure::usage("standard input cannot be replaced in place"));
        }
        if self.in_place {
            // A file that is named twice is replaced once.
            let mut seen = HashSet::new();
            inputs.retain(|input| match input {
                Input::File(path) => path.canonicalize().map_or(true, |it| seen.insert(it)),
                Input::Stdin => true,
            });
        }
        Ok(inputs)
    }

    /// Files to be replaced that are known under other names too, which will keep the old text.
    fn linked(&self) -> Vec<&PathBuf> {
        let files = self.files.iter().filter(|_| self.in_place);
        files.filter(|path| files::has_other_names(path)).collect()
    }

    fn place(&self, certificate: &str) -> Place {
        match &self.output {
            _ if self.in_place => Place::Inputs,
            Some(pattern) => Place::File(place::named(pattern, certificate)),
            None => Place::Stdout,
        }
    }

    /// Who writes to standard output sees what was sealed; a file has to be told of.
    fn tell(&self, tally: Tally, context: &mut Context) {
        let to_file = self.in_place || self.output.is_some() || self.into.is_some();
        if to_file || tally.kept > 0 {
            let note = format!(
                "items sealed: {}; unchanged, and left as they are: {}",
                tally.sealed, tally.kept
            );
            context.ui.note(&context.env, note);
        }
    }
}

fn scope(text: &str) -> Result<Scope, String> {
    text.parse()
        .map_err(|_| "one of strict, namespace-wide, cluster-wide".to_owned())
}
