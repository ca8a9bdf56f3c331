#![allow(clippy::unwrap_used)]

use jiff::Timestamp;

use super::*;

const AGE: Flag = Flag::text(&["age", "a"], "").variable("SOPS_AGE_RECIPIENTS");
const IN_PLACE: Flag = Flag::switch(&["in-place", "i"], "");
const LOCAL: Flag = Flag::switch(&["enable-local-keyservice"], "")
    .on()
    .variable("SOPS_ENABLE_LOCAL_KEYSERVICE");
const SERVICE: Flag = Flag::texts(&["keyservice"], "").variable("SOPS_KEYSERVICE");
const THRESHOLD: Flag = Flag::number(&["shamir-secret-sharing-threshold"], "");
const FLAGS: &[Flag] = &[AGE, IN_PLACE, LOCAL, SERVICE, THRESHOLD];

fn owned(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

fn env(variables: &[(&str, &str)]) -> Env {
    Env::new(variables.iter().copied(), Timestamp::UNIX_EPOCH)
}

fn first(args: &[&str]) -> (Values, Vec<String>) {
    leading(FLAGS, &owned(args), &env(&[])).unwrap()
}

fn all(args: &[&str]) -> (Values, Vec<String>) {
    anywhere(FLAGS, &owned(args), &env(&[])).unwrap()
}

#[test]
fn one_dash_is_as_good_as_two_and_a_value_may_be_joined_or_follow() {
    for args in [
        ["-age", "x"].as_slice(),
        &["--age", "x"],
        &["-age=x"],
        &["--age=x"],
        &["-a", "x"],
        &["--a=x"],
        &["-a", "y", "-a", "x"],
    ] {
        assert_eq!(first(args).0.text(&AGE), Some("x"), "{args:?}");
    }
    assert_eq!(first(&["--age", "-i"]).0.text(&AGE), Some("-i"));
    assert_eq!(first(&["--age="]).0.text(&AGE), None);
}

#[test]
fn a_switch_takes_a_value_only_after_an_equals_sign() {
    assert!(first(&["-i"]).0.is_on(&IN_PLACE));
    assert!(!first(&["-i=false"]).0.is_on(&IN_PLACE));
    let (values, rest) = first(&["-i", "false"]);
    assert!(values.is_on(&IN_PLACE));
    assert_eq!(rest, ["false"]);
    assert!(first(&[]).0.is_on(&LOCAL));
    assert!(!first(&["--enable-local-keyservice=0"]).0.is_on(&LOCAL));
}

#[test]
fn flags_of_the_program_end_at_the_first_positional_argument() {
    let (values, rest) = first(&["-i", "file", "--age", "x"]);
    assert!(values.is_on(&IN_PLACE));
    assert_eq!(values.text(&AGE), None);
    assert_eq!(rest, ["file", "--age", "x"]);
    assert_eq!(first(&["--", "-i"]).1, ["-i"]);
    assert_eq!(first(&["-", "-i"]).1, ["-", "-i"]);
}

#[test]
fn flags_of_a_subcommand_may_follow_positional_arguments_up_to_two_dashes() {
    let (values, rest) = all(&["file", "--age", "x", "more", "-i", "last"]);
    assert_eq!(values.text(&AGE), Some("x"));
    assert!(values.is_on(&IN_PLACE));
    assert_eq!(rest, ["file", "more", "last"]);
    let (values, rest) = all(&["file", "--", "-i"]);
    assert!(!values.is_on(&IN_PLACE));
    assert_eq!(rest, ["file", "-i"]);
    assert_eq!(all(&["file", "--nosuch"]).1, ["file", "--nosuch"]);
}

#[test]
fn lists_grow_and_replace_those_of_the_environment() {
    let (values, _) = first(&["--keyservice", "tcp://a", "--keyservice=tcp://b"]);
    assert_eq!(values.texts(&SERVICE), ["tcp://a", "tcp://b"]);
    let variables = env(&[("SOPS_KEYSERVICE", "tcp://a, tcp://b")]);
    let (values, _) = leading(FLAGS, &[], &variables).unwrap();
    assert_eq!(values.texts(&SERVICE), ["tcp://a", "tcp://b"]);
    let (values, _) = leading(FLAGS, &owned(&["--keyservice=c"]), &variables).unwrap();
    assert_eq!(values.texts(&SERVICE), ["c"]);
}

#[test]
fn the_environment_gives_what_the_command_line_does_not() {
    let variables = env(&[
        ("SOPS_AGE_RECIPIENTS", "from-env"),
        ("SOPS_ENABLE_LOCAL_KEYSERVICE", "false"),
    ]);
    let (values, _) = leading(FLAGS, &[], &variables).unwrap();
    assert_eq!(values.text(&AGE), Some("from-env"));
    assert!(!values.is_on(&LOCAL));
    let (values, _) = leading(FLAGS, &owned(&["-a", "x"]), &variables).unwrap();
    assert_eq!(values.text(&AGE), Some("x"));
}

#[test]
fn what_is_not_understood_is_told_in_the_words_of_go() {
    for (args, message) in [
        (
            ["--nosuch"].as_slice(),
            "flag provided but not defined: -nosuch",
        ),
        (&["--age"], "flag needs an argument: -age"),
        (&["-a"], "flag needs an argument: -a"),
        (&["--=x"], "bad flag syntax: --=x"),
        (&["---x"], "bad flag syntax: ---x"),
        (
            &["-i=maybe"],
            "invalid boolean value \"maybe\" for -i: parse error",
        ),
        (
            &["--shamir-secret-sharing-threshold", "two"],
            "invalid value \"two\" for flag -shamir-secret-sharing-threshold: parse error",
        ),
        (
            &["-a", "x", "--age", "y"],
            "Cannot use two forms of the same flag: a age",
        ),
    ] {
        for read in [leading, anywhere] {
            let error = read(FLAGS, &owned(args), &env(&[])).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
    let variables = env(&[("SOPS_ENABLE_LOCAL_KEYSERVICE", "maybe")]);
    let error = leading(FLAGS, &[], &variables).unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not parse maybe as bool value for flag enable-local-keyservice: \
         strconv.ParseBool: parsing \"maybe\": invalid syntax"
    );
}
