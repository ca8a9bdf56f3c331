//! Flags of what is watched and what is done about it.

use std::collections::BTreeSet;

use clap::{ArgAction, Args};
use signet_crds::constants::label;

use super::values;

/// Flags of what is watched and what is done about it.
#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_excessive_bools)]
pub struct WatchArgs {
    /// Watch SealedSecrets of every namespace
    #[arg(long, default_value = "true", value_parser = values::boolean, action = ArgAction::Set)]
    pub all_namespaces: bool,
    /// Namespaces to watch beside the controller's own, comma separated
    #[arg(long, default_value = "", value_delimiter = ',', value_parser = values::namespace)]
    pub additional_namespaces: Vec<String>,
    /// Only SealedSecrets with these labels
    #[arg(long, default_value = "")]
    pub label_selector: String,
    /// Read SealedSecrets with the deprecated `spec.data`
    #[arg(long, default_value = "true", value_parser = values::boolean, action = ArgAction::Set)]
    pub accept_deprecated_v1_data: bool,
    /// Delete the Secret of a deleted SealedSecret here instead of leaving it to garbage collection
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub old_gc_behavior: bool,
    /// Write the status of SealedSecrets
    #[arg(long, default_value = "true", value_parser = values::boolean, action = ArgAction::Set)]
    pub update_status: bool,
    /// Do not watch Secrets: a deleted or changed one stays so until its SealedSecret changes
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub skip_recreate: bool,
    /// Accepted and without effect: an object that fails is tried for as long as it exists, at
    /// growing intervals
    #[arg(long, default_value_t = 5)]
    pub max_unseal_retries: u32,
    /// SealedSecrets that are worked on at the same time; those of one namespace get half of them at
    /// most
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: u16,
    /// Only report what would be done: write nothing to the cluster
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub observe: bool,
    /// Labels of every Secret that is made, key=value,key=value; the template of a SealedSecret
    /// wins
    #[arg(long, default_value = "", value_parser = values::pairs)]
    pub default_labels: values::Pairs,
}

/// The namespaces that are watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every one, by one cluster-wide watch.
    All,
    /// These, by a watch each, so that namespaced roles are enough.
    Only(BTreeSet<String>),
}

impl WatchArgs {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.default_labels.0.contains_key(label::SEALING_KEY) {
            return Err(format!(
                "--default-labels must not have {}: every Secret would be taken for a sealing key",
                label::SEALING_KEY
            ));
        }
        Ok(())
    }

    /// The namespaces that are watched, `own` being the controller's.
    ///
    /// Naming additional namespaces restricts the rest to the own one, as the peer does.
    pub fn scope(&self, own: &str) -> Scope {
        let named = self.additional_namespaces.iter();
        let mut names: BTreeSet<String> = named.filter(|name| !name.is_empty()).cloned().collect();
        if self.all_namespaces && names.is_empty() {
            return Scope::All;
        }
        names.insert(own.to_owned());
        Scope::Only(names)
    }
}
