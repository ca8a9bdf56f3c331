//! Access tokens of Microsoft Entra.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Url;
use serde::Deserialize;
use zeroize::Zeroizing;

use super::credentials::{self, Credential};
use crate::blocking::offload;
use crate::rest::{Call, Client, RestError, Tls, address, below};
use crate::{Environment, Policy, command};

const MARGIN: Duration = Duration::from_mins(1);
/// How long a machine that has no metadata service lets one wait.
const MACHINE: Duration = Duration::from_secs(2);
const ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const METADATA: &str = "http://169.254.169.254/metadata/identity/oauth2/token";

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The environment has nothing that gives tokens.
    #[error("there are no Azure credentials")]
    None,
    /// Each way was tried.
    #[error("no Azure access token: {}", .0.join("; "))]
    Failed(
        /// Each way with its reason.
        Vec<String>,
    ),
}

/// Gives tokens, and keeps the last one of each scope.
#[derive(Clone)]
pub(super) struct Tokens(Arc<Inner>);

struct Inner {
    environment: Environment,
    client: Client,
    patient: Client,
    known: futures::lock::Mutex<HashMap<String, Token>>,
}

struct Token {
    text: Zeroizing<String>,
    until: Instant,
}

/// Entra gives the time as a number, the metadata services as text, `az` under another name: what is
/// no number counts as five minutes.
#[derive(Deserialize)]
struct Granted {
    #[serde(alias = "accessToken")]
    access_token: Zeroizing<String>,
    #[serde(default)]
    expires_in: serde_json::Value,
}

impl Tokens {
    /// The addresses here are of the environment, none of a document.
    pub(super) fn new(environment: Environment) -> Result<Self, RestError> {
        let policy = Policy::everything();
        let quick = Tls {
            timeout: Some(MACHINE),
            ..Tls::default()
        };
        Ok(Self(Arc::new(Inner {
            client: Client::new(&environment, &policy, quick)?,
            patient: Client::new(&environment, &policy, Tls::default())?,
            environment,
            known: futures::lock::Mutex::default(),
        })))
    }

    /// A token for a scope. `tenant` is that of the vault, for credentials that have none of their own.
    pub(super) async fn token(
        &self,
        scope: &str,
        tenant: Option<&str>,
    ) -> Result<Zeroizing<String>, TokenError> {
        let mut known = self.0.known.lock().await;
        if let Some(token) = known.get(scope)
            && Instant::now() + MARGIN < token.until
        {
            return Ok(token.text.clone());
        }
        let mut failures = Vec::new();
        for credential in credentials::all(&self.0.environment) {
            match self.0.ask(&credential, scope, tenant).await {
                Ok(granted) => {
                    let token = granted.into_token();
                    let text = token.text.clone();
                    known.insert(scope.to_owned(), token);
                    return Ok(text);
                }
                Err(reason) => failures.push(format!("{}: {reason}", credential.name())),
            }
        }
        Err(if failures.is_empty() {
            TokenError::None
        } else {
            TokenError::Failed(failures)
        })
    }
}

impl Inner {
    async fn ask(
        &self,
        credential: &Credential,
        scope: &str,
        tenant: Option<&str>,
    ) -> Result<Granted, String> {
        let answer = match credential {
            Credential::CommandLine { program } => {
                return self.ask_az(program, scope, tenant).await;
            }
            Credential::Machine { client } => {
                let url = with_resource(METADATA, "2018-02-01", scope, client.as_deref());
                self.get(&self.client, url, "metadata", "true").await
            }
            Credential::Service {
                endpoint,
                header,
                client,
            } => {
                let url = with_resource(endpoint, "2019-08-01", scope, client.as_deref());
                self.get(&self.patient, url, "x-identity-header", header)
                    .await
            }
            Credential::Secret {
                tenant,
                client,
                secret,
            } => {
                let fields = [
                    ("grant_type", "client_credentials"),
                    ("client_id", client.as_str()),
                    ("client_secret", secret.as_str()),
                    ("scope", scope),
                ];
                self.post(tenant, &fields).await
            }
            Credential::Workload {
                tenant,
                client,
                file,
            } => {
                let text = std::fs::read_to_string(file).map(Zeroizing::new);
                let text = text.map_err(|error| format!("`{}`: {error}", file.display()))?;
                let fields = [
                    ("grant_type", "client_credentials"),
                    ("client_id", client.as_str()),
                    ("client_assertion_type", ASSERTION),
                    ("client_assertion", text.trim()),
                    ("scope", scope),
                ];
                self.post(tenant, &fields).await
            }
        };
        answer.map_err(|error| error.to_string())
    }

