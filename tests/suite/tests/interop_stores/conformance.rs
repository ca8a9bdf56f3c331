//! What must hold of every store.

use futures::future::BoxFuture;
use serde_json::{Value as Json, json};
use signet_keys::Plaintext;
use signet_providers::store::{
    Deleted, Part, Push, Pushed, Query, Reference, SecretStore, StoreErrorKind, Value,
};

/// A backend as its owner sees it: secrets are put there by other means than the store.
pub trait Backend {
    /// The store, with all rights.
    fn store(&self) -> &dyn SecretStore;
    /// A store whose identity may do nothing.
    fn denied(&self) -> &dyn SecretStore;
    /// Puts a secret there, with tags.
    fn put<'a>(
        &'a self,
        key: &'a str,
        value: &'a Json,
        tags: &'a [(&'a str, &'a str)],
    ) -> BoxFuture<'a, ()>;
    /// Deletes a secret the usual way.
    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()>;
    /// How the first version of a secret is called, if versions are kept.
    fn first_version(&self) -> Option<&'static str>;
    /// Whether secrets have tags.
    fn has_tags(&self) -> bool;
}

/// Runs all of it. Every case has keys of its own.
pub async fn holds(backend: &impl Backend) {
    reads_what_is_there(backend).await;
    tells_what_is_missing_from_what_is_denied(backend).await;
    reads_versions(backend).await;
    finds_by_path_name_and_tags(backend).await;
    pushes_once_and_deletes_its_own(backend).await;
    leaves_alone_what_is_not_its_own(backend).await;
}

/// The value as JSON.
pub fn as_json(value: &Value) -> Json {
    match value {
        Value::Bytes(bytes) => serde_json::from_slice(bytes.expose()).unwrap(),
        Value::Fields(fields) => fields
            .iter()
            .map(|(key, value)| {
                let text = String::from_utf8(value.expose().to_vec()).unwrap();
                (key.clone(), Json::String(text))
            })
            .collect(),
    }
}

async fn read(backend: &impl Backend, reference: &Reference) -> Result<Json, StoreErrorKind> {
    let read = backend.store().read(reference).await;
    read.map(|value| as_json(&value))
        .map_err(|error| error.kind())
}

async fn reads_what_is_there(backend: &impl Backend) {
    let large = "x".repeat(60_000);
    let secret = json!({"user": "admin", "a.b": "dotted", "text": "\u{e4}<&>\n", "large": large});
    backend.put("c/read/one", &secret, &[]).await;
    let one = Reference::to("c/read/one");
    assert_eq!(read(backend, &one).await, Ok(secret.clone()));
    let several = [one.clone(), Reference::to("c/read/none"), one];
    let all = backend.store().read_all(&several).await;
    assert_eq!(as_json(all[0].as_ref().unwrap()), secret);
    assert_eq!(all[1].as_ref().unwrap_err().kind(), StoreErrorKind::Missing);
    assert_eq!(as_json(all[2].as_ref().unwrap()), secret);
}

