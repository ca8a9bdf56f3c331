//! The flags of `sops` as tables: the one place to look for what it accepts.
//!
//! A group stands once, however many commands take it. Which command takes which groups says
//! `grammar`.

use super::go_flags::Flag;

pub(super) const HELP: Flag = Flag::switch(&["help", "h"], "print this text");
pub(super) const VERSION: Flag = Flag::switch(&["version", "v"], "print the version");

// Where the result goes.
pub(super) const IN_PLACE: Flag = Flag::switch(
    &["in-place", "i"],
    "write the result back to the file instead of standard output",
);
pub(super) const OUTPUT: Flag = Flag::text(&["output"], "write the result to this file");
pub(super) const FILENAME_OVERRIDE: Flag = Flag::text(
    &["filename-override"],
    "choose rules and formats as if the file had this name",
);
pub(super) const PLACE: &[Flag] = &[IN_PLACE, OUTPUT, FILENAME_OVERRIDE];

// Formats.
pub(super) const INPUT_TYPE: Flag = Flag::text(
    &["input-type"],
    "format of the input: yaml, json, dotenv, ini or binary; by its name if not given",
);
pub(super) const OUTPUT_TYPE: Flag = Flag::text(
    &["output-type"],
    "format of the output: yaml, json, dotenv, ini or binary; by its name if not given",
);
pub(super) const LAYOUT: Flag = Flag::text(
    &["layout"],
    "`sops` lays the output out anew as sops does; without it the file's own layout stays",
);
pub(super) const TYPES: &[Flag] = &[INPUT_TYPE, OUTPUT_TYPE, LAYOUT];

// Master keys, each flag a list separated by commas.
pub(super) const KMS: Flag =
    Flag::text(&["kms", "k"], "AWS KMS keys, by ARN").variable("SOPS_KMS_ARN");
pub(super) const AWS_PROFILE: Flag = Flag::text(
    &["aws-profile"],
    "the profile of the AWS configuration to use",
);
pub(super) const GCP_KMS: Flag =
    Flag::text(&["gcp-kms"], "GCP KMS keys, by resource").variable("SOPS_GCP_KMS_IDS");
pub(super) const HCKMS: Flag = Flag::text(&["hckms"], "HuaweiCloud KMS keys, as region:uuid")
    .variable("SOPS_HUAWEICLOUD_KMS_IDS");
pub(super) const AZURE_KV: Flag =
    Flag::text(&["azure-kv"], "Azure Key Vault keys, by URL").variable("SOPS_AZURE_KEYVAULT_URLS");
pub(super) const VAULT: Flag = Flag::text(
    &["hc-vault-transit"],
    "keys of Vault's or OpenBao's transit engine, by URL",
)
.variable("SOPS_VAULT_URIS");
pub(super) const PGP: Flag =
    Flag::text(&["pgp", "p"], "PGP keys, by fingerprint").variable("SOPS_PGP_FP");
pub(super) const AGE: Flag = Flag::text(&["age", "a"], "age recipients, SSH keys among them")
    .variable("SOPS_AGE_RECIPIENTS");
pub(super) const CONTEXT: Flag = Flag::text(
    &["encryption-context"],
    "encryption context of the AWS KMS keys, as key:value,key:value",
);
pub(super) const THRESHOLD: Flag = Flag::number(
    &["shamir-secret-sharing-threshold"],
    "how many key groups are needed to read the file",
);
pub(super) const KEYS: &[Flag] = &[
    KMS,
    AWS_PROFILE,
    GCP_KMS,
    HCKMS,
    AZURE_KV,
    VAULT,
    PGP,
    AGE,
    CONTEXT,
    THRESHOLD,
];

// Which values are encrypted.
pub(super) const UNENCRYPTED_SUFFIX: Flag = Flag::text(
    &["unencrypted-suffix"],
    "leave values plain whose key ends so",
);
pub(super) const ENCRYPTED_SUFFIX: Flag = Flag::text(
    &["encrypted-suffix"],
    "encrypt only values whose key ends so",
);
pub(super) const UNENCRYPTED_REGEX: Flag = Flag::text(
    &["unencrypted-regex"],
    "leave values plain whose key matches",
);
pub(super) const ENCRYPTED_REGEX: Flag = Flag::text(
    &["encrypted-regex"],
    "encrypt only values whose key matches",
);
pub(super) const UNENCRYPTED_COMMENT_REGEX: Flag = Flag::text(
    &["unencrypted-comment-regex"],
    "leave values plain whose comment matches",
);
pub(super) const ENCRYPTED_COMMENT_REGEX: Flag = Flag::text(
    &["encrypted-comment-regex"],
    "encrypt only values whose comment matches",
);
pub(super) const SELECTORS: &[Flag] = &[
    UNENCRYPTED_SUFFIX,
    ENCRYPTED_SUFFIX,
    UNENCRYPTED_REGEX,
    ENCRYPTED_REGEX,
];
pub(super) const COMMENT_SELECTORS: &[Flag] = &[UNENCRYPTED_COMMENT_REGEX, ENCRYPTED_COMMENT_REGEX];

