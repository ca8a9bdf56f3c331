//! `signet encrypt PATH…`

use std::path::{Path, PathBuf};

use clap::Args;
use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::{Encrypted, MacCheck};
use signet_keys::sops::LastModified;

use crate::files::{self, Input};
use crate::paths::absolute;
use crate::secrets::batch::{self, Done, Words};
use crate::secrets::options::{
    InputOptions, OutputOptions, RecipientOptions, RuleOptions, SelectorOptions, UnlockOptions,
};
use crate::secrets::{
    EncryptError, PlainFile, Recipients, RuleBook, Services, consent, encrypt, encrypt_under,
    newer, output, tree, work,
};
use crate::{Context, Env, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet encrypt secrets.yaml -o secrets.enc.yaml    by the rules of .sops.yaml
  signet encrypt --in-place secrets/                 every file below it that a rule is for
  signet encrypt --age age1… .env -o .env.enc --input-type dotenv
  printf 'pw: x\\n' | signet encrypt - --name secrets.yaml

Where the output is an encrypted file already, its data key and recipients stay, and values that did
not change keep their ciphertext: the difference shows what changed.";

const WORDS: Words = Words {
    doing: "encrypting",
    done: "encrypted",
    would: "would encrypt",
};

/// Encrypt files with SOPS
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Encrypt {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Replace the files by their ciphertext
    #[arg(short, long, conflicts_with = "output")]
    in_place: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Choose rules and format as if the file had this name
    #[arg(long, value_name = "NAME", conflicts_with = "in_place")]
    name: Option<PathBuf>,
    /// Only say what would be done
    #[arg(long, requires = "in_place")]
    dry_run: bool,
    /// Keep recipients and settings of the file that is replaced, though the rules do not know them
    #[arg(long, requires = "output")]
    accept: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    layout: OutputOptions,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
    #[command(flatten)]
    recipients: RecipientOptions,
    #[command(flatten)]
    selector: SelectorOptions,
}

impl Encrypt {
    /// Encrypts one file to where it is wanted, or many in place.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let rules = self.rules.book(&context.env);
        if self.in_place {
            rules.tell_warnings(&self.paths, context);
            return self.all(&rules, context);
        }
        let [path] = self.paths.as_slice() else {
            return Err(Failure::usage("several files are encrypted in place only")
                .with_hint("add `--in-place`, or name one file"));
        };
        self.one(path, &rules, context)
    }

    fn one(
        &self,
        path: &Path,
        rules: &RuleBook,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let source = Input::from_argument(path.to_owned());
        let name = match (&self.name, &source) {
            (Some(name), _) => name,
            (None, Input::File(path)) => path,
            (None, Input::Stdin) => {
                return Err(
                    Failure::usage("standard input has no name to choose a rule by")
                        .with_hint("say how the file is called with `--name NAME`"),
                );
            }
        };
        rules.tell_warnings(std::slice::from_ref(name), context);
        let format = self.input.format(name);
        let plain = PlainFile::open(&source, format, &mut context.ui)?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let now = LastModified::from(context.env.now());
        let encrypted = if let Some(twin) = self.twin(&services, rules, context)? {
            again(&plain, twin, &now)?
        } else {
            let recipients = self.chosen(name, rules, &context.env)?;
            encrypt(&plain, &recipients, &services, &now)?
        };
        for warning in &encrypted.warnings {
            context.ui.warn(&context.env, warning);
        }
        let (to, layout) = (self.layout.format(format), self.layout.layout());
        let bytes = output::encrypted(encrypted.bytes, format, to, layout)?;
        match &self.output {
            Some(file) => files::write(file, &bytes)?,
            None => context.ui.data(&bytes)?,
        }
        Ok(ExitStatus::Success)
    }

    fn all(&self, rules: &RuleBook, context: &mut Context) -> Result<ExitStatus, Failure> {
        let given = !self.recipients.keys()?.is_empty();
        let env = context.env.clone();
        let has_rule =
            |path: &Path| given || work::rule(path, rules, &env).is_ok_and(|rule| rule.is_some());
        let paths = tree::in_the_clear(&self.paths, has_rule)?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let now = LastModified::from(context.env.now());
        Ok(batch::each(paths, WORDS, self.dry_run, context, |path| {
            let format = self.input.format(path);
            let bytes = files::read(path)?;
            let plain = PlainFile::parse(&Input::File(path.to_owned()), format, bytes)?;
            let encrypted = encrypt(&plain, &self.chosen(path, rules, &env)?, &services, &now)?;
            let warnings = encrypted.warnings.iter().map(ToString::to_string).collect();
            let (to, layout) = (self.layout.format(format), self.layout.layout());
            let bytes = output::encrypted(encrypted.bytes, format, to, layout)?;
            if !self.dry_run {
                files::rewrite(path, &plain.bytes, &bytes)?;
            }
            Ok(Done {
                changed: true,
                warnings,
            })
        }))
    }

    /// For whom a file of this name is encrypted, and what in it. Recipients that are given need no
    /// rule.
    fn chosen(&self, name: &Path, rules: &RuleBook, env: &Env) -> Result<Recipients, Failure> {
        let keys = self.recipients.keys()?;
        let rule = if keys.is_empty() {
            rules.required(&absolute(env, name))?.into()
        } else {
            let rule = work::rule(name, rules, env)?;
            rule.map(Recipients::from).unwrap_or_default()
        };
        Ok(Recipients {
            groups: if keys.is_empty() {
                rule.groups
            } else {
                vec![keys]
            },
            selector: self.selector.selector().or(rule.selector),
            ..rule
        })
    }

    /// The encrypted file that the output replaces, opened, if nobody has put into it what the rules
    /// do not know.
    fn twin(
        &self,
        services: &Services,
        rules: &RuleBook,
        context: &mut Context,
    ) -> Result<Option<work::Opened>, Failure> {
        let given = !self.recipients.keys()?.is_empty() || self.selector.selector().is_some();
        let Some(file) = self.output.as_ref().filter(|file| !given && file.is_file()) else {
            return Ok(None);
        };
        let bytes = files::read(file)?;
        if !tree::looks_encrypted(&bytes) {
            return Ok(None);
        }
        let order = self.unlock.order()?;
        let format = self.layout.format(self.input.format(file));
        let twin = work::open(file, format, services, &order, MacCheck::Verify)?;
        let strange = work::strange(&twin.secret, file, rules, &context.env)?;
        consent::ask(&file.display().to_string(), &strange, self.accept, context)?;
        Ok(Some(twin))
    }
}

/// Encrypts a text as the next version of an encrypted file.
fn again(
    plain: &PlainFile,
    mut twin: work::Opened,
    now: &LastModified,
) -> Result<Encrypted, EncryptError> {
    let metadata = Metadata {
        version: newer(&twin.secret.metadata.version),
        ..twin.secret.metadata
    };
    let kept = Some(&mut twin.decrypted.kept);
    encrypt_under(plain, &metadata, &twin.cipher, kept, now)
}
