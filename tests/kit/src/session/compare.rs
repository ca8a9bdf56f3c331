//! What was seen of two runs, side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Compare, Differs, Session};

/// What is compared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) status: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// Files that are new or changed.
    pub(super) files: BTreeMap<String, String>,
}

/// What is not the same in both.
pub(super) fn same(session: &Session, peer: &Seen, ours: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    let mut differ = |what: &str, peer: &str, ours: &str| {
        if peer != ours {
            faults.push(format!("{what}\n--- peer\n{peer}\n--- ours\n{ours}"));
        }
    };
    let status = |seen: &Seen| format!("{:?}", seen.status);
    differ(
        "expected status",
        &status(peer),
        &format!("{:?}", Some(session.status)),
    );
    differ("status", &status(peer), &status(ours));
    let parts = [
        ("stdout", session.stdout, &peer.stdout, &ours.stdout),
        ("stderr", session.stderr, &peer.stderr, &ours.stderr),
    ];
    for (what, compare, peer, ours) in parts {
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        match compare {
            Compare::Same => differ(what, peer, ours),
            Compare::FirstLine => differ(what, &first(peer), &first(ours)),
            Compare::Any => {}
        }
    }
    differ("files", &told(&peer.files), &told(&ours.files));
    faults
}

/// What of ours is not as the session says.
pub(super) fn expected(differs: &Differs, ours: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    if ours.status != Some(differs.status) {
        faults.push(format!("status {:?}, {}", ours.status, ours.stderr));
    }
    if let Some(stdout) = &differs.stdout
        && *stdout != ours.stdout
    {
        faults.push(format!(
            "stdout\n--- expected\n{stdout}\n--- ours\n{}",
            ours.stdout
        ));
    }
    if !ours.stderr.contains(&differs.stderr) {
        faults.push(format!(
            "stderr\n--- expected in it\n{}\n--- ours\n{}",
            differs.stderr, ours.stderr
        ));
    }
    for (name, text) in &differs.files {
        if ours.files.get(name) != Some(text) {
            let found = ours.files.get(name).map_or("(none)", String::as_str);
            faults.push(format!("{name}\n--- expected\n{text}\n--- ours\n{found}"));
        }
    }
    let unwanted = |name: &&String| ours.files.contains_key(*name);
    let there = differs.no_files.iter().filter(unwanted);
    faults.extend(there.map(|name| format!("{name} is there")));
    faults
}

fn told(files: &BTreeMap<String, String>) -> String {
    files.iter().fold(String::new(), |mut told, (name, text)| {
        // Writing to a String cannot fail.
        let _ = writeln!(told, "{name}:\n{text}");
        told
    })
}
