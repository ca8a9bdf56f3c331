//! What a document may name and get this program's credentials for.

use signet_keys::sops::MasterKey;

/// Which keys are used with the credentials that the surroundings give: tokens, roles, profiles,
/// agents and programs. A person at a desk decides by opening the file. A controller opens files that
/// others wrote, and sends its credentials to nobody whom its administrator did not list.
#[derive(Debug, Clone)]
pub struct Policy(Rule);

#[derive(Debug, Clone)]
enum Rule {
    Everything,
    Listed(Vec<String>),
}

/// A document names something that is not listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} `{name}` is named by the document and not allowed here")]
pub struct NotAllowed {
    /// What it is: `the Vault server`.
    pub what: &'static str,
    /// Its name.
    pub name: String,
}

impl NotAllowed {
    /// What to do about it.
    pub fn hint(&self) -> String {
        format!("the administrator can list `{}`", self.name)
    }
}

impl Policy {
    /// Whatever the document names. For programs that act for the person who starts them.
    pub fn everything() -> Self {
        Self(Rule::Everything)
    }

    /// What is listed, and nothing else. An entry is
    ///
    /// - the ARN of a key of AWS KMS, of a role, or the name of a profile;
    /// - the resource name of a key of Google Cloud KMS;
    /// - the address of a Vault server or of an Azure Key Vault: scheme, host and port;
    /// - `age-plugin-NAME`, or `gpg`.
    ///
    /// A `*` at the end of an ARN or a resource name stands for anything. Identities of age need no
    /// entry: they open what was wrapped for them and are sent nowhere.
    pub fn listed(entries: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(Rule::Listed(entries.into_iter().map(Into::into).collect()))
    }

    /// Whether a key, and all that it names, may be used.
    pub fn check(&self, key: &MasterKey) -> Result<(), NotAllowed> {
        match key {
            // A plugin is a program, and asked about when it is to be started.
            MasterKey::Age { .. } | MasterKey::HcKms { .. } => Ok(()),
            MasterKey::AzureKv { vault_url, .. } => self.check_server("the key vault", vault_url),
            MasterKey::GcpKms { resource_id } => self.check_name("the key", resource_id),
            MasterKey::HcVault { vault_address, .. } => {
                self.check_server("the Vault server", vault_address)
            }
            MasterKey::Kms {
                arn,
                role,
                aws_profile,
                ..
            } => {
                self.check_name("the key", arn)?;
                if let Some(role) = role {
                    self.check_name("the role", role)?;
                }
                match aws_profile {
                    Some(profile) => self.check_name("the profile", profile),
                    None => Ok(()),
                }
            }
            MasterKey::Pgp { .. } => self.check_program("gpg"),
        }
    }

    /// Whether a program may be started: `gpg`, `age-plugin-yubikey`.
    pub fn check_program(&self, name: &str) -> Result<(), NotAllowed> {
        self.check_one("the program", name, |entry| entry == name)
    }

    /// Whether requests may go to addresses that lead back into the machine or its metadata service.
    #[cfg(feature = "rest")]
    pub(crate) fn allows_local_addresses(&self) -> bool {
        matches!(self.0, Rule::Everything)
    }

    fn check_name(&self, what: &'static str, name: &str) -> Result<(), NotAllowed> {
        self.check_one(what, name, |entry| match entry.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => entry == name,
        })
    }

    /// Servers are compared whole: with a beginning, `https://vault.example` would let
    /// `https://vault.example.attacker.test` in.
    fn check_server(&self, what: &'static str, address: &str) -> Result<(), NotAllowed> {
        let plain = |address: &str| address.trim_end_matches('/').to_ascii_lowercase();
        self.check_one(what, address, |entry| plain(entry) == plain(address))
    }

    fn check_one(
        &self,
        what: &'static str,
        name: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Result<(), NotAllowed> {
        match &self.0 {
            Rule::Everything => Ok(()),
            Rule::Listed(entries) if entries.iter().any(|entry| fits(entry)) => Ok(()),
            Rule::Listed(_) => Err(NotAllowed {
                what,
                name: name.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use signet_keys::sops::KeyType;

    use super::*;

    fn kms(role: Option<&str>, profile: Option<&str>) -> MasterKey {
        MasterKey::Kms {
            arn: "arn:aws:kms:eu-central-1:111122223333:key/1234".into(),
            role: role.map(Into::into),
            context: std::collections::BTreeMap::new(),
            aws_profile: profile.map(Into::into),
        }
    }

    fn vault(address: &str) -> MasterKey {
        MasterKey::HcVault {
            vault_address: address.into(),
            engine_path: "transit".into(),
            key_name: "k".into(),
        }
    }

    fn keys() -> Vec<MasterKey> {
        vec![
            MasterKey::Age {
                recipient: "age1yubikey1qqqq".into(),
            },
            MasterKey::AzureKv {
                vault_url: "https://v.vault.azure.net".into(),
                name: "k".into(),
                version: None,
            },
            MasterKey::GcpKms {
                resource_id: "projects/p/locations/l/keyRings/r/cryptoKeys/k".into(),
            },
            MasterKey::HcKms {
                key_id: "cn-north-1:1234".into(),
            },
            vault("https://vault.example:8200"),
            kms(None, None),
            MasterKey::Pgp {
                fingerprint: "FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4".into(),
            },
        ]
    }

    #[test]
    fn with_an_empty_list_nothing_that_takes_credentials_is_allowed() {
        let nobody = Policy::listed([] as [&str; 0]);
        for key in keys() {
            let refused = nobody.check(&key).is_err();
            assert_eq!(
                refused,
                !matches!(key.key_type(), KeyType::Age | KeyType::HcKms),
                "{key}"
            );
            assert!(Policy::everything().check(&key).is_ok(), "{key}");
        }
        assert!(nobody.check_program("age-plugin-yubikey").is_err());
    }

    #[test]
    fn a_key_is_allowed_only_with_the_role_and_profile_that_it_names() {
        let key = "arn:aws:kms:eu-central-1:111122223333:key/*";
        let role = "arn:aws:iam::111122223333:role/sops";
        let both = Policy::listed([key, role]);
        assert!(both.check(&kms(Some(role), None)).is_ok());
        assert!(
            both.check(&kms(Some("arn:aws:iam::111122223333:role/admin"), None))
                .is_err()
        );
        assert!(both.check(&kms(None, Some("production"))).is_err());
        assert!(
            Policy::listed([role])
                .check(&kms(Some(role), None))
                .is_err()
        );
    }

    #[test]
    fn a_server_is_compared_whole() {
        let policy = Policy::listed(["https://vault.example"]);
        assert!(policy.check(&vault("https://vault.example/")).is_ok());
        assert!(policy.check(&vault("https://Vault.example")).is_ok());
        for other in [
            "http://vault.example",
            "https://vault.example:8200",
            "https://vault.example.attacker.test",
            "https://vault.example@attacker.test",
        ] {
            assert!(policy.check(&vault(other)).is_err(), "{other}");
        }
    }
}
