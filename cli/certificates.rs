//! Where the certificate to seal with comes from.
//!
//! ```text
//! --cert FILE | file://… | https://…      that one; the cluster is never asked
//! (nothing)   the cluster's, compared with the pinned one: a changed one is refused. It is asked of
//!             the controller; where the service proxy is refused, read from its ConfigMap
//!             the pinned one, when there is no cluster to ask or `--offline` is given
//! ```

use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use signet_crds::constants::certificate as published;
use signet_keys::Fingerprint;
use signet_keys::certificate::{Certificate, CertificateError};

use crate::cluster::{Cluster, ClusterError, Connection, Controller};
use crate::files::{self, ReadError, WriteError};
use crate::{Context, Hint};

pub mod pin;
pub mod source;

use pin::{Pin, PinError};
use source::{FetchError, Source};

/// The options that say which certificate to seal with when no `--cert` does, and how strictly.
#[derive(Clone, Debug, clap::Args)]
pub struct CertificateOptions {
    /// Use the pinned certificate; do not ask the cluster
    #[arg(long, help_heading = HEADING)]
    pub offline: bool,
    /// The pin.
    #[command(flatten)]
    pub pin: PinOptions,
    /// Seal with a certificate that has expired
    #[arg(long, help_heading = HEADING)]
    pub danger_accept_expired: bool,
    /// Which cluster to ask.
    #[command(flatten)]
    pub cluster: ClusterOptions,
}

/// The options of the pinned certificate.
#[derive(Clone, Debug, clap::Args)]
pub struct PinOptions {
    /// Name of the pinned certificate, for repositories with several clusters
    #[arg(long = "pin", value_name = "NAME", default_value = "default", help_heading = HEADING)]
    pub pin_name: String,
    /// Take the cluster's certificate although it is not the pinned one, and pin it
    #[arg(long, help_heading = HEADING)]
    pub accept_new: bool,
}

/// The options that say which cluster to ask, and where its controller is.
#[derive(Clone, Debug, clap::Args)]
pub struct ClusterOptions {
    /// Name of the controller's Service
    #[arg(
        long,
        value_name = "NAME",
        env = "SIGNET_CONTROLLER_NAME",
        hide_env_values = true,
        default_value = "sealed-secrets-controller",
        help_heading = CLUSTER_HEADING
    )]
    pub controller_name: String,
    /// Namespace of the controller's Service
    #[arg(
        long,
        value_name = "NAMESPACE",
        env = "SIGNET_CONTROLLER_NAMESPACE",
        hide_env_values = true,
        default_value = "kube-system",
        help_heading = CLUSTER_HEADING
    )]
    pub controller_namespace: String,
    /// Name of the ConfigMap that the controller publishes its certificate in
    #[arg(
        long,
        value_name = "NAME",
        env = "SIGNET_CERTIFICATE_CONFIG_MAP",
        hide_env_values = true,
        default_value = published::CONFIG_MAP,
        help_heading = CLUSTER_HEADING
    )]
    pub certificate_config_map: String,
    /// Which cluster it is in.
    #[command(flatten)]
    pub access: AccessOptions,
}

/// The options that say which cluster to ask.
#[derive(Clone, Debug, clap::Args)]
pub struct AccessOptions {
    /// The kubeconfig file, instead of `$KUBECONFIG` and `~/.kube/config`
    #[arg(long, value_name = "FILE", help_heading = CLUSTER_HEADING)]
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig
    #[arg(long, value_name = "NAME", help_heading = CLUSTER_HEADING)]
    pub context: Option<String>,
    /// How long to wait for an answer of the cluster
    #[arg(
        long = "request-timeout",
        value_name = "SECONDS",
        default_value_t = 45,
        help_heading = CLUSTER_HEADING
    )]
    pub request_timeout: u64,
}

const HEADING: &str = "Certificate";
const CLUSTER_HEADING: &str = "Cluster";

impl AccessOptions {
    /// A connection to the cluster.
    pub fn connect(&self, context: &Context) -> Result<Cluster, ClusterError> {
        let connection = Connection {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            timeout: Some(Duration::from_secs(self.request_timeout)),
            ..Connection::default()
        };
        Cluster::connect(&connection, &context.env)
    }
}

impl ClusterOptions {
    /// A connection to the cluster.
    pub fn connect(&self, context: &Context) -> Result<Cluster, ClusterError> {
        self.access.connect(context)
    }

    /// The certificate that the cluster seals with now.
    pub fn certificate(
        &self,
        context: &mut Context,
    ) -> Result<Certificate, CertificateSourceError> {
        let cluster = self.connect(context)?;
        self.certificate_of(&cluster, context)
    }

