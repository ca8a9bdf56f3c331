//! From the key of a secret to its paths below `/v1/`.

use super::settings::{KvVersion, Settings};
use crate::store::{StoreError, StoreErrorKind};

/// Where a secret is: the mount of its engine, and its path in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    mount: Vec<String>,
    pub(super) path: Vec<String>,
    version: KvVersion,
}

/// What of a secret a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The values; with version 1 there is nothing else.
    Data,
    /// What is known of a secret as a whole, and the names below a folder.
    Metadata,
}

impl Place {
    /// The place of a key. A mount that the key repeats, and the `data/` that version 2 has in its URLs,
    /// are no part of the path: people write all three forms.
    pub(super) fn of(key: &str, settings: &Settings) -> Result<Self, StoreError> {
        let parts = parts(key);
        let (mount, mut path) = if let Some(mount) = &settings.mount {
            let mount = self::parts(mount);
            let path = parts.strip_prefix(mount.as_slice()).unwrap_or(&parts);
            (mount, path.to_vec())
        } else {
            let mut parts = parts;
            let path = parts.split_off(parts.len().min(1));
            (parts, path)
        };
        if settings.version == KvVersion::V2 && path.len() > 1 && path[0] == "data" {
            path.remove(0);
        }
        if mount.is_empty() {
            return Err(StoreError::new(
                StoreErrorKind::Invalid,
                format!("the key `{key}` does not say where the engine is mounted"),
            )
            .with_hint("set `path` in the store, or begin the key with the mount"));
        }
        Ok(Self {
            mount,
            path,
            version: settings.version,
        })
    }

    /// The parts of its path below `/v1/`.
    pub(super) fn segments(&self, side: Side) -> Vec<&str> {
        let between = match (self.version, side) {
            (KvVersion::V1, _) => None,
            (KvVersion::V2, Side::Data) => Some("data"),
            (KvVersion::V2, Side::Metadata) => Some("metadata"),
        };
        let mount = self.mount.iter().map(String::as_str);
        let path = self.path.iter().map(String::as_str);
        mount.chain(between).chain(path).collect()
    }

    /// What is called so below it.
    pub(super) fn below(&self, name: &str) -> Self {
        let mut place = self.clone();
        place.path.extend(parts(name));
        place
    }

    /// Its path in the engine.
    pub(super) fn name(&self) -> String {
        self.path.join("/")
    }
}

fn parts(text: &str) -> Vec<String> {
    let parts = text.split('/').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::vault::store::Auth;

    fn settings(mount: Option<&str>, version: KvVersion) -> Settings {
        Settings {
            server: String::new(),
            mount: mount.map(str::to_owned),
            version,
            namespace: None,
            auth: Auth::Nobody,
            auth_namespace: None,
            authorities: None,
            identity: None,
            headers: Vec::new(),
            check_and_set: false,
        }
    }

    fn path(key: &str, mount: Option<&str>, version: KvVersion, side: Side) -> String {
        let place = Place::of(key, &settings(mount, version)).unwrap();
        place.segments(side).join("/")
    }

    #[test]
    fn the_mount_and_data_may_be_repeated_in_the_key() {
        for key in ["a/b", "secret/a/b", "secret/data/a/b", "data/a/b", "/a/b/"] {
            let of = |side| path(key, Some("secret"), KvVersion::V2, side);
            assert_eq!(of(Side::Data), "secret/data/a/b", "{key}");
            assert_eq!(of(Side::Metadata), "secret/metadata/a/b", "{key}");
        }
        for key in ["a/b", "team/kv/a/b"] {
            let path = path(key, Some("team/kv"), KvVersion::V1, Side::Metadata);
            assert_eq!(path, "team/kv/a/b", "{key}");
        }
    }

    #[test]
    fn without_a_mount_the_key_begins_with_it() {
        for key in ["secret/a/b", "secret/data/a/b"] {
            assert_eq!(
                path(key, None, KvVersion::V2, Side::Data),
                "secret/data/a/b"
            );
        }
        assert!(Place::of("/", &settings(None, KvVersion::V2)).is_err());
    }

    #[test]
    fn a_secret_may_be_called_data() {
        let path = path("data", Some("secret"), KvVersion::V2, Side::Data);
        assert_eq!(path, "secret/data/data");
    }
}
