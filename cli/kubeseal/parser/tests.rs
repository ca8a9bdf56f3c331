#![allow(clippy::unwrap_used, clippy::panic)]

use jiff::Timestamp;
use signet_keys::sealed::Scope;

use super::*;

fn run(args: &[&str], variables: &[(&str, &str)]) -> Result<Parsed, UsageError> {
    let env = Env::new(variables.iter().copied(), Timestamp::UNIX_EPOCH);
    parse(args.iter().map(OsString::from), &env)
}

fn options(args: &[&str]) -> Box<Options> {
    options_with(args, &[])
}

fn options_with(args: &[&str], variables: &[(&str, &str)]) -> Box<Options> {
    match run(args, variables).unwrap() {
        Parsed::Run(options, _) => options,
        Parsed::Usage => panic!("asks for the usage"),
    }
}

fn refused(args: &[&str]) -> String {
    run(args, &[]).unwrap_err().to_string()
}

#[test]
fn a_value_may_be_joined_or_follow() {
    for args in [
        &["-o", "yaml"][..],
        &["-oyaml"],
        &["-o=yaml"],
        &["--format", "yaml"],
        &["--format=yaml"],
        &["-o", "json", "-o", "yaml"],
    ] {
        assert_eq!(options(args).format.as_deref(), Some("yaml"), "{args:?}");
    }
    assert_eq!(options(&["-f", "--raw"]).secret_file, "--raw");
    assert_eq!(options(&["--cert", "--"]).cert, "--");
}

#[test]
fn a_switch_takes_a_value_only_after_an_equals_sign() {
    assert!(options(&["--raw"]).raw);
    assert!(!options(&["--raw", "--raw=false"]).raw);
    assert!(options(&["--raw", "false"]).raw, "`false` is positional");
}

#[test]
fn positional_arguments_are_ignored_and_flags_end_after_two_dashes() {
    let found = options(&["secret.yaml", "-", "--raw", "--", "--validate"]);
    assert!(found.raw);
    assert!(!found.validate);
}

#[test]
fn lists_grow_and_texts_are_replaced() {
    let found = options(&[
        "--recovery-private-key=a,b",
        "--recovery-private-key",
        "c",
        "--name=x",
        "--name=y",
    ]);
    assert_eq!(found.recovery_private_keys, ["a", "b", "c"]);
    assert_eq!(found.name, "y");
    let groups = options(&["--as-group=a,b", "--as-group=c"]);
    assert_eq!(groups.connection.impersonate_groups, ["a,b", "c"]);
}

#[test]
fn the_environment_sets_what_the_command_line_does_not() {
    let variables = [
        ("SEALED_SECRETS_CONTROLLER_NAME", "from-env"),
        ("SEALED_SECRETS_CERT", "env.pem"),
        ("SEALED_SECRETS_SCOPE", "nonsense"),
        ("SEALED_SECRETS_RAW", "1"),
    ];
    let found = options_with(&["--cert", "arg.pem"], &variables);
    assert_eq!(found.controller.name, "from-env");
    assert_eq!(found.cert, "arg.pem");
    assert_eq!(
        found.scope, None,
        "a value that does not fit is passed over"
    );
    assert!(found.raw);
}

#[test]
fn what_is_not_understood_is_told_in_the_words_of_pflag() {
    for (args, message) in [
        (&["--nosuch"][..], "unknown flag: --nosuch"),
        (&["-Z"], "unknown shorthand flag: 'Z' in -Z"),
        (&["--cert"], "flag needs an argument: --cert"),
        (&["-f"], "flag needs an argument: 'f' in -f"),
        (&["--=x"], "bad flag syntax: --=x"),
        (&["---x"], "bad flag syntax: ---x"),
        (
            &["--raw=maybe"],
            "invalid argument \"maybe\" for \"--raw\" flag: \
             strconv.ParseBool: parsing \"maybe\": invalid syntax",
        ),
        (
            &["--scope", "wide"],
            "invalid argument \"wide\" for \"--scope\" flag: \
             must be one of: strict, namespace-wide, cluster-wide",
        ),
        (
            &["-vx"],
            "invalid argument \"x\" for \"-v, --v\" flag: \
             strconv.ParseInt: parsing \"x\": invalid syntax",
        ),
    ] {
        assert_eq!(refused(args), message);
    }
}

#[test]
fn scopes_are_told_apart_from_no_scope() {
    assert_eq!(options(&[]).scope, None);
    assert_eq!(options(&["--scope="]).scope, Some(Scope::Strict));
    assert_eq!(
        options(&["--scope=cluster-wide"]).scope,
        Some(Scope::ClusterWide)
    );
}

#[test]
fn deprecated_flags_work_and_are_named() {
    let Parsed::Run(options, deprecated) = run(&["--rotate"], &[]).unwrap() else {
        panic!("asks for the usage");
    };
    assert!(options.re_encrypt);
    assert_eq!(deprecated.len(), 1);
    assert_eq!(deprecated[0].name, "rotate");
}

#[test]
fn the_letter_h_asks_for_the_usage() {
    assert!(matches!(run(&["-h"], &[]).unwrap(), Parsed::Usage));
}

#[test]
fn credentials_do_not_show_in_debug_output() {
    let found = run(&["--token=t0k3n", "--password=p4ss"], &[]);
    let found = format!("{found:?}");
    assert!(
        !found.contains("t0k3n") && !found.contains("p4ss"),
        "{found}"
    );
}
