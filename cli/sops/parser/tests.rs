#![allow(clippy::unwrap_used)]

use jiff::Timestamp;

use super::super::flags::{AGE, CONFIG, EXTRACT, IN_PLACE, INDENT, YES};
use super::*;

fn parse_with(args: &[&str], variables: &[(&str, &str)]) -> Result<Parsed, Misunderstood> {
    let env = Env::new(variables.iter().copied(), Timestamp::UNIX_EPOCH);
    let args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
    parse(&args, &env)
}

/// The command that is called and its positional arguments, or what else is done.
fn told(args: &[&str]) -> String {
    let name = |topic: &Topic| match topic.group {
        Some(group) => format!("{} {}", group.name, topic.command.name),
        None => topic.command.name.to_owned(),
    };
    match parse_with(args, &[]) {
        Ok(Parsed::Run(command, found)) => format!("{} {}", command.name, found.words.join(" "))
            .trim_end()
            .to_owned(),
        Ok(Parsed::Help(topic)) => format!("help of `{}`", name(&topic)),
        Ok(Parsed::Version) => "version".to_owned(),
        Ok(Parsed::NoTopic(word)) => format!("no topic {word}"),
        Err(wrong) => format!("{} in `{}`", wrong.error, name(&wrong.topic)),
    }
}

#[test]
fn a_word_calls_a_command_or_names_a_file_to_edit() {
    for (args, expected) in [
        ([].as_slice(), ""),
        (&["secrets.yaml"], " secrets.yaml"),
        (&["-d", "secrets.yaml"], " secrets.yaml"),
        (&["edti", "secrets.yaml"], " edti secrets.yaml"),
        (&["decrypt", "secrets.yaml"], "decrypt secrets.yaml"),
        (&["decrypt", "secrets.yaml", "-i"], "decrypt secrets.yaml"),
        (&["--config", "x", "decrypt"], "decrypt"),
        (&["secrets.yaml", "-i"], " secrets.yaml -i"),
        (&["decrypt", "help"], "decrypt help"),
        (&["groups", "delete", "0"], "delete 0"),
        (&["completion", "zsh"], "zsh"),
        (
            &["set", "f", "[\"a\"]", "1", "--idempotent"],
            "set f [\"a\"] 1",
        ),
        (&["exec-env", "f", "echo -i"], "exec-env f echo -i"),
        (&["decrypt", "--", "-x"], "decrypt -x"),
    ] {
        assert_eq!(told(args), expected, "{args:?}");
    }
}

#[test]
fn help_and_version_are_asked_for_in_many_ways() {
    for (args, expected) in [
        (["--help"].as_slice(), "help of ``"),
        (&["-h", "decrypt"], "help of ``"),
        (&["help"], "help of ``"),
        (&["help", "decrypt"], "help of `decrypt`"),
        (&["h", "groups", "add"], "help of `groups`"),
        (&["decrypt", "-h"], "help of `decrypt`"),
        (&["groups"], "help of `groups`"),
        (&["groups", "help", "add"], "help of `groups add`"),
        (&["groups", "add", "--help"], "help of `groups add`"),
        (&["help", "nosuch"], "no topic nosuch"),
        (&["completion", "fish"], "no topic fish"),
        (&["--version"], "version"),
        (&["-v", "decrypt"], "version"),
    ] {
        assert_eq!(told(args), expected, "{args:?}");
    }
}

#[test]
fn a_flag_of_the_program_stands_before_the_command_and_one_of_the_command_after_it() {
    let args = ["-i", "--indent", "2", "decrypt", "--extract", "x", "f"];
    let Parsed::Run(_, found) = parse_with(&args, &[("SOPS_CONFIG", "rules")]).unwrap() else {
        unreachable!("the command is run");
    };
    assert!(found.program.is_on(&IN_PLACE));
    assert!(!found.flags.is_on(&IN_PLACE));
    assert_eq!(found.program.number(&INDENT), Some(2));
    assert_eq!(found.program.text(&CONFIG), Some("rules"));
    assert_eq!(found.flags.text(&EXTRACT), Some("x"));
    assert_eq!(found.words, ["f"]);
    for (args, expected) in [
        (
            ["decrypt", "--config", "x", "f"].as_slice(),
            "flag provided but not defined: -config in `decrypt`",
        ),
        (
            &["--yes", "updatekeys"],
            "flag provided but not defined: -yes in ``",
        ),
        (
            &["groups", "add", "--nosuch"],
            "flag provided but not defined: -nosuch in `groups add`",
        ),
    ] {
        assert_eq!(told(args), expected);
    }
}

#[test]
fn without_a_command_the_flags_are_those_of_the_program() {
    let Parsed::Run(command, found) = parse_with(&["-a", "x", "-e", "f"], &[]).unwrap() else {
        unreachable!("the file is encrypted");
    };
    assert_eq!(command.name, "");
    assert_eq!(found.flags.text(&AGE), Some("x"));
    assert!(!found.flags.is_on(&YES));
}
