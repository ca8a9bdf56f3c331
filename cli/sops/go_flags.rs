//! Command lines as Go's `flag` reads them, with what the library around it (`urfave/cli` 1) adds.
//!
//! * `-flag` and `--flag` are the same. `--flag=value` or `--flag value`; the next argument is the
//!   value even if it begins with a dash.
//! * A switch takes a value only after `=`.
//! * Flags end at the first positional argument, and at `--`. In a subcommand they may also follow
//!   positional arguments: the library sorts them to the front.
//! * A flag has several names; only one of them may be used at a time.
//! * The last value counts; lists grow.
//! * A variable of the environment gives the value that the command line does not.

use std::collections::{BTreeMap, VecDeque};

use crate::Env;

/// One flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    /// Names without dashes, the long one first.
    pub(super) names: &'static [&'static str],
    /// The value that it takes.
    pub(super) kind: Kind,
    /// The variable that sets it.
    pub(super) variable: Option<&'static str>,
    /// What it does.
    pub(super) help: &'static str,
}

/// The kind of value of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing, or `=true` or `=false`; what it is when it is not given.
    Switch(bool),
    /// One text.
    Text,
    /// Several texts, by repeating the flag. In the environment they are separated by commas.
    Texts,
    /// A whole number.
    Number,
}

/// The values of flags, from the command line and the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values {
    given: BTreeMap<&'static str, Vec<String>>,
}

/// Why a command line cannot be understood. The texts are Go's.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FlagError {
    #[error("bad flag syntax: {0}")]
    BadSyntax(String),
    #[error("flag needs an argument: -{0}")]
    MissingValue(String),
    #[error("flag provided but not defined: -{0}")]
    Unknown(String),
    #[error("invalid boolean value {value:?} for -{name}: parse error")]
    NotABoolean { name: String, value: String },
    #[error("invalid value {value:?} for flag -{name}: parse error")]
    NotANumber { name: String, value: String },
    #[error("Cannot use two forms of the same flag: {0} {1}")]
    TwoForms(&'static str, &'static str),
    #[error(
        "could not parse {value} as bool value for flag {name}: \
         strconv.ParseBool: parsing {value:?}: invalid syntax"
    )]
    Environment { name: &'static str, value: String },
}

impl Flag {
    const fn new(names: &'static [&'static str], kind: Kind, help: &'static str) -> Self {
        Self {
            names,
            kind,
            variable: None,
            help,
        }
    }

    /// A flag that is on or off, and off when it is not given.
    pub(super) const fn switch(names: &'static [&'static str], help: &'static str) -> Self {
        Self::new(names, Kind::Switch(false), help)
    }

    /// A flag with one text.
    pub(super) const fn text(names: &'static [&'static str], help: &'static str) -> Self {
        Self::new(names, Kind::Text, help)
    }

    /// A flag that may be repeated.
    pub(super) const fn texts(names: &'static [&'static str], help: &'static str) -> Self {
        Self::new(names, Kind::Texts, help)
    }

    /// A flag with a whole number.
    pub(super) const fn number(names: &'static [&'static str], help: &'static str) -> Self {
        Self::new(names, Kind::Number, help)
    }

    /// The same flag, on when it is not given.
    pub(super) const fn on(self) -> Self {
        Self {
            kind: Kind::Switch(true),
            ..self
        }
    }

    /// The same flag with a variable that sets it.
    pub(super) const fn variable(self, name: &'static str) -> Self {
        Self {
            variable: Some(name),
            ..self
        }
    }

    /// The name under which its value is kept.
    pub(super) fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    fn is_switch(&self) -> bool {
        matches!(self.kind, Kind::Switch(_))
    }
}

/// Reads flags up to the first positional argument, as the program itself does.
pub(super) fn leading(
    flags: &[Flag],
    args: &[String],
    env: &Env,
) -> Result<(Values, Vec<String>), FlagError> {
    let mut values = Values::of_environment(flags, env)?;
    let mut names = BTreeMap::new();
    let mut rest: VecDeque<&String> = args.iter().collect();
    while let Some(arg) = rest.front().copied() {
        let Some(text) = flag_text(arg) else { break };
        rest.pop_front();
        if text.is_empty() {
            break;
        }
        let (name, joined) = split(arg, text)?;
        let flag = find(flags, name).ok_or_else(|| FlagError::Unknown(name.to_owned()))?;
        let value = match joined {
            Some(value) => value.to_owned(),
            None if flag.is_switch() => "true".to_owned(),
            None => rest
                .pop_front()
                .ok_or_else(|| FlagError::MissingValue(name.to_owned()))?
                .clone(),
        };
        check(flag, name, &value)?;
        let used = flag.names.iter().find(|known| **known == name);
        let used = used.copied().unwrap_or_default();
        match names.insert(flag.name(), used) {
            Some(before) if before != used => return Err(two_forms(before, used)),
            Some(_) => values.add(flag, value),
            None => values.replace(flag, value),
        }
    }
    Ok((values, rest.into_iter().cloned().collect()))
}

