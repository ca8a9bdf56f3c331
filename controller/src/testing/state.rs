//! The objects of the cluster, and the log of their changes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// A refusal: HTTP status and reason.
pub(super) type Refusal = (u16, &'static str);

#[derive(Default)]
pub(super) struct State {
    /// By path, such as `/api/v1/namespaces/a/secrets/b`.
    objects: BTreeMap<String, Value>,
    /// Every change since the start: version, type, path, object.
    pub(super) changes: Vec<(u64, &'static str, String, Value)>,
    version: u64,
    uids: u64,
}

impl State {
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn get(&self, path: &str) -> Result<Value, Refusal> {
        self.objects.get(path).cloned().ok_or((404, "NotFound"))
    }

    /// Objects of a collection: `/api/v1/secrets` lists every namespace.
    pub(super) fn list(&self, collection: &str) -> Vec<Value> {
        let within = |path: &&String| in_collection(path, collection);
        self.objects
            .iter()
            .filter(|(path, _)| within(path))
            .map(|(_, object)| object.clone())
            .collect()
    }

    pub(super) fn create(&mut self, collection: &str, mut object: Value) -> Result<Value, Refusal> {
        self.uids += 1;
        let metadata = &mut object["metadata"];
        if metadata["name"].is_null() {
            let prefix = metadata["generateName"].as_str().ok_or((422, "Invalid"))?;
            metadata["name"] = json!(format!("{prefix}{:05}", self.uids));
        }
        let path = format!(
            "{collection}/{}",
            metadata["name"].as_str().ok_or((422, "Invalid"))?
        );
        if self.objects.contains_key(&path) {
            return Err((409, "AlreadyExists"));
        }
        metadata["uid"] = json!(format!("uid-{}", self.uids));
        metadata["generation"] = json!(1);
        metadata["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
        if let Some(namespace) = collection
            .split('/')
            .skip_while(|part| *part != "namespaces")
            .nth(1)
        {
            metadata["namespace"] = json!(namespace);
        }
        Ok(self.put("ADDED", path, object))
    }

    /// Replaces an object, or only its status.
    pub(super) fn replace(
        &mut self,
        path: &str,
        mut object: Value,
        status: bool,
    ) -> Result<Value, Refusal> {
        let before = self.get(path)?;
        for guard in ["resourceVersion", "uid"] {
            let expected = &object["metadata"][guard];
            if !expected.is_null() && *expected != before["metadata"][guard] {
                return Err((409, "Conflict"));
            }
        }
        if status {
            let mut with_status = before.clone();
            with_status["status"] = object["status"].take();
            object = with_status;
        } else {
            if before["immutable"] == json!(true) && before["data"] != object["data"] {
                return Err((422, "Invalid"));
            }
            let generation = before["metadata"]["generation"].as_i64().unwrap_or(1);
            let bump = i64::from(before["spec"] != object["spec"]);
            object["metadata"]["generation"] = json!(generation + bump);
            for kept in ["uid", "creationTimestamp", "namespace"] {
                object["metadata"][kept] = before["metadata"][kept].clone();
            }
            if path.contains("/sealedsecrets/") {
                object["status"] = before["status"].clone();
            }
        }
        let unchanged = without_version(&before) == without_version(&object);
        if unchanged {
            Ok(before)
        } else {
            Ok(self.put("MODIFIED", path.to_owned(), object))
        }
    }

    pub(super) fn delete(&mut self, path: &str, preconditions: &Value) -> Result<Value, Refusal> {
        let mut object = self.get(path)?;
        for guard in ["resourceVersion", "uid"] {
            if !preconditions[guard].is_null() && preconditions[guard] != object["metadata"][guard]
            {
                return Err((409, "Conflict"));
            }
        }
        self.objects.remove(path);
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.changes
            .push((self.version, "DELETED", path.to_owned(), object.clone()));
        Ok(object)
    }

    fn put(&mut self, kind: &'static str, path: String, mut object: Value) -> Value {
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.objects.insert(path.clone(), object.clone());
        self.changes
            .push((self.version, kind, path, object.clone()));
        object
    }
}

/// Whether an object's path lies in a collection, of one namespace or of all.
pub(super) fn in_collection(path: &str, collection: &str) -> bool {
    let Some((parent, _)) = path.rsplit_once('/') else {
        return false;
    };
    let anywhere = || {
        let (group, plural) = collection.rsplit_once('/')?;
        let rest = parent.strip_prefix(group)?.strip_prefix("/namespaces/")?;
        Some(rest.split_once('/')?.1 == plural)
    };
    parent == collection || anywhere() == Some(true)
}

/// JSON merge patch, RFC 7396.
pub(super) fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        return *target = patch;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            if let Some(object) = target.as_object_mut() {
                object.remove(&key);
            }
        } else {
            merge(&mut target[key], value);
        }
    }
}

/// Whether labels or fields match a selector of `a=b` terms.
pub(super) fn selected(object: &Value, labels: &str, fields: &str) -> bool {
    let holds = |term: &str, value: &dyn Fn(&str) -> Option<String>| match term.split_once('=') {
        Some((key, wanted)) => value(key).as_deref() == Some(wanted.trim_start_matches('=')),
        None => value(term).is_some(),
    };
    let label = |key: &str| {
        object["metadata"]["labels"][key]
            .as_str()
            .map(str::to_owned)
    };
    let field = |key: &str| {
        object
            .pointer(&format!("/{}", key.replace('.', "/")))?
            .as_str()
            .map(str::to_owned)
    };
    let all = |selector: &str, value: &dyn Fn(&str) -> Option<String>| {
        selector
            .split(',')
            .filter(|term| !term.is_empty())
            .all(|term| holds(term, value))
    };
    all(labels, &label) && all(fields, &field)
}

fn without_version(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("resourceVersion");
    }
    object
}
