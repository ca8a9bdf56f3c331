//! Where a key service is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// `tcp://HOST:PORT` or `unix:///PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Host and port.
    Tcp(String),
    /// A socket in the file system.
    Unix(PathBuf),
}

/// It is no such address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the address of a key service: expected tcp://HOST:PORT or unix:///PATH")]
pub struct AddressError(
    /// What stands there.
    pub String,
);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(text.to_owned());
        if let Some(path) = text
            .strip_prefix("unix://")
            .filter(|path| path.starts_with('/'))
        {
            return Ok(Self::Unix(path.into()));
        }
        let host = text.strip_prefix("tcp://").ok_or_else(wrong)?;
        let (name, port) = host.rsplit_once(':').ok_or_else(wrong)?;
        let is_host = !name.is_empty() && !host.contains(['/', '@', '?', '#']);
        let is_port = port.parse::<u16>().is_ok();
        (is_host && is_port)
            .then(|| Self::Tcp(host.to_owned()))
            .ok_or_else(wrong)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(host) => write!(f, "tcp://{host}"),
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn both_kinds_are_read_and_printed_alike() {
        for text in [
            "tcp://127.0.0.1:5000",
            "tcp://[::1]:5000",
            "tcp://keys.example:1",
            "unix:///run/keys.sock",
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "127.0.0.1:5000",
            "tcp://127.0.0.1",
            "tcp://:5000",
            "tcp://h:port",
            "unix://relative",
            "http://h:1",
            "tcp://u@h:1",
            "tcp://h:1/x",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