/// Reads flags that may also stand between and after positional arguments, as subcommands do. What is
/// no flag of theirs is positional there.
///
/// A switch never takes the argument after it, so that the order of the others stays. (The library
/// takes it along, and so mixes up `set FILE --idempotent INDEX VALUE`.)
pub(super) fn anywhere(
    flags: &[Flag],
    args: &[String],
    env: &Env,
) -> Result<(Values, Vec<String>), FlagError> {
    let (mut front, mut positional) = (Vec::new(), Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            positional.extend(args.by_ref().cloned());
            break;
        }
        let text = flag_text(arg);
        let parts = text.and_then(|text| split(arg, text).ok());
        let flag = parts.and_then(|(name, joined)| Some((find(flags, name)?, joined)));
        match flag {
            Some((flag, joined)) => {
                front.push(arg.clone());
                if joined.is_none() && !flag.is_switch() {
                    front.extend(args.next().cloned());
                }
            }
            // Told as unknown below.
            None if text.is_some() && positional.is_empty() => front.push(arg.clone()),
            None => positional.push(arg.clone()),
        }
    }
    let (values, _) = leading(flags, &front, env)?;
    Ok((values, positional))
}

/// What follows the dashes of a flag: nothing in `--`. `None` for a positional argument.
fn flag_text(arg: &str) -> Option<&str> {
    let text = arg.strip_prefix('-').filter(|text| !text.is_empty())?;
    Some(text.strip_prefix('-').unwrap_or(text))
}

fn split<'a>(arg: &str, text: &'a str) -> Result<(&'a str, Option<&'a str>), FlagError> {
    if text.starts_with(['-', '=']) {
        return Err(FlagError::BadSyntax(arg.to_owned()));
    }
    Ok(match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    })
}

fn find<'a>(flags: &'a [Flag], name: &str) -> Option<&'a Flag> {
    flags.iter().find(|flag| flag.names.contains(&name))
}

/// In the order of the alphabet.
fn two_forms(one: &'static str, other: &'static str) -> FlagError {
    FlagError::TwoForms(one.min(other), one.max(other))
}

fn check(flag: &Flag, name: &str, value: &str) -> Result<(), FlagError> {
    let (name, value) = (|| name.to_owned(), || value.to_owned());
    match flag.kind {
        Kind::Switch(_) if boolean(&value()).is_none() => Err(FlagError::NotABoolean {
            name: name(),
            value: value(),
        }),
        Kind::Number if value().parse::<i64>().is_err() => Err(FlagError::NotANumber {
            name: name(),
            value: value(),
        }),
        _ => Ok(()),
    }
}

/// A truth value by any of the names that Go takes.
fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

impl Values {
    fn of_environment(flags: &[Flag], env: &Env) -> Result<Self, FlagError> {
        let mut values = Self::default();
        for flag in flags {
            let value = flag.variable.and_then(|name| env.var(name)?.to_str());
            let Some(value) = value else { continue };
            match flag.kind {
                Kind::Switch(_) if boolean(value).is_none() => {
                    return Err(FlagError::Environment {
                        name: flag.name(),
                        value: value.to_owned(),
                    });
                }
                Kind::Texts => {
                    let items = value.split(',').map(|item| item.trim().to_owned());
                    values.given.insert(flag.name(), items.collect());
                }
                Kind::Switch(_) | Kind::Text | Kind::Number => {
                    values.replace(flag, value.to_owned());
                }
            }
        }
        Ok(values)
    }

    fn replace(&mut self, flag: &Flag, value: String) {
        self.given.insert(flag.name(), vec![value]);
    }

    fn add(&mut self, flag: &Flag, value: String) {
        match flag.kind {
            Kind::Texts => self.given.entry(flag.name()).or_default().push(value),
            Kind::Switch(_) | Kind::Text | Kind::Number => self.replace(flag, value),
        }
    }

    /// The text of a flag; one that is empty counts as not given, as in the peer.
    pub(super) fn text(&self, flag: &Flag) -> Option<&str> {
        let text = self.given.get(flag.name())?.last()?;
        (!text.is_empty()).then_some(text)
    }

    /// All texts of a flag that may be repeated.
    pub(super) fn texts(&self, flag: &Flag) -> Vec<String> {
        self.given.get(flag.name()).cloned().unwrap_or_default()
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, flag: &Flag) -> bool {
        let usual = matches!(flag.kind, Kind::Switch(true));
        self.text(flag).and_then(boolean).unwrap_or(usual)
    }

    /// The number of a flag.
    pub(super) fn number(&self, flag: &Flag) -> Option<i64> {
        self.text(flag)?.parse().ok()
    }
}

#[cfg(test)]
mod tests;
