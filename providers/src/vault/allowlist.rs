//! `SOPS_HC_VAULT_ALLOWLIST`: which servers may be sent the token.

use super::VaultError;

/// `all`, which it is when it is not set; `none`; or the beginnings of addresses.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Allowlist {
    All,
    Beginnings(Vec<String>),
}

impl Allowlist {
    pub(super) fn parse(text: Option<&str>) -> Result<Self, VaultError> {
        match text {
            None | Some("all") => return Ok(Self::All),
            Some("none") => return Ok(Self::Beginnings(Vec::new())),
            Some(_) => {}
        }
        let entries = text
            .unwrap_or_default()
            .split(',')
            .map(|entry| entry.trim_matches(' '));
        let beginnings: Vec<String> = entries.map(with_slash).collect();
        match beginnings.iter().position(|entry| entry == "/") {
            Some(index) => Err(VaultError::Allowlist { entry: index + 1 }),
            None => Ok(Self::Beginnings(beginnings)),
        }
    }

    /// Both sides end with a slash, so that no host is the beginning of another's.
    pub(super) fn allows(&self, address: &str) -> bool {
        match self {
            Self::All => true,
            Self::Beginnings(beginnings) => {
                let address = with_slash(address);
                beginnings
                    .iter()
                    .any(|beginning| address.starts_with(beginning))
            }
        }
    }
}

fn with_slash(address: &str) -> String {
    let slash = if address.ends_with('/') { "" } else { "/" };
    format!("{address}{slash}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn allows(list: Option<&str>, address: &str) -> bool {
        Allowlist::parse(list).unwrap().allows(address)
    }

    #[test]
    fn all_none_and_a_list_are_told_apart() {
        let address = "https://vault.example:8200";
        assert!(allows(None, address) && allows(Some("all"), address));
        assert!(!allows(Some("none"), address));
        assert!(allows(
            Some("https://other, https://vault.example:8200/"),
            address
        ));
        assert!(!allows(Some("https://other"), address));
    }

    #[test]
    fn an_entry_does_not_allow_a_host_that_begins_like_it() {
        assert!(!allows(
            Some("https://vault.example"),
            "https://vault.example.attacker.test"
        ));
        assert!(!allows(
            Some("https://vault.example"),
            "https://vault.example:8200"
        ));
    }

    #[test]
    fn an_empty_entry_is_named() {
        let error = Allowlist::parse(Some("https://vault.example, ,x")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "entry 2 of SOPS_HC_VAULT_ALLOWLIST is empty"
        );
    }
}