    async fn post(&self, tenant: &str, fields: &[(&str, &str)]) -> Result<Granted, RestError> {
        let host = self.environment.var("AZURE_AUTHORITY_HOST");
        let authority = address(host.unwrap_or("https://login.microsoftonline.com"))?;
        let call = Call::post(below(&authority, [tenant, "oauth2", "v2.0", "token"])?);
        self.patient.send(call.form(fields)?).await?.json()
    }

    async fn get(
        &self,
        client: &Client,
        url: Result<Url, RestError>,
        header: &'static str,
        value: &str,
    ) -> Result<Granted, RestError> {
        client
            .send(Call::get(url?).header(header, value)?)
            .await?
            .json()
    }

    async fn ask_az(
        &self,
        program: &std::path::Path,
        scope: &str,
        tenant: Option<&str>,
    ) -> Result<Granted, String> {
        let mut command = self.environment.command(program);
        command.args([
            "account",
            "get-access-token",
            "--output",
            "json",
            "--scope",
            scope,
        ]);
        command.args(tenant.iter().flat_map(|tenant| ["--tenant", tenant]));
        command.stderr(Stdio::piped());
        let output = offload(move || command::run(command, b"")).await;
        let output = output.map_err(|error| error.to_string())?;
        let output = output.map_err(|error| error.to_string())?;
        serde_json::from_slice(output.expose()).map_err(|_| "its answer is not understood".into())
    }
}

impl Granted {
    fn into_token(self) -> Token {
        let seconds = self.expires_in.as_u64();
        let seconds = seconds.or_else(|| self.expires_in.as_str()?.parse().ok());
        Token {
            text: self.access_token,
            until: Instant::now() + Duration::from_secs(seconds.unwrap_or(300)),
        }
    }
}

/// Metadata services want a resource, which is a scope without its last part.
fn with_resource(
    endpoint: &str,
    version: &str,
    scope: &str,
    client: Option<&str>,
) -> Result<Url, RestError> {
    let mut url = address(endpoint)?;
    let resource = scope.strip_suffix("/.default").unwrap_or(scope);
    url.query_pairs_mut()
        .append_pair("api-version", version)
        .append_pair("resource", resource)
        .extend_pairs(client.map(|client| ("client_id", client)));
    Ok(url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_answers_of_entra_of_the_metadata_service_and_of_az_are_read() {
        let seconds = |text: &str| {
            let granted: Granted = serde_json::from_str(text).unwrap();
            assert_eq!(granted.access_token.as_str(), "t");
            granted
                .into_token()
                .until
                .duration_since(Instant::now())
                .as_secs_f64()
                .round()
        };
        assert!((seconds(r#"{"access_token":"t","expires_in":3599}"#) - 3599.0).abs() < 2.0);
        assert!((seconds(r#"{"access_token":"t","expires_in":"86399"}"#) - 86399.0).abs() < 2.0);
        assert!((seconds(r#"{"accessToken":"t","expiresOn":"x"}"#) - 300.0).abs() < 2.0);
    }

    #[test]
    fn a_metadata_service_is_asked_for_the_resource() {
        let url = with_resource(
            METADATA,
            "2018-02-01",
            "https://vault.azure.net/.default",
            Some("c"),
        );
        assert_eq!(
            url.unwrap().query(),
            Some("api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net&client_id=c")
        );
    }
}
