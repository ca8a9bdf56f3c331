//! Who we are for Google: `GOOGLE_CREDENTIALS` (a path, or the JSON itself), `GOOGLE_OAUTH_ACCESS_TOKEN`,
//! then Application Default Credentials: the file that `GOOGLE_APPLICATION_CREDENTIALS` names, the one that
//! `gcloud auth application-default login` leaves, or the metadata server of the machine.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use zeroize::Zeroizing;

use crate::Environment;
use crate::rest::RestError;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// The HTTP client could not be made, or the endpoint is malformed.
    #[error("{error}")]
    Client {
        /// Why.
        #[source]
        error: RestError,
    },
    /// The JSON is not that of credentials which are known here.
    #[error("the Google credentials in {place} are not understood: {reason}")]
    Malformed {
        /// The variable or the file.
        place: String,
        /// Why; never a part of them.
        reason: String,
    },
    /// There are none.
    #[error("there are no Google credentials")]
    None,
    /// The file is not there.
    #[error("cannot read the Google credentials in {place}: {error}")]
    Read {
        /// The variable or the file.
        place: String,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// The request for a token failed.
    #[error("no Google access token: {error}")]
    Token {
        /// Why.
        #[source]
        error: RestError,
    },
}

impl CredentialsError {
    pub(super) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::None => "run `gcloud auth application-default login`, or set GOOGLE_CREDENTIALS",
            Self::Token { error } if matches!(error.status(), Some(400..=403)) => {
                "get new credentials: `gcloud auth application-default login`"
            }
            Self::Client { error } | Self::Token { error } => return error.hint(),
            Self::Malformed { .. } | Self::Read { .. } => return None,
        };
        Some(hint.into())
    }
}

