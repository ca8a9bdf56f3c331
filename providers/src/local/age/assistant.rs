//! Persons and plugins, for the crate of the keys, which knows neither.

use std::sync::Arc;

use age::Callbacks;
use age::plugin::{self, IdentityPluginV1, RecipientPluginV1};
use age::secrecy::SecretString;
use signet_keys::Plaintext;
use signet_keys::age_key::{Assistant, PluginError};

use crate::{Environment, Policy, Prompt};

/// Asks the person, and starts the plugins that the policy lets.
pub(super) struct Helper {
    environment: Environment,
    policy: Policy,
    prompt: Arc<dyn Prompt>,
}

impl Helper {
    pub(super) fn new(environment: Environment, policy: Policy, prompt: Arc<dyn Prompt>) -> Self {
        Self {
            environment,
            policy,
            prompt,
        }
    }

    /// The age crate looks a plugin up in the path of the process: an environment of our own without
    /// that path has no plugins.
    fn check(&self, name: &str) -> Result<(), PluginError> {
        let program = format!("age-plugin-{name}");
        let found = self.environment.find_program(&program);
        found.ok_or_else(|| PluginError::Unavailable(name.to_owned()))?;
        self.policy
            .check_program(&program)
            .map_err(|error| failed(name, &error))
    }

    fn callbacks(&self) -> Person {
        Person(Arc::clone(&self.prompt))
    }
}

impl Assistant for Helper {
    fn passphrase(&self, source: &str) -> Option<Plaintext> {
        self.prompt.passphrase(source)
    }

    fn wrong_passphrase(&self, source: &str) {
        self.prompt.wrong_passphrase(source);
    }

    fn plugin_identity(
        &self,
        name: &str,
        identity: &str,
    ) -> Result<Box<dyn age::Identity>, PluginError> {
        self.check(name)?;
        let identity: plugin::Identity = identity
            .parse()
            .map_err(|_| failed(name, &"its identity is malformed"))?;
        let plugin = IdentityPluginV1::new(name, &[identity], self.callbacks());
        Ok(Box::new(
            plugin.map_err(|_| PluginError::Unavailable(name.to_owned()))?,
        ))
    }

    fn plugin_recipient(
        &self,
        name: &str,
        recipient: &str,
    ) -> Result<Box<dyn age::Recipient>, PluginError> {
        self.check(name)?;
        let recipient: plugin::Recipient =
            recipient.parse().map_err(|reason| failed(name, &reason))?;
        let plugin = RecipientPluginV1::new(name, &[recipient], &[], self.callbacks());
        Ok(Box::new(
            plugin.map_err(|_| PluginError::Unavailable(name.to_owned()))?,
        ))
    }
}

fn failed(name: &str, message: &dyn std::fmt::Display) -> PluginError {
    PluginError::Failed {
        name: name.to_owned(),
        message: message.to_string(),
    }
}

/// The person, as plugins see one.
#[derive(Clone)]
struct Person(Arc<dyn Prompt>);

impl Callbacks for Person {
    fn display_message(&self, message: &str) {
        self.0.message(message);
    }

    fn confirm(&self, message: &str, yes: &str, no: Option<&str>) -> Option<bool> {
        self.0.confirm(message, yes, no)
    }

    fn request_public_string(&self, description: &str) -> Option<String> {
        self.0.text(description)
    }

    fn request_passphrase(&self, description: &str) -> Option<SecretString> {
        let secret = self.0.secret(description)?;
        let text = std::str::from_utf8(secret.expose()).ok()?;
        Some(SecretString::from(text))
    }
}
