//! `signet keys who PATH…`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use signet_documents::sops::readers::{Standing, access};

use crate::output::{self, FormatOption};
use crate::secrets::options::{InputOptions, RuleOptions};
use crate::secrets::{RuleBook, tree, work};
use crate::{Context, Env, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet keys who secrets.enc.yaml
  signet keys who . -o json

Nothing is decrypted and no key is needed. `reads`: it can, and by the rules it may. `may not`: it can,
and the rules do not name it. `not yet`: the rules name it, and it cannot.";

/// Say who can read SOPS files, who may by the rules, and who may not any more
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Who {
    /// Files and folders; what Git ignores is passed over
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    form: FormatOption,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    rules: RuleOptions,
}

/// One file.
#[derive(Serialize)]
struct Row {
    file: PathBuf,
    /// How many key groups are needed.
    #[serde(rename = "groupsNeeded")]
    groups_needed: usize,
    keys: Vec<Reader>,
}

/// One key of it.
#[derive(Serialize)]
struct Reader {
    #[serde(rename = "type")]
    kind: &'static str,
    key: String,
    standing: &'static str,
    /// From 1.
    groups: Vec<usize>,
    /// Whether it needs no key of another group.
    alone: bool,
}

impl Who {
    pub(super) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let paths = tree::encrypted(&self.paths)?;
        let rules = self.rules.book(&context.env);
        let mut files = Vec::new();
        let mut status = ExitStatus::Success;
        for path in &paths.files {
            match self.file(path, &rules, &context.env) {
                Ok(file) => files.push(file),
                Err(failure) => {
                    context.ui.failure(&context.env, &failure);
                    status = ExitStatus::Failure;
                }
            }
        }
        output::print(
            self.form.format,
            &files.as_slice(),
            |files| table(files),
            context,
        )?;
        Ok(status)
    }

    fn file(&self, path: &Path, rules: &RuleBook, env: &Env) -> Result<Row, Failure> {
        let secret = work::read(path, self.input.format(path))?;
        let rule = work::rule(path, rules, env)?;
        let keys = access(&secret.metadata, rule.as_ref());
        let keys = keys.into_iter().map(|access| Reader {
            kind: access.key.type_name(),
            key: access.key.to_string(),
            standing: match access.standing {
                Standing::Reads => "reads",
                Standing::ReadsUnruled => "may not",
                Standing::Awaits => "not yet",
            },
            groups: access.groups.iter().map(|group| group + 1).collect(),
            alone: access.alone,
        });
        Ok(Row {
            file: path.to_owned(),
            groups_needed: secret.metadata.required_groups(),
            keys: keys.collect(),
        })
    }
}

fn table(files: &[Row]) -> String {
    let mut out = String::new();
    for file in files {
        let needed = match file.groups_needed {
            1 => String::new(),
            needed => format!(" ({needed} groups needed)"),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}{needed}", file.file.display());
        for key in &file.keys {
            let groups: Vec<_> = key.groups.iter().map(usize::to_string).collect();
            let groups = match file.groups_needed {
                1 => String::new(),
                _ => format!("  group {}", groups.join(", ")),
            };
            let _ = writeln!(
                out,
                "  {:7}  {:8}  {}{groups}",
                key.standing, key.kind, key.key
            );
        }
    }
    out
}
