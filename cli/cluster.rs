//! The cluster, as far as the command line needs it.
//!
//! Calls block: a command asks a handful of questions, one after the other. Nothing here is reached
//! by a command that can do its work offline, and the kubeconfig is read by [`Cluster::connect`]
//! alone. Without the feature `full` the same functions exist and answer
//! [`ClusterError::NotBuilt`].

use std::path::PathBuf;

use signet_crds::constants::certificate as certificate_map;

use crate::Hint;

#[cfg(feature = "full")]
mod certificate;
#[cfg(feature = "full")]
mod client;
#[cfg(feature = "full")]
mod config;
#[cfg(feature = "full")]
mod controller;
#[cfg(feature = "full")]
mod secrets;

#[cfg(not(feature = "full"))]
mod absent;

#[cfg(not(feature = "full"))]
pub use absent::Cluster;
#[cfg(feature = "full")]
pub use client::Cluster;

/// Which cluster, and as whom: what the user's kubeconfig says unless a field overrides it.
#[derive(Clone, Default)]
pub struct Connection {
    /// A kubeconfig file instead of `$KUBECONFIG` and `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig to use.
    pub context: Option<String>,
    /// The cluster entry to use.
    pub cluster: Option<String>,
    /// The user entry to use.
    pub user: Option<String>,
    /// URL of the API server.
    pub server: Option<String>,
    /// Bearer token.
    pub token: Option<String>,
    /// User name for basic authentication.
    pub username: Option<String>,
    /// Password for basic authentication.
    pub password: Option<String>,
    /// User to impersonate.
    pub impersonate: Option<String>,
    /// Groups to impersonate.
    pub impersonate_groups: Vec<String>,
    /// UID to impersonate.
    pub impersonate_uid: Option<String>,
    /// File with the certificates that the API server's is checked against.
    pub certificate_authority: Option<PathBuf>,
    /// File with our client certificate.
    pub client_certificate: Option<PathBuf>,
    /// File with the key of our client certificate.
    pub client_key: Option<PathBuf>,
    /// Do not check the API server's certificate.
    pub danger_skip_tls_verify: bool,
    /// Name to check the API server's certificate for.
    pub tls_server_name: Option<String>,
    /// URL of the proxy on the way to the API server.
    pub proxy_url: Option<String>,
    /// How long to wait for an answer.
    pub timeout: Option<std::time::Duration>,
}

/// Not derived: there may be a token or password in it.
impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("kubeconfig", &self.kubeconfig)
            .field("context", &self.context)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

/// Where the controller is: its Service, and the ConfigMap with its certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller {
    /// Namespace of both.
    pub namespace: String,
    /// Name of the Service.
    pub name: String,
    /// Name of the ConfigMap.
    pub config_map: String,
}

/// A certificate of the cluster.
#[derive(Debug)]
pub struct Fetched {
    /// PEM.
    pub pem: Vec<u8>,
    /// Why the controller could not be asked, when it was read where it is published.
    pub refused: Option<ClusterError>,
}

impl Default for Controller {
    /// Where Sealed Secrets is installed by its manifests.
    fn default() -> Self {
        Self {
            namespace: "kube-system".to_owned(),
            name: "sealed-secrets-controller".to_owned(),
            config_map: certificate_map::CONFIG_MAP.to_owned(),
        }
    }
}

impl std::fmt::Display for Controller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// Which object, and which state of it: what a deletion is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its UID.
    pub uid: String,
    /// Its version.
    pub resource_version: String,
}

/// Why the cluster did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(
    not(feature = "full"),
    expect(dead_code, reason = "the small build never gets so far")
)]
pub enum ClusterError {
    /// The API server, or the controller behind its proxy, refused.
    #[error("cannot {what}: the cluster answered {code}{}", told(.message))]
    Answer {
        /// What was asked for: "read Service `a/b`".
        what: String,
        /// HTTP status.
        code: u16,
        /// What the answer said, in one line; may be empty.
        message: String,
    },
    /// The kubeconfig, or a file that it names, is missing or wrong.
    #[error("cannot use the kubeconfig: {0}")]
    Kubeconfig(String),
    /// This program was built without the feature `full`.
    #[cfg(not(feature = "full"))]
    #[error("this build has no cluster access")]
    NotBuilt,
    /// The Service of the controller has no port that could be the right one.
    #[error("Service `{0}` has no port for the controller's HTTP endpoint")]
    NoPort(Controller),
    /// No answer.
    #[error("cannot {what}: no answer from the cluster at {url}: {cause}")]
    Unreachable {
        /// What was asked for.
        what: String,
        /// The API server's address.
        url: String,
        /// Why.
        cause: String,
    },
}

