//! The key Secrets of a cluster.

use jiff::Timestamp;
use serde_json::{Value, json};
use signet_crds::constants::label::SEALING_KEY_ACTIVE;
use signet_documents::emit::kubernetes_yaml;
use signet_documents::manifest::Resource;
use zeroize::Zeroizing;

use super::portable::portable;
use crate::age_files::{self, Recipients};
use crate::cluster::{Cluster, Identity};
use crate::files::Input;
use crate::manifest::Manifest;
use crate::private_keys::{self, KeptKey};
use crate::{Context, Failure};

/// Name that very old controllers gave to their only key, without a label.
pub(super) const LEGACY_NAME: &str = "sealed-secrets-key";

/// All of them, active and retired.
pub(super) struct Stored {
    namespace: String,
    secrets: Vec<Value>,
}

/// One key with its Secret.
pub(super) struct StoredKey {
    pub(super) kept: KeptKey,
    /// What a deletion is bound to.
    pub(super) identity: Identity,
    /// Creation of the Secret; nothing when the cluster does not say.
    pub(super) created: Option<Timestamp>,
}

impl StoredKey {
    /// Whether the controller has it in use.
    pub(super) fn is_active(&self) -> bool {
        self.kept.state() == SEALING_KEY_ACTIVE
    }
}

impl Stored {
    /// Reads them.
    pub(super) fn fetch(cluster: &Cluster, namespace: &str) -> Result<Self, Failure> {
        let list = parse(&cluster.key_secrets(namespace)?)?;
        let mut secrets: Vec<Value> = list["items"].as_array().cloned().unwrap_or_default();
        if let Some(legacy) = cluster.secret(namespace, LEGACY_NAME)? {
            let is_new = |it: &Value| it["metadata"]["name"] != LEGACY_NAME;
            if secrets.iter().all(is_new) {
                secrets.push(parse(&legacy)?);
            }
        }
        Ok(Self {
            namespace: namespace.to_owned(),
            secrets,
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.secrets.len()
    }

    /// That there is none.
    pub(super) fn none(&self) -> Option<Failure> {
        let failure = || {
            Failure::new(format!("namespace `{}` has no key Secrets", self.namespace))
                .with_hint("name the controller's namespace with `--controller-namespace`")
        };
        self.secrets.is_empty().then(failure)
    }

    /// All of them in a List that another cluster can use, encrypted.
    pub(super) fn backup(&self, recipients: &Recipients) -> Result<Vec<u8>, Failure> {
        let items: Vec<Value> = self.secrets.iter().map(portable).collect();
        let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
        let plain = Zeroizing::new(kubernetes_yaml(&list));
        Ok(age_files::encrypt(plain.as_bytes(), recipients)?)
    }

    /// The keys in them. A Secret that holds no usable key is told and must not hide the others.
    pub(super) fn keys(&self, context: &mut Context) -> Result<Vec<StoredKey>, Failure> {
        let list = json!({"apiVersion": "v1", "kind": "List", "items": self.secrets});
        let input = Input::File(format!("keys of {}", self.namespace).into());
        let json = Zeroizing::new(list.to_string().into_bytes());
        let manifest = Manifest::parse(&input, json)?;
        let mut keys = Vec::new();
        for secret in manifest.resources() {
            match private_keys::of_secret(&manifest, &secret) {
                Ok(kept) => keys.extend(kept.map(|kept| stored(kept, &secret))),
                Err(error) => {
                    let name = secret.name().unwrap_or("-");
                    let warning = format!("Secret `{name}` is passed over: {error}");
                    context.ui.warn(&context.env, warning);
                }
            }
        }
        Ok(keys)
    }
}

fn stored(kept: KeptKey, secret: &Resource<'_>) -> StoredKey {
    let metadata = secret.node.get("metadata");
    let field = |name: &str| metadata?.get(name)?.text();
    StoredKey {
        kept,
        identity: Identity {
            uid: field("uid").unwrap_or_default().to_owned(),
            resource_version: field("resourceVersion").unwrap_or_default().to_owned(),
        },
        created: field("creationTimestamp").and_then(|time| time.parse().ok()),
    }
}

fn parse(bytes: &[u8]) -> Result<Value, Failure> {
    // The parser's message could quote a key.
    serde_json::from_slice(bytes).map_err(|_| Failure::new("the cluster's answer is not JSON"))
}
