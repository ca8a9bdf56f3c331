//! Files that every session finds in its folder.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use signet_kit::session;

/// The age identity that both programs find in the home folder; made for these tests.
const IDENTITY: &str =
    "AGE-SECRET-KEY-163UZCC77V6X7Y0LHDZ25WU7CE4GWGWWTEL04G9D6RNZJ0GK5SSJQ5HGQDH\n";
/// Its recipient.
const RECIPIENT: &str = "age1m4h7t46rfzzmzt7mnwe4raggdx3z88x0f55znfnm646g7pnaxdas0mjr8q";
/// The recipient of somebody else, whose identity is not here.
const OTHER: &str = "age1z7ms9whhedgxfrhadjyf6rejq4ugt6cmw7ymr85n4gj6wcdzsywqvmdu94";

const IDENTITY_FILE: &str = "home/.config/sops/age/keys.txt";

/// In the layout of sops.
const PLAIN: &[(&str, &str)] = &[
    (
        "yaml",
        "# about a\na: hello\nnumber: 5\nratio: 1.5\n\"on\": true\nlist:\n    - 1\n    - x\n\
         map:\n    key: value\n    deep:\n        deeper: seven\nempty: \"\"\nnothing: null\n\
         plain_unencrypted: seen\n",
    ),
    (
        "json",
        "{\n\t\"a\": \"hello\",\n\t\"number\": 5,\n\t\"list\": [\n\t\t1,\n\t\t\"x\"\n\t],\n\
         \t\"map\": {\n\t\t\"key\": \"value\"\n\t}\n}\n",
    ),
    ("env", "# about A\nA=hello\nB=two words\n"),
    (
        "ini",
        "[first]\na      = hello\nlonger = 2\n\n[second]\nb = c\n",
    ),
    ("bin", "any bytes\n"),
];
/// Without lists and mappings.
const FLAT: &str = "a: hello\nnumber: 5\nratio: 1.5\n\"on\": true\n";
/// Several documents.
const MANY: &str = "a: 1\n---\nb: 2\n";

/// * `plain.yaml`, `.json`, `.env`, `.ini`, `.bin`, `flat.yaml`, `many.yaml`, and encrypted the same as
///   `secret.yaml` and so on, `secret-flat.yaml`, `secret-many.yaml`; `empty.yaml`.
/// * `others.yaml` is for somebody else, `two.yaml` for two groups that are both needed.
/// * `rules.yaml` has rules, to be put in place as `.sops.yaml`.
pub fn files() -> &'static BTreeMap<String, String> {
    static FILES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    FILES.get_or_init(make)
}

fn make() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut add = |name: &str, text: &str| files.insert(name.to_owned(), text.to_owned());
    add(IDENTITY_FILE, IDENTITY);
    add("rules.yaml", &rules());
    add("empty.yaml", "");
    for (extension, text) in PLAIN {
        add(&format!("plain.{extension}"), text);
        add(&format!("secret.{extension}"), &encrypt(extension, text));
    }
    for (name, text) in [("flat", FLAT), ("many", MANY)] {
        add(&format!("{name}.yaml"), text);
        add(&format!("secret-{name}.yaml"), &encrypt("yaml", text));
    }
    add("others.yaml", &encrypt_as("others.yaml", FLAT));
    add("two.yaml", &encrypt_as("two.yaml", FLAT));
    files
}

/// The first match counts: `two.yaml` has two groups, `others.yaml` is not ours, `secret…` and
/// `plain…` are for us and, in `wider/`, for the other too.
fn rules() -> String {
    format!(
        "creation_rules:\n\
         - path_regex: two\n  shamir_threshold: 2\n  key_groups:\n  - age: [{RECIPIENT}]\n  - age: [{RECIPIENT}]\n\
         - path_regex: other\n  age: {OTHER}\n\
         - path_regex: wider/\n  age: {RECIPIENT},{OTHER}\n\
         - path_regex: (secret|plain|flat|many|new)\n  age: {RECIPIENT}\n"
    )
}

fn encrypt(extension: &str, text: &str) -> String {
    encrypt_as(&format!("secret.{extension}"), text)
}

/// What the real sops makes of a text in a file of this name.
fn encrypt_as(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".sops.yaml"), rules()).unwrap();
    let args = ["encrypt", "--filename-override", name].map(str::to_owned);
    let finished = session::run(
        &signet_kit::tools().path("sops"),
        folder.path(),
        &args,
        &BTreeMap::new(),
        text.as_bytes(),
    );
    assert_eq!(finished.status, Some(0), "{name}: {}", finished.stderr);
    String::from_utf8(finished.stdout).unwrap()
}
