//! `signet keys restore FILE`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use signet_crds::constants::label::{SEALING_KEY, SEALING_KEY_ACTIVE};
use signet_documents::manifest::Resource;
use signet_documents::value::to_json;

use super::portable::{passed_over, portable};
use super::stored::LEGACY_NAME;
use crate::certificates::ClusterOptions;
use crate::cluster::Cluster;
use crate::files::Input;
use crate::manifest::{Manifest, Place};
use crate::private_keys::{self, KeptKey};
use crate::{Context, ExitStatus, Failure, Hint, age_files};

const EXAMPLES: &str = "\
Examples:
  signet keys restore sealing-keys.age --identity key.txt --dry-run
  signet keys restore sealing-keys.age --identity key.txt
  signet keys restore main.key           what `kubectl get secret -o yaml` printed of the keys

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
    /// Give keys without a label the one that makes the controller use them
    #[arg(long)]
    activate: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// What becomes of one key Secret.
enum Step {
    Create { name: String, secret: Value },
    Keep { name: String, state: String },
}

/// Why nothing was restored.
#[derive(Debug, thiserror::Error)]
enum RestoreError {
    #[error("`{0}` is a private key alone, and a cluster keeps keys as Secrets")]
    Pem(Input),
    #[error("{0}: not a Secret with a private key")]
    NoKey(Place),
    #[error("{0}: the Secret has no name")]
    NoName(Place),
    #[error("{place}: Secret `{name}` has no label `{SEALING_KEY}`: no controller would use it")]
    NoLabel { place: Place, name: String },
    #[error("{place}: the controller would pass over Secret `{name}`: {cause}")]
    PassedOver {
        place: Place,
        name: String,
        cause: String,
    },
    #[error("Secret `{namespace}/{name}` holds another key; nothing was written")]
    Taken { namespace: String, name: String },
}

impl Hint for RestoreError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Pem(file) => {
                return Some(format!(
                    "`kubectl create secret tls NAME --cert CERTIFICATE --key {file} \
                     --dry-run=client -o yaml` makes a Secret of it; restore that with `--activate`"
                ));
            }
            Self::NoKey(_) => {
                "a backup holds nothing but key Secrets: those that \
                 `kubectl get secret -l sealedsecrets.bitnami.com/sealed-secrets-key -o yaml` prints"
            }
            Self::NoLabel { .. } => "if it is a sealing key, add `--activate`: that labels it",
            Self::Taken { .. } => {
                "rename the Secret in the backup: the name of a key Secret has no meaning"
            }
            Self::NoName(_) | Self::PassedOver { .. } => return None,
        };
        Some(hint.to_owned())
    }
}

impl Restore {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let input = Input::from_argument(self.file.clone());
        let mut bytes = input.read(&mut context.ui)?;
        if age_files::is_encrypted(&bytes) {
            bytes = age_files::decrypt(&input, &bytes, &self.identity)?;
        }
        if private_keys::is_pem(&bytes) {
            return Err(RestoreError::Pem(input).into());
        }
        let manifest = Manifest::parse(&input, bytes)?;
        let cluster = self.cluster.connect(context)?;
        // All is looked at, and the cluster asked whether it would take it, before anything is written.
        let steps = manifest
            .resources()
            .map(|resource| self.step(&manifest, &resource, &cluster))
            .collect::<Result<Vec<_>, _>>()?;
        for step in &steps {
            self.create(step, &cluster, true)?;
        }
        for step in &steps {
            if !self.dry_run {
                self.create(step, &cluster, false)?;
            }
            context.ui.note(&context.env, self.told(step));
        }
        Ok(ExitStatus::Success)
    }

    fn create(&self, step: &Step, cluster: &Cluster, dry_run: bool) -> Result<(), Failure> {
        if let Step::Create { name, secret } = step {
            let body = zeroize::Zeroizing::new(secret.to_string().into_bytes());
            let namespace = &self.cluster.controller_namespace;
            cluster.create_secret(namespace, name, &body, dry_run)?;
        }
        Ok(())
    }

    fn told(&self, step: &Step) -> String {
        let namespace = &self.cluster.controller_namespace;
        match step {
            Step::Keep { name, state } if state == SEALING_KEY_ACTIVE => {
                format!("`{namespace}/{name}` is there already")
            }
            Step::Keep { name, state } => format!(
                "`{namespace}/{name}` is there already, but marked `{state}`: the controller does \
                 not use it"
            ),
            Step::Create { name, .. } if self.dry_run => {
                format!("would create `{namespace}/{name}`")
            }
            Step::Create { name, .. } => format!("created `{namespace}/{name}`"),
        }
    }

    fn step(
        &self,
        manifest: &Manifest,
        resource: &Resource<'_>,
        cluster: &Cluster,
    ) -> Result<Step, Failure> {
        let place = manifest.place(resource);
        let Some(kept) = private_keys::of_secret(manifest, resource)? else {
            return Err(RestoreError::NoKey(place).into());
        };
        let Some(name) = resource.name().map(str::to_owned) else {
            return Err(RestoreError::NoName(place).into());
        };
        let secret =
            to_json(resource.node).map_err(|error| Failure::new(format!("{place}: {error}")))?;
        let mut secret = portable(&secret);
        let namespace = &self.cluster.controller_namespace;
        secret["metadata"]["namespace"] = json!(namespace);
        if let Some(existing) = cluster.secret(namespace, &name)? {
            return Ok(Step::Keep {
                state: self.same_key(&name, &existing, &kept)?,
                name,
            });
        }
        if kept.label.is_none() && name != LEGACY_NAME {
            if !self.activate {
                return Err(RestoreError::NoLabel { place, name }.into());
            }
            secret["metadata"]["labels"][SEALING_KEY] = json!(SEALING_KEY_ACTIVE);
        }
        match passed_over(&secret) {
            Some(cause) => Err(RestoreError::PassedOver { place, name, cause }.into()),
            None => Ok(Step::Create { name, secret }),
        }
    }

    /// The state of the Secret of the same name, which has to hold the same key.
    fn same_key(&self, name: &str, existing: &[u8], kept: &KeptKey) -> Result<String, Failure> {
        let namespace = &self.cluster.controller_namespace;
        let input = Input::File(format!("Secret {namespace}/{name}").into());
        let existing = Manifest::parse(&input, existing.to_vec().into())?;
        let existing = existing
            .resources()
            .next()
            .and_then(|secret| private_keys::of_secret(&existing, &secret).ok()?);
        match existing {
            Some(it) if it.key.fingerprint() == kept.key.fingerprint() => Ok(it.state().to_owned()),
            _ => Err(RestoreError::Taken {
                namespace: namespace.clone(),
                name: name.to_owned(),
            }
            .into()),
        }
    }
}
