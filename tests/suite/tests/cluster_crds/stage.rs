//! One API server with all definitions in it.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use signet_kit::{ControlPlane, KitError, PlaneOptions};
use tokio::sync::OnceCell;

pub async fn plane() -> &'static ControlPlane {
    static PLANE: OnceCell<ControlPlane> = OnceCell::const_new();
    let start = async || {
        let plane = ControlPlane::with_deployment(PlaneOptions::default())
            .await
            .unwrap();
        let external = signet_kit::tools::repository().join("deploy/crds/external-secrets");
        plane.apply_kustomize(&external).await.unwrap();
        let all = [
            "wait",
            "--for=condition=Established",
            "--timeout=60s",
            "crd",
            "--all",
        ];
        plane.kubectl(all).await.unwrap();
        plane
    };
    PLANE.get_or_init(start).await
}

/// What the API server makes of an object, of which nothing may get lost on the way.
pub async fn create(object: &Value) -> Result<Value, KitError> {
    submit(object, &["--validate=strict"]).await
}

/// What the API server would answer.
pub async fn would_create(object: &Value) -> Result<Value, KitError> {
    submit(object, &["--validate=strict", "--dry-run=server"]).await
}

async fn submit(object: &Value, flags: &[&str]) -> Result<Value, KitError> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let plane = plane().await;
    let name = format!("object-{}.json", NEXT.fetch_add(1, Ordering::Relaxed));
    let file = plane.workdir().write(&name, object.to_string())?;
    let path = file.display().to_string();
    let start = ["create", "-o", "json", "-f", &path];
    let answer = plane.kubectl(start.iter().chain(flags).copied()).await?;
    Ok(serde_json::from_str(&answer).unwrap())
}

/// An object as one version of the API shows it.
pub async fn get(resource: &str, name: &str) -> Value {
    let args = ["get", resource, name, "-o", "json"];
    let answer = plane().await.kubectl(args).await.unwrap();
    serde_json::from_str(&answer).unwrap()
}

/// Whether all that one value says is in the other.
pub fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, part)| whole.get(name).is_some_and(|whole| contains(whole, part))),
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(w, p)| contains(w, p))
        }
        _ => whole == part,
    }
}
