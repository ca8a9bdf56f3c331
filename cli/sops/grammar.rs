//! The commands of `sops` and which flags they take.

use super::commands::{
    completion, decrypt, edit, encrypt, exec_env, exec_file, filestatus, groups, keyservice,
    legacy, publish, rotate, set, unset, updatekeys,
};
use super::flags::{
    self, ADDRESS, BACKGROUND, CONTEXT, EXTRACT, FILENAME, GROUP_FILE, GROUP_IN_PLACE, HELP,
    IDEMPOTENT, IGNORE_MAC, INPUT_TYPE, NETWORK, NO_FIFO, OMIT_EXTENSIONS, ORDER, OUTPUT_TYPE,
    PRISTINE, PROMPT, RECURSIVE, SAME_PROCESS, SHOW_MASTER_KEYS, THRESHOLD, USER, VALUE_FILE,
    VALUE_STDIN, VERBOSE, VERSION, YES,
};
use super::go_flags::Flag;
use super::parser::Arguments;
use crate::{Context, ExitStatus, Failure};

/// One command, or a group of them.
#[derive(Debug)]
pub(super) struct Command {
    /// The word that calls it; empty for the program itself.
    pub(super) name: &'static str,
    /// What it does, in one line.
    pub(super) about: &'static str,
    /// Its positional arguments, as its usage shows them.
    pub(super) usage: &'static str,
    /// Its flags, in groups.
    pub(super) flags: &'static [&'static [Flag]],
    /// What it is.
    pub(super) action: Action,
}

/// What becomes of a command.
#[derive(Debug)]
pub(super) enum Action {
    /// It is run.
    Run(fn(&Arguments, &mut Context) -> Result<ExitStatus, Failure>),
    /// Its first argument names one of these.
    Group(&'static [Command]),
}

impl Command {
    /// All flags.
    pub(super) fn all_flags(&self) -> Vec<Flag> {
        self.flags.iter().copied().flatten().copied().collect()
    }

    /// The command of a group that a word calls.
    pub(super) fn subcommand(&self, word: &str) -> Option<&'static Command> {
        match self.action {
            Action::Group(commands) => find(commands, word),
            Action::Run(_) => None,
        }
    }
}

