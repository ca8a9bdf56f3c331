//! `signet keys prune`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::SignedDuration;
use rayon::prelude::*;
use signet_crds::sealed_secret::SealedSecret;
use signet_engine::prune::{self, Decision, Key};
use signet_keys::keyring::KeyRing;

use super::stored::{Stored, StoredKey};
use crate::age_files::Recipients;
use crate::certificates::ClusterOptions;
use crate::cluster::Cluster;
use crate::output::{self, FormatOption};
use crate::{Context, ExitStatus, Failure, files, sealed};

mod report;

const EXAMPLES: &str = "\
Examples:
  signet keys prune                                       say what could go, and why the rest stays
  signet keys prune --delete --backup 2026-11.age --recipient age1…

A key goes only when no SealedSecret of the cluster needs it, it is not the newest, and has not been
the newest for 30 days. What is in Git and not in the cluster is not seen: `signet reseal` the
repositories first. Exit status 1 when it is not known what some SealedSecret needs.";

/// Retire keys that no SealedSecret needs any more; says which, unless told to delete
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Prune {
    /// Delete the keys that nothing needs; needs `--backup` or `--danger-no-backup`
    #[arg(long)]
    delete: bool,
    /// Write all keys, encrypted, to this new file before any is deleted
    #[arg(long, value_name = "FILE", requires = "recipient")]
    backup: Option<PathBuf>,
    /// Who can open the backup: an age recipient, `age1…`
    #[arg(long, value_name = "RECIPIENT", requires = "backup")]
    recipient: Vec<String>,
    /// Delete without a backup: what is sealed for a deleted key is lost
    #[arg(long, requires = "delete", conflicts_with = "backup")]
    danger_no_backup: bool,
    /// Keep a key that was the newest within so many days
    #[arg(long, value_name = "N", default_value_t = 30)]
    keep_days: u16,
    /// A namespace that the controller looks after, when it is not all of them; may be repeated
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Vec<String>,
    #[command(flatten)]
    answer: FormatOption,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Prune {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let recipients = self.prepare()?;
        let cluster = self.cluster.connect(context)?;
        let stored = Stored::fetch(&cluster, &self.cluster.controller_namespace)?;
        if let Some(none) = stored.none() {
            return Err(none);
        }
        let keys = stored.keys(context)?;
        let objects = self.objects(&cluster)?;
        let grace = SignedDuration::from_hours(24 * i64::from(self.keep_days));
        let facts = keys.iter().map(fact).collect();
        let decision = prune::decide(facts, &objects, grace, context.env.now());
        let rows = report::rows(&decision);
        output::print(
            self.answer.format,
            &rows,
            |rows| report::table(rows),
            context,
        )?;
        refuse_unknown(&decision, context)?;

        let removable: BTreeSet<&str> = decision
            .removable()
            .map(|key| key.secret.as_str())
            .collect();
        let (go, stay): (Vec<_>, Vec<_>) = keys
            .into_iter()
            .partition(|stored| removable.contains(stored.kept.key.name.as_str()));
        if go.is_empty() || !self.delete {
            let note = report::nothing_done(go.len());
            context.ui.note(&context.env, note);
            return Ok(ExitStatus::Success);
        }
        prove(&objects, stay, context)?;
        if let (Some(path), Some(recipients)) = (&self.backup, &recipients) {
            files::write(path, &stored.backup(recipients)?)?;
            let note = format!("backed up {} keys to `{}`", stored.len(), path.display());
            context.ui.note(&context.env, note);
        }
        self.delete(&cluster, &go, context)
    }

    /// What can be found wrong before a cluster is asked.
    fn prepare(&self) -> Result<Option<Recipients>, Failure> {
        if self.delete && self.backup.is_none() && !self.danger_no_backup {
            return Err(
                Failure::usage("deleting keys needs a backup of them").with_hint(
                    "add `--backup FILE --recipient age1…`; \
                 to do without, add `--danger-no-backup`",
                ),
            );
        }
        if let Some(path) = self.backup.as_deref().filter(|path| is_there(path)) {
            return Err(
                Failure::new(format!("`{}` exists already", path.display())).with_hint(
                    "name a new file: the old backup may be the only place of keys that were \
                     deleted before",
                ),
            );
        }
        let recipients = self
            .backup
            .as_ref()
            .map(|_| Recipients::parse(&self.recipient));
        Ok(recipients.transpose()?)
    }

    /// All objects that the keys could be for.
    fn objects(&self, cluster: &Cluster) -> Result<Vec<SealedSecret>, Failure> {
        if self.namespace.is_empty() {
            return sealed::list(&cluster.sealed_secrets(None)?);
        }
        let mut objects = Vec::new();
        for namespace in &self.namespace {
            objects.extend(sealed::list(&cluster.sealed_secrets(Some(namespace))?)?);
        }
        Ok(objects)
    }

    fn delete(
        &self,
        cluster: &Cluster,
        keys: &[StoredKey],
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let namespace = &self.cluster.controller_namespace;
        for stored in keys {
            let name = &stored.kept.key.name;
            let deleted = cluster.delete_secret(namespace, name, &stored.identity);
            deleted.map_err(|error| match error.code() {
                Some(409) => Failure::new(format!(
                    "Secret `{namespace}/{name}` has changed meanwhile and was not deleted"
                ))
                .with_hint("run the command again"),
                _ => error.into(),
            })?;
            let fingerprint = stored.kept.key.fingerprint();
            let note = format!("deleted `{namespace}/{name}` ({fingerprint})");
            context.ui.note(&context.env, note);
        }
        Ok(ExitStatus::Success)
    }
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn fact(stored: &StoredKey) -> Key {
    let started = stored.kept.key.certificate.not_before();
    Key {
        secret: stored.kept.key.name.clone(),
        fingerprint: stored.kept.key.fingerprint(),
        started,
        created: stored.created.unwrap_or(started),
        active: stored.is_active(),
    }
}

/// So many objects are named.
const NAMED: usize = 20;

fn refuse_unknown(decision: &Decision, context: &mut Context) -> Result<(), Failure> {
    let unknown = &decision.unknown;
    if unknown.is_empty() {
        return Ok(());
    }
    for it in unknown.iter().take(NAMED) {
        context.ui.warn(&context.env, it);
    }
    Err(Failure::new(format!(
        "it is not known which keys {} of the SealedSecrets need, so none can go",
        unknown.len()
    ))
    .with_hint(
        "`signet status` says how they stand; mend or delete them, or let a controller look after \
         them that writes statuses",
    ))
}

/// Opens everything with the keys that stay: a status may have been written by somebody else.
fn prove(objects: &[SealedSecret], stay: Vec<StoredKey>, context: &Context) -> Result<(), Failure> {
    let left = KeyRing::new(stay.into_iter().map(|stored| stored.kept.key).collect());
    let progress = context.ui.progress(objects.len(), "opening");
    let failed: Vec<String> = objects
        .par_iter()
        .filter(|sealed| {
            let opens = prune::opens_with(sealed, &left);
            progress.step();
            !opens
        })
        .map(prune::name)
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    let named = failed.iter().take(NAMED).map(|name| format!("`{name}`"));
    let named: Vec<_> = named.collect();
    Err(Failure::new(format!(
        "{} SealedSecrets would not open any more, although their status says so; nothing was \
         deleted: {}",
        failed.len(),
        named.join(", ")
    ))
    .with_hint("somebody else than the controller wrote that status"))
}