    /// The certificate of a cluster that is connected already.
    pub fn certificate_of(
        &self,
        cluster: &Cluster,
        context: &mut Context,
    ) -> Result<Certificate, CertificateSourceError> {
        let controller = self.controller();
        let fetched = cluster.certificate(&controller)?;
        if let Some(refused) = fetched.refused {
            let Controller {
                namespace,
                config_map,
                ..
            } = controller;
            let note = format!(
                "{refused}; the certificate is the one in ConfigMap `{namespace}/{config_map}`"
            );
            context.ui.note(&context.env, note);
        }
        parse("of the cluster", &fetched.pem)
    }

    /// Whether the user chose a cluster here, not by the usual kubeconfig.
    fn is_named(&self) -> bool {
        self.access.kubeconfig.is_some() || self.access.context.is_some()
    }

    /// Where the controller is.
    pub fn controller(&self) -> Controller {
        Controller {
            namespace: self.controller_namespace.clone(),
            name: self.controller_name.clone(),
            config_map: self.certificate_config_map.clone(),
        }
    }
}

/// Why there is no certificate to seal with.
#[derive(Debug, thiserror::Error)]
pub enum CertificateSourceError {
    /// The cluster's certificate is not the one that was pinned.
    #[error(
        "the cluster's certificate is not the pinned one\n  \
         pinned   {}  of {}, in `{}`\n  \
         cluster  {}  of {}{}",
        .pinned.0, date(&.pinned.1), .path.display(),
        .found.0, date(&.found.1), older(.found.1 < .pinned.1)
    )]
    Changed {
        /// The pin.
        path: PathBuf,
        /// What is pinned, and since when it is valid.
        pinned: (Fingerprint, Timestamp),
        /// What the cluster has.
        found: (Fingerprint, Timestamp),
    },
    /// The cluster could not be asked, and nothing is pinned.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// Its time is over.
    #[error("the certificate {from} expired on {}", date(.not_after))]
    Expired {
        /// Where it came from.
        from: String,
        /// When.
        not_after: Timestamp,
    },
    /// It could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// There is a text, but no certificate in it.
    #[error("cannot use the certificate {from}: {}", unprefixed(.cause))]
    Malformed {
        /// Where it came from.
        from: String,
        /// Why.
        cause: CertificateError,
    },
    /// `--offline`, and nothing is pinned.
    #[error("no certificate is pinned under `{0}`")]
    NoPin(PathBuf),
    /// The pin cannot be used.
    #[error(transparent)]
    Pin(#[from] PinError),
    /// The pin cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The pin cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Hint for CertificateSourceError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Changed { pinned, found, .. } if found.1 < pinned.1 => Some(
                "a renewal is newer: the cluster may have lost its newest key or been set back; \
                 `signet keys list` tells which keys it has. To seal for the old one all the same, add \
                 `--accept-new`"
                    .to_owned(),
            ),
            Self::Changed { .. } => Some(
                "if the controller has renewed its key (it does so every 30 days, and `signet keys \
                 list` shows it), run again with `--accept-new`; if not, someone may have put their own \
                 certificate in its place"
                    .to_owned(),
            ),
            Self::Cluster(error) => error.hint(),
            Self::Expired { .. } => Some(
                "fetch the current one with `signet cert fetch`; to seal with the old one all the \
                 same, add `--danger-accept-expired`"
                    .to_owned(),
            ),
            Self::Fetch(error) => error.hint(),
            Self::Malformed { from, .. } if from.contains(pin::FOLDER) => Some(
                "if the file was spoiled by a merge, take it out and pin the certificate again: \
                 `signet cert fetch`"
                    .to_owned(),
            ),
            Self::Malformed { cause, .. } => cause.hint().map(str::to_owned),
            Self::NoPin(_) => Some(
                "pin one with `signet cert fetch`, or name a file with `--cert FILE`".to_owned(),
            ),
            Self::Pin(error) => error.hint(),
            Self::Read(error) => error.hint(),
            Self::Write(error) => error.hint(),
        }
    }
}

/// A certificate is near its end when fewer days than this are left.
const NEAR_EXPIRY: SignedDuration = SignedDuration::from_hours(30 * 24);

impl CertificateOptions {
    /// The certificate of one `--cert`, fit to seal with.
    pub fn named(
        &self,
        source: &Source,
        context: &mut Context,
    ) -> Result<Certificate, CertificateSourceError> {
        named(source, self.danger_accept_expired, context)
    }

    /// The certificate when no `--cert` is given, fit to seal with.
    pub fn usual(&self, context: &mut Context) -> Result<Certificate, CertificateSourceError> {
        let pin = Pin::find(&context.env, &self.pin.pin_name)?;
        let (from, certificate) = if self.offline {
            let Some(certificate) = pin.read()? else {
                return Err(CertificateSourceError::NoPin(pin.path().to_owned()));
            };
            (format!("`{}`", pin.path().display()), certificate)
        } else {
            match self.cluster.certificate(context) {
                Ok(certificate) => {
                    self.pin
                        .check(&certificate, &self.cluster.controller(), context)?;
                    ("of the cluster".to_owned(), certificate)
                }
                // Whoever names a cluster wants that one's certificate and no other; and a cluster
                // that knows no such controller has been asked.
                Err(CertificateSourceError::Cluster(error))
                    if !self.cluster.is_named() && !error.is_no_such_controller() =>
                {
                    match pin.read()? {
                        Some(certificate) => {
                            tell_fallback(&pin, &certificate, &error, context);
                            (format!("`{}`", pin.path().display()), certificate)
                        }
                        None => return Err(error.into()),
                    }
                }
                Err(error) => return Err(error),
            }
        };
        fit(&from, &certificate, self.danger_accept_expired, context)?;
        Ok(certificate)
    }
}

