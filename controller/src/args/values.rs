//! Values of flags as the peer's flag library reads them.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

use jiff::Timestamp;
use thiserror::Error;

use crate::object::ObjectKey;

/// Why the value of a flag cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueError {
    /// Not a boolean of Go's `strconv.ParseBool`.
    #[error("`{0}` is not a boolean, expected true or false")]
    Bool(String),
    /// A list entry without `=` (sealed-secrets#1386).
    #[error("`{0}` is not a pair, expected key=value,key=value")]
    Pair(String),
    /// Not `host:port` or `:port`.
    #[error("`{0}` is not an address to listen on, expected `:8080` or `127.0.0.1:8080`")]
    Address(String),
    /// Not an RFC 1123 date with a numeric zone.
    #[error("`{0}` is not a date such as `Mon, 02 Jan 2006 15:04:05 +0000`")]
    Date(String),
    /// Neither a name nor a namespace and a name.
    #[error("`{0}` is not NAME or NAMESPACE/NAME of an object")]
    Place(String),
    /// Not the name of a namespace.
    #[error("`{0}` cannot be the name of a namespace, expected at most 63 of a-z, 0-9 and -")]
    Namespace(String),
    /// Not usable as the start of a Secret's name.
    #[error("`{0}` cannot begin the name of a Secret, expected at most 245 of a-z, 0-9 and -")]
    KeyPrefix(String),
}

/// Labels or annotations given as `key=value,key=value`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs(pub BTreeMap<String, String>);

/// Where an object is to be, if anywhere: given as `NAME`, `NAMESPACE/NAME` or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place(Option<(Option<String>, String)>);

impl Place {
    /// The place, seen from a namespace.
    pub fn from(&self, own: &str) -> Option<ObjectKey> {
        let (namespace, name) = self.0.as_ref()?;
        Some(ObjectKey::new(namespace.as_deref().unwrap_or(own), name))
    }
}

/// Reads the place of an object.
pub fn place(text: &str) -> Result<Place, ValueError> {
    let is_name = |name: &str| {
        let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let plain = |c: char| edge(c) || c == '-' || c == '.';
        let edges = name.starts_with(edge) && name.ends_with(edge);
        edges && name.len() <= 253 && name.chars().all(plain)
    };
    let (space, name) = match text.split_once('/') {
        _ if text.is_empty() => return Ok(Place(None)),
        Some((space, name)) => (Some(space), name),
        None => (None, text),
    };
    let is_namespace = |text: &str| is_name(text) && namespace(text).is_ok();
    if !is_name(name) || space.is_some_and(|space| !is_namespace(space)) {
        return Err(ValueError::Place(text.to_owned()));
    }
    Ok(Place(Some((space.map(str::to_owned), name.to_owned()))))
}

/// Reads the name of a namespace, with or without spaces around it, or nothing.
pub fn namespace(text: &str) -> Result<String, ValueError> {
    let name = text.trim();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let has_edges = !name.starts_with('-') && !name.ends_with('-');
    if name.len() > 63 || !name.bytes().all(plain) || !has_edges {
        return Err(ValueError::Namespace(text.to_owned()));
    }
    Ok(name.to_owned())
}

/// Reads what Go calls a boolean.
pub fn boolean(text: &str) -> Result<bool, ValueError> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(ValueError::Bool(text.to_owned())),
    }
}

/// Reads `key=value,key=value`; spaces around the parts do not count.
pub fn pairs(text: &str) -> Result<Pairs, ValueError> {
    let entries = text
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty());
    let pairs = entries.map(|entry| match entry.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(ValueError::Pair(entry.to_owned())),
    });
    pairs.collect::<Result<_, _>>().map(Pairs)
}

/// Reads an address to listen on; without a host it is all of them, IPv4 and IPv6.
pub fn address(text: &str) -> Result<SocketAddr, ValueError> {
    let malformed = || ValueError::Address(text.to_owned());
    match text.rsplit_once(':') {
        Some(("", port)) => Ok(SocketAddr::new(
            IpAddr::V6(Ipv6Addr::UNSPECIFIED),
            port.parse().map_err(|_| malformed())?,
        )),
        Some(("localhost", port)) => format!("127.0.0.1:{port}").parse().map_err(|_| malformed()),
        _ => text.parse().map_err(|_| malformed()),
    }
}

/// Reads a date as Go's `RFC1123Z` layout writes it.
pub fn date(text: &str) -> Result<Timestamp, ValueError> {
    jiff::fmt::rfc2822::parse(text)
        .map(|zoned| zoned.timestamp())
        .map_err(|_| ValueError::Date(text.to_owned()))
}

/// Reads the prefix of the key Secrets' generated names.
pub fn key_prefix(text: &str) -> Result<String, ValueError> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if text.is_empty() || text.len() > 245 || !text.bytes().all(allowed) {
        return Err(ValueError::KeyPrefix(text.to_owned()));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn issue_1386_a_pair_without_an_equals_sign_is_an_error_not_a_panic() {
        assert_eq!(pairs("owner"), Err(ValueError::Pair("owner".into())));
        assert_eq!(pairs("a=b,owner"), Err(ValueError::Pair("owner".into())));
        assert_eq!(pairs("=b"), Err(ValueError::Pair("=b".into())));
    }

    #[test]
    fn pairs_keep_an_equals_sign_of_the_value() {
        let Pairs(read) = pairs(" a=b=c , d= ,").unwrap();
        assert_eq!(
            read,
            BTreeMap::from([("a".into(), "b=c".into()), ("d".into(), String::new())])
        );
        assert_eq!(pairs("").unwrap(), Pairs::default());
    }

    #[test]
    fn an_address_without_a_host_is_every_interface() {
        assert_eq!(address(":8080").unwrap(), "[::]:8080".parse().unwrap());
        assert_eq!(
            address("127.0.0.1:0").unwrap(),
            "127.0.0.1:0".parse().unwrap()
        );
        assert!(address("8080").is_err());
        assert!(address(":http").is_err());
    }

    #[test]
    fn a_cutoff_date_is_read_with_its_zone() {
        let read = date("Mon, 02 Jan 2006 15:04:05 -0700").unwrap();
        assert_eq!(read, "2006-01-02T22:04:05Z".parse().unwrap());
        assert!(date("2006-01-02").is_err());
    }

    #[test]
    fn a_namespace_is_a_name_and_no_path() {
        assert_eq!(namespace(" team-a "), Ok("team-a".into()));
        assert_eq!(namespace(""), Ok(String::new()));
        for bad in [
            "../kube-system",
            "a/b",
            "Team",
            "a.b",
            "-a",
            &"a".repeat(64),
        ] {
            assert!(namespace(bad).is_err(), "{bad}");
            assert!(place(&format!("{bad}/name")).is_err(), "{bad}");
        }
        for bad in ["..", "-a", "a.", ""] {
            assert!(place(&format!("team/{bad}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_key_prefix_must_begin_a_legal_name() {
        assert!(key_prefix("sealed-secrets-key").is_ok());
        assert!(key_prefix(&"a".repeat(245)).is_ok());
        for bad in ["", "Upper", "dot.ted", &"a".repeat(246)] {
            assert!(key_prefix(bad).is_err(), "{bad}");
        }
    }
}
