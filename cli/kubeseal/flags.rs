//! The flags of `kubeseal` as a table: the one place to look for what it accepts.
//!
//! Three groups, as in the peer: its own flags, those with which every client of Kubernetes
//! overrides its kubeconfig, and those of the logging library, which have no effect here but must
//! not be refused.

use std::path::PathBuf;
use std::time::Duration;

use signet_keys::sealed::Scope;

use super::options::Options;

/// One flag.
#[derive(Debug)]
pub(super) struct Flag {
    /// Name after `--`.
    pub(super) name: &'static str,
    /// Letter after `-`.
    pub(super) shorthand: Option<char>,
    /// The value that it takes, and where that goes.
    pub(super) takes: Takes,
    /// Which list of the usage it stands in.
    pub(super) group: Group,
    /// What it does.
    pub(super) help: &'static str,
}

/// The kind of value of a flag.
#[derive(Debug)]
pub(super) enum Takes {
    /// Nothing, or `=true` or `=false`.
    Switch(fn(&mut Options, bool)),
    /// One text; the last one counts.
    Text(fn(&mut Options, String)),
    /// Texts, separated by commas or by repeating the flag.
    List(fn(&mut Options, Vec<String>)),
    /// Texts, by repeating the flag alone.
    Repeated(fn(&mut Options, String)),
    /// A time such as `1s` or `2m`; none for zero.
    Duration(fn(&mut Options, Option<Duration>)),
    /// A sealing scope.
    Scope(fn(&mut Options, Scope)),
    /// Checked, and then without effect.
    Ignored(LogValue),
}

/// The values that flags of the logging library take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogValue {
    /// As [`Takes::Switch`].
    Switch,
    /// Anything.
    Text,
    /// A number that fits 32 bits.
    Level,
    /// A number, or the name of a severity.
    Severity,
    /// `file.go:234`
    TraceLocation,
    /// A number that is not negative.
    Size,
    /// `pattern=N,…`
    Modules,
}

/// Lists of the usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// The peer's own flags.
    Own,
    /// Overrides of the kubeconfig.
    Cluster,
    /// The logging library's.
    Logging,
    /// Old names: accepted, told about, not listed.
    Deprecated {
        /// The flag to use instead.
        instead: &'static str,
    },
}

impl Flag {
    const fn own(name: &'static str, takes: Takes, help: &'static str) -> Self {
        Self::new(Group::Own, name, takes, help)
    }

    const fn cluster(name: &'static str, takes: Takes, help: &'static str) -> Self {
        Self::new(Group::Cluster, name, takes, help)
    }

    const fn logging(name: &'static str, value: LogValue) -> Self {
        Self::new(Group::Logging, name, Takes::Ignored(value), "")
    }

    const fn new(group: Group, name: &'static str, takes: Takes, help: &'static str) -> Self {
        Self {
            name,
            shorthand: None,
            takes,
            group,
            help,
        }
    }

    const fn short(self, shorthand: char) -> Self {
        Self {
            shorthand: Some(shorthand),
            ..self
        }
    }

    /// Whether the flag may stand without a value.
    pub(super) fn is_switch(&self) -> bool {
        matches!(
            self.takes,
            Takes::Switch(_) | Takes::Ignored(LogValue::Switch)
        )
    }

    /// The environment variable that sets it; the logging library's have none.
    pub(super) fn variable(&self) -> Option<String> {
        (self.group != Group::Logging).then(|| {
            let name = self.name.to_ascii_uppercase().replace('-', "_");
            format!("SEALED_SECRETS_{name}")
        })
    }
}

/// An empty value is as good as none.
fn given(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The flag of a name.
pub(super) fn by_name(name: &str) -> Option<&'static Flag> {
    FLAGS.iter().find(|flag| flag.name == name)
}

/// The flag of a letter.
pub(super) fn by_shorthand(letter: char) -> Option<&'static Flag> {
    FLAGS.iter().find(|flag| flag.shorthand == Some(letter))
}

