//! `signet keys restore FILE`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use signet_documents::manifest::Resource;
use signet_documents::value::to_json;

use crate::certificates::ClusterOptions;
use crate::cluster::Cluster;
use crate::files::Input;
use crate::manifest::Manifest;
use crate::{Context, ExitStatus, Failure, age_files, private_keys};

const EXAMPLES: &str = "\
Examples:
  signet keys restore sealing-keys.age --identity key.txt --dry-run
  signet keys restore sealing-keys.age --identity key.txt

A key that the cluster has already stays as it is. Where a Secret of the same name holds another
key, nothing is written.";

/// Put the keys of a backup into a cluster; never replaces a key
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Restore {
    /// The backup, encrypted or not
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The age identity file that opens an encrypted backup
    #[arg(long, value_name = "FILE")]
    identity: Vec<PathBuf>,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// What becomes of one key Secret.
enum Step {
    Create { name: String, secret: Value },
    Keep { name: String },
}

impl Restore {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let input = Input::from_argument(self.file.clone());
        let mut bytes = input.read(&mut context.ui)?;
        if age_files::is_encrypted(&bytes) {
            bytes = age_files::decrypt(&input, &bytes, &self.identity)?;
        }
        let manifest = Manifest::parse(&input, bytes)?;
        let cluster = self.cluster.connect(context)?;
        // All is looked at before anything is written.
        let steps = manifest
            .resources()
            .map(|resource| self.step(&manifest, &resource, &cluster))
            .collect::<Result<Vec<_>, _>>()?;
        let namespace = &self.cluster.controller_namespace;
        for step in steps {
            let told = match step {
                Step::Keep { name } => format!("`{namespace}/{name}` is there already"),
                Step::Create { name, .. } if self.dry_run => {
                    format!("would create `{namespace}/{name}`")
                }
                Step::Create { name, secret } => {
                    let body = secret.to_string().into_bytes();
                    cluster.create_secret(namespace, &name, &body)?;
                    format!("created `{namespace}/{name}`")
                }
            };
            context.ui.note(&context.env, told);
        }
        Ok(ExitStatus::Success)
    }

    fn step(
        &self,
        manifest: &Manifest,
        resource: &Resource<'_>,
        cluster: &Cluster,
    ) -> Result<Step, Failure> {
        let place = manifest.place(resource);
        private_keys::of_secret(manifest, resource)?
            .ok_or_else(|| Failure::new(format!("{place}: not a Secret with a private key")))?;
        let name = resource
            .name()
            .ok_or_else(|| Failure::new(format!("{place}: the Secret has no name")))?
            .to_owned();
        let mut secret =
            to_json(resource.node).map_err(|error| Failure::new(format!("{place}: {error}")))?;
        let namespace = &self.cluster.controller_namespace;
        secret["metadata"]["namespace"] = json!(namespace);
        let Some(existing) = cluster.secret(namespace, &name)? else {
            return Ok(Step::Create { name, secret });
        };
        // The parser's message could quote a key.
        let existing: Value = serde_json::from_slice(&existing)
            .map_err(|_| Failure::new("the cluster's answer is not JSON"))?;
        if existing["data"]["tls.key"] == secret["data"]["tls.key"] {
            Ok(Step::Keep { name })
        } else {
            Err(Failure::new(format!(
                "Secret `{namespace}/{name}` holds another key; nothing was written"
            ))
            .with_hint("rename the Secret in the backup: the name of a key Secret has no meaning"))
        }
    }
}
