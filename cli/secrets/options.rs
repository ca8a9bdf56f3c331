//! Options that the commands of `signet` for SOPS files share.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use signet_documents::sops::selector::SelectorSpec;
use signet_documents::sops::{FileFormat, MacCheck};
use signet_keys::sops::master_key::{DecryptionOrder, KeyType, KmsOptions, MasterKey};

use crate::paths::absolute;
use crate::{Env, Failure};

use super::{Layout, RuleBook, ServiceOptions};

/// A format, as options name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// YAML documents
    Yaml,
    /// One JSON object
    Json,
    /// KEY=value lines
    Dotenv,
    /// Sections of key = value lines
    Ini,
    /// Any bytes
    Binary,
}

impl From<FormatName> for FileFormat {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Yaml => Self::Yaml,
            FormatName::Json => Self::Json,
            FormatName::Dotenv => Self::Dotenv,
            FormatName::Ini => Self::Ini,
            FormatName::Binary => Self::Binary,
        }
    }
}

/// How a file is read.
#[derive(Args, Clone, Debug, Default)]
pub struct InputOptions {
    /// Format of the input; its name tells it otherwise
    #[arg(long, value_name = "FORMAT")]
    pub input_type: Option<FormatName>,
}

impl InputOptions {
    /// The format of a file.
    pub fn format(&self, path: &Path) -> FileFormat {
        self.input_type.map_or_else(
            || FileFormat::of_name(&path.to_string_lossy()),
            FileFormat::from,
        )
    }
}

/// How output is written.
#[derive(Args, Clone, Debug, Default)]
pub struct OutputOptions {
    /// Format of the output; that of the input otherwise
    #[arg(long, value_name = "FORMAT")]
    pub output_type: Option<FormatName>,
    /// Lay the output out anew, as `sops` does; the file's own layout stays otherwise
    #[arg(long, value_name = "LAYOUT")]
    pub layout: Option<LayoutName>,
}

/// A layout, as the option names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutName {
    /// As the program sops writes
    Sops,
}

impl OutputOptions {
    /// The format of the output of a file that was read in another.
    pub fn format(&self, input: FileFormat) -> FileFormat {
        self.output_type.map_or(input, FileFormat::from)
    }

    /// The layout.
    pub fn layout(&self) -> Layout {
        match self.layout {
            Some(LayoutName::Sops) => Layout::Sops { indent: None },
            None => Layout::Kept,
        }
    }
}

/// Who is asked for data keys.
#[derive(Args, Clone, Debug, Default)]
pub struct KeyServiceOptions {
    /// Address of a further key service, `tcp://HOST:PORT` or `unix:///PATH`; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    pub keyservice: Vec<String>,
    /// Do not use the keys of this machine
    #[arg(long, requires = "keyservice")]
    pub no_local_keys: bool,
}

impl KeyServiceOptions {
    /// The services.
    pub fn services(&self) -> ServiceOptions {
        ServiceOptions {
            local: !self.no_local_keys,
            remote: self.keyservice.clone(),
        }
    }
}

/// How encrypted files are opened.
#[derive(Args, Clone, Debug, Default)]
pub struct UnlockOptions {
    #[command(flatten)]
    pub services: KeyServiceOptions,
    /// Kinds of keys to try first, such as age,pgp,kms
    #[arg(
        long,
        value_name = "KINDS",
        env = "SOPS_DECRYPTION_ORDER",
        hide_env_values = true
    )]
    pub decryption_order: Option<String>,
}

impl UnlockOptions {
    /// Which keys are tried first.
    pub fn order(&self) -> Result<DecryptionOrder, Failure> {
        let Some(text) = &self.decryption_order else {
            return Ok(DecryptionOrder::default());
        };
        match DecryptionOrder::parse(text) {
            Ok((order, unknown)) if unknown.is_empty() => Ok(order),
            Ok((_, unknown)) => Err(Failure::usage(format!(
                "`--decryption-order`: unknown kinds of keys: {}",
                unknown.join(", ")
            ))),
            Err(error) => Err(Failure::usage(error.to_string())),
        }
    }
}

/// Whether a wrong checksum is overlooked.
#[derive(Args, Clone, Debug, Default)]
pub struct MacOptions {
    /// Take a file whose checksum is wrong: somebody may have removed or exchanged values
    #[arg(long)]
    pub danger_ignore_mac: bool,
}

impl MacOptions {
    /// What to do about the checksum.
    pub fn check(&self) -> MacCheck {
        if self.danger_ignore_mac {
            MacCheck::DangerIgnore
        } else {
            MacCheck::Verify
        }
    }
}

