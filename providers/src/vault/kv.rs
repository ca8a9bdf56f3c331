//! Secrets of a key-value engine, in both of its versions, as a person writes them: whole, and over what
//! is there. The `store` of this folder marks what it pushes and leaves alone what it did not.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use signet_keys::Plaintext;
use zeroize::Zeroize;

use super::{Session, Vault, VaultError, settings};
use crate::rest::Call;
use crate::{Environment, Policy};

/// What errors call them.
pub(super) const SUBJECT: &str = "secret ";

/// Where a secret is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The server, if a document names one; `None`: that of `VAULT_ADDR`.
    pub server: Option<String>,
    /// Where the engine is mounted.
    pub mount: String,
    /// Version of the engine, 1 or 2.
    pub version: u8,
    /// The path in the engine.
    pub path: String,
}

/// The values of a secret: a JSON object. Wiped from memory when dropped, and not printable.
#[derive(PartialEq, Eq)]
pub struct Data(Value);

/// Reads and writes secrets.
pub struct KeyValue(Vault);

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    data: Value,
}

/// Version 2 has the values one level deeper, beside their history.
#[derive(Serialize)]
struct Versioned<'a> {
    data: &'a Value,
}

impl KeyValue {
    /// Nothing is read or connected yet.
    pub fn new(environment: &Environment, policy: &Policy) -> Self {
        Self(Vault::new(environment.clone(), policy))
    }

    /// The server that is meant when nothing names one.
    pub fn usual_server(environment: &Environment) -> &str {
        settings::usual_address(environment)
    }

    /// The values of a secret; `None`: there is none.
    pub async fn read(&self, secret: &Secret) -> Result<Option<Data>, VaultError> {
        let subject = secret.subject();
        let (session, server) = self.session(secret)?;
        let path = secret.segments();
        let reply = session.send(&subject, server, path, |url| Ok(Call::get(url)));
        let reply = reply.await?;
        // Of a secret whose newest version was deleted too.
        if reply.status == 404 {
            return Ok(None);
        }
        let answer: Result<Answer, _> = reply.json();
        let answer = answer.map_err(|error| VaultError::Request { subject, error })?;
        let data = Data(answer.data);
        let data = match secret.version {
            1 => data,
            _ => data.take("data"),
        };
        Ok(data.0.is_object().then_some(data))
    }

    /// Writes a secret: a new version of one that is there.
    pub async fn write(&self, secret: &Secret, data: &Data) -> Result<(), VaultError> {
        let subject = secret.subject();
        let (session, server) = self.session(secret)?;
        let reply = session.send(&subject, server, secret.segments(), |url| {
            let call = Call::put(url);
            match secret.version {
                1 => call.json(&data.0),
                _ => call.json(&Versioned { data: &data.0 }),
            }
        });
        let done = reply.await?.done();
        done.map_err(|error| VaultError::Request { subject, error })
    }

    /// The server that a document names gets the token only if it is listed, unless it is the one that
    /// the surroundings name.
    fn session<'a>(&'a self, secret: &'a Secret) -> Result<(&'a Session, &'a str), VaultError> {
        let session = self.0.session()?;
        let own = session.settings.address.as_str();
        match &secret.server {
            Some(server) if server != own && !session.allowlist.allows(server) => {
                Err(VaultError::NotListed {
                    address: server.clone(),
                })
            }
            Some(server) => Ok((session, server)),
            None => Ok((session, own)),
        }
    }
}

impl Secret {
    fn subject(&self) -> String {
        format!(
            "{SUBJECT}`{}`",
            self.segments().collect::<Vec<_>>().join("/")
        )
    }

    fn segments(&self) -> impl Iterator<Item = &str> {
        let mount = self.mount.split('/');
        let versioned = (self.version != 1).then_some("data");
        let all = mount.chain(versioned).chain(self.path.split('/'));
        // Slashes at the ends of paths say nothing.
        all.filter(|segment| !segment.is_empty())
    }
}

impl Data {
    /// Reads an object; nothing if the text is none.
    pub fn parse(json: &Plaintext) -> Option<Self> {
        let data = Self(serde_json::from_slice(json.expose()).ok()?);
        data.0.is_object().then_some(data)
    }

    /// One of the values, alone.
    fn take(mut self, key: &str) -> Self {
        Self(self.0.get_mut(key).map(Value::take).unwrap_or_default())
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

fn wipe(value: &mut Value) {
    match value {
        Value::String(text) => text.zeroize(),
        Value::Array(items) => items.iter_mut().for_each(wipe),
        Value::Object(entries) => entries.values_mut().for_each(wipe),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::block_on;

    fn secret(server: Option<&str>, version: u8) -> Secret {
        Secret {
            server: server.map(Into::into),
            mount: "team/kv/".into(),
            version,
            path: "apps/web.yaml".into(),
        }
    }

    #[test]
    fn version_2_has_its_secrets_below_data() {
        let path = |version| secret(None, version).subject();
        assert_eq!(path(1), "secret `team/kv/apps/web.yaml`");
        assert_eq!(path(2), "secret `team/kv/data/apps/web.yaml`");
    }

    #[test]
    fn values_are_equal_whatever_the_order_of_their_keys() {
        let data = |text: &str| Data::parse(&Plaintext::from(text.as_bytes().to_vec()));
        let one = data(r#"{"a":1,"b":[true,null,{"c":"x"}]}"#);
        assert!(one.is_some());
        assert!(one == data(r#"{"b":[true,null,{"c":"x"}],"a":1}"#));
        assert!(one != data(r#"{"a":"1","b":[true,null,{"c":"x"}]}"#));
        assert!(data("[1]").is_none() && data("").is_none());
    }

    #[test]
    fn a_server_of_a_document_needs_its_place_on_the_list_and_that_of_the_variable_does_not() {
        let environment = Environment::default()
            .with("VAULT_ADDR", "http://127.0.0.1:1")
            .with("VAULT_TOKEN", "t")
            .with("SOPS_HC_VAULT_ALLOWLIST", "none");
        let kv = KeyValue::new(&environment, &Policy::everything());
        for (server, listed) in [
            (Some("http://127.0.0.1:2"), false),
            (Some("http://127.0.0.1:1"), true),
            (None, true),
        ] {
            let error = block_on(kv.read(&secret(server, 2)))
                .map(|_| ())
                .unwrap_err();
            let is_listed = !matches!(error, VaultError::NotListed { .. });
            assert_eq!(is_listed, listed, "{error}");
        }
    }
}