// How the data key is found.
pub(super) const ORDER: Flag = Flag::text(
    &["decryption-order"],
    "kinds of keys to try first, separated by commas (default age,pgp)",
)
.variable("SOPS_DECRYPTION_ORDER");
pub(super) const LOCAL_SERVICE: Flag = Flag::switch(
    &["enable-local-keyservice"],
    "use the keys of this machine (default true)",
)
.on()
.variable("SOPS_ENABLE_LOCAL_KEYSERVICE");
pub(super) const SERVICE: Flag = Flag::texts(
    &["keyservice"],
    "a further key service, as tcp://host:port or unix:///path; may be repeated",
)
.variable("SOPS_KEYSERVICE");
pub(super) const SERVICES: &[Flag] = &[LOCAL_SERVICE, SERVICE];

pub(super) const IGNORE_MAC: Flag = Flag::switch(
    &["ignore-mac"],
    "go on though the file was tampered with, or damaged",
);
pub(super) const EXTRACT: Flag = Flag::text(
    &["extract"],
    "only this part of the document, as '[\"key\"][0]'",
);
pub(super) const SHOW_MASTER_KEYS: Flag = Flag::switch(
    &["show-master-keys", "s"],
    "show the master keys in the editor",
);

// `set`, `unset`
pub(super) const VALUE_FILE: Flag = Flag::switch(
    &["value-file"],
    "the value is the name of a file that holds it",
);
pub(super) const VALUE_STDIN: Flag =
    Flag::switch(&["value-stdin"], "read the value from standard input");
pub(super) const IDEMPOTENT: Flag = Flag::switch(
    &["idempotent"],
    "leave the file as it is when there is nothing to change",
);

// `rotate`: lists separated by commas.
pub(super) const ADD_AGE: Flag = Flag::text(&["add-age"], "add these age recipients");
pub(super) const ADD_AZURE_KV: Flag =
    Flag::text(&["add-azure-kv"], "add these Azure Key Vault keys");
pub(super) const ADD_GCP_KMS: Flag = Flag::text(&["add-gcp-kms"], "add these GCP KMS keys");
pub(super) const ADD_HCKMS: Flag = Flag::text(&["add-hckms"], "add these HuaweiCloud KMS keys");
pub(super) const ADD_KMS: Flag = Flag::text(&["add-kms"], "add these AWS KMS keys");
pub(super) const ADD_PGP: Flag = Flag::text(&["add-pgp"], "add these PGP keys");
pub(super) const ADD_VAULT: Flag = Flag::text(&["add-hc-vault-transit"], "add these transit keys");
pub(super) const RM_AGE: Flag = Flag::text(&["rm-age"], "remove these age recipients");
pub(super) const RM_AZURE_KV: Flag =
    Flag::text(&["rm-azure-kv"], "remove these Azure Key Vault keys");
pub(super) const RM_GCP_KMS: Flag = Flag::text(&["rm-gcp-kms"], "remove these GCP KMS keys");
pub(super) const RM_HCKMS: Flag = Flag::text(&["rm-hckms"], "remove these HuaweiCloud KMS keys");
pub(super) const RM_KMS: Flag = Flag::text(&["rm-kms"], "remove these AWS KMS keys");
pub(super) const RM_PGP: Flag = Flag::text(&["rm-pgp"], "remove these PGP keys");
pub(super) const RM_VAULT: Flag = Flag::text(&["rm-hc-vault-transit"], "remove these transit keys");
pub(super) const CHANGES: &[Flag] = &[
    ADD_GCP_KMS,
    RM_GCP_KMS,
    ADD_HCKMS,
    RM_HCKMS,
    ADD_AZURE_KV,
    RM_AZURE_KV,
    ADD_KMS,
    RM_KMS,
    ADD_VAULT,
    RM_VAULT,
    ADD_AGE,
    RM_AGE,
    ADD_PGP,
    RM_PGP,
];

// `updatekeys`, `publish`
pub(super) const YES: Flag = Flag::switch(&["yes", "y"], "do it without asking");
pub(super) const OMIT_EXTENSIONS: Flag = Flag::switch(
    &["omit-extensions"],
    "publish under the name without extensions",
);
pub(super) const RECURSIVE: Flag = Flag::switch(&["recursive"], "publish all files of a folder");

