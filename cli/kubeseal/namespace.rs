//! The namespace of the kubeconfig's current context, read without connecting to anything.
//!
//! It is asked for only when neither the input nor `-n` names a namespace, so that sealing with
//! `--cert` needs no kubeconfig (sealed-secrets#1789).

use std::path::{Path, PathBuf};

use signet_documents::yaml::{Node, Stream};

use crate::cluster::Connection;
use crate::{Env, Hint};

use super::certificate::reason;

/// Where a pod finds its own namespace.
const IN_CLUSTER: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/// Why the kubeconfig does not say the namespace. Its contents are never quoted.
#[derive(Debug, thiserror::Error)]
pub(super) enum NamespaceError {
    /// It names a context that it does not have.
    #[error("context {0:?} does not exist in the kubeconfig")]
    NoContext(String),
    /// A file that the user named is not there, or cannot be read.
    #[error("stat {}: {}", .path.display(), reason(.cause))]
    Read {
        path: PathBuf,
        cause: std::io::Error,
    },
    /// It is not YAML.
    #[error("the kubeconfig {} cannot be read: line {line} is not YAML", .path.display())]
    Parse { path: PathBuf, line: usize },
}

impl Hint for NamespaceError {
    fn hint(&self) -> Option<String> {
        Some("name the namespace with -n".to_owned())
    }
}

/// The namespace, `default` when the context has none; nothing when there is no kubeconfig.
pub(super) fn of_context(
    connection: &Connection,
    env: &Env,
) -> Result<Option<String>, NamespaceError> {
    let mut files = Vec::new();
    for path in paths(connection, env) {
        let text = std::fs::read_to_string(&path).map_err(|cause| NamespaceError::Read {
            path: path.clone(),
            cause,
        })?;
        let stream = Stream::parse(&text).map_err(|error| NamespaceError::Parse {
            path,
            line: error.line,
        })?;
        files.push(stream);
    }
    if files.is_empty() {
        return Ok(in_cluster(env));
    }
    namespace(&files, connection.context.as_deref()).map(Some)
}

/// `--kubeconfig`; else what exists of `$KUBECONFIG`; else `~/.kube/config`, if it exists.
fn paths(connection: &Connection, env: &Env) -> Vec<PathBuf> {
    if let Some(path) = &connection.kubeconfig {
        return vec![path.clone()];
    }
    let existing = |path: &PathBuf| path.is_file();
    if let Some(list) = env.var("KUBECONFIG") {
        return std::env::split_paths(list).filter(existing).collect();
    }
    env.home()
        .map(|home| home.join(".kube/config"))
        .filter(existing)
        .into_iter()
        .collect()
}

fn in_cluster(env: &Env) -> Option<String> {
    env.var("KUBERNETES_SERVICE_HOST")?;
    let own = env.var("POD_NAMESPACE").and_then(|name| name.to_str());
    own.map(str::to_owned).or_else(|| {
        let text = std::fs::read_to_string(Path::new(IN_CLUSTER)).ok()?;
        Some(text.trim().to_owned()).filter(|name| !name.is_empty())
    })
}

/// What the first file says wins, as in every client of Kubernetes.
fn namespace(files: &[Stream], context: Option<&str>) -> Result<String, NamespaceError> {
    let roots = || {
        files
            .iter()
            .filter_map(|stream| stream.documents().first()?.root())
    };
    let current = roots().find_map(|root| text(root, "current-context"));
    let Some(wanted) = context.or(current) else {
        return Ok(DEFAULT.to_owned());
    };
    let entry = roots()
        .filter_map(|root| root.get("contexts"))
        .flat_map(|contexts| contexts.items().collect::<Vec<_>>())
        .find(|entry| text(entry.node, "name") == Some(wanted))
        .ok_or_else(|| NamespaceError::NoContext(wanted.to_owned()))?;
    let namespace = entry
        .node
        .get("context")
        .and_then(|context| text(context, "namespace"));
    Ok(namespace.unwrap_or(DEFAULT).to_owned())
}

const DEFAULT: &str = "default";

fn text<'a>(node: Node<'a>, key: &str) -> Option<&'a str> {
    node.get(key)?.as_str().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::Timestamp;

    use super::*;

    const CONFIG: &str = "\
current-context: dev
contexts:
- {name: dev, context: {cluster: c, user: u}}
- name: prod
  context: {cluster: c, user: u, namespace: shop}
";

    fn of(texts: &[&str], context: Option<&str>) -> Result<String, NamespaceError> {
        let files: Vec<_> = texts
            .iter()
            .map(|text| Stream::parse(text).unwrap())
            .collect();
        namespace(&files, context)
    }

    #[test]
    fn a_context_without_a_namespace_means_default() {
        assert_eq!(of(&[CONFIG], None).unwrap(), "default");
        assert_eq!(of(&[CONFIG], Some("prod")).unwrap(), "shop");
        assert_eq!(of(&["apiVersion: v1\n"], None).unwrap(), "default");
    }

    #[test]
    fn the_first_of_several_files_wins() {
        let first = "current-context: prod\n";
        assert_eq!(of(&[first, CONFIG], None).unwrap(), "shop");
    }

    #[test]
    fn a_context_that_is_not_there_is_an_error() {
        assert!(matches!(
            of(&[CONFIG], Some("test")),
            Err(NamespaceError::NoContext(_))
        ));
    }

    #[test]
    fn issue_1789_no_kubeconfig_is_no_error() {
        let env = Env::new([("HOME", "/nonexistent")], Timestamp::UNIX_EPOCH);
        assert_eq!(of_context(&Connection::default(), &env).unwrap(), None);
    }
}
