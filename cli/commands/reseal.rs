//! `signet reseal PATH…`

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use signet_crds::constants::label::SEALING_KEY_ACTIVE;
use signet_documents::edit::Editor;
use signet_documents::splice;
use signet_keys::certificate::Certificate;
use signet_keys::keyring::KeyRing;

use crate::certificates::source::Source;
use crate::certificates::{ClusterOptions, named};
use crate::files::{self, Input};
use crate::manifest::Manifest;
use crate::output::{self, FormatOption};
use crate::private_keys::{KeyOptions, PrivateKeys, is_dateless};
use crate::sealed;
use crate::sealing::{Memory, Sealer};
use crate::ui::Progress;
use crate::walk::{self, Found};
use crate::{Context, ExitStatus, Failure};

mod offline;
mod online;
mod report;

use offline::Offline;
use online::Online;
use report::{FileReport, ObjectReport};

const EXAMPLES: &str = "\
Examples:
  signet reseal .                                        the controller seals anew, item by item
  signet reseal clusters/prod --private-key backup.age --identity key.txt
  signet reseal . --private-key old.yaml --cert new.pem  to another cluster's key, offline
  signet reseal . --private-key backup.yaml --dry-run

A file is changed only where an item is not on the newest key; comments, order and layout stay.
Exit status 1 when something could not be sealed anew; the rest is done all the same.";

/// Seal every item of a tree of files for the newest key, in place
///
/// With private keys it works offline; without, the controller does it, and no value leaves it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Reseal {
    /// Files and folders; what Git ignores is passed over
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    keys: KeyOptions,
    /// The certificate to seal for; else that of the newest private key that is not retired
    #[arg(long, value_name = "FILE", requires = "private_keys")]
    cert: Option<Source>,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Namespace of resources that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    #[command(flatten)]
    answer: FormatOption,
    /// Neither read nor write the local proofs of unchanged values
    #[arg(long)]
    no_state: bool,
    /// Seal for a certificate that has expired
    #[arg(long)]
    danger_accept_expired: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// How one `SealedSecret` gets its new ciphertexts.
trait Resealer {
    /// The items to replace, and what else there is to say.
    fn reseal(&self, sealed: &sealed::Sealed<'_>) -> Result<ObjectReport, Failure>;
}

impl Reseal {
    /// Works through all files.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let Found { files, unreadable } = walk::files(&self.paths, walk::is_manifest)?;
        let mut reports = if self.keys.given() {
            self.offline(&files, context)?
        } else {
            self.online(&files, context)?
        };
        let unreadable = unreadable.into_iter();
        reports.extend(unreadable.map(|(path, failure)| FileReport::new(&path).failed(failure)));
        output::print(
            self.answer.format,
            &reports.as_slice(),
            |reports| report::text(reports, self.dry_run),
            context,
        )?;
        for template in reports.iter().filter(|report| report.is_template()) {
            let warning = format!("{template} is a template and is passed over");
            context.ui.warn(&context.env, warning);
        }
        let failures = reports.iter().flat_map(FileReport::failures);
        let mut status = ExitStatus::Success;
        for failure in failures {
            context.ui.failure(&context.env, failure);
            status = ExitStatus::Failure;
        }
        let summary = report::summary(&reports, self.dry_run);
        context.ui.note(&context.env, summary);
        Ok(status)
    }

    fn offline(
        &self,
        files: &[PathBuf],
        context: &mut Context,
    ) -> Result<Vec<FileReport>, Failure> {
        let keys = self.keys.load(&mut context.ui)?;
        let target = self.target(&keys, context)?;
        let memory = Memory::open(context, !self.no_state, KeyRing::default());
        let resealer = Offline {
            keys: keys.ring(),
            target: target.public_key().fingerprint(),
            sealer: Sealer::new(&target, &memory),
            memory: &memory,
            namespace: self.namespace.as_deref(),
        };
        let progress = context.ui.progress(files.len(), "re-sealing");
        let reports = files
            .par_iter()
            .filter_map(|path| self.step(path, &resealer, &progress))
            .collect();
        memory.save(context);
        Ok(reports)
    }