// `groups`: here a flag is repeated instead of taking a list.
pub(super) const GROUP_FILE: Flag = Flag::text(&["file", "f"], "the file to change");
pub(super) const GROUP_IN_PLACE: Flag =
    Flag::switch(&["in-place", "i"], "write the result back to the file");
pub(super) const GROUP_AGE: Flag = Flag::texts(&["age"], "an age recipient of the new group");
pub(super) const GROUP_AZURE_KV: Flag =
    Flag::texts(&["azure-kv"], "an Azure Key Vault key of the new group");
pub(super) const GROUP_GCP_KMS: Flag = Flag::texts(&["gcp-kms"], "a GCP KMS key of the new group");
pub(super) const GROUP_HCKMS: Flag =
    Flag::texts(&["hckms"], "a HuaweiCloud KMS key of the new group");
pub(super) const GROUP_KMS: Flag = Flag::texts(&["kms"], "an AWS KMS key of the new group");
pub(super) const GROUP_PGP: Flag = Flag::texts(&["pgp"], "a PGP key of the new group");
pub(super) const GROUP_VAULT: Flag =
    Flag::texts(&["hc-vault-transit"], "a transit key of the new group");
pub(super) const GROUP_KEYS: &[Flag] = &[
    GROUP_PGP,
    GROUP_KMS,
    AWS_PROFILE,
    GROUP_GCP_KMS,
    GROUP_HCKMS,
    GROUP_AZURE_KV,
    GROUP_VAULT,
    GROUP_AGE,
    CONTEXT,
];

// `exec-env`, `exec-file`
pub(super) const BACKGROUND: Flag = Flag::switch(&["background"], "do not wait (deprecated)");
pub(super) const USER: Flag = Flag::text(&["user"], "run the command as this user");
pub(super) const PRISTINE: Flag = Flag::switch(
    &["pristine"],
    "give the command the decrypted values alone, and nothing of our environment",
);
pub(super) const SAME_PROCESS: Flag = Flag::switch(
    &["same-process"],
    "become the command instead of starting it",
);
pub(super) const NO_FIFO: Flag =
    Flag::switch(&["no-fifo"], "use a regular file, and not a named pipe");
pub(super) const FILENAME: Flag = Flag::text(&["filename"], "name of the temporary file");

// `keyservice`
pub(super) const NETWORK: Flag = Flag::text(&["network", "net"], "tcp (default) or unix");
pub(super) const ADDRESS: Flag = Flag::text(
    &["address", "addr"],
    "where to listen: host:port or the path of a socket (default 127.0.0.1:5000)",
);
pub(super) const PROMPT: Flag = Flag::switch(&["prompt"], "ask before every request is answered");

// Of the program alone, before the subcommand.
pub(super) const DECRYPT: Flag = Flag::switch(&["decrypt", "d"], "decrypt the file");
pub(super) const ENCRYPT: Flag = Flag::switch(&["encrypt", "e"], "encrypt the file");
pub(super) const ROTATE: Flag = Flag::switch(
    &["rotate", "r"],
    "encrypt the file anew under a new data key",
);
pub(super) const SET: Flag = Flag::text(
    &["set"],
    "set a part of the file, as '[\"key\"][0] {\"in\": \"JSON\"}'",
);
pub(super) const CONFIG: Flag = Flag::text(
    &["config"],
    "read rules from this file instead of searching .sops.yaml",
)
.variable("SOPS_CONFIG");
pub(super) const INDENT: Flag = Flag::number(
    &["indent"],
    "how far YAML and JSON are indented where they are laid out anew",
);
pub(super) const MAC_ONLY_ENCRYPTED: Flag = Flag::switch(
    &["mac-only-encrypted"],
    "let the checksum cover the encrypted values alone",
);
pub(super) const VERBOSE: Flag = Flag::switch(&["verbose"], "tell more of what is done");
pub(super) const PROGRAM: &[Flag] = &[
    DECRYPT,
    ENCRYPT,
    ROTATE,
    SET,
    CONFIG,
    INDENT,
    MAC_ONLY_ENCRYPTED,
    VERBOSE,
    // Nothing is ever looked up on the network; accepted, because scripts give them.
    Flag::switch(
        &["disable-version-check"],
        "without effect: no version is looked up",
    )
    .variable("SOPS_DISABLE_VERSION_CHECK"),
    Flag::switch(
        &["check-for-updates"],
        "without effect: no version is looked up",
    ),
];
