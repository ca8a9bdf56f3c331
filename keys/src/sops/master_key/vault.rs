//! The address of a transit key of Vault: `https://HOST:8200/v1/ENGINE/keys/NAME`.

use super::{MasterKey, NotationError};

/// Parts the address. The segment before the name is not looked at, as the peer does not: it is taken
/// for `keys`.
pub(super) fn parse(uri: &str) -> Result<MasterKey, NotationError> {
    let malformed = || NotationError::VaultUri {
        uri: without_password(uri),
    };
    let (scheme, rest) = uri.split_once("://").ok_or_else(malformed)?;
    let (host, path) = rest.split_once('/').ok_or_else(malformed)?;
    if scheme.is_empty() || host.is_empty() || path.contains(['?', '#']) {
        return Err(malformed());
    }
    let mut segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if segments.iter().any(|part| matches!(*part, "." | "..")) {
        return Err(malformed());
    }
    let version = segments.iter().position(|part| is_version(part));
    match version {
        None => return Err(malformed()),
        Some(0) => segments.remove(0),
        Some(_) => {
            return Err(NotationError::VaultPrefix {
                uri: without_password(uri),
            });
        }
    };
    let (Some(key_name), Some(_keys)) = (segments.pop(), segments.pop()) else {
        return Err(malformed());
    };
    if segments.is_empty() {
        return Err(malformed());
    }
    Ok(MasterKey::HcVault {
        vault_address: format!("{scheme}://{host}"),
        engine_path: segments.join("/"),
        key_name: key_name.to_owned(),
    })
}

/// `v1`, of which there is no other yet.
fn is_version(segment: &str) -> bool {
    let digits = segment.strip_prefix('v').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What stands before an `@` may be a name and a password.
fn without_password(uri: &str) -> String {
    let Some((scheme, rest)) = uri.split_once("://") else {
        return uri.to_owned();
    };
    let host = rest.split('/').next().unwrap_or_default();
    match host.rsplit_once('@') {
        Some((secret, _)) => format!("{scheme}://{}", &rest[secret.len() + 1..]),
        None => uri.to_owned(),
    }
}
