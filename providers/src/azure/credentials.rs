//! Who we are for Azure. The order is that of Azure's own libraries: a client secret in variables,
//! workload identity, the managed identity of the machine, then `az`.

use std::path::PathBuf;

use zeroize::Zeroizing;

use crate::Environment;

/// One way to get tokens.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Credential {
    /// `AZURE_CLIENT_SECRET`.
    Secret {
        tenant: String,
        client: String,
        secret: Zeroizing<String>,
    },
    /// `AZURE_FEDERATED_TOKEN_FILE`: a token of the cluster, exchanged.
    Workload {
        tenant: String,
        client: String,
        file: PathBuf,
    },
    /// `IDENTITY_ENDPOINT`, of App Service and its kin.
    Service {
        endpoint: String,
        header: String,
        client: Option<String>,
    },
    /// The metadata service of a virtual machine.
    Machine { client: Option<String> },
    /// The Azure command line.
    CommandLine { program: PathBuf },
}

impl Credential {
    /// How errors call it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::CommandLine { .. } => "az",
            Self::Machine { .. } => "managed identity",
            Self::Secret { .. } => "AZURE_CLIENT_SECRET",
            Self::Service { .. } => "IDENTITY_ENDPOINT",
            Self::Workload { .. } => "AZURE_FEDERATED_TOKEN_FILE",
        }
    }
}

/// What the environment has, in the order in which it is tried. `AZURE_TOKEN_CREDENTIALS` leaves only
/// those for servers (`prod`) or only those for people (`dev`).
pub(super) fn all(environment: &Environment) -> Vec<Credential> {
    let text = |name| environment.var(name).map(str::to_owned);
    let (tenant, client) = (text("AZURE_TENANT_ID"), text("AZURE_CLIENT_ID"));
    let mut all = Vec::new();
    let kind = environment
        .var("AZURE_TOKEN_CREDENTIALS")
        .unwrap_or_default();
    if !kind.eq_ignore_ascii_case("dev") {
        if let (Some(tenant), Some(client)) = (&tenant, &client) {
            all.extend(
                text("AZURE_CLIENT_SECRET").map(|secret| Credential::Secret {
                    tenant: tenant.clone(),
                    client: client.clone(),
                    secret: secret.into(),
                }),
            );
            all.extend(environment.path("AZURE_FEDERATED_TOKEN_FILE").map(|file| {
                Credential::Workload {
                    tenant: tenant.clone(),
                    client: client.clone(),
                    file,
                }
            }));
        }
        match (text("IDENTITY_ENDPOINT"), text("IDENTITY_HEADER")) {
            (Some(endpoint), Some(header)) => all.push(Credential::Service {
                endpoint,
                header,
                client,
            }),
            // Nobody else has this address: it is asked only for the process itself.
            _ if environment.is_of_process() => all.push(Credential::Machine { client }),
            _ => {}
        }
    }
    if !kind.eq_ignore_ascii_case("prod") {
        all.extend(
            environment
                .find_program("az")
                .map(|program| Credential::CommandLine { program }),
        );
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(environment: &Environment) -> Vec<&'static str> {
        all(environment).iter().map(Credential::name).collect()
    }

    #[test]
    fn the_order_is_that_of_azures_libraries() {
        let none = Environment::default();
        assert!(names(&none).is_empty());
        let client = none
            .with("AZURE_TENANT_ID", "t")
            .with("AZURE_CLIENT_ID", "c");
        let all = client
            .with("AZURE_CLIENT_SECRET", "s")
            .with("AZURE_FEDERATED_TOKEN_FILE", "/var/run/token")
            .with("IDENTITY_ENDPOINT", "http://127.0.0.1:1")
            .with("IDENTITY_HEADER", "h");
        assert_eq!(
            names(&all),
            [
                "AZURE_CLIENT_SECRET",
                "AZURE_FEDERATED_TOKEN_FILE",
                "IDENTITY_ENDPOINT"
            ]
        );
        assert!(names(&all.with("AZURE_TOKEN_CREDENTIALS", "dev")).is_empty());
    }

    #[test]
    fn a_secret_without_tenant_or_client_is_of_no_use() {
        let secret = Environment::default().with("AZURE_CLIENT_SECRET", "s");
        assert!(names(&secret).is_empty());
        assert!(names(&secret.with("AZURE_CLIENT_ID", "c")).is_empty());
    }
}
