//! What was done, for people and programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::Failure;
use crate::sealed::Sealed;

/// What became of one file.
#[derive(Debug, Serialize)]
pub(super) struct FileReport {
    file: PathBuf,
    pub(super) objects: Vec<ObjectReport>,
    #[serde(serialize_with = "messages", skip_serializing_if = "Vec::is_empty")]
    pub(super) failures: Vec<Failure>,
    /// Whether it is a template, which only the program that renders it can read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    template: bool,
}

/// What became of one `SealedSecret`.
#[derive(Debug, Serialize)]
pub(super) struct ObjectReport {
    namespace: Option<String>,
    name: String,
    /// Items that were sealed anew, with their new ciphertexts.
    #[serde(serialize_with = "names")]
    pub(super) items: BTreeMap<String, String>,
    /// How many items were on the newest key already.
    current: usize,
}

impl FileReport {
    pub(super) fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            objects: Vec::new(),
            failures: Vec::new(),
            template: false,
        }
    }

    pub(super) fn passed_over(mut self) -> Self {
        self.template = true;
        self
    }

    pub(super) fn is_template(&self) -> bool {
        self.template
    }

    pub(super) fn failed(mut self, failure: Failure) -> Self {
        self.failures.push(failure);
        self
    }

    pub(super) fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter()
    }

    fn items(&self) -> usize {
        self.objects.iter().map(|object| object.items.len()).sum()
    }
}

impl std::fmt::Display for FileReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.file.display())
    }
}

impl ObjectReport {
    pub(super) fn new(
        sealed: &Sealed<'_>,
        namespace: Option<&str>,
        items: BTreeMap<String, String>,
        current: usize,
    ) -> Self {
        Self {
            namespace: sealed.namespace(namespace).map(str::to_owned),
            name: sealed.name().to_owned(),
            items,
            current,
        }
    }
}

/// One line for each object that changed.
pub(super) fn text(reports: &[FileReport], dry_run: bool) -> String {
    let verb = if dry_run { "would reseal" } else { "resealed" };
    let mut out = String::new();
    for report in reports {
        for object in report.objects.iter().filter(|it| !it.items.is_empty()) {
            let items: Vec<_> = object.items.keys().map(String::as_str).collect();
            let name = match &object.namespace {
                Some(namespace) => format!("{namespace}/{}", object.name),
                None => object.name.clone(),
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "{}: {verb} {name} ({})",
                report.file.display(),
                items.join(", ")
            );
        }
    }
    out
}

/// The whole in one sentence.
pub(super) fn summary(reports: &[FileReport], dry_run: bool) -> String {
    let verb = if dry_run { "would reseal" } else { "resealed" };
    let items: usize = reports.iter().map(FileReport::items).sum();
    let changed = reports.iter().filter(|report| report.items() > 0).count();
    let objects = || reports.iter().flat_map(|report| &report.objects);
    let current: usize = objects().map(|object| object.current).sum();
    let failures: usize = reports.iter().map(|report| report.failures.len()).sum();
    let mut text = format!(
        "{verb} {} in {}; {} on the newest key already",
        counted(items, "item"),
        counted(changed, "file"),
        counted(current, "item"),
    );
    if failures > 0 {
        // Writing to a String cannot fail.
        let _ = write!(text, "; {} not done", counted(failures, "object"));
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

fn names<S: Serializer>(items: &BTreeMap<String, String>, out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(items.keys())
}

fn messages<S: Serializer>(failures: &[Failure], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(failures.iter().map(|failure| &failure.message))
}
