//! Constraints: `>= 1.2, < 3 || ~4.1.x || 5 - 6`.

use std::cmp::Ordering;

use super::version;
use crate::value::Version;

/// What a version is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// Without an operator: the version, or any that its unwritten parts allow.
    Like,
    Not,
    Greater,
    Less,
    AtLeast,
    AtMost,
    Tilde,
    Caret,
}

/// How much of a version is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Nothing,
    Major,
    Minor,
    All,
}

pub(super) struct Constraint {
    operator: Operator,
    version: Version,
    written: Written,
}

/// Any of lists of constraints that all must hold.
pub(super) type Constraints = Vec<Vec<Constraint>>;

/// `None`: improper.
pub(super) fn parse(text: &str) -> Option<Constraints> {
    text.split("||").map(parse_all).collect()
}

fn parse_all(text: &str) -> Option<Vec<Constraint>> {
    let mut constraints = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (constraint, after) = parse_one(rest)?;
        let spaced = after.trim_start();
        // A range: from one version to another.
        if let Some(end) = spaced
            .strip_prefix('-')
            .filter(|end| spaced.len() < after.len() && end.starts_with(char::is_whitespace))
        {
            let (last, after) = parse_one(end.trim_start())?;
            if constraint.operator != Operator::Like || last.operator != Operator::Like {
                return None;
            }
            constraints.push(Constraint {
                operator: Operator::AtLeast,
                ..constraint
            });
            constraints.push(Constraint {
                operator: Operator::AtMost,
                ..last
            });
            rest = after.trim_start();
            continue;
        }
        constraints.push(constraint);
        let unseparated = spaced.strip_prefix(',');
        if unseparated.is_none() && !spaced.is_empty() && spaced.len() == after.len() {
            return None;
        }
        if unseparated.is_some_and(|rest| rest.trim().is_empty()) {
            return None;
        }
        rest = unseparated.unwrap_or(spaced).trim_start();
    }
    (!constraints.is_empty()).then_some(constraints)
}

fn parse_one(text: &str) -> Option<(Constraint, &str)> {
    let operators = [
        ("!=", Operator::Not),
        (">=", Operator::AtLeast),
        ("=>", Operator::AtLeast),
        ("<=", Operator::AtMost),
        ("=<", Operator::AtMost),
        ("~>", Operator::Tilde),
        ("=", Operator::Like),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("~", Operator::Tilde),
        ("^", Operator::Caret),
        ("", Operator::Like),
    ];
    let found = operators
        .into_iter()
        .find_map(|(word, operator)| Some((operator, text.strip_prefix(word)?)));
    let (operator, rest) = found?;
    let rest = rest.trim_start();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '*' | '-' | '+');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (version, written) = parse_version(&rest[..end])?;
    Some((
        Constraint {
            operator,
            version,
            written,
        },
        &rest[end..],
    ))
}

/// A version of which parts may be left out, or be an `x` or `*`.
fn parse_version(text: &str) -> Option<(Version, Written)> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, suffix) = text.split_at(end);
    let numbers: Vec<&str> = numbers.split('.').collect();
    let is_wild = |part: &str| matches!(part, "x" | "X" | "*");
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if numbers.len() > 3 || !numbers.iter().all(|part| is_wild(part) || is_number(part)) {
        return None;
    }
    let known = numbers.iter().take_while(|part| !is_wild(part)).count();
    let written = match known {
        0 => Written::Nothing,
        1 => Written::Major,
        2 => Written::Minor,
        _ => Written::All,
    };
    // The metadata of a partial version is no part of what is compared.
    let suffix = if written == Written::All {
        suffix
    } else {
        suffix.split('+').next().unwrap_or("")
    };
    let mut parts: Vec<&str> = numbers[..known].to_vec();
    parts.resize(3, "0");
    let version = version::parse(&format!("{}{suffix}", parts.join(".")).into())?;
    Some((version, written))
}

pub(super) fn satisfies(constraints: &Constraints, version: &Version) -> bool {
    let holds = |all: &Vec<Constraint>| all.iter().all(|constraint| constraint.holds(version));
    constraints.iter().any(holds)
}

impl Constraint {
    fn holds(&self, version: &Version) -> bool {
        // A prerelease is taken only where one is named.
        let unnamed = !version.prerelease.is_empty() && self.version.prerelease.is_empty();
        if unnamed && self.operator != Operator::Not {
            return false;
        }
        let order = version::compare(version, &self.version);
        match self.operator {
            Operator::Like if self.written == Written::All => order.is_eq(),
            Operator::Like | Operator::Tilde => self.tilde(version, order),
            Operator::Greater => self.greater(version, order),
            Operator::Less => order.is_lt(),
            Operator::AtLeast => order.is_ge(),
            Operator::AtMost => self.at_most(version, order),
            Operator::Caret => order.is_ge() && self.caret(version),
            Operator::Not => self.differs(version),
        }
    }

    fn differs(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if self.written == Written::All {
            return version::compare(version, wanted).is_ne();
        }
        if !version.prerelease.is_empty() && wanted.prerelease.is_empty() {
            return false;
        }
        let major = version.major != wanted.major;
        let minor = version.minor != wanted.minor;
        match self.written {
            Written::Major => major,
            Written::Minor => {
                let prerelease =
                    version::compare_prereleases(&version.prerelease, &wanted.prerelease);
                major || minor || prerelease.is_ne()
            }
            // Nothing is written: what is not the version 0.0.0.
            _ => major || minor || version::compare(version, wanted).is_ne(),
        }
    }

    fn tilde(&self, version: &Version, order: Ordering) -> bool {
        if order.is_lt() {
            return false;
        }
        let wanted = &self.version;
        let zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
        if zero && matches!(self.written, Written::Nothing | Written::All) {
            return true;
        }
        let minor = self.written == Written::Major || version.minor == wanted.minor;
        version.major == wanted.major && minor
    }

    fn greater(&self, version: &Version, order: Ordering) -> bool {
        match self.written {
            Written::Major => version.major > self.version.major,
            Written::Minor => {
                (version.major, version.minor) > (self.version.major, self.version.minor)
            }
            _ => order.is_gt(),
        }
    }

    fn at_most(&self, version: &Version, order: Ordering) -> bool {
        match self.written {
            Written::All => order.is_le(),
            Written::Major => version.major <= self.version.major,
            _ => (version.major, version.minor) <= (self.version.major, self.version.minor),
        }
    }

    /// No change of the first number that is not zero.
    fn caret(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if wanted.major > 0 || self.written == Written::Major {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.written == Written::Minor {
            return version.minor == wanted.minor;
        }
        version.minor == 0 && version.patch == wanted.patch
    }
}