impl ClusterError {
    /// The HTTP status, when the cluster answered with one.
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Answer { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// Whether the cluster was asked and has no such controller.
    pub fn is_no_such_controller(&self) -> bool {
        matches!(self, Self::NoPort(_)) || (self.code() == Some(404) && self.is_about_service())
    }

    /// Whether it is the controller's Service that could not be had: its name or namespace may be
    /// wrong.
    pub fn is_about_service(&self) -> bool {
        match self {
            Self::NoPort(_) => true,
            Self::Answer { what, .. } | Self::Unreachable { what, .. } => {
                what.starts_with(READ_SERVICE)
            }
            Self::Kubeconfig(_) => false,
            #[cfg(not(feature = "full"))]
            Self::NotBuilt => false,
        }
    }
}

/// How [`ClusterError`] calls the first of the two requests to the controller.
const READ_SERVICE: &str = "read Service";

/// How it calls requests to the controller itself, behind the service proxy.
const ASK_CONTROLLER: [&str; 3] = ["fetch the certificate", "verify at", "re-seal at"];

/// How it calls requests about the custom resource.
const SEALED_SECRETS: [&str; 2] = ["list the SealedSecrets", "read SealedSecret"];

/// What a request was about, as far as hints tell it apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// The controller, or the Service that leads to it.
    Controller,
    /// `SealedSecrets`.
    SealedSecrets,
    /// Secrets, namespaces and the like.
    Other,
}

impl About {
    fn of(what: &str) -> Self {
        let starts = |with: &&str| what.starts_with(*with);
        if starts(&READ_SERVICE) || ASK_CONTROLLER.iter().any(starts) {
            Self::Controller
        } else if SEALED_SECRETS.iter().any(starts) {
            Self::SealedSecrets
        } else {
            Self::Other
        }
    }
}

impl Hint for ClusterError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Answer { what, code, .. } => of_answer(About::of(what), *code)?,
            Self::NoPort(_) => return None,
            Self::Unreachable { what, .. } if is_controller(what) => {
                "the API server answers and the controller does not: look at its pods \
                 (sealing does not need it with `--cert FILE`)"
            }
            Self::Kubeconfig(_) | Self::Unreachable { .. } => {
                "`--kubeconfig` and `--context` choose another cluster; \
                 sealing needs none with `--cert FILE`"
            }
            #[cfg(not(feature = "full"))]
            Self::NotBuilt => {
                "build with `--features full`; sealing needs no cluster with `--cert FILE`"
            }
        };
        Some(hint.to_owned())
    }
}

/// Whether the request went through the API server to the controller: its Service was found before.
fn is_controller(what: &str) -> bool {
    ASK_CONTROLLER.iter().any(|it| what.starts_with(it))
}

fn of_answer(about: About, code: u16) -> Option<&'static str> {
    let hint = match (code, about) {
        (401, _) => "log in to the cluster again",
        (403, About::Controller) => {
            "ask for the Role `sealed-secrets-service-proxier` in the controller's namespace; \
             sealing needs no cluster with `--cert FILE`"
        }
        (403, _) => "your user may not do this; ask for the right in the cluster",
        (404, About::SealedSecrets) => {
            "is the CustomResourceDefinition installed? \
             `kubectl get crd sealedsecrets.bitnami.com` tells"
        }
        (404, _) => {
            "name the controller's Service with `--controller-name` and `--controller-namespace`"
        }
        (429, _) => "the cluster is busy; run the command again later",
        (503, About::Controller) => {
            "the controller is not ready: look at its pods \
             (sealing does not need it with `--cert FILE`)"
        }
        (503, _) => "the API server is not ready; run the command again later",
        _ => return None,
    };
    Some(hint)
}

fn told(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn hint(what: &str, code: u16) -> String {
        let error = ClusterError::Answer {
            what: what.to_owned(),
            code,
            message: String::new(),
        };
        error.hint().unwrap()
    }

    #[test]
    fn a_hint_is_about_what_was_asked_for() {
        let sealed = "list the SealedSecrets of all namespaces";
        assert!(hint(sealed, 404).contains("crd sealedsecrets.bitnami.com"));
        assert!(hint("read Service `a/b`", 404).contains("--controller-name"));
        assert!(hint("read Service `a/b`", 403).contains("sealed-secrets-service-proxier"));
        for what in [sealed, "list the key Secrets of namespace `a`"] {
            assert!(!hint(what, 403).contains("--cert"), "{what}");
        }
        let hangs = ClusterError::Unreachable {
            what: "re-seal at `a/b`".to_owned(),
            url: String::new(),
            cause: String::new(),
        };
        assert!(hangs.hint().unwrap().contains("look at its pods"));
    }
}
