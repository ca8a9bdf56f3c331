//! What becomes of each key, for people and programs.

use std::fmt::Write as _;

use serde::Serialize;
use signet_engine::prune::{Decision, Verdict};

use crate::certificates::date;

/// One key.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row {
    /// The Secret.
    name: String,
    fingerprint: String,
    /// `newest`, `needed`, `recent` or `unneeded`.
    verdict: &'static str,
    /// The SealedSecrets that need it.
    objects: Vec<String>,
    /// Until when it was the newest, RFC 3339, for `recent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_until: Option<String>,
}

pub(super) fn rows(decision: &Decision) -> Vec<Row> {
    let row = |(key, verdict): &(signet_engine::prune::Key, Verdict)| {
        let mut row = Row {
            name: key.secret.clone(),
            fingerprint: key.fingerprint.to_string(),
            verdict: "unneeded",
            objects: Vec::new(),
            newest_until: None,
        };
        match verdict {
            Verdict::Newest => row.verdict = "newest",
            Verdict::Needed(objects) => {
                row.verdict = "needed";
                row.objects = objects.iter().cloned().collect();
            }
            Verdict::Recent(until) => {
                row.verdict = "recent";
                row.newest_until = Some(until.to_string());
            }
            Verdict::Unneeded => {}
        }
        row
    };
    decision.verdicts.iter().map(row).collect()
}

pub(super) fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let width = width.max("NAME".len());
    let mut out = format!("{:width$}  {:50}  VERDICT\n", "NAME", "FINGERPRINT");
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:width$}  {:50}  {}",
            row.name,
            row.fingerprint,
            row.told()
        );
    }
    out
}

/// What there is to say when nothing is deleted.
pub(super) fn nothing_done(unneeded: usize) -> String {
    match unneeded {
        0 => "every key is needed".to_owned(),
        1 => "one key could go; add `--delete` to delete it".to_owned(),
        count => format!("{count} keys could go; add `--delete` to delete them"),
    }
}

impl Row {
    fn told(&self) -> String {
        match (self.verdict, &self.newest_until, self.objects.as_slice()) {
            (_, Some(until), _) => {
                let day = until.parse().map_or_else(|_| until.clone(), |it| date(&it));
                format!("stays: the newest until {day}")
            }
            ("newest", ..) => "stays: the newest".to_owned(),
            (_, _, [only]) => format!("stays: {only} needs it"),
            (_, _, [first, rest @ ..]) => format!("stays: {first} and {} more need it", rest.len()),
            _ => "nothing needs it".to_owned(),
        }
    }
}
