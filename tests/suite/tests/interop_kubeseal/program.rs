//! The programs that are compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use signet_kit::session::{self, Finished};

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `signet`, called as `kubeseal`.
    Ours,
    /// The real `kubeseal`.
    Peer,
    /// `signet` under its own name.
    Signet,
}

impl Program {
    /// The binary, under the name that it is called by.
    pub fn path(self) -> PathBuf {
        match self {
            Self::Peer => signet_kit::tools().path("kubeseal"),
            Self::Signet => signet_kit::cargo::signet(),
            Self::Ours => session::named("kubeseal"),
        }
    }

    /// Runs it in this folder.
    pub fn run(
        self,
        folder: &Path,
        args: &[String],
        env: &BTreeMap<String, String>,
        stdin: &[u8],
    ) -> Finished {
        session::run(&self.path(), folder, args, env, stdin)
    }

    /// Runs it in this folder and gives standard output; it must succeed.
    pub fn output(self, folder: &Path, args: &[&str], stdin: &[u8]) -> Vec<u8> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let finished = self.run(folder, &args, &BTreeMap::new(), stdin);
        assert_eq!(
            finished.status,
            Some(0),
            "{self:?} {args:?}: {}",
            finished.stderr
        );
        finished.stdout
    }
}
