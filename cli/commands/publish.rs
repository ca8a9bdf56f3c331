//! `signet publish PATH…`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use serde::Serialize;
use signet_documents::rules::DestinationRule;
use signet_keys::sops::LastModified;
use signet_keys::sops::master_key::DecryptionOrder;

use crate::output::{self, FormatOption};
use crate::paths::absolute;
use crate::secrets::batch::{self, Done, Words};
use crate::secrets::options::{InputOptions, RuleOptions, UnlockOptions};
use crate::secrets::publish::{Opened, Outcome, Plan, Uploader, without_extension};
use crate::secrets::{RuleBook, RulesError, Services, tree, work};
use crate::ui::harmless;
use crate::walk::Found;
use crate::{Context, Env, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet publish secrets.enc.yaml                    shows where to, and asks
  signet publish clusters/ --yes                     all encrypted files that have a destination
  signet publish clusters/ --dry-run -o json         opens what must be opened, and writes nothing

`destination_rules` of .sops.yaml say where to. A bucket gets the encrypted file, encrypted anew if the
rule names recipients; Vault gets the values, and nothing if it has them already.";

const WORDS: Words = Words {
    doing: "publishing",
    done: "published",
    would: "would publish",
};

/// The outcome of what was there already.
const UNCHANGED: &str = "unchanged";

/// Publish SOPS files where the rules say: to S3, Google Cloud Storage or Vault
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Publish {
    /// Files and folders; what Git ignores is passed over, and in folders what has no destination
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Do it without asking
    #[arg(short, long)]
    yes: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Publish under names without extensions
    #[arg(long)]
    omit_extensions: bool,
    #[command(flatten)]
    form: FormatOption,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

/// What became of a file.
#[derive(Serialize)]
struct Row {
    file: PathBuf,
    destination: String,
    outcome: &'static str,
}

/// A file, what is to be done with it, and the place that it goes to.
type Plans = BTreeMap<PathBuf, Result<(Plan, String), Failure>>;

/// What files are published with.
struct Work {
    services: Services,
    order: DecryptionOrder,
    uploader: Uploader,
    now: LastModified,
    dry_run: bool,
}

impl Publish {
    /// Finds out where everything goes, asks, and brings it there.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let rules = self.rules.book(&context.env);
        rules.tell_warnings(&self.paths, context);
        let (plans, unreadable) = self.plans(&rules, &context.env)?;
        refuse_one_place_for_two(&plans)?;
        let work = Work {
            services: Services::open(&self.unlock.services.services(), context)?,
            order: self.unlock.order()?,
            uploader: Uploader::open(context)?,
            now: LastModified::from(context.env.now()),
            dry_run: self.dry_run,
        };
        if !self.dry_run && !self.yes && plans.values().any(Result::is_ok) {
            ask(&plans, context)?;
        }
        let found = Found {
            files: plans.keys().cloned().collect(),
            unreadable,
        };
        let rows = Mutex::new(BTreeMap::new());
        let status = batch::each(found, WORDS, self.dry_run, context, |path| {
            let (plan, place) = plans[path].as_ref().map_err(Clone::clone)?;
            let (outcome, warnings) = work.publish(plan)?;
            let row = Row {
                file: path.to_owned(),
                destination: place.clone(),
                outcome,
            };
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.insert(path.to_owned(), row);
            Ok(Done {
                changed: outcome != UNCHANGED,
                warnings,
            })
        });
        let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rows: Vec<_> = rows.into_values().collect();
        output::print(self.form.format, rows.as_slice(), table, context)?;
        Ok(status)
    }

    /// All files with a destination; a named one without is a failure of its own.
    fn plans(
        &self,
        rules: &RuleBook,
        env: &Env,
    ) -> Result<(Plans, Vec<(PathBuf, Failure)>), Failure> {
        let mut plans = Plans::new();
        let mut unreadable = Vec::new();
        for named in &self.paths {
            let found = tree::encrypted(std::slice::from_ref(named))?;
            unreadable.extend(found.unreadable);
            let root = named.strip_prefix("./").unwrap_or(named);
            for path in found.files {
                let rule = rules.destination(&absolute(env, &path));
                let is_named = path == *named;
                if !is_named && rule.as_ref().is_err_and(RulesError::is_no_rule) {
                    continue;
                }
                let name = match path.strip_prefix(root) {
                    Ok(below) if !is_named => below,
                    _ if !is_named => &path,
                    _ => Path::new(path.file_name().unwrap_or_default()),
                };
                let plan = self.plan(&path, name, rule, env);
                plans.insert(path, plan);
            }
        }
        Ok((plans, unreadable))
    }

    fn plan(
        &self,
        path: &Path,
        name: &Path,
        rule: Result<DestinationRule, RulesError>,
        env: &Env,
    ) -> Result<(Plan, String), Failure> {
        let rule = rule?;
        let name = name.display().to_string();
        let plan = Plan {
            secret: work::read(path, self.input.format(path))?,
            name: if self.omit_extensions || rule.omit_extensions {
                without_extension(&name)
            } else {
                name
            },
            rule,
        };
        let place = plan.place(env);
        Ok((plan, place))
    }
}

impl Work {
    /// What became of a file, or would, and what the user should know about it.
    fn publish(&self, plan: &Plan) -> Result<(&'static str, Vec<String>), Failure> {
        let opened = plan.open(&self.services, &self.order)?;
        if self.dry_run {
            let is_there = match &opened {
                Opened::Object { .. } => false,
                Opened::Secret(values) => self.uploader.has(values)?,
            };
            let outcome = if is_there { UNCHANGED } else { "would publish" };
            return Ok((outcome, Vec::new()));
        }
        let (content, warnings) = plan.content(opened, &self.services, &self.now)?;
        let mut warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        let outcome = match self.uploader.upload(&content)? {
            Outcome::Same => UNCHANGED,
            Outcome::Written { unseen } => {
                if unseen {
                    let told =
                        "what was there before cannot be read, so it was written without a look";
                    warnings.push(told.to_owned());
                }
                "published"
            }
        };
        Ok((outcome, warnings))
    }
}

/// The later would take the place of the earlier.
fn refuse_one_place_for_two(plans: &Plans) -> Result<(), Failure> {
    let mut taken = BTreeMap::new();
    let planned = plans
        .iter()
        .filter_map(|(path, plan)| Some((path, plan.as_ref().ok()?)));
    for (path, (_, place)) in planned {
        if let Some(other) = taken.insert(place, path) {
            let told = format!(
                "`{}` and `{}` would both be published as {place}",
                other.display(),
                path.display()
            );
            return Err(Failure::new(told)
                .with_hint("publish the folder that both are in, or give them different names"));
        }
    }
    Ok(())
}

fn ask(plans: &Plans, context: &mut Context) -> Result<(), Failure> {
    let terminals = context.ui.terminals();
    if !(terminals.stdin && terminals.stderr) {
        return Err(Failure::usage("nobody is there to agree to publishing")
            .with_hint("agree with `--yes`, or look only with `--dry-run`"));
    }
    for (path, plan) in plans {
        let Ok((plan, place)) = plan else { continue };
        let told = harmless(&format!("{} -> {place}", path.display()));
        context.ui.message(&told);
        let change = plan.difference();
        for group in change.iter().flat_map(|change| &change.groups) {
            let removed = group.removed.iter().map(|key| ('-', key));
            let added = group.added.iter().map(|key| ('+', key));
            for (sign, key) in removed.chain(added) {
                let told = harmless(&format!("  {sign} {} {key}", key.type_name()));
                context.ui.message(&told);
            }
        }
    }
    if context.ui.agrees("Publish?").unwrap_or(false) {
        return Ok(());
    }
    Err(Failure::new("nothing was published"))
}

fn table(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:13}  {} -> {}",
            row.outcome,
            row.file.display(),
            row.destination
        );
    }
    out
}
