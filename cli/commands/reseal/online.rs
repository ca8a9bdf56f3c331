//! Sealing anew by the controller, which never lets a value out.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use signet_crds::sealed_secret::SealedSecret;
use signet_documents::value::to_json;
use signet_keys::Fingerprint;
use signet_keys::sealed::decode;

use super::Resealer;
use super::report::ObjectReport;
use crate::certificates::ClusterOptions;
use crate::cluster::{Cluster, ClusterError, Controller};
use crate::sealed::Sealed;
use crate::sealing::Memory;
use crate::{Context, Failure};

/// Asks the controller's `/v1/rotate`.
pub(super) struct Online<'a> {
    cluster: Cluster,
    controller: Controller,
    newest: Fingerprint,
    memory: &'a Memory,
    namespace: Option<&'a str>,
    dry_run: bool,
}

/// How often a busy controller is asked again, and how long we wait in between: some allow two
/// requests a second.
const PATIENCE: u32 = 120;
const PAUSE: Duration = Duration::from_millis(600);

impl<'a> Online<'a> {
    pub(super) fn connect(
        options: &ClusterOptions,
        memory: &'a Memory,
        namespace: Option<&'a str>,
        dry_run: bool,
        context: &mut Context,
    ) -> Result<Self, Failure> {
        let cluster = options.connect(context).map_err(|error| {
            Failure::from(error)
                .with_hint("to work offline, name the private keys with `--private-key FILE`")
        })?;
        let controller = options.controller();
        let certificate = options.certificate_of(&cluster, context)?;
        Ok(Self {
            newest: certificate.public_key().fingerprint(),
            cluster,
            controller,
            memory,
            namespace,
            dry_run,
        })
    }

    /// Whether all of it was sealed for the newest key on this machine, or by the controller at our
    /// request.
    fn is_remembered(&self, sealed: &Sealed<'_>) -> bool {
        let known =
            |text: &String| decode(text).is_ok_and(|it| self.memory.sealed_for(&self.newest, &it));
        sealed.object.spec.encrypted_data.values().all(known)
    }

    /// Whether the status of the object in the cluster says that exactly these ciphertexts are on
    /// the newest key.
    fn is_current(&self, sealed: &Sealed<'_>, namespace: &str) -> Result<bool, ClusterError> {
        let Some(live) = self.cluster.sealed_secret(namespace, sealed.name())? else {
            return Ok(false);
        };
        let Ok(live) = serde_json::from_slice::<SealedSecret>(&live) else {
            return Ok(false);
        };
        let applied = live.status.as_ref().and_then(|it| it.applied.as_ref());
        let items = &sealed.object.spec.encrypted_data;
        let seen = live.status.as_ref().and_then(|it| it.observed_generation);
        Ok(live.spec.encrypted_data == *items
            && seen == live.metadata.generation
            && applied.is_some_and(|applied| {
                items.keys().all(|item| {
                    let key = applied.key_of(item).and_then(|key| key.parse().ok());
                    key == Some(self.newest)
                })
            }))
    }

    fn rotate(&self, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        let mut left = PATIENCE;
        loop {
            match self.cluster.rotate(&self.controller, body) {
                Err(error) if error.code() == Some(429) && left > 0 => {
                    left -= 1;
                    sleep(PAUSE);
                }
                answer => return answer,
            }
        }
    }
}

impl Resealer for Online<'_> {
    fn reseal(&self, sealed: &Sealed<'_>) -> Result<ObjectReport, Failure> {
        // Fails here when the file lacks what its items are bound to.
        sealed.label(self.namespace)?;
        let namespace = sealed.namespace(self.namespace).unwrap_or("default");
        let old = &sealed.object.spec.encrypted_data;
        if self.is_remembered(sealed) || self.is_current(sealed, namespace)? {
            let none = BTreeMap::new();
            return Ok(ObjectReport::new(sealed, self.namespace, none, old.len()));
        }
        if self.dry_run {
            return Ok(ObjectReport::new(sealed, self.namespace, old.clone(), 0));
        }
        let named = |what: &str| {
            let name = sealed.name();
            Failure::new(format!("{}: `{name}`: {what}", sealed.place))
        };
        let mut object =
            to_json(sealed.resource.node).map_err(|error| named(&error.to_string()))?;
        object["metadata"]["namespace"] = namespace.into();
        let answer = self
            .rotate(object.to_string().as_bytes())
            .map_err(|error| {
                let told = Failure::from(error);
                Failure {
                hint: Some(
                    "the controller has no key that opens it under this name, namespace and scope: \
                     re-seal offline with the old private keys"
                        .to_owned(),
                ),
                ..named(&told.message)
            }
            })?;
        // Only the ciphertexts are taken: the answer of some controllers lacks `template.data`.
        let answer: Value = serde_json::from_slice(&answer)
            .map_err(|_| named("the controller's answer is not JSON"))?;
        let new: BTreeMap<String, String> =
            serde_json::from_value(answer["spec"]["encryptedData"].clone())
                .map_err(|_| named("the controller's answer holds no items"))?;
        if !new.keys().eq(old.keys()) {
            return Err(named("the controller's answer holds other items"));
        }
        for ciphertext in new.values().filter_map(|text| decode(text).ok()) {
            self.memory.remember_key(&self.newest, &ciphertext);
        }
        Ok(ObjectReport::new(sealed, self.namespace, new, 0))
    }
}
