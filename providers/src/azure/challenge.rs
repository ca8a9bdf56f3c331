//! What a vault says about the tokens that it wants.

use reqwest::Url;

/// The `WWW-Authenticate` of a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Challenge {
    /// What the token must be for.
    pub(super) scope: String,
    /// The tenant of the vault, if it says so.
    pub(super) tenant: Option<String>,
}

impl Challenge {
    /// Reads `Bearer authorization="https://login…/TENANT", resource="https://vault.azure.net"`, or
    /// the same with `scope`.
    pub(super) fn parse(header: &str) -> Option<Self> {
        let fields = header.trim().strip_prefix("Bearer ")?;
        let field = |name: &str| {
            let mut parts = fields
                .split(',')
                .filter_map(|part| part.trim().split_once('='));
            let value = parts.find(|(key, _)| key.trim().eq_ignore_ascii_case(name));
            value.map(|(_, value)| value.trim().trim_matches('"'))
        };
        let scope = match (field("scope"), field("resource")) {
            (Some(scope), _) => scope.to_owned(),
            (None, Some(resource)) => format!("{}/.default", resource.trim_end_matches('/')),
            (None, None) => return None,
        };
        let authority = field("authorization").or(field("authorization_uri"));
        let tenant =
            authority.and_then(|authority| authority.trim_end_matches('/').rsplit('/').next());
        let tenant = tenant.filter(|tenant| !tenant.is_empty() && !tenant.contains('.'));
        Some(Self {
            scope,
            tenant: tenant.map(str::to_owned),
        })
    }

    /// Whether a token of this scope is made for this server. A document can name any server, and any
    /// server can ask for the token of a vault: it must be that vault, or below the same domain.
    pub(super) fn is_for(&self, server: &Url) -> bool {
        let resource = Url::parse(&self.scope).ok();
        let wanted = resource
            .as_ref()
            .and_then(Url::host_str)
            .unwrap_or_default();
        let host = server.host_str().unwrap_or_default();
        let is_below = host
            .strip_suffix(wanted)
            .is_some_and(|rest| rest.ends_with('.'));
        !wanted.is_empty() && (host == wanted || is_below)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const VAULT: &str = r#"Bearer authorization="https://login.microsoftonline.com/72f988bf", resource="https://vault.azure.net""#;

    fn is_for(header: &str, server: &str) -> bool {
        Challenge::parse(header)
            .unwrap()
            .is_for(&server.parse().unwrap())
    }

    #[test]
    fn scope_and_tenant_are_those_of_the_header() {
        let challenge = Challenge::parse(VAULT).unwrap();
        assert_eq!(challenge.scope, "https://vault.azure.net/.default");
        assert_eq!(challenge.tenant.as_deref(), Some("72f988bf"));
        let scope =
            Challenge::parse(r#"Bearer scope="https://managedhsm.azure.net/.default""#).unwrap();
        assert_eq!(
            (scope.scope.as_str(), scope.tenant),
            ("https://managedhsm.azure.net/.default", None)
        );
        assert_eq!(Challenge::parse("Basic realm=\"x\""), None);
        assert_eq!(Challenge::parse("Bearer realm=\"x\""), None);
    }

    #[test]
    fn a_token_is_sent_only_to_the_server_that_it_is_made_for() {
        assert!(is_for(VAULT, "https://myvault.vault.azure.net"));
        for other in [
            "https://attacker.test",
            "https://vault.azure.net.attacker.test",
            "https://notvault.azure.net",
            "https://127.0.0.1:8443",
        ] {
            assert!(!is_for(VAULT, other), "{other}");
        }
        let own = r#"Bearer resource="https://attacker.test""#;
        assert!(
            is_for(own, "https://attacker.test"),
            "its own token is of no use elsewhere"
        );
        assert!(!is_for(r#"Bearer resource="""#, "https://attacker.test"));
    }
}
