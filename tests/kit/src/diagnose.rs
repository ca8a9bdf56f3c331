//! What is known of a namespace when a wait has failed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_openapi::api::core::v1::Event;
use kube::Api;
use kube::api::ListParams;

use crate::namespace::Namespace;
use crate::process::tail;

/// The SealedSecrets with their status, the Secrets without their values, the events, and the ends of
/// the controllers' logs.
pub async fn namespace(namespace: &Namespace, logs: &Path) -> String {
    let mut text = format!("--- namespace {}\n", namespace.name());
    let all = ListParams::default();
    match namespace.sealed_secrets().list(&all).await {
        Err(error) => drop(writeln!(text, "SealedSecrets: {error}")),
        Ok(list) => {
            for object in list.items {
                let name = object.metadata.name.unwrap_or_default();
                let generation = object.metadata.generation.unwrap_or_default();
                let status = &object.data["status"];
                let _ = writeln!(
                    text,
                    "SealedSecret {name}, generation {generation}: {status:#}"
                );
            }
        }
    }
    if let Ok(list) = namespace.secrets().list(&all).await {
        for secret in list.items {
            let keys: Vec<String> = secret.data.unwrap_or_default().into_keys().collect();
            let meta = secret.metadata;
            let _ = writeln!(
                text,
                "Secret {}: {keys:?}, annotations {:?}, owners {}",
                meta.name.unwrap_or_default(),
                meta.annotations.unwrap_or_default(),
                meta.owner_references.unwrap_or_default().len(),
            );
        }
    }
    let events: Api<Event> = Api::namespaced(namespace.client(), namespace.name());
    if let Ok(list) = events.list(&all).await {
        for event in list.items {
            let about = event.involved_object.name.unwrap_or_default();
            let (reason, message) = (
                event.reason.unwrap_or_default(),
                event.message.unwrap_or_default(),
            );
            let _ = writeln!(text, "event on {about}: {reason}: {message}");
        }
    }
    for log in controller_logs(logs) {
        let _ = writeln!(text, "--- {}\n{}", log.display(), tail(&log, 30));
    }
    text
}

fn controller_logs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut logs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "log"))
        .collect();
    logs.retain(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("controller"))
    });
    logs.sort();
    logs
}
