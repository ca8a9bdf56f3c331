//! Access tokens: how each kind of credentials gets one, and for how long it is good.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use futures::future::{BoxFuture, FutureExt};
use serde::Deserialize;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::CredentialsError;
use super::credentials::{Credentials, ExternalAccount, File, ServiceAccount};
use crate::rest::{Call, Client, RestError, address};

const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
/// A token is not used in its last seconds: the request takes some, and clocks differ.
const MARGIN: Duration = Duration::from_mins(1);
const HOUR: u64 = 3600;

/// Gives tokens, and keeps the last one.
#[derive(Clone)]
pub(super) struct Tokens(Arc<Inner>);

struct Inner {
    credentials: Credentials,
    last: futures::lock::Mutex<Option<Token>>,
}

#[derive(Clone)]
struct Token {
    text: Zeroizing<String>,
    until: Option<Instant>,
}

/// The answer of a token server.
#[derive(Deserialize)]
struct Granted {
    access_token: Zeroizing<String>,
    expires_in: Option<u64>,
}

/// The answer of the service that lends service accounts. Its time is not needed: an hour was asked
/// for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lent {
    access_token: Zeroizing<String>,
}

impl Tokens {
    pub(super) fn new(credentials: Credentials) -> Self {
        Self(Arc::new(Inner {
            credentials,
            last: futures::lock::Mutex::default(),
        }))
    }

    pub(super) async fn token(
        &self,
        client: &Client,
    ) -> Result<Zeroizing<String>, CredentialsError> {
        let mut last = self.0.last.lock().await;
        if let Some(token) = &*last
            && token
                .until
                .is_none_or(|until| Instant::now() + MARGIN < until)
        {
            return Ok(token.text.clone());
        }
        let token = match &self.0.credentials {
            Credentials::Token(text) => Ok(Token {
                text: text.clone(),
                until: None,
            }),
            Credentials::Metadata(host) => of_metadata(client, host).await,
            Credentials::File(file) => of_file(client, file).await,
        };
        let token = token.map_err(|error| CredentialsError::Token { error })?;
        *last = Some(token.clone());
        Ok(token.text)
    }
}

impl Granted {
    fn into_token(self) -> Token {
        let seconds = self.expires_in.unwrap_or(HOUR);
        Token {
            text: self.access_token,
            until: Some(Instant::now() + Duration::from_secs(seconds)),
        }
    }
}

async fn of_metadata(client: &Client, host: &str) -> Result<Token, RestError> {
    let url = format!("http://{host}/computeMetadata/v1/instance/service-accounts/default/token");
    let call = Call::get(address(&url)?).header("metadata-flavor", "Google")?;
    let granted: Granted = client.send(call).await?.json()?;
    Ok(granted.into_token())
}

fn of_file<'a>(client: &'a Client, file: &'a File) -> BoxFuture<'a, Result<Token, RestError>> {
    async move {
        match file {
            File::AuthorizedUser(user) => {
                let fields = [
                    ("grant_type", "refresh_token"),
                    ("client_id", &user.client_id),
                    ("client_secret", &user.client_secret),
                    ("refresh_token", &user.refresh_token),
                ];
                granted(client, &user.token_uri, &fields).await
            }
            File::ExternalAccount(account) => of_somebody_else(client, account).await,
            File::ImpersonatedServiceAccount(account) => {
                let own = of_file(client, &account.source_credentials).await?;
                let url = &account.service_account_impersonation_url;
                lent(client, url, &account.delegates, &own.text).await
            }
            File::ServiceAccount(account) => {
                let now = SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default();
                let assertion = assertion(account, now.as_secs()).ok_or(RestError::Body)?;
                let fields = [
                    ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                    ("assertion", &assertion),
                ];
                granted(client, &account.token_uri, &fields).await
            }
        }
    }
    .boxed()
}

async fn granted(client: &Client, url: &str, fields: &[(&str, &str)]) -> Result<Token, RestError> {
    let call = Call::post(address(url)?).form(fields)?;
    let granted: Granted = client.send(call).await?.json()?;
    Ok(granted.into_token())
}

async fn of_somebody_else(client: &Client, account: &ExternalAccount) -> Result<Token, RestError> {
    let subject = subject_token(client, account).await?;
    let fields = [
        (
            "grant_type",
            "urn:ietf:params:oauth:grant-type:token-exchange",
        ),
        (
            "requested_token_type",
            "urn:ietf:params:oauth:token-type:access_token",
        ),
        ("audience", &account.audience),
        ("scope", SCOPE),
        ("subject_token_type", &account.subject_token_type),
        ("subject_token", &subject),
    ];
    let own = granted(client, &account.token_url, &fields).await?;
    match &account.service_account_impersonation_url {
        Some(url) => lent(client, url, &[], &own.text).await,
        None => Ok(own),
    }
}