/// Where rules come from.
#[derive(Args, Clone, Debug, Default)]
pub struct RuleOptions {
    /// Read rules from this file; otherwise from the .sops.yaml that is nearest to the file
    #[arg(long, value_name = "FILE", env = "SOPS_CONFIG", hide_env_values = true)]
    pub rules: Option<PathBuf>,
}

impl RuleOptions {
    /// The rules of a run.
    pub fn book(&self, env: &Env) -> RuleBook {
        RuleBook::new(self.rules.as_ref().map(|path| absolute(env, path)))
    }
}

/// For whom to encrypt, instead of what the rules say.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Recipients, instead of those of the rules")]
pub struct RecipientOptions {
    /// age recipients, SSH public keys among them; commas between several
    #[arg(
        long,
        value_name = "KEYS",
        env = "SOPS_AGE_RECIPIENTS",
        hide_env_values = true
    )]
    pub age: Option<String>,
    /// PGP fingerprints
    #[arg(long, value_name = "KEYS", env = "SOPS_PGP_FP", hide_env_values = true)]
    pub pgp: Option<String>,
    /// AWS KMS ARNs
    #[arg(
        long,
        value_name = "KEYS",
        env = "SOPS_KMS_ARN",
        hide_env_values = true
    )]
    pub kms: Option<String>,
    /// GCP KMS resource names
    #[arg(
        long,
        value_name = "KEYS",
        env = "SOPS_GCP_KMS_IDS",
        hide_env_values = true
    )]
    pub gcp_kms: Option<String>,
    /// Azure Key Vault URLs
    #[arg(
        long,
        value_name = "KEYS",
        env = "SOPS_AZURE_KEYVAULT_URLS",
        hide_env_values = true
    )]
    pub azure_kv: Option<String>,
    /// URLs of transit keys of Vault
    #[arg(
        long,
        value_name = "KEYS",
        env = "SOPS_VAULT_URIS",
        hide_env_values = true
    )]
    pub hc_vault_transit: Option<String>,
}

impl RecipientOptions {
    /// The keys, if any are given.
    pub fn keys(&self) -> Result<Vec<MasterKey>, Failure> {
        let given = [
            (KeyType::Kms, &self.kms),
            (KeyType::GcpKms, &self.gcp_kms),
            (KeyType::AzureKv, &self.azure_kv),
            (KeyType::HcVault, &self.hc_vault_transit),
            (KeyType::Pgp, &self.pgp),
            (KeyType::Age, &self.age),
        ];
        let mut keys = Vec::new();
        for (kind, text) in given {
            let text = text.as_deref().unwrap_or_default();
            let found = MasterKey::list(kind, text, &KmsOptions::default());
            keys.extend(found.map_err(|error| {
                let failure = Failure::usage(error.to_string());
                match error.hint() {
                    Some(hint) => failure.with_hint(hint),
                    None => failure,
                }
            })?);
        }
        Ok(keys)
    }
}

/// What is encrypted, instead of what the rules say.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What is encrypted, instead of what the rules say")]
#[group(multiple = false)]
pub struct SelectorOptions {
    /// Values below a key that matches
    #[arg(long, value_name = "REGEX")]
    pub encrypted_regex: Option<String>,
    /// All but values below a key that matches
    #[arg(long, value_name = "REGEX")]
    pub unencrypted_regex: Option<String>,
    /// Values below a key that ends so
    #[arg(long, value_name = "SUFFIX")]
    pub encrypted_suffix: Option<String>,
    /// All but values below a key that ends so
    #[arg(long, value_name = "SUFFIX")]
    pub unencrypted_suffix: Option<String>,
    /// Values behind a comment that matches
    #[arg(long, value_name = "REGEX")]
    pub encrypted_comment_regex: Option<String>,
    /// All but values behind a comment that matches
    #[arg(long, value_name = "REGEX")]
    pub unencrypted_comment_regex: Option<String>,
}

impl SelectorOptions {
    /// The selector, if one is given.
    pub fn selector(&self) -> Option<SelectorSpec> {
        let given = [
            ("encrypted_regex", &self.encrypted_regex),
            ("unencrypted_regex", &self.unencrypted_regex),
            ("encrypted_suffix", &self.encrypted_suffix),
            ("unencrypted_suffix", &self.unencrypted_suffix),
            ("encrypted_comment_regex", &self.encrypted_comment_regex),
            ("unencrypted_comment_regex", &self.unencrypted_comment_regex),
        ];
        let mut given = given.into_iter();
        given.find_map(|(field, text)| SelectorSpec::of_field(field, text.clone()?))
    }
}
