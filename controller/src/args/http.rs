//! Flags of the HTTP endpoints.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{ArgAction, Args};

use super::{duration, values};

/// Flags of the HTTP endpoints.
#[derive(Debug, Clone, Args)]
pub struct HttpArgs {
    /// Address of the certificate, verify and rotate endpoints
    #[arg(long, default_value = ":8080", value_parser = values::address)]
    pub listen_addr: SocketAddr,
    /// Address of the metrics
    #[arg(long, default_value = ":8081", value_parser = values::address)]
    pub listen_metrics_addr: SocketAddr,
    /// Address of the same endpoints over TLS
    #[arg(long, default_value = ":8443", value_parser = values::address)]
    pub tls_addr: SocketAddr,
    /// Certificate of the TLS port, a PEM file
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the TLS port, a PEM file
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Time in which a request must have been received
    #[arg(long, default_value = "2m", value_parser = duration::parse)]
    pub read_timeout: Duration,
    /// Time in which a request must have been answered
    #[arg(long, default_value = "2m", value_parser = duration::parse)]
    pub write_timeout: Duration,
    /// Verify and rotate requests a second that one client address may make; all together may make
    /// ten times as many
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub rate_limit: u32,
    /// Requests above the rate that are let through at once
    #[arg(long, default_value_t = 100)]
    pub rate_limit_burst: u32,
    /// Leave the names and namespaces of SealedSecrets out of the metrics
    #[arg(long, default_value = "false", value_parser = values::boolean, action = ArgAction::Set)]
    pub metrics_omit_secret_labels: bool,
}

impl HttpArgs {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            return Err("--tls-cert and --tls-key go together: give both or neither".into());
        }
        Ok(())
    }
}
