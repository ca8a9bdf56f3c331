//! From the kubeconfig and the user's overrides to a client configuration.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kube::Config;
use kube::config::{KubeConfigOptions, Kubeconfig};

use super::{ClusterError, Connection};
use crate::Env;

/// How long to wait for a connection: a person is waiting too.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The configuration for one connection.
pub(super) async fn config(connection: &Connection, env: &Env) -> Result<Config, ClusterError> {
    let mut config = match kubeconfig(connection, env)? {
        Some(kubeconfig) => {
            let options = KubeConfigOptions {
                context: connection.context.clone(),
                cluster: connection.cluster.clone(),
                user: connection.user.clone(),
            };
            Config::from_custom_kubeconfig(kubeconfig, &options)
                .await
                .map_err(|error| ClusterError::Kubeconfig(crate::error::chain(&error)))?
        }
        // In a pod, as kubectl does.
        None if env.var("KUBERNETES_SERVICE_HOST").is_some() => {
            Config::incluster().map_err(|error| ClusterError::Kubeconfig(error.to_string()))?
        }
        None => match &connection.server {
            Some(server) => Config::new(uri(server)?),
            None => return Err(ClusterError::Kubeconfig("there is none".to_owned())),
        },
    };
    apply(&mut config, connection)?;
    Ok(config)
}

/// The files of `--kubeconfig`, `$KUBECONFIG` or `~/.kube/config`, merged; nothing when none of
/// them is named and the last does not exist.
fn kubeconfig(connection: &Connection, env: &Env) -> Result<Option<Kubeconfig>, ClusterError> {
    if let Some(path) = &connection.kubeconfig {
        return read(path).map(Some);
    }
    let named: Vec<PathBuf> = env
        .var("KUBECONFIG")
        .map(|list| paths(list).filter(|path| path.exists()).collect())
        .unwrap_or_default();
    if let Some((first, rest)) = named.split_first() {
        let merged = rest.iter().try_fold(read(first)?, |merged, path| {
            merged
                .merge(read(path)?)
                .map_err(|error| ClusterError::Kubeconfig(error.to_string()))
        })?;
        return Ok(Some(merged));
    }
    match env.home().map(|home| home.join(".kube/config")) {
        Some(path) if path.exists() => read(&path).map(Some),
        _ => Ok(None),
    }
}

fn paths(list: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty())
}

/// The parser's message is left out: it may quote the file, which holds credentials.
fn read(path: &Path) -> Result<Kubeconfig, ClusterError> {
    if let Err(error) = std::fs::metadata(path) {
        let path = path.display();
        return Err(ClusterError::Kubeconfig(format!("`{path}`: {error}")));
    }
    Kubeconfig::read_from(path).map_err(|_| {
        ClusterError::Kubeconfig(format!("`{}` cannot be read or parsed", path.display()))
    })
}

fn apply(config: &mut Config, connection: &Connection) -> Result<(), ClusterError> {
    if let Some(server) = &connection.server {
        config.cluster_url = uri(server)?;
    }
    if let Some(path) = &connection.certificate_authority {
        config.root_cert = Some(certificates(path)?);
        config.root_cert_file = None;
    }
    if let Some(proxy) = &connection.proxy_url {
        config.proxy_url = Some(uri(proxy)?);
    }
    config.accept_invalid_certs |= connection.danger_skip_tls_verify;
    if connection.tls_server_name.is_some() {
        config
            .tls_server_name
            .clone_from(&connection.tls_server_name);
    }
    config.connect_timeout = Some(CONNECT_TIMEOUT);
    authenticate(&mut config.auth_info, connection);
    Ok(())
}

fn authenticate(who: &mut kube::config::AuthInfo, connection: &Connection) {
    if let Some(token) = &connection.token {
        who.token = Some(token.clone().into());
        who.token_file = None;
    }
    if let Some(username) = &connection.username {
        who.username = Some(username.clone());
    }
    if let Some(password) = &connection.password {
        who.password = Some(password.clone().into());
    }
    if let Some(path) = &connection.client_certificate {
        who.client_certificate = Some(path.display().to_string());
        who.client_certificate_data = None;
    }
    if let Some(path) = &connection.client_key {
        who.client_key = Some(path.display().to_string());
        who.client_key_data = None;
    }
    if connection.impersonate.is_some() {
        who.impersonate.clone_from(&connection.impersonate);
    }
    if connection.impersonate_uid.is_some() {
        who.impersonate_uid.clone_from(&connection.impersonate_uid);
    }
    if !connection.impersonate_groups.is_empty() {
        who.impersonate_groups = Some(connection.impersonate_groups.clone());
    }
}

fn uri(text: &str) -> Result<http::Uri, ClusterError> {
    text.parse()
        .map_err(|error| ClusterError::Kubeconfig(format!("`{text}` is not a URL: {error}")))
}

/// The DER form of every certificate in a PEM file.
fn certificates(path: &Path) -> Result<Vec<Vec<u8>>, ClusterError> {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;

    let wrong = |error: String| ClusterError::Kubeconfig(format!("`{}`: {error}", path.display()));
    let text = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    CertificateDer::pem_slice_iter(&text)
        .map(|der| der.map(|der| der.to_vec()))
        .collect::<Result<_, _>>()
        .map_err(|error| wrong(error.to_string()))
}
