//! Flags of ExternalSecrets, under the names that the External Secrets Operator has for them where it has
//! one.

use std::time::Duration;

use clap::{ArgAction, Args};
use signet_crds::external::constants::DEFAULT_CONTROLLER_CLASS;
use signet_engine::external::policy::Policy;

use super::{duration, values};
use crate::external::{Settings, StoreSettings};

/// Flags of ExternalSecrets.
#[derive(Debug, Clone, Args)]
pub struct ExternalArgs {
    /// Keep the Secrets of ExternalSecrets too; their CustomResourceDefinitions must be installed
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub external_secrets: bool,
    /// Name of this controller: stores that name another one are left to that
    #[arg(long, default_value = DEFAULT_CONTROLLER_CLASS)]
    pub controller_class: String,
    /// How often stores are checked that do not say it themselves
    #[arg(long, default_value = "5m", value_parser = duration::parse)]
    pub store_requeue_interval: Duration,
    /// ExternalSecrets and stores that are worked on at the same time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrent: u16,
    /// Bytes of values that are kept in memory for each open store, so that those who ask for the same
    /// share a read; 0 keeps none
    #[arg(long, default_value_t = 16 << 20)]
    pub store_cache_bytes: usize,
    /// Take over Secrets that no ExternalSecret has made, as the peer does: what they hold is lost
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub danger_take_over_secrets: bool,
    /// Let stores be at loopback and link-local addresses, where clouds have their metadata services
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub danger_local_stores: bool,
}

impl ExternalArgs {
    /// What they mean; nothing if ExternalSecrets are not to be kept.
    pub fn settings(&self) -> Option<Settings> {
        self.external_secrets.then(|| Settings {
            policy: Policy {
                takes_over: self.danger_take_over_secrets,
                class: self.controller_class.clone(),
            },
            store_interval: self.store_requeue_interval,
            workers: usize::from(self.concurrent),
            stores: StoreSettings {
                kept_bytes: self.store_cache_bytes,
                danger_local_addresses: self.danger_local_stores,
            },
        })
    }
}
