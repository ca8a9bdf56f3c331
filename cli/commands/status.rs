//! `signet status`

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use signet_crds::constants::{condition, condition_status};
use signet_crds::sealed_secret::{Condition, SealedSecret};

use crate::certificates::AccessOptions;
use crate::cluster::Cluster;
use crate::output::{self, FormatOption};
use crate::{Context, ExitStatus, Failure, sealed};

const EXAMPLES: &str = "\
Examples:
  signet status
  signet status -n team
  signet status -o json | jq '.[] | select(.ready != \"True\")'

Exit status 1 when one of them is not ready.";

/// Show how the SealedSecrets of the cluster stand, and why
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Status {
    /// Only this namespace
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    #[command(flatten)]
    answer: FormatOption,
    #[command(flatten)]
    cluster: AccessOptions,
}

/// How one of them stands.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Row {
    namespace: String,
    name: String,
    /// `True`, `False`, or `Unknown` as long as the controller has said nothing.
    ready: String,
    reason: String,
    message: String,
}

impl Status {
    /// Asks the cluster and prints a table.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let cluster = self.cluster.connect(context)?;
        let objects = sealed::list(&cluster.sealed_secrets(self.namespace.as_deref())?)?;
        if objects.is_empty() {
            self.tell_none(&cluster, context)?;
        }
        let rows: Vec<Row> = objects.iter().map(Row::of).collect();
        output::print(self.answer.format, &rows, |rows| table(rows), context)?;
        Ok(
            if rows.iter().all(|row| row.ready == condition_status::TRUE) {
                ExitStatus::Success
            } else {
                ExitStatus::Failure
            },
        )
    }
}

impl Status {
    /// Why the table is empty: a namespace that does not exist is a mistake.
    fn tell_none(&self, cluster: &Cluster, context: &mut Context) -> Result<(), Failure> {
        let place = match &self.namespace {
            Some(name) if cluster.has_namespace(name) == Some(false) => {
                return Err(Failure::new(format!("namespace `{name}` does not exist")));
            }
            Some(name) => format!("namespace `{name}`"),
            None => "the cluster".to_owned(),
        };
        let note = format!("{place} holds no SealedSecret");
        context.ui.note(&context.env, note);
        Ok(())
    }
}

impl Row {
    fn of(sealed: &SealedSecret) -> Self {
        let told = said(sealed);
        let silence = match &sealed.status {
            Some(_) => "the controller has not looked at it since it was changed",
            None => "the controller has not looked at it: is it running, and for this namespace?",
        };
        let text = |of: fn(&Condition) -> &str| told.map_or("", of).to_owned();
        Self {
            namespace: sealed.metadata.namespace.clone().unwrap_or_default(),
            name: sealed.metadata.name.clone().unwrap_or_default(),
            ready: told
                .map_or(condition_status::UNKNOWN, |it| &it.status)
                .to_owned(),
            reason: text(|it| &it.reason),
            message: told.map_or(silence, |it| &it.message).to_owned(),
        }
    }
}

/// `Ready`, or `Synced` of a controller that has no other; nothing when it speaks of an older
/// generation.
fn said(sealed: &SealedSecret) -> Option<&Condition> {
    let status = sealed.status.as_ref()?;
    if status.observed_generation != sealed.metadata.generation {
        return None;
    }
    let named = |name: &str| status.conditions.iter().find(|it| it.type_ == name);
    named(condition::READY).or_else(|| named(condition::SYNCED))
}

fn table(rows: &[Row]) -> String {
    let width = |of: fn(&Row) -> &str, least: usize| {
        rows.iter()
            .map(|row| of(row).len())
            .max()
            .unwrap_or(0)
            .max(least)
    };
    let namespace = width(|row| &row.namespace, "NAMESPACE".len());
    let name = width(|row| &row.name, "NAME".len());
    let mut out = format!(
        "{:namespace$}  {:name$}  READY    CAUSE\n",
        "NAMESPACE", "NAME"
    );
    for row in rows {
        let cause = match (row.reason.as_str(), row.message.as_str()) {
            (reason, "") => reason.to_owned(),
            ("", message) => message.to_owned(),
            (reason, message) => format!("{reason}: {}", message.replace('\n', "; ")),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:namespace$}  {:name$}  {:7}  {cause}",
            row.namespace, row.name, row.ready
        );
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn row(generation: i64, conditions: &serde_json::Value) -> Row {
        let sealed = json!({
            "apiVersion": "bitnami.com/v1alpha1",
            "kind": "SealedSecret",
            "metadata": {"name": "db", "namespace": "team", "generation": 2},
            "spec": {"encryptedData": {}},
            "status": {"observedGeneration": generation, "conditions": conditions},
        });
        Row::of(&serde_json::from_value(sealed).unwrap())
    }

    #[test]
    fn the_cause_is_that_of_ready_and_else_that_of_synced() {
        let synced = json!({"type": "Synced", "status": "False", "message": "no key"});
        let ready = json!({"type": "Ready", "status": "True", "reason": "Unsealed"});
        assert_eq!(row(2, &json!([synced])).message, "no key");
        assert_eq!(row(2, &json!([synced, ready])).reason, "Unsealed");
    }

    #[test]
    fn what_was_said_of_an_older_generation_says_nothing() {
        let ready = json!([{"type": "Ready", "status": "True"}]);
        assert_eq!(row(1, &ready).ready, "Unknown");
        assert!(row(1, &ready).message.contains("since it was changed"));
        assert_eq!(row(2, &ready).ready, "True");
    }
}
