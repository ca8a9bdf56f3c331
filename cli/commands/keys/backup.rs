//! `signet keys backup`

use std::path::PathBuf;

use clap::Args;

use super::stored::Stored;
use crate::age_files::Recipients;
use crate::certificates::ClusterOptions;
use crate::{Context, ExitStatus, Failure, files};

const EXAMPLES: &str = "\
Examples:
  age-keygen -o key.txt                                  once; keep it away from the cluster
  signet keys backup --recipient age1… > sealing-keys.age
  signet keys list --private-key sealing-keys.age --identity key.txt   to see that it opens";

/// Print all keys of the cluster, encrypted to an age recipient
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Backup {
    /// Who can open the backup: an age recipient, `age1…`
    #[arg(long, value_name = "RECIPIENT", required = true)]
    recipient: Vec<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Backup {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        // Before a cluster is asked for keys that could not be stored.
        let recipients = Recipients::parse(&self.recipient)?;
        let cluster = self.cluster.connect(context)?;
        let stored = Stored::fetch(&cluster, &self.cluster.controller_namespace)?;
        if let Some(none) = stored.none() {
            return Err(none);
        }
        let encrypted = stored.backup(&recipients)?;
        match &self.output {
            Some(path) => files::write(path, &encrypted)?,
            None => context.ui.data(&encrypted)?,
        }
        let (count, controller) = (stored.len(), self.cluster.controller());
        let note = format!("backed up {count} keys of `{controller}`");
        context.ui.note(&context.env, note);
        Ok(ExitStatus::Success)
    }
}
