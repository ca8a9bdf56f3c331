//! `signet rotate PATH…`

use std::path::PathBuf;

use clap::Args;
use signet_documents::sops::MacCheck;
use signet_keys::sops::LastModified;

use crate::secrets::batch::{self, Done, Words};
use crate::secrets::options::{InputOptions, RuleOptions, UnlockOptions};
use crate::secrets::{Services, consent, keys_of, rotate, tree, work};
use crate::{Context, ExitStatus, Failure, files};

const EXAMPLES: &str = "\
Examples:
  signet rotate secrets.enc.yaml
  signet rotate . --dry-run                          which files there are, and whether each opens

Recipients stay; `signet updatekeys` changes them. Whoever could read a file before may have kept what
was in it: after someone left, change the secrets themselves.";

const WORDS: Words = Words {
    doing: "rotating",
    done: "rotated",
    would: "would rotate",
};

/// Give SOPS files a new data key, in place
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Rotate {
    /// Files and folders; what Git ignores is passed over
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Keep recipients and settings that the rules do not know
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

impl Rotate {
    /// Works through all files.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let paths = tree::encrypted(&self.paths)?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let order = self.unlock.order()?;
        let now = LastModified::from(context.env.now());
        let (rules, env) = (self.rules.book(&context.env), context.env.clone());
        Ok(batch::each(paths, WORDS, self.dry_run, context, |path| {
            let format = self.input.format(path);
            let opened = work::open(path, format, &services, &order, MacCheck::Verify)?;
            let strange = work::strange(&opened.secret, path, &rules, &env)?;
            if !strange.is_empty() && !self.accept {
                let mut failure = consent::refused(&path.display().to_string());
                failure.message = format!("{} ({})", failure.message, strange.join("; "));
                return Err(failure);
            }
            let groups = keys_of(&opened.secret.metadata);
            if !self.dry_run {
                let new = rotate(&opened.secret, &opened.decrypted, &groups, &services, &now)?;
                files::rewrite(path, &opened.secret.bytes, &new.bytes)?;
            }
            Ok(Done {
                changed: true,
                warnings: strange,
            })
        }))
    }
}
