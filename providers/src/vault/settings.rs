//! The variables of Vault's own clients.

use std::path::Path;
use std::time::Duration;

use reqwest::Certificate;
use zeroize::Zeroizing;

use super::VaultError;
use crate::Environment;
use crate::rest::{RestError, Tls, certificates, identity};

/// Where Vault listens unless it is told otherwise.
const USUAL_ADDRESS: &str = "https://127.0.0.1:8200";

pub(super) struct Settings {
    /// Of `VAULT_ADDR`.
    pub(super) address: String,
    pub(super) token: Option<Zeroizing<String>>,
    pub(super) namespace: Option<String>,
}

impl Settings {
    pub(super) fn read(environment: &Environment) -> Result<Self, VaultError> {
        let token = match environment.var("VAULT_TOKEN") {
            Some(token) => Some(Zeroizing::new(token.to_owned())),
            None => token_file(environment)?,
        };
        Ok(Self {
            address: usual_address(environment).to_owned(),
            token,
            namespace: environment.var("VAULT_NAMESPACE").map(str::to_owned),
        })
    }
}

/// The server that is meant when nothing names one.
pub(super) fn usual_address(environment: &Environment) -> &str {
    environment.var("VAULT_ADDR").unwrap_or(USUAL_ADDRESS)
}

fn token_file(environment: &Environment) -> Result<Option<Zeroizing<String>>, VaultError> {
    let Some(home) = environment.home() else {
        return Ok(None);
    };
    match std::fs::read_to_string(home.join(".vault-token")).map(Zeroizing::new) {
        Ok(text) => Ok(Some(text.trim())
            .filter(|token| !token.is_empty())
            .map(|token| Zeroizing::new(token.to_owned()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(_) => Err(VaultError::Variable {
            variable: "~/.vault-token",
        }),
    }
}

/// `VAULT_CACERT_BYTES`, or else `VAULT_CACERT`, or else all files of `VAULT_CAPATH`; a client's
/// certificate; `VAULT_SKIP_VERIFY`; the timeout.
pub(super) fn tls(environment: &Environment) -> Result<Tls, VaultError> {
    if environment.var("VAULT_TLS_SERVER_NAME").is_some() {
        // Without it the certificate would be checked against another name than was asked for.
        return Err(VaultError::Variable {
            variable: "VAULT_TLS_SERVER_NAME, which is not supported here",
        });
    }
    let both = (
        environment.path("VAULT_CLIENT_CERT"),
        environment.path("VAULT_CLIENT_KEY"),
    );
    Ok(Tls {
        authorities: authorities(environment)?,
        identity: match both {
            (Some(certificate), Some(key)) => Some(identity(&certificate, &key)?),
            _ => None,
        },
        danger_skip_verify: flag(environment, "VAULT_SKIP_VERIFY")?,
        timeout: timeout(environment)?,
        longest: None,
    })
}

fn authorities(environment: &Environment) -> Result<Vec<Certificate>, VaultError> {
    if let Some(text) = environment.var("VAULT_CACERT_BYTES") {
        let variable = "VAULT_CACERT_BYTES";
        let read = Certificate::from_pem_bundle(text.as_bytes());
        return read.map_err(|_| VaultError::Variable { variable });
    }
    if let Some(path) = environment.path("VAULT_CACERT") {
        return Ok(certificates(&path)?);
    }
    match environment.path("VAULT_CAPATH") {
        Some(folder) => folder_of_certificates(&folder),
        None => Ok(Vec::new()),
    }
}

fn folder_of_certificates(folder: &Path) -> Result<Vec<Certificate>, VaultError> {
    let wrong = |error: std::io::Error| RestError::Certificates {
        path: folder.display().to_string(),
        reason: error.to_string(),
    };
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_file() {
            all.extend(certificates(&path)?);
        }
    }
    Ok(all)
}

/// As Go reads a bool.
fn flag(environment: &Environment, variable: &'static str) -> Result<bool, VaultError> {
    match environment.var(variable) {
        None | Some("0" | "f" | "F" | "false" | "False" | "FALSE") => Ok(false),
        Some("1" | "t" | "T" | "true" | "True" | "TRUE") => Ok(true),
        Some(_) => Err(VaultError::Variable { variable }),
    }
}

/// Seconds, or a number with `s` or `m` behind it.
fn timeout(environment: &Environment) -> Result<Option<Duration>, VaultError> {
    let variable = "VAULT_CLIENT_TIMEOUT";
    let Some(text) = environment.var(variable) else {
        return Ok(None);
    };
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let seconds: u64 = number
        .parse()
        .map_err(|_| VaultError::Variable { variable })?;
    Ok(Some(Duration::from_secs(seconds.saturating_mul(unit))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_token_is_of_the_variable_or_of_the_file_that_login_leaves() {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::default().with("HOME", home.path());
        let token = |environment: &Environment| Settings::read(environment).unwrap().token;
        assert!(token(&environment).is_none());
        std::fs::write(home.path().join(".vault-token"), "s.file\n").unwrap();
        assert_eq!(token(&environment).unwrap().as_str(), "s.file");
        let environment = environment.with("VAULT_TOKEN", "s.variable");
        assert_eq!(token(&environment).unwrap().as_str(), "s.variable");
    }

    #[test]
    fn timeouts_and_flags_are_read_as_vault_reads_them() {
        let with = |name: &str, value: &str| Environment::default().with(name, value);
        let seconds = |value| timeout(&with("VAULT_CLIENT_TIMEOUT", value)).ok().flatten();
        assert_eq!(seconds("30"), Some(Duration::from_secs(30)));
        assert_eq!(seconds("30s"), Some(Duration::from_secs(30)));
        assert_eq!(seconds("2m"), Some(Duration::from_mins(2)));
        assert_eq!(seconds("soon"), None);
        let skips = |value| flag(&with("VAULT_SKIP_VERIFY", value), "VAULT_SKIP_VERIFY");
        assert!(skips("1").unwrap() && skips("True").unwrap() && !skips("false").unwrap());
        assert!(skips("yes").is_err());
    }

    #[test]
    fn a_name_for_the_certificate_is_refused_rather_than_passed_over() {
        let environment = Environment::default().with("VAULT_TLS_SERVER_NAME", "vault.internal");
        assert!(tls(&environment).is_err());
    }
}