async fn tells_what_is_missing_from_what_is_denied(backend: &impl Backend) {
    backend
        .put("c/gone", &json!({"canary": "canary-4711"}), &[])
        .await;
    backend.delete("c/gone").await;
    for key in ["c/gone", "c/never"] {
        let error = backend.store().read(&Reference::to(key)).await.unwrap_err();
        assert!(error.is_gone(), "{key}: {error}");
        assert!(error.to_string().contains(key), "{error}");
    }
    backend
        .put("c/denied", &json!({"canary": "canary-4711"}), &[])
        .await;
    let error = backend
        .denied()
        .read(&Reference::to("c/denied"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Denied, "{error}");
    assert!(!error.to_string().contains("canary-4711"), "{error}");
}

async fn reads_versions(backend: &impl Backend) {
    let Some(first) = backend.first_version() else {
        return;
    };
    backend.put("c/versions", &json!({"v": "1"}), &[]).await;
    backend.put("c/versions", &json!({"v": "2"}), &[]).await;
    let version = |version: &str| Reference {
        version: Some(version.to_owned()),
        ..Reference::to("c/versions")
    };
    assert_eq!(
        read(backend, &Reference::to("c/versions")).await,
        Ok(json!({"v": "2"}))
    );
    assert_eq!(read(backend, &version(first)).await, Ok(json!({"v": "1"})));
    let missing = backend.store().read(&version("4711")).await.unwrap_err();
    assert!(missing.is_gone(), "{missing}");
}

async fn finds_by_path_name_and_tags(backend: &impl Backend) {
    for number in 0..25 {
        let (key, value) = (
            format!("c/find/deep/s{number}"),
            json!({"n": number.to_string()}),
        );
        let tags: &[_] = if number < 3 && backend.has_tags() {
            &[("team", "blue")]
        } else {
            &[]
        };
        backend.put(&key, &value, tags).await;
    }
    let find = async |path: Option<&str>, name: Option<&str>, tags: &[(&str, &str)]| {
        let query = Query {
            path: path.map(str::to_owned),
            name: name.map(str::to_owned),
            tags: tags
                .iter()
                .map(|(key, value)| ((*key).into(), (*value).into()))
                .collect(),
        };
        let found = backend.store().find(&query).await.unwrap();
        found.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(find(Some("c/find"), Some("."), &[]).await.len(), 25);
    assert_eq!(
        find(Some("c/find"), Some("s2[01]$"), &[]).await,
        ["c/find/deep/s20", "c/find/deep/s21"]
    );
    assert!(find(Some("c/nothing"), Some("."), &[]).await.is_empty());
    if backend.has_tags() {
        let blue = [("team", "blue")];
        assert_eq!(find(Some("c/find"), None, &blue).await.len(), 3);
        assert_eq!(
            find(Some("c/find"), Some("s1$"), &blue).await,
            ["c/find/deep/s1"]
        );
        assert!(
            find(Some("c/find"), None, &[("team", "red")])
                .await
                .is_empty()
        );
    }
}

async fn pushes_once_and_deletes_its_own(backend: &impl Backend) {
    let store = backend.store();
    let push = |property: Option<&str>, value: &str| Push {
        key: "c/push".into(),
        property: property.map(str::to_owned),
        value: Value::Bytes(Plaintext::new(value.as_bytes().to_vec())),
        options: Json::Null,
    };
    assert!(!store.exists("c/push", None).await.unwrap());
    assert_eq!(store.push(&push(Some("a"), "1")).await, Ok(Pushed::Written));
    assert_eq!(
        store.push(&push(Some("a"), "1")).await,
        Ok(Pushed::Unchanged)
    );
    assert_eq!(store.push(&push(Some("b"), "2")).await, Ok(Pushed::Written));
    let both = as_json(&store.read(&Reference::to("c/push")).await.unwrap());
    assert_eq!((&both["a"], &both["b"]), (&json!("1"), &json!("2")));
    assert!(store.exists("c/push", Some("a")).await.unwrap());
    assert!(!store.exists("c/push", Some("c")).await.unwrap());
    assert_eq!(
        store.delete("c/push", Some("a")).await,
        Ok(Deleted::Deleted)
    );
    assert!(store.exists("c/push", Some("b")).await.unwrap());
    assert_eq!(
        store.delete("c/push", Some("b")).await,
        Ok(Deleted::Deleted)
    );
    assert!(!store.exists("c/push", None).await.unwrap());
    assert_eq!(store.delete("c/push", None).await, Ok(Deleted::Missing));
}

async fn leaves_alone_what_is_not_its_own(backend: &impl Backend) {
    backend.put("c/foreign", &json!({"theirs": "1"}), &[]).await;
    let store = backend.store();
    let push = Push {
        key: "c/foreign".into(),
        property: Some("ours".into()),
        value: Value::Bytes(Plaintext::new(b"2".to_vec())),
        options: Json::Null,
    };
    let error = store.push(&push).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Conflict, "{error}");
    assert!(error.hint().is_some());
    assert_eq!(store.delete("c/foreign", None).await, Ok(Deleted::Foreign));
    assert_eq!(
        read(backend, &Reference::to("c/foreign")).await,
        Ok(json!({"theirs": "1"}))
    );
}

/// Reads the metadata of a secret with tags.
pub async fn metadata(backend: &impl Backend) -> Json {
    backend
        .put("c/tagged", &json!({"a": "1"}), &[("team", "blue")])
        .await;
    let reference = Reference {
        part: Part::Metadata,
        ..Reference::to("c/tagged")
    };
    as_json(&backend.store().read(&reference).await.unwrap())
}
