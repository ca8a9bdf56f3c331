//! Flags of the sealing keys.

use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};
use jiff::Timestamp;
use signet_crds::constants::certificate;

use super::{duration, values};

/// Flags of the sealing keys.
#[derive(Debug, Clone, Args)]
pub struct KeyArgs {
    /// Start of the names of key Secrets
    #[arg(long, default_value = "sealed-secrets-key", value_parser = values::key_prefix)]
    pub key_prefix: String,
    /// Bits of a new RSA key
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(2048..=8192))]
    pub key_size: u32,
    /// Time until the certificate of a new key expires
    #[arg(long, default_value = "87600h", value_parser = duration::parse)]
    pub key_ttl: Duration,
    /// Common name of new certificates
    #[arg(long, default_value = "")]
    pub my_cn: String,
    /// Time after which a new key is made; zero for never
    #[arg(long, alias = "rotate-period", default_value = "720h", value_parser = duration::parse)]
    pub key_renew_period: Duration,
    /// What makes a key the newest
    #[arg(long, default_value = "CertNotBefore", ignore_case = true)]
    pub key_order_priority: KeyOrder,
    /// Make a new key at start when the newest is from before this date, such as
    /// `Mon, 02 Jan 2006 15:04:05 +0000`
    #[arg(long, default_value = "", value_parser = cutoff)]
    pub key_cutoff_time: Cutoff,
    /// Annotations of new key Secrets, key=value,key=value
    #[arg(long, default_value = "", value_parser = values::pairs)]
    pub privatekey_annotations: values::Pairs,
    /// Labels of new key Secrets, key=value,key=value
    #[arg(long, default_value = "", value_parser = values::pairs)]
    pub privatekey_labels: values::Pairs,
    /// Follow changes of the key Secrets; always on, the flag is kept for compatibility
    #[arg(long, default_value = "true", value_parser = values::boolean, action = ArgAction::Set)]
    pub watch_for_secrets: bool,
    /// ConfigMap that the current certificate is published in, `NAME` or `NAMESPACE/NAME`; empty for
    /// none
    #[arg(long, default_value = certificate::CONFIG_MAP, value_parser = values::place)]
    pub certificate_config_map: values::Place,
    /// Never make a key: without one be not ready, until one is restored
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub require_existing_key: bool,
}

/// A date before which the newest key is too old, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutoff(pub Option<Timestamp>);

/// What makes a key the newest. The peer's spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyOrder {
    /// The start of the certificate's validity.
    #[value(name = "CertNotBefore")]
    CertNotBefore,
    /// The creation of the Secret.
    #[value(name = "SecretCreationTimestamp")]
    SecretCreationTimestamp,
}

impl KeyArgs {
    /// The date before which the newest key is too old at start.
    pub fn cutoff(&self) -> Option<Timestamp> {
        self.key_cutoff_time.0
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.key_ttl.is_zero() {
            return Err(
                "--key-ttl must be longer than zero, else every new certificate is expired".into(),
            );
        }
        if self.require_existing_key && self.cutoff().is_some() {
            return Err("--key-cutoff-time makes a key, which --require-existing-key forbids: give one of them".into());
        }
        Ok(())
    }
}

/// An empty text is no cutoff: charts pass the flag with its default.
fn cutoff(text: &str) -> Result<Cutoff, values::ValueError> {
    if text.is_empty() {
        Ok(Cutoff(None))
    } else {
        values::date(text).map(|date| Cutoff(Some(date)))
    }
}
