//! The client: who is trusted, how long is waited, how much is read.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::WWW_AUTHENTICATE;
use reqwest::{Certificate, Identity, NoProxy, Proxy, Url};
use zeroize::Zeroizing;

use super::{Call, Reply, RestError, error, server};
use crate::{Environment, Policy};

/// No answer here is longer than a few kilobytes.
const LONGEST: usize = 1024 * 1024;
const CONNECT: Duration = Duration::from_secs(10);
const WHOLE: Duration = Duration::from_mins(1);
/// Waits before a request that found a server busy is sent again.
const PATIENCE: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(1200)];

/// What a service's own variables say about TLS.
#[derive(Default)]
pub(crate) struct Tls {
    pub(crate) authorities: Vec<Certificate>,
    pub(crate) identity: Option<Identity>,
    pub(crate) danger_skip_verify: bool,
    pub(crate) timeout: Option<Duration>,
    /// The longest answer, in bytes, where it is not a few kilobytes.
    pub(crate) longest: Option<usize>,
}

/// A client. Redirects are never followed: a token would go where nobody decided it should.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    local_addresses: bool,
    longest: usize,
}

impl Client {
    /// Trusts the system's authorities, those in `SSL_CERT_FILE`, and those of the service. Proxies are
    /// taken from the environment that is given, not from that of the process.
    pub(crate) fn new(
        environment: &Environment,
        policy: &Policy,
        tls: Tls,
    ) -> Result<Self, RestError> {
        let local_addresses = policy.allows_local_addresses();
        let mut authorities = tls.authorities;
        if let Some(path) = environment.path("SSL_CERT_FILE") {
            authorities.extend(certificates(&path)?);
        }
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("signet/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(tls.timeout.unwrap_or(WHOLE))
            .tls_certs_merge(authorities)
            .tls_danger_accept_invalid_certs(tls.danger_skip_verify)
            .no_proxy();
        if !local_addresses {
            builder = builder.dns_resolver(Arc::new(OnlyRemote));
        }
        if let Some(identity) = tls.identity {
            builder = builder.identity(identity);
        }
        for proxy in proxies(environment)? {
            builder = builder.proxy(proxy);
        }
        let http = builder
            .build()
            .map_err(|error| RestError::Setup(error::reason(error)))?;
        Ok(Self {
            http,
            local_addresses,
            longest: tls.longest.unwrap_or(LONGEST),
        })
    }

    /// Sends a request, again if the server says that it is busy, and reads the answer.
    pub(crate) async fn send(&self, call: Call) -> Result<Reply, RestError> {
        let mut waits = PATIENCE.iter();
        loop {
            let reply = self.send_once(&call).await?;
            let is_busy = matches!(reply.status, 429 | 502 | 503 | 504);
            match waits.next() {
                Some(wait) if is_busy => tokio::time::sleep(*wait).await,
                _ => return Ok(reply),
            }
        }
    }

    async fn send_once(&self, call: &Call) -> Result<Reply, RestError> {
        let server = server(&call.url);
        if !self.local_addresses && names_local_address(&call.url) {
            return Err(RestError::Local { server });
        }
        let request = self.http.request(call.method.clone(), call.url.clone());
        let mut request = request.headers(call.headers.clone());
        if let Some(body) = &call.body {
            request = request.body(body.to_vec());
        }
        let unreachable = |error| RestError::Unreachable {
            server: server.clone(),
            reason: error::reason(error),
        };
        let mut response = request.send().await.map_err(unreachable)?;
        let status = response.status().as_u16();
        let authenticate = response.headers().get(WWW_AUTHENTICATE).cloned();
        #[cfg(feature = "store")]
        let retry_after = seconds(response.headers().get(reqwest::header::RETRY_AFTER));
        let mut body = Zeroizing::new(Vec::with_capacity(8 * 1024));
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > self.longest {
                return Err(RestError::Long { server });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Reply {
            status,
            #[cfg(feature = "store")]
            retry_after,
            authenticate,
            body,
            server,
        })
    }
}

/// A header that says so many seconds.
#[cfg(feature = "store")]
fn seconds(value: Option<&reqwest::header::HeaderValue>) -> Option<Duration> {
    let seconds = value?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// The certificates of a PEM file.
pub(crate) fn certificates(path: &Path) -> Result<Vec<Certificate>, RestError> {
    let wrong = |reason: String| RestError::Certificates {
        path: path.display().to_string(),
        reason,
    };
    let text = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    Certificate::from_pem_bundle(&text).map_err(|error| wrong(error::reason(error)))
}

/// A client's certificate and its key, each from a file.
pub(crate) fn identity(certificate: &Path, key: &Path) -> Result<Identity, RestError> {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| RestError::Certificates {
            path: path.display().to_string(),
            reason: error.to_string(),
        })
    };
    let both = Zeroizing::new([read(certificate)?, b"\n".to_vec(), read(key)?].concat());
    Identity::from_pem(&both).map_err(|error| RestError::Certificates {
        path: certificate.display().to_string(),
        reason: error::reason(error),
    })
}

