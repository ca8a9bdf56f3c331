//! The grammar of the command line: that of Go's `pflag`, which `kubeseal` uses.
//!
//! * Flags and positional arguments mix; the latter are ignored. After `--` all are positional.
//! * `--flag=value` or `--flag value`, `-ovalue`, `-o=value` or `-o value`. The next argument is
//!   the value even if it begins with a dash.
//! * A switch takes a value only after `=`.
//! * A flag that is given twice counts the last time; lists grow.
//! * `SEALED_SECRETS_FLAG` in the environment comes first, so the command line overrides it. A value
//!   there that does not fit is passed over.

use std::ffi::OsString;

use crate::Env;

use super::flags::{FLAGS, Flag, Group, Takes, by_name, by_shorthand};
use super::options::Options;
use super::values;

/// What a command line says.
#[derive(Debug)]
pub(super) enum Parsed {
    /// Do this. The deprecated flags that were used are named.
    Run(Box<Options>, Vec<&'static Flag>),
    /// `-h`, which is not a flag of its own: print the usage.
    Usage,
}

/// Why a command line cannot be understood. The texts are those that `pflag` prints.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UsageError {
    /// `--=x`, `---x`
    #[error("bad flag syntax: {0}")]
    BadSyntax(String),
    /// A value is missing after `--flag`.
    #[error("flag needs an argument: --{0}")]
    MissingValue(String),
    /// A value is missing after `-f`.
    #[error("flag needs an argument: {letter:?} in -{argument}")]
    MissingShortValue { letter: char, argument: String },
    /// No such flag.
    #[error("unknown flag: --{0}")]
    Unknown(String),
    /// No such letter.
    #[error("unknown shorthand flag: {letter:?} in -{argument}")]
    UnknownShort { letter: char, argument: String },
    /// A value that the flag does not take.
    #[error("invalid argument {value:?} for {flag:?} flag: {reason}")]
    InvalidValue {
        value: String,
        flag: String,
        reason: String,
    },
    /// Text is UTF-8 here.
    #[error("argument {0:?} is not UTF-8")]
    NotUtf8(OsString),
}

/// Reads the environment and the arguments after the program's name.
pub(super) fn parse(
    args: impl IntoIterator<Item = OsString>,
    env: &Env,
) -> Result<Parsed, UsageError> {
    let mut options = from_environment(env);
    let mut deprecated = Vec::new();
    let mut args = args
        .into_iter()
        .map(|arg| arg.into_string().map_err(UsageError::NotUtf8));
    while let Some(arg) = args.next().transpose()? {
        let mut next = || args.next().transpose();
        let (flag, value) = if arg == "--" {
            break;
        } else if let Some(long) = arg.strip_prefix("--") {
            long_flag(&arg, long, &mut next)?
        } else if let Some(short) = arg.strip_prefix('-').filter(|short| !short.is_empty()) {
            match short_flag(short, &mut next)? {
                Some(found) => found,
                None => return Ok(Parsed::Usage),
            }
        } else {
            continue;
        };
        set(&mut options, flag, &value)?;
        if matches!(flag.group, Group::Deprecated { .. }) {
            deprecated.push(flag);
        }
    }
    Ok(Parsed::Run(Box::new(options), deprecated))
}

fn from_environment(env: &Env) -> Options {
    let mut options = Options::default();
    for flag in FLAGS {
        let value = flag.variable().and_then(|name| env.var(&name));
        if let Some(value) = value.and_then(|value| value.to_str()) {
            // The peer ignores values that do not fit, so an environment made for something else
            // does not stop it.
            let _ = set(&mut options, flag, value);
        }
    }
    options
}

type Next<'a> = &'a mut dyn FnMut() -> Result<Option<String>, UsageError>;

fn long_flag(arg: &str, long: &str, next: Next<'_>) -> Result<(&'static Flag, String), UsageError> {
    if long.starts_with(['-', '=']) {
        return Err(UsageError::BadSyntax(arg.to_owned()));
    }
    let (name, value) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (long, None),
    };
    let flag = by_name(name).ok_or_else(|| UsageError::Unknown(name.to_owned()))?;
    let value = match value {
        Some(value) => value,
        None if flag.is_switch() => "true".to_owned(),
        None => next()?.ok_or_else(|| UsageError::MissingValue(name.to_owned()))?,
    };
    Ok((flag, value))
}

/// Nothing for `-h`. (No letter is a switch, so letters are never joined.)
fn short_flag(short: &str, next: Next<'_>) -> Result<Option<(&'static Flag, String)>, UsageError> {
    let argument = || short.to_owned();
    let mut chars = short.chars();
    let Some(letter) = chars.next() else {
        return Ok(None);
    };
    let Some(flag) = by_shorthand(letter) else {
        if letter == 'h' {
            return Ok(None);
        }
        return Err(UsageError::UnknownShort {
            letter,
            argument: argument(),
        });
    };
    let rest = chars.as_str();
    let value = match rest.strip_prefix('=') {
        Some(value) if !value.is_empty() => value.to_owned(),
        _ if !rest.is_empty() => rest.to_owned(),
        _ => next()?.ok_or_else(|| UsageError::MissingShortValue {
            letter,
            argument: argument(),
        })?,
    };
    Ok(Some((flag, value)))
}

fn set(options: &mut Options, flag: &Flag, value: &str) -> Result<(), UsageError> {
    let result = match flag.takes {
        Takes::Switch(set) => values::switch(value).map(|on| set(options, on)),
        Takes::Text(set) | Takes::Repeated(set) => {
            set(options, value.to_owned());
            Ok(())
        }
        Takes::List(set) => values::list(value).map(|items| set(options, items)),
        Takes::Duration(set) => values::duration(value).map(|time| set(options, time)),
        Takes::Scope(set) => values::scope(value).map(|scope| set(options, scope)),
        Takes::Ignored(kind) => values::check_log_value(kind, value),
    };
    result.map_err(|reason| UsageError::InvalidValue {
        value: value.to_owned(),
        flag: match flag.shorthand {
            Some(letter) => format!("-{letter}, --{}", flag.name),
            None => format!("--{}", flag.name),
        },
        reason,
    })
}

#[cfg(test)]
mod tests;
