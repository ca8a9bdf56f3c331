//! Running a command as another user.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::Hint;

/// An account of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    name: String,
    uid: u32,
    gid: u32,
    home: String,
}

/// Why there is no such user.
#[derive(Debug, thiserror::Error)]
pub enum UserError {
    /// The name is not in `/etc/passwd`.
    #[error("user: unknown user {0}")]
    Unknown(String),
    /// The accounts cannot be read.
    #[error("cannot read `/etc/passwd`")]
    Read(#[from] std::io::Error),
}

impl Hint for UserError {}

impl User {
    /// The user of a name or number.
    pub fn find(name: &str) -> Result<Self, UserError> {
        let accounts = std::fs::read_to_string("/etc/passwd")?;
        Self::find_in(&accounts, name).ok_or_else(|| UserError::Unknown(name.to_owned()))
    }

    fn find_in(accounts: &str, wanted: &str) -> Option<Self> {
        accounts.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (name, _password, uid, gid) = (
                fields.next()?,
                fields.next()?,
                fields.next()?,
                fields.next()?,
            );
            let home = fields.nth(1)?;
            (name == wanted || uid == wanted).then_some(())?;
            Some(Self {
                name: name.to_owned(),
                uid: uid.parse().ok()?,
                gid: gid.parse().ok()?,
                home: home.to_owned(),
            })
        })
    }

    /// The numbers of the user and its group.
    pub fn ids(&self) -> (u32, u32) {
        (self.uid, self.gid)
    }

    /// Lets the command run as this user: its numbers, its home, and no further groups of ours.
    pub fn apply(&self, command: &mut Command) {
        command
            .uid(self.uid)
            .gid(self.gid)
            .env("HOME", &self.home)
            .env("USER", &self.name)
            .env("LOGNAME", &self.name);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_user_is_found_by_name_or_number() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nweb:x:33:34::/var/www:/bin/false\nbroken\n";
        let web = User {
            name: "web".to_owned(),
            uid: 33,
            gid: 34,
            home: "/var/www".to_owned(),
        };
        assert_eq!(User::find_in(accounts, "web"), Some(web.clone()));
        assert_eq!(User::find_in(accounts, "33"), Some(web));
        assert_eq!(User::find_in(accounts, "broken"), None);
    }
}
