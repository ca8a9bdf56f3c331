//! Explains commands: usage for people, words for the completion of shells.

use std::fmt::Write as _;

use super::go_flags::{Flag, Kind};
use super::grammar::{Action, COMMANDS, Command};
use super::parser::Topic;

/// What a command does and which flags it takes.
pub(super) fn usage(topic: Topic) -> String {
    let command = topic.command;
    let path = [
        "sops",
        topic.group.map_or("", |group| group.name),
        command.name,
    ];
    let path: Vec<_> = path.into_iter().filter(|part| !part.is_empty()).collect();
    let mut text = format!(
        "NAME:\n   {} - {}\n\nUSAGE:\n   ",
        path.join(" "),
        command.about
    );
    text.push_str(&path.join(" "));
    let flags = command.all_flags();
    if !flags.is_empty() {
        text.push_str(" [flags]");
    }
    if command.name.is_empty() {
        text.push_str(" [file]\n   sops command [flags] [arguments]\n");
    } else {
        // Writing to a String cannot fail.
        let _ = writeln!(text, " {}", command.usage);
    }
    let commands = match command.action {
        Action::Group(commands) => commands,
        Action::Run(_) if command.name.is_empty() => COMMANDS,
        Action::Run(_) => &[],
    };
    if !commands.is_empty() {
        let rows = commands
            .iter()
            .map(|it| (it.name.to_owned(), it.about.to_owned()));
        table(&mut text, "COMMANDS", rows.collect());
    }
    let rows = flags.iter().map(|flag| (signature(flag), told(flag)));
    table(&mut text, "FLAGS", rows.collect());
    text
}

fn table(text: &mut String, title: &str, rows: Vec<(String, String)>) {
    let width = rows.iter().map(|(left, _)| left.len()).max().unwrap_or(0);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{title}:");
    for (left, right) in rows {
        let _ = writeln!(text, "   {left:width$}  {right}");
    }
}

/// `--age value, -a value`
fn signature(flag: &Flag) -> String {
    let value = match flag.kind {
        Kind::Switch(_) => "",
        Kind::Text | Kind::Texts | Kind::Number => " value",
    };
    let names = flag.names.iter().map(|name| {
        let dashes = if name.len() == 1 { "-" } else { "--" };
        format!("{dashes}{name}{value}")
    });
    names.collect::<Vec<_>>().join(", ")
}

fn told(flag: &Flag) -> String {
    match flag.variable {
        Some(variable) => format!("{} [${variable}]", flag.help),
        None => flag.help.to_owned(),
    }
}

/// The words that may follow `args`, one a line; `described` with what they do, for zsh.
///
/// `args` are those after the program's name; the last one is what is being typed if it begins with a
/// dash.
pub(super) fn completions(args: &[String], described: bool) -> String {
    let typed = args.last().filter(|last| last.starts_with('-'));
    let mut command: Option<&'static Command> = None;
    for word in args.iter().filter(|arg| !arg.starts_with('-')) {
        command = match command {
            None => super::grammar::find(COMMANDS, word),
            Some(group) => group.subcommand(word).or(command),
        };
    }
    let words: Vec<(String, &str)> = match (typed, command) {
        (Some(typed), command) => {
            let flags = command.unwrap_or(&super::grammar::PROGRAM).all_flags();
            let long = flags.iter().flat_map(|flag| {
                let names = flag.names.iter().filter(|name| name.len() > 1);
                names.map(|name| (format!("--{name}"), flag.help))
            });
            let wanted = typed.trim_start_matches('-');
            long.filter(|(name, _)| name.trim_start_matches('-').starts_with(wanted))
                .collect()
        }
        (None, None) => named(COMMANDS),
        (None, Some(command)) => match command.action {
            Action::Group(commands) => named(commands),
            Action::Run(_) => Vec::new(),
        },
    };
    words.iter().fold(String::new(), |mut text, (word, about)| {
        // Writing to a String cannot fail.
        let _ = if described {
            writeln!(text, "{word}:{about}")
        } else {
            writeln!(text, "{word}")
        };
        text
    })
}

fn named(commands: &'static [Command]) -> Vec<(String, &'static str)> {
    let names = commands.iter().map(|it| (it.name.to_owned(), it.about));
    let help = [("help".to_owned(), "explain a command")];
    names.chain(help).collect()
}

#[cfg(test)]
mod tests {
    use super::super::grammar::PROGRAM;
    use super::*;

    fn complete(args: &[&str]) -> Vec<String> {
        let args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
        completions(&args, false)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn commands_are_completed_first_and_flags_once_a_dash_is_typed() {
        let commands = complete(&[]);
        assert!(commands.contains(&"decrypt".to_owned()));
        assert!(commands.contains(&"help".to_owned()));
        assert_eq!(complete(&["groups"]), ["add", "delete", "help"]);
        assert_eq!(complete(&["decrypt"]), Vec::<String>::new());
        assert_eq!(complete(&["decrypt", "--ig"]), ["--ignore-mac"]);
        assert_eq!(complete(&["--dec"]), ["--decrypt", "--decryption-order"]);
        assert_eq!(complete(&["groups", "add", "--pg"]), ["--pgp"]);
    }

    #[test]
    fn zsh_is_told_what_each_word_does() {
        let told = completions(&["groups".to_owned()], true);
        assert!(told.starts_with("add:add a key group\n"), "{told}");
    }

    #[test]
    fn the_usage_names_every_flag_with_its_variable() {
        let text = usage(Topic {
            group: None,
            command: &PROGRAM,
        });
        for flag in PROGRAM.all_flags() {
            assert!(text.contains(&format!("--{}", flag.name())), "{flag:?}");
            if let Some(variable) = flag.variable {
                assert!(text.contains(variable), "{variable}");
            }
        }
    }
}
