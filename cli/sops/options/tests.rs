#![allow(clippy::unwrap_used)]

use std::io;
use std::path::Path;

use jiff::Timestamp;

use super::super::parser::{self, Parsed};
use super::*;
use crate::{ExitStatus, Terminals, Ui};

fn context() -> Context {
    let env = Env::new([("HOME", "/home/user")], Timestamp::UNIX_EPOCH);
    Context {
        env: env.in_folder(Path::new("/work")),
        ui: Ui::new(io::empty(), io::sink(), io::sink(), Terminals::default()),
    }
}

fn arguments(args: &[&str]) -> Arguments {
    let args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
    match parser::parse(&args, &context().env) {
        Ok(Parsed::Run(_, arguments)) => arguments,
        _ => unreachable!("a command is called"),
    }
}

#[test]
fn input_output_and_name_come_from_the_command_line() {
    let place = |args: &[&str]| Place::with_stdin(&arguments(args), &mut context()).unwrap();
    let file = |name: &str| Some(PathBuf::from(name));
    let found = place(&["decrypt", "a.yaml"]);
    assert_eq!((found.file, found.output), (file("/work/a.yaml"), None));
    let found = place(&["decrypt", "-i", "a.yaml"]);
    assert_eq!(found.output, file("/work/a.yaml"));
    let found = place(&["decrypt", "--output", "b.yaml", "sub/../a.yaml"]);
    assert_eq!(
        (found.file, found.output),
        (file("/work/a.yaml"), file("/work/b.yaml"))
    );
    let found = place(&["decrypt", "--filename-override", "b.yaml"]);
    assert_eq!(
        (found.file, found.name),
        (None, PathBuf::from("/work/b.yaml"))
    );
}

#[test]
fn what_contradicts_itself_ends_with_its_number() {
    let status = |args: &[&str]| {
        let place = Place::with_stdin(&arguments(args), &mut context());
        place.unwrap_err().status
    };
    for args in [
        ["decrypt", "-i"].as_slice(),
        &["decrypt", "-i", "--output", "x", "a.yaml"],
    ] {
        assert_eq!(status(args), ExitStatus::Code(codes::CONFLICT), "{args:?}");
    }
    let missing = Place::of_file(&arguments(&["rotate"]), &mut context()).unwrap_err();
    assert_eq!(missing.status, ExitStatus::Code(codes::NO_FILE));
    let twice = arguments(&["decrypt", "--decryption-order", "age,age"]);
    let refused = order(&twice.flags).unwrap_err();
    assert_eq!(refused.status, ExitStatus::Code(codes::DUPLICATE_ORDER));
    let context = arguments(&["encrypt", "--encryption-context", "none"]);
    let refused = keys(&context.flags).unwrap_err();
    assert_eq!(refused.status, ExitStatus::Code(codes::BAD_CONTEXT));
}

#[test]
fn formats_are_told_by_flags_and_else_by_the_name() {
    let of = |args: &[&str], name: &str| formats(&arguments(args).flags, Path::new(name));
    let (yaml, json) = (FileFormat::Yaml, FileFormat::Json);
    assert_eq!(of(&["decrypt"], "a.yaml"), (yaml, yaml));
    assert_eq!(
        of(&["decrypt", "--output-type", "json"], "a.yaml"),
        (yaml, json)
    );
    assert_eq!(
        of(&["decrypt", "--input-type", "nosuch"], "a.yaml"),
        (yaml, yaml)
    );
    // As with the peer, the output does not follow the flag of the input.
    assert_eq!(
        of(&["decrypt", "--input-type", "yaml"], "a.txt"),
        (yaml, FileFormat::Binary)
    );
}

#[test]
fn keys_come_in_the_order_of_a_file() {
    let found = arguments(&[
        "encrypt",
        "--age",
        "age1x,age1y",
        "--pgp",
        "AB CD",
        "a.yaml",
    ]);
    let keys = keys(&found.flags).unwrap();
    let told: Vec<_> = keys.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["ABCD", "age1x", "age1y"]);
}

#[test]
fn there_is_one_way_to_say_what_is_encrypted() {
    let of = |args: &[&str]| selector(&arguments(args).flags);
    let found = of(&["encrypt", "--encrypted-regex", "^a$", "f"]).unwrap();
    assert_eq!(found, Some(SelectorSpec::EncryptedRegex("^a$".to_owned())));
    assert_eq!(of(&["encrypt", "f"]).unwrap(), None);
    let args = [
        "encrypt",
        "--encrypted-regex",
        "a",
        "--encrypted-suffix",
        "b",
        "f",
    ];
    let refused = of(&args).unwrap_err();
    assert_eq!(refused.status, ExitStatus::Code(codes::CONFLICT));
}

#[test]
fn an_indentation_lays_the_output_out_anew() {
    assert_eq!(layout(&arguments(&["decrypt", "f"])).unwrap(), Layout::Kept);
    let found = layout(&arguments(&["--indent", "2", "decrypt", "f"])).unwrap();
    assert_eq!(found, Layout::Sops { indent: Some(2) });
    let found = layout(&arguments(&["decrypt", "--layout", "sops", "f"])).unwrap();
    assert_eq!(found, Layout::Sops { indent: None });
    assert!(layout(&arguments(&["decrypt", "--layout", "x", "f"])).is_err());
}
