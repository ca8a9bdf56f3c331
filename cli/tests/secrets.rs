//! SOPS files: encrypted, changed and used by the verbs of signet.

use std::fs;

use crate::support::{Done, Session};

mod commands;
mod consent;
mod trees;

/// An identity that is for tests alone.
const IDENTITY: &str =
    "AGE-SECRET-KEY-163UZCC77V6X7Y0LHDZ25WU7CE4GWGWWTEL04G9D6RNZJ0GK5SSJQ5HGQDH\n";
const RECIPIENT: &str = "age1m4h7t46rfzzmzt7mnwe4raggdx3z88x0f55znfnm646g7pnaxdas0mjr8q";
/// Somebody else, whose identity is not here.
const OTHER: &str = "age1z7ms9whhedgxfrhadjyf6rejq4ugt6cmw7ymr85n4gj6wcdzsywqvmdu94";

/// With all that people put into YAML.
const PLAIN: &str = "\
---
# the database
db:
  user: admin   # not root
  password: 'canary-4711'

ports: [5432, 5433]
note: >
  folded text
";

/// A folder with rules and the identity that they are for.
struct Repository {
    session: Session,
}

impl Repository {
    fn new() -> Self {
        let session = Session::new();
        session.write("home/.config/sops/age/keys.txt", IDENTITY);
        session.write(
            ".sops.yaml",
            format!("creation_rules: [{{age: {RECIPIENT}}}]\n"),
        );
        session.write("plain.yaml", PLAIN);
        Self { session }
    }

    /// With `secret.yaml`, encrypted.
    fn with_secret() -> Self {
        let repository = Self::new();
        repository.ok("encrypt plain.yaml -o secret.yaml");
        repository
    }

    fn run(&self, args: &str) -> Done {
        self.session.run(args)
    }

    fn ok(&self, args: &str) -> Done {
        let done = self.run(args);
        assert_eq!(done.status, 0, "{args}: {}", done.stderr);
        done
    }

    fn read(&self, name: &str) -> String {
        self.session.read(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.session.write(name, text);
    }

    fn rules(&self, text: &str) {
        self.write(".sops.yaml", format!("creation_rules: [{{{text}}}]\n"));
    }

    fn decrypted(&self, name: &str) -> String {
        self.ok(&format!("decrypt {name}")).stdout
    }
}

/// An encrypted file whose password somebody changed.
fn tampered(text: &str) -> String {
    let start = "password: 'ENC[AES256_GCM,data:";
    assert!(text.contains(start), "{text}");
    text.replace(start, &format!("{start}AAAA"))
}

/// How many lines two texts do not have in common, in their places.
fn changed_lines(before: &str, after: &str) -> usize {
    assert_eq!(before.lines().count(), after.lines().count(), "{after}");
    let pairs = before.lines().zip(after.lines());
    pairs.filter(|(before, after)| before != after).count()
}

fn exists(repository: &Repository, name: &str) -> bool {
    fs::exists(repository.session.path(name)).unwrap()
}