pub(super) const FLAGS: &[Flag] = &[
    // Input and output
    Flag::own(
        "secret-file",
        Takes::Text(|o, path| o.secret_file = path),
        "Read from this file instead of standard input",
    )
    .short('f'),
    Flag::own(
        "sealed-secret-file",
        Takes::Text(|o, path| o.sealed_secret_file = path),
        "Write to this file instead of standard output; .yaml and .yml choose YAML",
    )
    .short('w'),
    Flag::own(
        "format",
        Takes::Text(|o, format| o.format = Some(format)),
        "Write json or yaml (default json)",
    )
    .short('o'),
    // Sealing
    Flag::own(
        "cert",
        Takes::Text(|o, cert| o.cert = cert),
        "Seal for this certificate: a file or URL; without it the controller is asked",
    ),
    Flag::own(
        "scope",
        Takes::Scope(|o, scope| o.scope = Some(scope)),
        "Where the result may be opened: strict, namespace-wide or cluster-wide (default strict, \
         or what the annotations of the Secret say)",
    ),
    Flag::own(
        "name",
        Takes::Text(|o, name| o.name = name),
        "Name of the Secret, instead of the one in the input; needed with --raw and scope strict",
    ),
    Flag::own(
        "allow-empty-data",
        Takes::Switch(|o, on| o.allow_empty_data = on),
        "Accept a Secret without any item",
    ),
    Flag::own(
        "merge-into",
        Takes::Text(|o, path| o.merge_into = path),
        "Put the sealed items into this existing file",
    ),
    Flag::own(
        "raw",
        Takes::Switch(|o, on| o.raw = on),
        "Seal one value, from --from-file or standard input, and print it as base64",
    ),
    Flag::own(
        "from-file",
        Takes::List(|o, files| o.from_file.extend(files)),
        "With --raw: the file of the value, also as key=path",
    ),
    // The controller
    Flag::own(
        "fetch-cert",
        Takes::Switch(|o, on| o.fetch_cert = on),
        "Print the certificate that would be used",
    ),
    Flag::own(
        "validate",
        Takes::Switch(|o, on| o.validate = on),
        "Ask the controller whether it can open the sealed input",
    ),
    Flag::own(
        "re-encrypt",
        Takes::Switch(|o, on| o.re_encrypt = on),
        "Ask the controller to seal the sealed input again, to its newest key; replaces the file \
         given with -f unless -w is given",
    ),
    Flag {
        name: "rotate",
        shorthand: None,
        takes: Takes::Switch(|o, on| o.re_encrypt = on),
        group: Group::Deprecated {
            instead: "--re-encrypt",
        },
        help: "",
    },
    Flag::own(
        "controller-name",
        Takes::Text(|o, name| o.controller.name = name),
        "Service of the controller (default sealed-secrets-controller)",
    ),
    Flag::own(
        "controller-namespace",
        Takes::Text(|o, namespace| o.controller.namespace = namespace),
        "Namespace of the controller (default kube-system)",
    ),
    // Recovery
    Flag::own(
        "recovery-unseal",
        Takes::Switch(|o, on| o.recovery_unseal = on),
        "Open the sealed input with the private keys given; needs no cluster",
    ),
    Flag::own(
        "recovery-private-key",
        Takes::List(|o, files| o.recovery_private_keys.extend(files)),
        "File with a private key: PEM, or a backup of the controller's key Secrets in YAML or JSON",
    ),
    // The program
    Flag::own(
        "help",
        Takes::Switch(|o, on| o.help = on),
        "Print this text",
    ),
    Flag::own(
        "version",
        Takes::Switch(|o, on| o.version = on),
        "Print the version",
    ),
    // Overrides of the kubeconfig
    Flag::cluster(
        "kubeconfig",
        Takes::Text(|o, path| o.connection.kubeconfig = given(path).map(PathBuf::from)),
        "Read this kubeconfig",
    ),
    Flag::cluster(
        "context",
        Takes::Text(|o, context| o.connection.context = given(context)),
        "Use this context",
    ),
    Flag::cluster(
        "namespace",
        Takes::Text(|o, namespace| o.namespace = namespace),
        "Use this namespace",
    )
    .short('n'),
    Flag::cluster(
        "cluster",
        Takes::Text(|o, cluster| o.connection.cluster = given(cluster)),
        "Use this cluster of the kubeconfig",
    ),
    Flag::cluster(
        "user",
        Takes::Text(|o, user| o.connection.user = given(user)),
        "Use this user of the kubeconfig",
    ),
    Flag::cluster(
        "server",
        Takes::Text(|o, server| o.connection.server = given(server)),
        "Address of the API server",
    ),
    Flag::cluster(
        "tls-server-name",
        Takes::Text(|o, name| o.connection.tls_server_name = given(name)),
        "Name that the API server's certificate must have",
    ),
    Flag::cluster(
        "certificate-authority",
        Takes::Text(|o, path| o.connection.certificate_authority = given(path).map(PathBuf::from)),
        "File with the certificates that the API server's must be signed by",
    ),
    Flag::cluster(
        "insecure-skip-tls-verify",
        Takes::Switch(|o, on| o.connection.danger_skip_tls_verify = on),
        "Do not check the API server's certificate",
    ),
    Flag::cluster(
        "client-certificate",
        Takes::Text(|o, path| o.connection.client_certificate = given(path).map(PathBuf::from)),
        "File with the certificate to authenticate with",
    ),
    Flag::cluster(
        "client-key",
        Takes::Text(|o, path| o.connection.client_key = given(path).map(PathBuf::from)),
        "File with the key to authenticate with",
    ),
    Flag::cluster(
        "token",
        Takes::Text(|o, token| o.connection.token = given(token)),
        "Token to authenticate with",
    ),
    Flag::cluster(
        "username",
        Takes::Text(|o, name| o.connection.username = given(name)),
        "Name for basic authentication",
    ),
    Flag::cluster(
        "password",
        Takes::Text(|o, password| o.connection.password = given(password)),
        "Password for basic authentication",
    ),
    Flag::cluster(
        "as",
        Takes::Text(|o, user| o.connection.impersonate = given(user)),
        "Act as this user",
    ),
    Flag::cluster(
        "as-group",
        Takes::Repeated(|o, group| o.connection.impersonate_groups.push(group)),
        "Act as a member of this group; may be repeated",
    ),
    Flag::cluster(
        "as-uid",
        Takes::Text(|o, uid| o.connection.impersonate_uid = given(uid)),
        "Act as the user of this UID",
    ),
    Flag::cluster(
        "proxy-url",
        Takes::Text(|o, url| o.connection.proxy_url = given(url)),
        "Proxy on the way to the API server",
    ),
    Flag::cluster(
        "request-timeout",
        Takes::Duration(|o, timeout| o.connection.timeout = timeout),
        "Give up on a request after this time, such as 1s or 2m; 0 waits (default 0)",
    ),
    Flag::cluster(
        "disable-compression",
        Takes::Ignored(LogValue::Switch),
        "Without effect: compressed responses are never asked for",
    ),
    // The logging library's
    Flag::logging("add_dir_header", LogValue::Switch),
    Flag::logging("alsologtostderr", LogValue::Switch),
    Flag::logging("alsologtostderrthreshold", LogValue::Severity),
    Flag::logging("legacy_stderr_threshold_behavior", LogValue::Switch),
    Flag::logging("log_backtrace_at", LogValue::TraceLocation),
    Flag::logging("log_dir", LogValue::Text),
    Flag::logging("log_file", LogValue::Text),
    Flag::logging("log_file_max_size", LogValue::Size),
    Flag::logging("logtostderr", LogValue::Switch),
    Flag::logging("one_output", LogValue::Switch),
    Flag::logging("skip_headers", LogValue::Switch),
    Flag::logging("skip_log_headers", LogValue::Switch),
    Flag::logging("stderrthreshold", LogValue::Severity),
    Flag::logging("v", LogValue::Level).short('v'),
    Flag::logging("vmodule", LogValue::Modules),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_and_letter_stands_once() {
        let names: BTreeSet<_> = FLAGS.iter().map(|flag| flag.name).collect();
        assert_eq!(names.len(), FLAGS.len());
        let letters: Vec<_> = FLAGS.iter().filter_map(|flag| flag.shorthand).collect();
        assert_eq!(letters, ['f', 'w', 'o', 'n', 'v']);
    }

    #[test]
    fn a_variable_is_the_flag_in_capitals_and_logging_flags_have_none() {
        let variable = |name| by_name(name).and_then(Flag::variable);
        assert_eq!(
            variable("controller-namespace").as_deref(),
            Some("SEALED_SECRETS_CONTROLLER_NAMESPACE")
        );
        assert_eq!(variable("v"), None);
    }
}
