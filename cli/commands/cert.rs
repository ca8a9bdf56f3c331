//! `signet cert fetch | show | check`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use signet_keys::certificate::Certificate;

use crate::certificates::pin::Pin;
use crate::certificates::source::Source;
use crate::certificates::{
    CertificateSourceError, ClusterOptions, PinOptions, Pinned, date, days_old, parse,
};
use crate::output::FormatOption;
use crate::{Context, ExitStatus, Failure, files, output};

const EXAMPLES: &str = "\
Examples:
  signet cert fetch                      pin the cluster's certificate in this repository
  signet cert fetch --accept-new         pin the new one after the controller renewed its key
  signet cert fetch --stdout > cert.pem  only print it
  signet cert show                       what is pinned here
  signet cert show cert.pem -o json
  signet cert check --days 14            exit status 1 when it ends within two weeks";

/// Fetch, show and check the certificate that secrets are sealed with
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cert {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Fetch the cluster's certificate and pin it in this repository
    Fetch(Fetch),
    /// Show subject, size, fingerprint and dates
    Show(Show),
    /// Fail when a certificate has expired or soon will
    Check(Check),
}

#[derive(Args, Debug)]
struct Fetch {
    /// Print the certificate instead of pinning it
    #[arg(long)]
    stdout: bool,
    /// Write the certificate to this file instead of pinning it
    #[arg(long, value_name = "FILE", conflicts_with = "stdout")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pin: PinOptions,
    #[command(flatten)]
    cluster: ClusterOptions,
}

#[derive(Args, Debug)]
struct Show {
    /// Certificates: files or URLs; the pinned one when none is named
    #[arg(value_name = "FILE")]
    sources: Vec<Source>,
    /// Name of the pin
    #[arg(long, value_name = "NAME", default_value = "default")]
    pin: String,
    #[command(flatten)]
    answer: FormatOption,
}

#[derive(Args, Debug)]
struct Check {
    /// Days that must be left
    #[arg(long, value_name = "N", default_value_t = 30)]
    days: i64,
    #[command(flatten)]
    show: Show,
}

impl Cert {
    /// Runs the verb.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        match self.verb {
            Verb::Fetch(fetch) => fetch.run(context),
            Verb::Show(show) => show.run(context),
            Verb::Check(check) => check.run(context),
        }
    }
}

impl Fetch {
    fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let certificate = self.cluster.certificate(context)?;
        if self.stdout {
            context.ui.data(certificate.pem().as_bytes())?;
        } else if let Some(path) = &self.output {
            files::write(path, certificate.pem().as_bytes())?;
        } else {
            let controller = self.cluster.controller();
            if let Pinned::Before(pin) = self.pin.check(&certificate, &controller, context)? {
                let path = pin.path().display();
                let note = format!("the cluster's certificate is the pinned one, `{path}`");
                context.ui.note(&context.env, note);
            }
        }
        Ok(ExitStatus::Success)
    }
}

impl Show {
    fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let facts = self.facts(context)?;
        output::print(self.answer.format, &facts, |facts| text(facts), context)?;
        Ok(ExitStatus::Success)
    }

    fn facts(&self, context: &Context) -> Result<Vec<Facts>, Failure> {
        let now = context.env.now();
        if self.sources.is_empty() {
            let pin = Pin::find(&context.env, &self.pin).map_err(CertificateSourceError::from)?;
            let certificate = pin.read()?.ok_or_else(|| no_pin(&pin))?;
            let source = pin.path().display().to_string();
            return Ok(vec![Facts::new(source, &certificate, now)]);
        }
        self.sources
            .iter()
            .map(|source| {
                let bytes = source.fetch().map_err(CertificateSourceError::from)?;
                let certificate = parse(&format!("`{source}`"), &bytes)?;
                Ok(Facts::new(source.to_string(), &certificate, now))
            })
            .collect()
    }
}

impl Check {
    fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let facts = self.show.facts(context)?;
        output::print(
            self.show.answer.format,
            &facts,
            |facts| text(facts),
            context,
        )?;
        let short: Vec<_> = facts
            .iter()
            .filter(|it| it.expired || it.days_left < self.days)
            .collect();
        for it in &short {
            let told = if it.expired { "expired" } else { "expires" };
            let failure = Failure::new(format!("`{}` {told} on {}", it.source, it.not_after));
            context.ui.failure(&context.env, &failure);
        }
        Ok(if short.is_empty() {
            ExitStatus::Success
        } else {
            ExitStatus::Failure
        })
    }
}

/// Here a file is an argument, not the value of `--cert`.
fn no_pin(pin: &Pin) -> Failure {
    Failure::from(CertificateSourceError::NoPin(pin.path().to_owned()))
        .with_hint("pin one with `signet cert fetch`, or name a file: `signet cert show FILE`")
}

/// What can be said of a certificate.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    /// Where it was read.
    source: String,
    /// Common name of the subject; often empty.
    subject: String,
    /// Size of the RSA modulus.
    bits: usize,
    fingerprint: String,
    /// RFC 3339, UTC.
    not_before: String,
    /// RFC 3339, UTC.
    not_after: String,
    expired: bool,
    /// Whole days until it expires; negative once it has.
    days_left: i64,
}

impl Facts {
    fn new(source: String, certificate: &Certificate, now: jiff::Timestamp) -> Self {
        let key = certificate.public_key();
        Self {
            source,
            subject: certificate.common_name().unwrap_or_default().to_owned(),
            bits: key.bits(),
            fingerprint: key.fingerprint().to_string(),
            not_before: certificate.not_before().to_string(),
            not_after: certificate.not_after().to_string(),
            expired: certificate.is_expired(now),
            days_left: -days_old(certificate.not_after(), now),
        }
    }

    fn text(&self) -> String {
        let subject = match self.subject.as_str() {
            "" => "-",
            subject => subject,
        };
        let state = if self.expired {
            "expired".to_owned()
        } else {
            format!("{} days left", self.days_left)
        };
        format!(
            "{}\n  subject      {subject}\n  key          RSA {}\n  fingerprint  {}\n  \
             valid        {} to {} ({state})\n",
            self.source,
            self.bits,
            self.fingerprint,
            day(&self.not_before),
            day(&self.not_after),
        )
    }
}

fn text(facts: &[Facts]) -> String {
    facts.iter().map(Facts::text).collect()
}

fn day(rfc3339: &str) -> String {
    rfc3339
        .parse()
        .map_or_else(|_| rfc3339.to_owned(), |time| date(&time))
}