/// Credentials, by what must be done with them to get a token.
pub(super) enum Credentials {
    /// A token.
    Token(Zeroizing<String>),
    /// Whatever the metadata server of the machine says. Its host.
    Metadata(String),
    /// The JSON of a file.
    File(Box<File>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum File {
    AuthorizedUser(AuthorizedUser),
    ExternalAccount(ExternalAccount),
    ImpersonatedServiceAccount(Impersonated),
    ServiceAccount(ServiceAccount),
}

#[derive(Deserialize)]
pub(super) struct AuthorizedUser {
    pub(super) client_id: String,
    pub(super) client_secret: Zeroizing<String>,
    pub(super) refresh_token: Zeroizing<String>,
    #[serde(default = "token_uri")]
    pub(super) token_uri: String,
}

#[derive(Deserialize)]
pub(super) struct ServiceAccount {
    pub(super) client_email: String,
    pub(super) private_key: Zeroizing<String>,
    #[serde(default)]
    pub(super) private_key_id: String,
    #[serde(default = "token_uri")]
    pub(super) token_uri: String,
}

/// Workload identity: a token of somebody else, exchanged.
#[derive(Deserialize)]
pub(super) struct ExternalAccount {
    pub(super) audience: String,
    pub(super) subject_token_type: String,
    pub(super) token_url: String,
    pub(super) service_account_impersonation_url: Option<String>,
    pub(super) credential_source: SubjectToken,
}

/// Where the token of somebody else is.
#[derive(Deserialize)]
pub(super) struct SubjectToken {
    pub(super) file: Option<PathBuf>,
    pub(super) url: Option<String>,
    #[serde(default)]
    pub(super) headers: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    pub(super) format: Format,
}

#[derive(Deserialize, Default)]
pub(super) struct Format {
    /// `json`: the token is a field of it.
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) subject_token_field_name: String,
}

#[derive(Deserialize)]
pub(super) struct Impersonated {
    pub(super) service_account_impersonation_url: String,
    #[serde(default)]
    pub(super) delegates: Vec<String>,
    pub(super) source_credentials: Box<File>,
}

fn token_uri() -> String {
    "https://oauth2.googleapis.com/token".into()
}

/// Looks in the places, in their order.
pub(super) fn find(environment: &Environment) -> Result<Credentials, CredentialsError> {
    if let Some(given) = environment.var("GOOGLE_CREDENTIALS") {
        let path = Path::new(given);
        let text = if path.is_file() {
            read(path)?
        } else {
            Zeroizing::new(given.as_bytes().to_vec())
        };
        return parse(&text, "GOOGLE_CREDENTIALS");
    }
    if let Some(token) = environment.var("GOOGLE_OAUTH_ACCESS_TOKEN") {
        return Ok(Credentials::Token(Zeroizing::new(token.to_owned())));
    }
    if let Some(path) = environment.path("GOOGLE_APPLICATION_CREDENTIALS") {
        return parse(&read(&path)?, &path.display().to_string());
    }
    if let Some(path) = well_known(environment).filter(|path| path.is_file()) {
        return parse(&read(&path)?, &path.display().to_string());
    }
    match environment.var("GCE_METADATA_HOST") {
        Some(host) => Ok(Credentials::Metadata(host.to_owned())),
        None if environment.is_of_process() => {
            Ok(Credentials::Metadata("metadata.google.internal".into()))
        }
        None => Err(CredentialsError::None),
    }
}

fn well_known(environment: &Environment) -> Option<PathBuf> {
    let folder = match environment.path("CLOUDSDK_CONFIG") {
        Some(folder) => folder,
        None if cfg!(windows) => environment.path("APPDATA")?.join("gcloud"),
        None => environment.home()?.join(".config/gcloud"),
    };
    Some(folder.join("application_default_credentials.json"))
}

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, CredentialsError> {
    std::fs::read(path)
        .map(Zeroizing::new)
        .map_err(|error| CredentialsError::Read {
            place: path.display().to_string(),
            error,
        })
}

fn parse(text: &[u8], place: &str) -> Result<Credentials, CredentialsError> {
    let file = serde_json::from_slice(text).map_err(|error| CredentialsError::Malformed {
        place: place.to_owned(),
        reason: without_content(&error),
    })?;
    Ok(Credentials::File(Box::new(file)))
}

/// What serde says quotes values; where and of what kind does not.
fn without_content(error: &serde_json::Error) -> String {
    let what = if error.is_data() {
        "a field is missing, or of a kind of credentials that is not known here"
    } else {
        "it is not JSON, and no file of this name exists"
    };
    format!("line {}: {what}", error.line())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const USER: &str =
        r#"{"type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r"}"#;

    #[test]
    fn the_places_are_looked_at_in_the_order_of_the_peer() {
        let home = tempfile::tempdir().unwrap();
        let none = Environment::default().with("HOME", home.path());
        assert!(matches!(find(&none), Err(CredentialsError::None)));
        let metadata = none.with("GCE_METADATA_HOST", "127.0.0.1:1");
        assert!(matches!(find(&metadata), Ok(Credentials::Metadata(_))));
        let folder = home.path().join(".config/gcloud");
        std::fs::create_dir_all(&folder).unwrap();
        let known = folder.join("application_default_credentials.json");
        std::fs::write(&known, USER).unwrap();
        assert!(matches!(find(&metadata), Ok(Credentials::File(_))));
        let token = metadata.with("GOOGLE_OAUTH_ACCESS_TOKEN", "ya29");
        assert!(matches!(find(&token), Ok(Credentials::Token(_))));
        for given in [USER.into(), known.into_os_string()] {
            let given = token.clone().with("GOOGLE_CREDENTIALS", given);
            assert!(matches!(find(&given), Ok(Credentials::File(_))));
        }
    }

    #[test]
    fn malformed_credentials_are_told_without_their_content() {
        for text in [
            r#"{"type":"hunter2"}"#,
            r#"{"type":"service_account","private_key":["hunter2"]}"#,
            "hunter2",
        ] {
            let error = find(&Environment::default().with("GOOGLE_CREDENTIALS", text))
                .err()
                .unwrap();
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
        }
    }
}
