//! Colour, and when it is used.

use crate::Env;

/// What a coloured word means. The word itself says the same.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Error,
    Hint,
    Note,
    Warning,
}

impl Role {
    /// The ANSI "select graphic rendition" parameters.
    fn parameters(self) -> &'static str {
        match self {
            Self::Error => "1;31",
            Self::Hint => "1;36",
            Self::Note => "1;34",
            Self::Warning => "1;33",
        }
    }
}

/// Whether to use colour: a terminal that can, and a user who has not said no
/// (<https://no-color.org>).
pub(super) fn wanted(env: &Env, terminal: bool) -> bool {
    terminal && env.var("NO_COLOR").is_none() && env.var("TERM").is_none_or(|term| term != "dumb")
}

/// The text in the colour of its role, or plain.
pub(super) fn paint(role: Role, text: &str, colour: bool) -> String {
    if colour {
        format!("\x1b[{}m{text}\x1b[0m", role.parameters())
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn no_color_and_dumb_terminals_are_respected() {
        let env =
            |variables: &[(&str, &str)]| Env::new(variables.iter().copied(), Timestamp::UNIX_EPOCH);
        assert!(wanted(&env(&[("TERM", "xterm")]), true));
        assert!(!wanted(&env(&[("TERM", "xterm")]), false));
        assert!(!wanted(&env(&[("TERM", "xterm"), ("NO_COLOR", "1")]), true));
        assert!(!wanted(&env(&[("TERM", "dumb")]), true));
        assert_eq!(paint(Role::Error, "error:", false), "error:");
    }
}