async fn subject_token(
    client: &Client,
    account: &ExternalAccount,
) -> Result<Zeroizing<String>, RestError> {
    let source = &account.credential_source;
    let text = match (&source.file, &source.url) {
        (Some(file), _) => {
            let text = std::fs::read_to_string(file).map_err(|error| RestError::File {
                path: file.display().to_string(),
                reason: error.to_string(),
            })?;
            Zeroizing::new(text)
        }
        (None, Some(url)) => {
            let mut call = Call::get(address_with_query(url)?);
            for (name, value) in &source.headers {
                call = call.named_header(name, value)?;
            }
            client.send(call).await?.text()?
        }
        (None, None) => return Err(RestError::Body),
    };
    if source.format.kind != "json" {
        return Ok(Zeroizing::new(text.trim().to_owned()));
    }
    let json: Value = serde_json::from_str(&text).map_err(|_| RestError::Body)?;
    let field = json[&source.format.subject_token_field_name].as_str();
    Ok(Zeroizing::new(field.ok_or(RestError::Body)?.to_owned()))
}

/// The address of a credentials file may ask for something, as that of GitHub's tokens does.
fn address_with_query(url: &str) -> Result<reqwest::Url, RestError> {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let mut url = address(base)?;
    url.set_query((!query.is_empty()).then_some(query));
    Ok(url)
}

/// A service account's token, lent to whoever may impersonate it.
async fn lent(
    client: &Client,
    url: &str,
    delegates: &[String],
    own: &str,
) -> Result<Token, RestError> {
    let body = json!({ "scope": [SCOPE], "delegates": delegates, "lifetime": "3600s" });
    let call = Call::post(address(url)?).bearer(own)?.json(&body)?;
    let lent: Lent = client.send(call).await?.json()?;
    let granted = Granted {
        access_token: lent.access_token,
        expires_in: Some(HOUR),
    };
    Ok(granted.into_token())
}

/// What a service account signs to get a token (RFC 7523). `None` if its key is no RSA key in PKCS#8.
fn assertion(account: &ServiceAccount, now: u64) -> Option<Zeroizing<String>> {
    let header = json!({ "alg": "RS256", "typ": "JWT", "kid": account.private_key_id });
    let claims = json!({
        "iss": account.client_email,
        "scope": SCOPE,
        "aud": account.token_uri,
        "iat": now,
        "exp": now + HOUR,
    });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&header), part(&claims));
    let lines = account.private_key.lines().map(str::trim);
    let body: Zeroizing<String> = lines
        .filter(|line| !line.starts_with("-----"))
        .collect::<String>()
        .into();
    let der = Zeroizing::new(STANDARD.decode(body.as_bytes()).ok()?);
    let key = RsaKeyPair::from_pkcs8(&der).ok()?;
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(
        &RSA_PKCS1_SHA256,
        &SystemRandom::new(),
        signed.as_bytes(),
        &mut signature,
    )
    .ok()?;
    Some(Zeroizing::new(format!(
        "{signed}.{}",
        URL_SAFE_NO_PAD.encode(signature)
    )))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use aws_lc_rs::encoding::AsDer;
    use aws_lc_rs::rsa::KeySize;
    use aws_lc_rs::signature::{KeyPair, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};

    use super::*;

    #[test]
    fn an_assertion_is_signed_by_the_account_for_one_hour() {
        let key = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let der = key.as_der().unwrap();
        let account = ServiceAccount {
            client_email: "sops@p.iam.gserviceaccount.com".into(),
            private_key: Zeroizing::new(format!(
                "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
                STANDARD.encode(der.as_ref())
            )),
            private_key_id: "k1".into(),
            token_uri: "https://oauth2.googleapis.com/token".into(),
        };
        let text = assertion(&account, 1_000).unwrap();
        let (signed, signature) = text.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref());
        public
            .verify(
                signed.as_bytes(),
                &URL_SAFE_NO_PAD.decode(signature).unwrap(),
            )
            .unwrap();
        let claims = signed.split('.').nth(1).unwrap();
        let claims: Value =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
        assert_eq!(claims["iss"], "sops@p.iam.gserviceaccount.com");
        assert_eq!(claims["aud"], "https://oauth2.googleapis.com/token");
        assert_eq!(
            (&claims["iat"], &claims["exp"]),
            (&json!(1_000), &json!(4_600))
        );
    }

    #[test]
    fn a_key_that_is_none_gives_no_assertion() {
        let account = ServiceAccount {
            client_email: "x".into(),
            private_key: Zeroizing::new(
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----".into(),
            ),
            private_key_id: String::new(),
            token_uri: "https://x".into(),
        };
        assert!(assertion(&account, 0).is_none());
    }
}
