//! The HTTP side of the cluster.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use axum::body::Body;
use http::{Method, Request, Response};
use kube::Client;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::state::{Refusal, State, in_collection, merge, selected};

/// What a request gets instead of an answer.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// This status and reason.
    Status(u16, &'static str),
    /// Text that is not what was asked for.
    Garbage(&'static str),
    /// Nothing, ever.
    Silence,
}

type Hooks = Vec<Box<dyn FnMut(&Method, &str, &Value) + Send>>;
type Faults = Vec<Box<dyn FnMut(&Method, &str) -> Option<Fault> + Send>>;

/// A cluster in memory. Clones are the same cluster.
#[derive(Clone)]
pub(crate) struct Cluster {
    state: Arc<Mutex<State>>,
    version: watch::Sender<u64>,
    requests: Arc<Mutex<Vec<(Method, String)>>>,
    faults: Arc<Mutex<Faults>>,
    hooks: Arc<Mutex<Hooks>>,
    expired: watch::Sender<u32>,
}

impl Cluster {
    pub(crate) fn new() -> Self {
        Self {
            state: Arc::default(),
            version: watch::Sender::new(0),
            requests: Arc::default(),
            faults: Arc::default(),
            hooks: Arc::default(),
            expired: watch::Sender::new(0),
        }
    }

    /// A client of it.
    pub(crate) fn client(&self) -> Client {
        let cluster = self.clone();
        let service = tower::service_fn(move |request: Request<kube::client::Body>| {
            let cluster = cluster.clone();
            async move { Ok::<_, Infallible>(cluster.answer(request).await) }
        });
        Client::new(service, "default")
    }

    /// Lets `decide` say for each request whether and how it fails, until it is no longer wanted.
    pub(crate) fn fail(&self, decide: impl FnMut(&Method, &str) -> Option<Fault> + Send + 'static) {
        lock(&self.faults).push(Box::new(decide));
    }

    /// From here on nothing fails, and nothing happens on the way of answers.
    pub(crate) fn heal(&self) {
        lock(&self.faults).clear();
        lock(&self.hooks).clear();
    }

    /// Lets something happen after a request was done and before its answer arrives.
    pub(crate) fn before_answers(
        &self,
        happen: impl FnMut(&Method, &str, &Value) + Send + 'static,
    ) {
        lock(&self.hooks).push(Box::new(happen));
    }

    /// The requests so far, but for watches: method and path.
    pub(crate) fn requests(&self) -> Vec<(Method, String)> {
        lock(&self.requests).clone()
    }

    /// The writes so far, as text such as `POST /api/v1/namespaces/a/secrets`.
    pub(crate) fn writes(&self) -> Vec<String> {
        let requests = self.requests();
        let writes = requests.iter().filter(|(method, _)| *method != Method::GET);
        writes
            .map(|(method, path)| format!("{method} {path}"))
            .collect()
    }

    /// Forgets the requests so far.
    pub(crate) fn forget_requests(&self) {
        lock(&self.requests).clear();
    }

    /// Puts an object there as somebody else would: created, or replaced whatever its version.
    pub(crate) fn put(&self, collection: &str, object: impl serde::Serialize) -> Value {
        let mut object = serde_json::to_value(object).expect("objects of tests are JSON");
        let mut state = lock(&self.state);
        let path = format!(
            "{collection}/{}",
            object["metadata"]["name"].as_str().unwrap_or_default()
        );
        let written = if state.get(&path).is_ok() {
            object["metadata"]["resourceVersion"] = Value::Null;
            state.replace(&path, object, false)
        } else {
            state.create(collection, object)
        };
        self.publish(&state);
        drop(state);
        written.expect("the object of the test is refused")
    }

    /// The object at a path.
    pub(crate) fn get(&self, path: &str) -> Option<Value> {
        lock(&self.state).get(path).ok()
    }

    /// The objects of a collection.
    pub(crate) fn list(&self, collection: &str) -> Vec<Value> {
        lock(&self.state).list(collection)
    }

    /// Deletes an object as somebody else would.
    pub(crate) fn delete(&self, path: &str) {
        let mut state = lock(&self.state);
        state
            .delete(path, &Value::Null)
            .expect("the object of the test is not there");
        self.publish(&state);
    }

    /// Deletes an object without a word to the watches.
    pub(crate) fn delete_unseen(&self, path: &str) {
        let mut state = lock(&self.state);
        state
            .delete(path, &Value::Null)
            .expect("the object of the test is not there");
        state.changes.pop();
    }

    /// Ends every watch with 410: what it has missed is no longer known.
    pub(crate) fn expire_watches(&self) {
        self.expired.send_modify(|times| *times += 1);
    }

    fn publish(&self, state: &State) {
        self.version.send_replace(state.version());
    }

    async fn answer(&self, request: Request<kube::client::Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let query = query(parts.uri.query().unwrap_or_default());
        let is_watch = query
            .get("watch")
            .is_some_and(|value| value == "true" || value == "1");
        if !is_watch {
            lock(&self.requests).push((parts.method.clone(), path.clone()));
        }
        let fault = lock(&self.faults)
            .iter_mut()
            .find_map(|decide| decide(&parts.method, &path));
        match fault {
            Some(Fault::Status(code, reason)) => return refuse((code, reason)),
            Some(Fault::Garbage(text)) => return respond(200, text.to_owned()),
            Some(Fault::Silence) => return std::future::pending().await,
            None => {}
        }
        let accept = parts
            .headers
            .get(http::header::ACCEPT)
            .and_then(|value| value.to_str().ok());
        let metadata_only = accept.is_some_and(|accept| accept.contains("PartialObjectMetadata"));
        if is_watch {
            return self.watch(path, &query, metadata_only);
        }
        let body = body.collect_bytes().await.unwrap_or_default();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        match self.act(&parts.method, &path, &query, body, metadata_only) {
            Ok(answer) => {
                for happen in lock(&self.hooks).iter_mut() {
                    happen(&parts.method, &path, &answer);
                }
                respond(200, answer.to_string())
            }
            Err(refusal) => refuse(refusal),
        }
    }

    fn act(
        &self,
        method: &Method,
        path: &str,
        query: &HashMap<String, String>,
        body: Value,
        metadata_only: bool,
    ) -> Result<Value, Refusal> {
        let mut state = lock(&self.state);
        let (object_path, status) = match path.strip_suffix("/status") {
            Some(object) => (object, true),
            None => (path, false),
        };
        let answer = match *method {
            Method::GET if is_collection(path) => {
                let objects = state
                    .list(path)
                    .into_iter()
                    .filter(|object| matches(object, query));
                let items: Vec<Value> =
                    objects.map(|object| shape(object, metadata_only)).collect();
                Ok(json!({"kind": "List", "apiVersion": "v1", "items": items,
                    "metadata": {"resourceVersion": state.version().to_string()}}))
            }
            Method::GET => state.get(path).map(|object| shape(object, metadata_only)),
            Method::POST => state.create(path, body),
            Method::PUT => state.replace(object_path, body, status),
            // Server-side apply makes what is not there.
            Method::PATCH if query.contains_key("fieldManager") && state.get(path).is_err() => {
                let (collection, _) = path.rsplit_once('/').unwrap_or_default();
                state.create(collection, body)
            }
            Method::PATCH => state.get(object_path).and_then(|mut object| {
                merge(&mut object, body);
                state.replace(object_path, object, status)
            }),
            Method::DELETE => state.delete(path, &body["preconditions"]),
            _ => Err((405, "MethodNotAllowed")),
        };
        self.publish(&state);
        answer
    }

    fn watch(
        &self,
        path: String,
        query: &HashMap<String, String>,
        metadata_only: bool,
    ) -> Response<Body> {
        let since: u64 = query
            .get("resourceVersion")
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        let (cluster, query) = (self.clone(), query.clone());
        let mut expired = self.expired.subscribe();
        expired.borrow_and_update();
        let start = Some((since, self.version.subscribe(), expired));
        let stream = futures::stream::unfold(start, move |watch| {
            let (cluster, query, path) = (cluster.clone(), query.clone(), path.clone());
            async move {
                let (mut since, mut version, mut expired) = watch?;
                loop {
                    version.borrow_and_update();
                    let (lines, now) = cluster.changes_since(since, &path, &query, metadata_only);
                    since = now;
                    if !lines.is_empty() {
                        return Some((Ok::<_, Infallible>(lines), Some((since, version, expired))));
                    }
                    tokio::select! {
                        changed = version.changed() => changed.ok()?,
                        changed = expired.changed() => {
                            changed.ok()?;
                            let status = json!({"kind": "Status", "code": 410, "reason": "Expired"});
                            let line = json!({"type": "ERROR", "object": status});
                            return Some((Ok(format!("{line}\n")), None));
                        }
                    }
                }
            }
        });
        Response::new(Body::from_stream(stream))
    }
}

impl Cluster {
    /// The events of a watch since a version, and the version that they lead to. Objects that were
    /// selected leave with DELETED when they no longer are, as on the real server.
    fn changes_since(
        &self,
        since: u64,
        collection: &str,
        query: &HashMap<String, String>,
        metadata_only: bool,
    ) -> (String, u64) {
        let state = lock(&self.state);
        let mut lines = String::new();
        let mut seen = std::collections::HashSet::new();
        for (at, kind, path, object) in &state.changes {
            if !in_collection(path, collection) {
                continue;
            }
            let fits = *kind != "DELETED" && matches(object, query);
            let was = if fits {
                !seen.insert(path)
            } else {
                seen.remove(path)
            };
            let kind = match (fits, was) {
                (true, true) => "MODIFIED",
                (true, false) => "ADDED",
                (false, true) => "DELETED",
                (false, false) => continue,
            };
            if *at > since {
                let event = json!({"type": kind, "object": shape(object.clone(), metadata_only)});
                lines.push_str(&event.to_string());
                lines.push('\n');
            }
        }
        (lines, state.version())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn query(text: &str) -> HashMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(key, value)| {
            (
                key.to_owned(),
                value
                    .replace("%3D", "=")
                    .replace("%2F", "/")
                    .replace("%2C", ","),
            )
        })
        .collect()
}

fn matches(object: &Value, query: &HashMap<String, String>) -> bool {
    let get = |key: &str| query.get(key).map(String::as_str).unwrap_or_default();
    selected(object, get("labelSelector"), get("fieldSelector"))
}

/// Whether a path names a collection rather than an object: the parts after the version alternate.
fn is_collection(path: &str) -> bool {
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let after_version = if parts[0] == "api" {
        parts.len() - 2
    } else {
        parts.len() - 3
    };
    after_version % 2 == 1
}

fn shape(object: Value, metadata_only: bool) -> Value {
    if !metadata_only {
        return object;
    }
    json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": object["metadata"]})
}

fn refuse((code, reason): Refusal) -> Response<Body> {
    let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code,
        "reason": reason, "message": format!("refused with {reason}")});
    respond(code, status.to_string())
}

fn respond(code: u16, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = http::StatusCode::from_u16(code).expect("a status of a test");
    response
}
