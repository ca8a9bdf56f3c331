//! `signet updatekeys PATH…`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use signet_documents::rules::CreationRule;
use signet_documents::sops::readers::KeyDiff;
use signet_keys::sops::LastModified;

use crate::secrets::batch::{self, Done, Words};
use crate::secrets::options::{InputOptions, RuleOptions, UnlockOptions};
use crate::secrets::{RuleBook, SecretFile, Services, tree, update, work};
use crate::{Context, Env, ExitStatus, Failure, files};

const EXAMPLES: &str = "\
Examples:
  signet updatekeys .                                shows what changes, and asks
  signet updatekeys . --yes                          does not ask
  signet updatekeys . --dry-run                      shows it only; exit status 0

Values and data key stay, so nothing else in a file moves. Who is taken out has had the data key: rotate
(`signet rotate`), and change the secrets themselves.";

const WORDS: Words = Words {
    doing: "updating keys",
    done: "updated",
    would: "would update",
};

/// Give SOPS files the recipients that the rules say, in place
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct UpdateKeys {
    /// Files and folders; what Git ignores is passed over
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Do it without asking
    #[arg(short, long)]
    yes: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

/// What is to be done with one file.
struct Plan {
    secret: SecretFile,
    rule: CreationRule,
    diff: KeyDiff,
}

impl UpdateKeys {
    /// Compares all files with their rules, shows the differences, and removes them.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let rules = self.rules.book(&context.env);
        rules.tell_warnings(&self.paths, context);
        let paths = tree::encrypted(&self.paths)?;
        let mut planned = String::new();
        let mut plans = BTreeMap::new();
        for path in &paths.files {
            let plan = self.plan(path, &rules, &context.env);
            // What cannot be planned is told when its turn comes.
            if let Ok(Some(plan)) = &plan {
                planned.push_str(&told(path, &plan.diff));
            }
            plans.insert(path.clone(), plan);
        }
        context.ui.data(planned.as_bytes())?;
        if !planned.is_empty() && !self.dry_run && !self.yes {
            Self::ask(context)?;
        }
        let services = Services::open(&self.unlock.services.services(), context)?;
        let order = self.unlock.order()?;
        let now = LastModified::from(context.env.now());
        Ok(batch::each(paths, WORDS, self.dry_run, context, |path| {
            let plan = plans[path].as_ref().map_err(Clone::clone)?;
            let Some(plan) = plan else {
                return Ok(Done {
                    changed: false,
                    warnings: Vec::new(),
                });
            };
            let warnings = drift(&plan.diff);
            let changed = plan.diff.needs_wrapping() || plan.diff.is_reordered();
            if changed && !self.dry_run {
                let secret = &plan.secret;
                let key = services.recover(&secret.input, &secret.metadata, &order)?;
                // What cannot be proven is not given to others.
                secret.prove(&key)?;
                let bytes = update(secret, &key, &plan.rule, &services, &now)?;
                files::rewrite(path, &secret.bytes, &bytes)?;
            }
            Ok(Done { changed, warnings })
        }))
    }

    /// Nothing when the file is as its rule says.
    fn plan(&self, path: &Path, rules: &RuleBook, env: &Env) -> Result<Option<Plan>, Failure> {
        let secret = work::read(path, self.input.format(path))?;
        let rule = rules.required(&crate::paths::absolute(env, path))?;
        let diff = KeyDiff::between(&secret.metadata, &rule);
        Ok((!diff.is_empty()).then_some(Plan { secret, rule, diff }))
    }

    fn ask(context: &mut Context) -> Result<(), Failure> {
        let terminals = context.ui.terminals();
        if !(terminals.stdin && terminals.stderr) {
            return Err(Failure::usage("nobody is there to agree to these changes")
                .with_hint("agree with `--yes`, or look only with `--dry-run`"));
        }
        if context.ui.agrees("Make these changes?").unwrap_or(false) {
            return Ok(());
        }
        Err(Failure::new("nothing was changed"))
    }
}

/// What changes, as a difference.
fn told(path: &Path, diff: &KeyDiff) -> String {
    let mut lines = Vec::new();
    if let Some(threshold) = diff.threshold {
        lines.push(format!("- {} groups needed", threshold.from));
        lines.push(format!("+ {} groups needed", threshold.to));
    }
    for (index, group) in diff.groups.iter().enumerate() {
        let place = match diff.groups.len() {
            1 => String::new(),
            _ => format!(" (group {})", index + 1),
        };
        let line = |sign: char, key: &signet_keys::sops::MasterKey| {
            format!("{sign} {} {key}{place}", key.type_name())
        };
        lines.extend(group.removed.iter().map(|key| line('-', key)));
        lines.extend(group.added.iter().map(|key| line('+', key)));
        if group.reordered {
            lines.push(format!("  other order of keys{place}"));
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}:", path.display());
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// What stays different: a file keeps its settings.
fn drift(diff: &KeyDiff) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(drift) = &diff.selector {
        told.push(format!(
            "it keeps `{}: {}`, by the rules it would be `{}: {}`; decrypt and encrypt it to change that",
            drift.file.field(),
            drift.file.text(),
            drift.rule.field(),
            drift.rule.text()
        ));
    }
    if let Some((file, rule)) = diff.mac_only_encrypted {
        told.push(format!(
            "it keeps `mac_only_encrypted: {file}`, by the rules it would be `{rule}`"
        ));
    }
    told
}
