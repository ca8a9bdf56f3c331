//! `signet keys backup`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};
use signet_documents::emit::kubernetes_yaml;
use zeroize::Zeroizing;

use crate::certificates::ClusterOptions;
use crate::{Context, ExitStatus, Failure, age_files, files};

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

/// Name that very old controllers gave to their only key, without a label.
const LEGACY_NAME: &str = "sealed-secrets-key";

impl Backup {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let namespace = &self.cluster.controller_namespace;
        let cluster = self.cluster.connect(context)?;
        let list: Value = parse(&cluster.key_secrets(namespace)?)?;
        let mut secrets: Vec<Value> = list["items"].as_array().cloned().unwrap_or_default();
        if let Some(legacy) = cluster.secret(namespace, LEGACY_NAME)? {
            let legacy: Value = parse(&legacy)?;
            if secrets
                .iter()
                .all(|it| it["metadata"]["name"] != LEGACY_NAME)
            {
                secrets.push(legacy);
            }
        }
        if secrets.is_empty() {
            return Err(
                Failure::new(format!("namespace `{namespace}` has no key Secrets"))
                    .with_hint("name the controller's namespace with `--controller-namespace`"),
            );
        }
        let count = secrets.len();
        let items: Vec<Value> = secrets.iter().map(portable).collect();
        let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
        let plain = Zeroizing::new(kubernetes_yaml(&list));
        let encrypted = age_files::encrypt(plain.as_bytes(), &self.recipient)?;
        match &self.output {
            Some(path) => files::write(path, &encrypted)?,
            None => context.ui.data(&encrypted)?,
        }
        let note = format!("backed up {count} keys of `{}`", self.cluster.controller());
        context.ui.note(&context.env, note);
        Ok(ExitStatus::Success)
    }
}

fn parse(bytes: &[u8]) -> Result<Value, Failure> {
    // The parser's message could quote a key.
    serde_json::from_slice(bytes).map_err(|_| Failure::new("the cluster's answer is not JSON"))
}

/// A Secret with what another cluster can use of it.
fn portable(secret: &Value) -> Value {
    let metadata: Map<String, Value> = ["name", "namespace", "labels", "annotations"]
        .iter()
        .filter_map(|field| Some(((*field).to_owned(), secret["metadata"].get(field)?.clone())))
        .collect();
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata,
        "type": secret["type"],
        "data": secret["data"],
    })
}