/// The command that a word calls.
pub(super) fn find(commands: &'static [Command], word: &str) -> Option<&'static Command> {
    commands.iter().find(|command| command.name == word)
}

/// The program without a subcommand: what it did before it had any.
pub(super) const PROGRAM: Command = Command {
    name: "",
    about: "edit, decrypt or encrypt a file",
    usage: "[file]",
    flags: &[
        flags::PROGRAM,
        flags::PLACE,
        flags::TYPES,
        flags::KEYS,
        flags::SELECTORS,
        flags::COMMENT_SELECTORS,
        flags::CHANGES,
        &[EXTRACT, IGNORE_MAC, SHOW_MASTER_KEYS, ORDER],
        flags::SERVICES,
        &[HELP, VERSION],
    ],
    action: Action::Run(legacy::run),
};

/// The subcommands, in the order of the usage.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "encrypt",
        about: "encrypt a file, or standard input",
        usage: "[file]",
        flags: &[
            flags::PLACE,
            flags::KEYS,
            flags::TYPES,
            flags::SELECTORS,
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(encrypt::run),
    },
    Command {
        name: "decrypt",
        about: "decrypt a file, or standard input",
        usage: "[file]",
        flags: &[
            flags::PLACE,
            &[EXTRACT],
            flags::TYPES,
            &[IGNORE_MAC, ORDER],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(decrypt::run),
    },
    Command {
        name: "edit",
        about: "edit an encrypted file",
        usage: "file",
        flags: &[
            flags::KEYS,
            flags::TYPES,
            flags::SELECTORS,
            &[SHOW_MASTER_KEYS, IGNORE_MAC, ORDER],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(edit::run),
    },
    Command {
        name: "set",
        about: "set one part of an encrypted file; the value is JSON",
        usage: "file index [value]",
        flags: &[
            flags::TYPES,
            &[
                VALUE_FILE,
                VALUE_STDIN,
                THRESHOLD,
                IGNORE_MAC,
                ORDER,
                IDEMPOTENT,
            ],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(set::run),
    },
    Command {
        name: "unset",
        about: "remove one part of an encrypted file",
        usage: "file index",
        flags: &[
            flags::TYPES,
            &[THRESHOLD, IGNORE_MAC, ORDER, IDEMPOTENT],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(unset::run),
    },
    Command {
        name: "rotate",
        about: "encrypt a file anew under a new data key",
        usage: "file",
        flags: &[
            flags::PLACE,
            flags::TYPES,
            &[CONTEXT],
            flags::CHANGES,
            &[ORDER],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(rotate::run),
    },
    Command {
        name: "updatekeys",
        about: "give files the keys that the rules say",
        usage: "file...",
        flags: &[&[YES, INPUT_TYPE], flags::SERVICES, &[HELP]],
        action: Action::Run(updatekeys::run),
    },
    Command {
        name: "groups",
        about: "add or delete a key group of a file",
        usage: "command",
        flags: &[&[HELP]],
        action: Action::Group(GROUPS),
    },
    Command {
        name: "publish",
        about: "publish a file or folder where the rules say",
        usage: "file",
        flags: &[
            &[YES, OMIT_EXTENSIONS, RECURSIVE, VERBOSE, ORDER],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(publish::run),
    },
    Command {
        name: "exec-env",
        about: "run a command with the decrypted values in its environment",
        usage: "file command",
        flags: &[
            &[BACKGROUND, PRISTINE, USER, SAME_PROCESS, ORDER],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(exec_env::run),
    },
    Command {
        name: "exec-file",
        about: "run a command with the decrypted content as a temporary file, named by {}",
        usage: "file command",
        flags: &[
            &[
                BACKGROUND,
                NO_FIFO,
                USER,
                INPUT_TYPE,
                OUTPUT_TYPE,
                FILENAME,
                ORDER,
            ],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(exec_file::run),
    },
    Command {
        name: "keyservice",
        about: "serve the keys of this machine to others",
        usage: "",
        flags: &[&[NETWORK, ADDRESS, PROMPT, VERBOSE, HELP]],
        action: Action::Run(keyservice::run),
    },
    Command {
        name: "filestatus",
        about: "say whether a file is encrypted",
        usage: "file",
        flags: &[&[INPUT_TYPE, HELP]],
        action: Action::Run(filestatus::run),
    },
    Command {
        name: "completion",
        about: "print a script that completes command lines",
        usage: "bash|zsh",
        flags: &[&[HELP]],
        action: Action::Group(SHELLS),
    },
];

const GROUPS: &[Command] = &[
    Command {
        name: "add",
        about: "add a key group",
        usage: "",
        flags: &[
            &[GROUP_FILE, GROUP_IN_PLACE],
            flags::GROUP_KEYS,
            &[THRESHOLD],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(groups::add),
    },
    Command {
        name: "delete",
        about: "delete the key group of a number, from 0",
        usage: "index",
        flags: &[
            &[GROUP_FILE, GROUP_IN_PLACE, THRESHOLD],
            flags::SERVICES,
            &[HELP],
        ],
        action: Action::Run(groups::delete),
    },
];

const SHELLS: &[Command] = &[
    Command {
        name: "bash",
        about: "for bash: source <(sops completion bash)",
        usage: "",
        flags: &[&[HELP]],
        action: Action::Run(completion::bash),
    },
    Command {
        name: "zsh",
        about: "for zsh: source <(sops completion zsh)",
        usage: "",
        flags: &[&[HELP]],
        action: Action::Run(completion::zsh),
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::flags::FILENAME_OVERRIDE;
    use super::*;

    fn every_command() -> Vec<&'static Command> {
        let mut all: Vec<_> = [&PROGRAM].into_iter().chain(COMMANDS).collect();
        all.extend(GROUPS.iter().chain(SHELLS));
        all
    }

    #[test]
    fn no_name_of_a_flag_stands_twice_in_a_command() {
        for command in every_command() {
            let flags = command.all_flags();
            let names: Vec<_> = flags.iter().flat_map(|flag| flag.names).collect();
            let different: BTreeSet<_> = names.iter().collect();
            assert_eq!(names.len(), different.len(), "{}", command.name);
        }
    }

    #[test]
    fn every_command_can_be_asked_for_help() {
        for command in every_command() {
            assert!(command.all_flags().contains(&HELP), "{}", command.name);
        }
    }

    #[test]
    fn only_encrypt_decrypt_rotate_and_the_program_take_another_name_for_the_file() {
        let takes: Vec<_> = every_command()
            .into_iter()
            .filter(|command| command.all_flags().contains(&FILENAME_OVERRIDE))
            .map(|command| command.name)
            .collect();
        assert_eq!(takes, ["", "encrypt", "decrypt", "rotate"]);
    }
}
