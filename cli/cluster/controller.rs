//! The controller's HTTP endpoints, through the API server's Service proxy.

use http::Method;
use serde::Deserialize;

use super::{Cluster, ClusterError, Controller, READ_SERVICE};

impl Cluster {
    /// The certificate that the controller answers with, PEM.
    pub(super) fn served_certificate(
        &self,
        controller: &Controller,
    ) -> Result<Vec<u8>, ClusterError> {
        let path = self.endpoint(controller, "v1/cert.pem")?;
        let what = format!("fetch the certificate from `{controller}`");
        self.request(&what, &Method::GET, &path, &[])
    }

    /// Asks the controller whether it can open a `SealedSecret` (JSON or YAML).
    pub fn verify(&self, controller: &Controller, sealed: &[u8]) -> Result<(), ClusterError> {
        let path = self.endpoint(controller, "v1/verify")?;
        let what = format!("verify at `{controller}`");
        self.request(&what, &Method::POST, &path, sealed).map(drop)
    }

    /// Asks the controller to seal a `SealedSecret` (JSON or YAML) again for its newest key.
    pub fn rotate(&self, controller: &Controller, sealed: &[u8]) -> Result<Vec<u8>, ClusterError> {
        let path = self.endpoint(controller, "v1/rotate")?;
        let what = format!("re-seal at `{controller}`");
        self.request(&what, &Method::POST, &path, sealed)
    }

    /// `/api/v1/namespaces/NS/services/http:NAME:PORT/proxy/…`
    fn endpoint(&self, controller: &Controller, path: &str) -> Result<String, ClusterError> {
        let Controller {
            namespace, name, ..
        } = controller;
        let service = format!("/api/v1/namespaces/{namespace}/services/{name}");
        let what = format!("{READ_SERVICE} `{controller}`");
        let answer = self.request(&what, &Method::GET, &service, &[])?;
        let service: Service = serde_json::from_slice(&answer).unwrap_or_default();
        let port =
            port(&service.spec.ports).ok_or_else(|| ClusterError::NoPort(controller.clone()))?;
        Ok(format!(
            "/api/v1/namespaces/{namespace}/services/http:{name}:{port}/proxy/{path}"
        ))
    }
}

/// As much of a Service as is needed here.
#[derive(Default, Deserialize)]
struct Service {
    #[serde(default)]
    spec: ServiceSpec,
}

#[derive(Default, Deserialize)]
struct ServiceSpec {
    #[serde(default)]
    ports: Vec<Port>,
}

#[derive(Deserialize)]
struct Port {
    #[serde(default)]
    name: String,
    port: u16,
}

/// The controller's port among the Service's: by its usual name, else by its usual number, else the
/// first that does not say it is for metrics. (The first port may well be the one of the metrics.)
fn port(ports: &[Port]) -> Option<&str> {
    let named = ports.iter().find(|port| port.name == "http");
    let numbered = || ports.iter().find(|port| port.port == 8080);
    let any = || ports.iter().find(|port| !port.name.contains("metrics"));
    named
        .or_else(numbered)
        .or_else(any)
        .map(|port| port.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ports: &[(&str, u16)]) -> Option<String> {
        let ports: Vec<Port> = ports
            .iter()
            .map(|(name, port)| Port {
                name: (*name).to_owned(),
                port: *port,
            })
            .collect();
        port(&ports).map(str::to_owned)
    }

    #[test]
    fn d24_the_controllers_port_is_found_wherever_it_stands() {
        assert_eq!(
            of(&[("metrics", 8081), ("http", 8080)]),
            Some("http".into())
        );
        assert_eq!(of(&[("metrics", 8081), ("web", 8080)]), Some("web".into()));
        assert_eq!(of(&[("metrics", 8081), ("web", 80)]), Some("web".into()));
        assert_eq!(of(&[("", 8080)]), Some(String::new()));
        assert_eq!(of(&[("metrics", 8081)]), None);
        assert_eq!(of(&[]), None);
    }
}