impl PinOptions {
    /// Pins a certificate of the cluster at first sight; refuses another one than the pinned unless
    /// it is to be accepted.
    pub fn check(
        &self,
        certificate: &Certificate,
        from: &Controller,
        context: &mut Context,
    ) -> Result<Pinned, CertificateSourceError> {
        let pin = Pin::find(&context.env, &self.pin_name)?;
        let found = certificate.public_key().fingerprint();
        let of = |it: &Certificate| (it.public_key().fingerprint(), it.not_before());
        let verb = match pin.read()? {
            Some(pinned) if pinned.public_key().fingerprint() == found => {
                return Ok(Pinned::Before(pin));
            }
            Some(pinned) if !self.accept_new => {
                return Err(CertificateSourceError::Changed {
                    path: pin.path().to_owned(),
                    pinned: of(&pinned),
                    found: of(certificate),
                });
            }
            Some(_) => "pinned the new certificate",
            None => "pinned the certificate",
        };
        pin.write(certificate, from, context.env.now())?;
        let path = pin.path().display();
        let note = format!("{verb} {found} in `{path}`: commit that file");
        context.ui.note(&context.env, note);
        Ok(Pinned::Now)
    }
}

/// How a certificate came to be the pinned one.
#[derive(Debug)]
pub enum Pinned {
    /// It was.
    Before(Pin),
    /// It has become so just now.
    Now,
}

/// The certificate of one `--cert`, fit to seal with.
pub fn named(
    source: &Source,
    danger_accept_expired: bool,
    context: &mut Context,
) -> Result<Certificate, CertificateSourceError> {
    let from = format!("`{source}`");
    if source.is_unprotected() {
        let warning = format!(
            "{from} comes without TLS: compare its fingerprint (`signet cert show`), or someone on the \
             way may have put their own certificate in its place"
        );
        context.ui.warn(&context.env, warning);
    }
    let certificate = parse(&from, &source.fetch()?)?;
    fit(&from, &certificate, danger_accept_expired, context)?;
    Ok(certificate)
}

/// Refuses a certificate that has expired and warns of one that soon will.
fn fit(
    from: &str,
    certificate: &Certificate,
    danger_accept_expired: bool,
    context: &mut Context,
) -> Result<(), CertificateSourceError> {
    let now = context.env.now();
    let not_after = certificate.not_after();
    let expired = certificate.is_expired(now);
    if expired && !danger_accept_expired {
        return Err(CertificateSourceError::Expired {
            from: from.to_owned(),
            not_after,
        });
    }
    if expired || not_after.duration_since(now) < NEAR_EXPIRY {
        let verb = if expired { "expired" } else { "expires" };
        let warning = format!("the certificate {from} {verb} on {}", date(&not_after));
        context.ui.warn(&context.env, warning);
    }
    Ok(())
}

/// Reads the first certificate of a PEM text.
pub fn parse(from: &str, text: &[u8]) -> Result<Certificate, CertificateSourceError> {
    Certificate::from_pem(text).map_err(|cause| CertificateSourceError::Malformed {
        from: from.to_owned(),
        cause,
    })
}

/// The day of a time, in UTC.
pub fn date(time: &Timestamp) -> String {
    time.to_string().chars().take("2006-01-02".len()).collect()
}

/// Whole days from a time until now.
pub fn days_old(time: Timestamp, now: Timestamp) -> i64 {
    now.duration_since(time).as_hours() / 24
}

/// What is wrong with a certificate, behind words that say so already.
fn unprefixed(error: &CertificateError) -> String {
    match error {
        CertificateError::Key(key) => key.to_string(),
        other => other.to_string(),
    }
}

fn older(is_older: bool) -> &'static str {
    if is_older { ", which is older" } else { "" }
}

fn tell_fallback(
    pin: &Pin,
    certificate: &Certificate,
    error: &ClusterError,
    context: &mut Context,
) {
    let days = days_old(certificate.not_before(), context.env.now());
    let note = format!(
        "{error}; sealing with the pinned certificate `{}`, {days} days old",
        pin.path().display()
    );
    context.ui.note(&context.env, note);
}

/// Reads a certificate from a file that must exist.
pub(crate) fn read_file(path: &std::path::Path) -> Result<Certificate, CertificateSourceError> {
    parse(&format!("`{}`", path.display()), &files::read(path)?)
}

#[cfg(test)]
mod tests;