/// By the variables that curl and Go read, in capital letters or small ones.
fn proxies(environment: &Environment) -> Result<Vec<Proxy>, RestError> {
    let var = |upper: &str| {
        let value = environment.var(upper).map(str::to_owned);
        value.or_else(|| {
            environment
                .var(&upper.to_ascii_lowercase())
                .map(str::to_owned)
        })
    };
    let except = var("NO_PROXY").and_then(|hosts| NoProxy::from_string(&hosts));
    let mut proxies = Vec::new();
    for (variable, make) in [
        (
            "HTTPS_PROXY",
            Proxy::https::<String> as fn(String) -> reqwest::Result<Proxy>,
        ),
        ("HTTP_PROXY", Proxy::http::<String>),
    ] {
        if let Some(address) = var(variable) {
            let proxy = make(address).map_err(|_| RestError::Proxy { variable })?;
            proxies.push(proxy.no_proxy(except.clone()));
        }
    }
    Ok(proxies)
}

/// Finds addresses of other machines only.
struct OnlyRemote;

impl Resolve for OnlyRemote {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let remote: Vec<SocketAddr> = found.filter(|address| !is_local(address.ip())).collect();
            if remote.is_empty() {
                return Err("the name leads to this machine or to its metadata service".into());
            }
            Ok(Box::new(remote.into_iter()) as Addrs)
        })
    }
}

fn names_local_address(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.parse().is_ok_and(is_local)
}

/// The machine itself, and link-local addresses, where clouds have their metadata services. Private
/// networks are where the stores of most clusters are.
fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            v4.is_loopback() || v4.is_link_local() || v4.is_unspecified() || v4.is_broadcast()
        }
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => is_local(v4.into()),
            None => {
                // AWS has its metadata service at fd00:ec2::254.
                v6.is_loopback()
                    || v6.is_unspecified()
                    || v6.is_unicast_link_local()
                    || v6.segments()[..2] == [0xfd00, 0x0ec2]
            }
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_that_lead_back_are_known() {
        for local in [
            "127.0.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "::1",
            "::ffff:169.254.169.254",
            "fe80::1",
            "fd00:ec2::254",
        ] {
            assert!(is_local(local.parse().unwrap()), "{local}");
        }
        for remote in ["10.0.0.1", "192.0.2.1", "2001:db8::1", "fd12::1"] {
            assert!(!is_local(remote.parse().unwrap()), "{remote}");
        }
    }

    #[test]
    fn a_document_cannot_lead_a_controller_to_itself() {
        let policy = Policy::listed(["http://169.254.169.254"]);
        let client = Client::new(&Environment::default(), &policy, Tls::default()).unwrap();
        for address in [
            "http://169.254.169.254/",
            "http://[::1]:1/",
            "http://2130706433:1/",
            "http://localhost:1/",
        ] {
            let call = Call::get(Url::parse(address).unwrap());
            let error = crate::block_on(client.send(call)).map(|_| ()).unwrap_err();
            let text = error.to_string();
            assert!(
                text.contains("itself") || text.contains("leads to this machine"),
                "{text}"
            );
        }
    }
}
