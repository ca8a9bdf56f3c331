//! `signet keys list`

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use signet_keys::keyring::SealingKey;

use super::stored::Stored;
use crate::certificates::{ClusterOptions, date, days_old};
use crate::output::{self, FormatOption};
use crate::private_keys::{self, KeyOptions, PrivateKeys};
use crate::{Context, ExitStatus, Failure};

/// Show fingerprint, age, end and state of each key, of the cluster or of a backup
#[derive(Args, Debug)]
pub(super) struct List {
    #[command(flatten)]
    keys: KeyOptions,
    #[command(flatten)]
    answer: FormatOption,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl List {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let keys = if self.keys.given() {
            self.keys.load(&mut context.ui)?
        } else {
            self.of_the_cluster(context)?
        };
        let now = context.env.now();
        let newest = keys.newest_active().map(SealingKey::fingerprint);
        let rows: Vec<Row> = keys
            .ring()
            .iter()
            .map(|key| {
                let fingerprint = key.fingerprint();
                let dated = |time| (!private_keys::is_dateless(key)).then_some(time);
                let certificate = &key.certificate;
                Row {
                    name: key.name.clone(),
                    fingerprint: fingerprint.to_string(),
                    bits: key.private.public_key().bits(),
                    created: dated(certificate.not_before()).map(|it| it.to_string()),
                    expires: dated(certificate.not_after()).map(|it| it.to_string()),
                    age_days: dated(certificate.not_before()).map(|it| days_old(it, now)),
                    state: keys.state(&fingerprint).to_owned(),
                    newest: newest == Some(fingerprint),
                }
            })
            .collect();
        if rows.is_empty() {
            let namespace = &self.cluster.controller_namespace;
            let warning = format!("namespace `{namespace}` has no key Secrets");
            context.ui.warn(&context.env, warning);
        }
        output::print(self.answer.format, &rows, |rows| table(rows), context)?;
        Ok(ExitStatus::Success)
    }

    fn of_the_cluster(&self, context: &mut Context) -> Result<PrivateKeys, Failure> {
        let cluster = self.cluster.connect(context)?;
        let stored = Stored::fetch(&cluster, &self.cluster.controller_namespace)?;
        let keys = stored.keys(context)?;
        Ok(keys.into_iter().map(|stored| stored.kept).collect())
    }
}

/// One key.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    /// The Secret or file.
    name: String,
    fingerprint: String,
    bits: usize,
    /// RFC 3339, UTC; unknown of a key without a certificate, as are the next two.
    created: Option<String>,
    /// RFC 3339, UTC. It opens after that too; nobody should seal for it.
    expires: Option<String>,
    age_days: Option<i64>,
    /// Value of the label on its Secret: `active`, or what retired it.
    state: String,
    /// Whether it is the one to seal for.
    newest: bool,
}

fn table(rows: &[Row]) -> String {
    let day = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or("-");
        text.parse()
            .map_or_else(|_| text.to_owned(), |time| date(&time))
    };
    let width = rows
        .iter()
        .map(|row| row.name.len())
        .max()
        .unwrap_or(0)
        .max(4);
    let mut out = format!(
        "{:width$}  {:50}  {:>4}  {:10}  {:10}  STATE\n",
        "NAME", "FINGERPRINT", "BITS", "CREATED", "EXPIRES"
    );
    for row in rows {
        let newest = if row.newest { ", newest" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:width$}  {:50}  {:>4}  {:10}  {:10}  {}{newest}",
            row.name,
            row.fingerprint,
            row.bits,
            day(&row.created),
            day(&row.expires),
            row.state,
        );
    }
    out
}