    fn online(&self, files: &[PathBuf], context: &mut Context) -> Result<Vec<FileReport>, Failure> {
        let memory = Memory::open(context, !self.no_state, KeyRing::default());
        let resealer = Online::connect(
            &self.cluster,
            &memory,
            self.namespace.as_deref(),
            self.dry_run,
            context,
        )?;
        let progress = context.ui.progress(files.len(), "re-sealing");
        // One after the other: the controller does one at a time.
        let reports = files
            .iter()
            .filter_map(|path| self.step(path, &resealer, &progress))
            .collect();
        memory.save(context);
        Ok(reports)
    }

    fn step(
        &self,
        path: &Path,
        resealer: &impl Resealer,
        progress: &Progress,
    ) -> Option<FileReport> {
        let report = self.file(path, resealer);
        progress.step();
        report
    }

    /// The certificate that everything should be sealed for.
    fn target(&self, keys: &PrivateKeys, context: &mut Context) -> Result<Certificate, Failure> {
        if let Some(source) = &self.cert {
            let certificate = named(source, self.danger_accept_expired, context)?;
            warn_of_retired(&certificate, keys, context);
            return Ok(certificate);
        }
        let ring = keys.ring();
        let told = match keys.newest_active() {
            Some(newest) if !is_dateless(newest) => return Ok(newest.certificate.clone()),
            Some(_) if ring.len() == 1 => {
                "a private key without its certificate does not tell what to seal for".to_owned()
            }
            Some(_) => "the private keys do not tell which of them is the newest".to_owned(),
            None => {
                let retired: Vec<String> = ring
                    .iter()
                    .map(|key| format!("`{}` ({})", key.name, keys.state(&key.fingerprint())))
                    .collect();
                format!("every private key is retired: {}", retired.join(", "))
            }
        };
        Err(Failure::usage(told).with_hint("name the certificate to seal for with `--cert FILE`"))
    }

    /// One file; nothing when it holds no `SealedSecret`.
    fn file(&self, path: &Path, resealer: &impl Resealer) -> Option<FileReport> {
        let mut report = FileReport::new(path);
        let bytes = match files::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return Some(report.failed(error.into())),
        };
        if !mentions_sealed_secrets(&bytes) {
            return None;
        }
        let is_template = is_template(&bytes);
        let manifest = match Manifest::parse(&Input::File(path.to_owned()), bytes) {
            Ok(manifest) => manifest,
            Err(_) if is_template => return Some(report.passed_over()),
            Err(error) => return Some(report.failed(error.into())),
        };
        let mut splices = Vec::new();
        for sealed in sealed::all(&manifest) {
            let done = sealed.map_err(Failure::from).and_then(|sealed| {
                let object = resealer.reseal(&sealed)?;
                let mut editor = Editor::new(sealed.resource.document_node());
                sealed.replace_items(&mut editor, &object.items)?;
                let edits = editor
                    .into_splices()
                    .map_err(|error| sealed.edit_error(error))?;
                Ok((object, edits))
            });
            match done {
                Ok((object, edits)) => {
                    splices.extend(edits);
                    report.objects.push(object);
                }
                Err(failure) => report.failures.push(failure),
            }
        }
        if !self.dry_run && !splices.is_empty() {
            let written = splice::apply(manifest.stream.text(), splices)
                .map_err(|error| Failure::new(format!("`{}`: {error}", path.display())))
                .and_then(|text| {
                    let bytes = manifest.text.encode(&text);
                    Ok(files::rewrite(path, &manifest.bytes, &bytes)?)
                });
            if let Err(failure) = written {
                // Nothing of this file was done after all.
                report.objects.clear();
                return Some(report.failed(failure));
            }
        }
        (!report.objects.is_empty() || !report.failures.is_empty()).then_some(report)
    }
}

/// Whoever names a certificate decides; but what was retired may be known to others.
fn warn_of_retired(certificate: &Certificate, keys: &PrivateKeys, context: &mut Context) {
    let state = keys.state(&certificate.public_key().fingerprint());
    if state != SEALING_KEY_ACTIVE {
        let warning = format!("the key of the certificate is marked `{state}` in the backup");
        context.ui.warn(&context.env, warning);
    }
}

/// Whether a text is a template as charts have them: a line that begins with an action is no YAML.
fn is_template(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    lines.any(|line| line.trim_ascii_start().starts_with(b"{{"))
}

/// Whether it is worth parsing a file: most files of a tree hold nothing sealed.
fn mentions_sealed_secrets(bytes: &[u8]) -> bool {
    const KIND: &[u8] = b"SealedSecret";
    bytes.windows(KIND.len()).any(|window| window == KIND)
}
