//! A folder with encrypted files and rules, and both programs in it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use signet_kit::session::{Finished, named, run};
use signet_kit::tools;

/// The age identity in the home folder; made for these tests.
const IDENTITY: &str =
    "AGE-SECRET-KEY-163UZCC77V6X7Y0LHDZ25WU7CE4GWGWWTEL04G9D6RNZJ0GK5SSJQ5HGQDH\n";
/// Its recipient.
pub const RECIPIENT: &str = "age1m4h7t46rfzzmzt7mnwe4raggdx3z88x0f55znfnm646g7pnaxdas0mjr8q";
/// Somebody else.
pub const OTHER: &str = "age1z7ms9whhedgxfrhadjyf6rejq4ugt6cmw7ymr85n4gj6wcdzsywqvmdu94";

/// Who publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The real sops.
    Peer,
    /// Ours by its name.
    Ours,
}

pub const BOTH: [Who; 2] = [Who::Peer, Who::Ours];

pub struct World {
    folder: tempfile::TempDir,
    variables: BTreeMap<String, String>,
}

impl World {
    /// With rules for `destination_rules`, as YAML items.
    pub fn new(destinations: &str) -> Self {
        let world = Self {
            folder: tempfile::tempdir().unwrap(),
            variables: BTreeMap::new(),
        };
        world.write("home/.config/sops/age/keys.txt", IDENTITY);
        let creation = format!("creation_rules:\n- age: {RECIPIENT}\n");
        let rules = format!("{creation}destination_rules:\n{destinations}");
        world.write(".sops.yaml", &rules);
        world
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// A file that the real sops encrypted.
    pub fn encrypted(&self, name: &str, text: &str) {
        self.encrypted_with(name, text, &[]);
    }

    pub fn encrypted_with(&self, name: &str, text: &str, flags: &[&str]) {
        let args = [&["encrypt", "--filename-override", name][..], flags].concat();
        let done = self.run(Who::Peer, &args, text);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        self.write(name, std::str::from_utf8(&done.stdout).unwrap());
    }

    /// What the real sops decrypts.
    pub fn decrypted(&self, name: &str, encrypted: &[u8]) -> String {
        let args = ["decrypt", "--filename-override", name];
        let done = self.run(Who::Peer, &args, std::str::from_utf8(encrypted).unwrap());
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        String::from_utf8(done.stdout).unwrap()
    }

    pub fn run(&self, who: Who, args: &[&str], stdin: &str) -> Finished {
        let program = match who {
            Who::Peer => tools().path("sops"),
            Who::Ours => named("sops"),
        };
        self.run_as(&program, args, stdin)
    }

    /// By our own name.
    pub fn signet(&self, args: &[&str]) -> Finished {
        self.run_as(&named("signet"), args, "")
    }

    pub fn publish(&self, who: Who, path: &str) -> Finished {
        let done = self.run(who, &["publish", "--yes", path], "");
        assert_eq!(done.status, Some(0), "{who:?}: {}", done.stderr);
        done
    }

    fn run_as(&self, program: &std::path::Path, args: &[&str], stdin: &str) -> Finished {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let (folder, stdin) = (self.folder.path(), stdin.as_bytes());
        run(program, folder, &args, &self.variables, stdin)
    }
}

/// One destination rule for each of the two, so that neither sees what the other wrote: `{who}` in the
/// text stands for the folder of files.
pub fn rules(template: &str) -> String {
    BOTH.map(|who| template.replace("{who}", folder(who)))
        .concat()
}

pub fn folder(who: Who) -> &'static str {
    match who {
        Who::Peer => "peer",
        Who::Ours => "ours",
    }
}
