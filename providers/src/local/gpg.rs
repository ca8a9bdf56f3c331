//! PGP, by the gpg binary, as the peer calls it: keyrings, agent, cards and trust are `GnuPG`'s own
//! business. `SOPS_GPG_EXEC` names another binary; `GNUPGHOME` and the rest is inherited.

use std::process::{Command, Stdio};

use signet_keys::Plaintext;

use crate::blocking::offload;
use crate::command::{self, CommandError};
use crate::{Environment, KeyError};

/// Why gpg did not wrap or unwrap.
#[derive(Debug, thiserror::Error)]
pub enum GpgError {
    /// It did not run, or refused.
    #[error("{0}")]
    Command(#[from] CommandError),
    /// Fingerprints are hexadecimal, with `!` behind them for this very subkey. Anything else could
    /// be taken for an option.
    #[error("`{0}` is no fingerprint of a PGP key")]
    Fingerprint(
        /// What stands there.
        String,
    ),
    /// An old gpg passes over what it does not know and calls it success.
    #[error("gpg succeeded and printed nothing")]
    Nothing,
    /// What it wrote is not armored text.
    #[error("gpg did not write armored text")]
    NotArmored,
}

impl GpgError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Command(CommandError::Start { .. }) => {
                "install GnuPG, or name the binary in SOPS_GPG_EXEC"
            }
            Self::Command(CommandError::Failed { message, .. }) => return failure_hint(message),
            Self::Command(_) | Self::NotArmored => return None,
            Self::Fingerprint(_) => "give the whole fingerprint, as `gpg --list-keys` shows it",
            Self::Nothing => "use a newer GnuPG: the key was encrypted by one",
        };
        Some(hint.to_owned())
    }
}

/// Runs gpg.
pub(super) struct Gpg {
    environment: Environment,
}

impl Gpg {
    pub(super) fn new(environment: Environment) -> Self {
        Self { environment }
    }

    pub(super) async fn wrap(
        &self,
        fingerprint: &str,
        secret: &Plaintext,
    ) -> Result<String, KeyError> {
        let mut command = self.command();
        command.args(wrap_args(fingerprint)?);
        let secret = secret.clone();
        let armored = offload(move || command::run(command, secret.expose())).await?;
        let armored = armored.map_err(GpgError::from)?;
        let text = std::str::from_utf8(armored.expose()).ok();
        let text = text.filter(|text| text.starts_with("-----BEGIN PGP MESSAGE-----"));
        Ok(text.ok_or(GpgError::NotArmored)?.replace("\r\n", "\n"))
    }

    pub(super) async fn unwrap(&self, wrapped: &str) -> Result<Plaintext, KeyError> {
        let mut command = self.command();
        command.arg("-d");
        let wrapped = wrapped.to_owned();
        let secret = offload(move || command::run(command, wrapped.as_bytes())).await?;
        let secret = secret.map_err(GpgError::from)?;
        if secret.is_empty() {
            return Err(GpgError::Nothing.into());
        }
        Ok(secret)
    }

    fn command(&self) -> Command {
        let program = self.environment.var("SOPS_GPG_EXEC").unwrap_or("gpg");
        let mut command = self.environment.command(program);
        command.stderr(Stdio::piped());
        command
    }
}

/// The peer's arguments. The key is trusted for this call, and nobody else is a recipient, whatever
/// the user's configuration says.
fn wrap_args(fingerprint: &str) -> Result<[String; 9], GpgError> {
    let digits = fingerprint.strip_suffix('!').unwrap_or(fingerprint);
    if digits.len() < 8 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(GpgError::Fingerprint(fingerprint.to_owned()));
    }
    // The long key ID, which older versions want, with its `!`.
    let id = &fingerprint[digits.len().saturating_sub(16)..];
    let args = [
        "--no-default-recipient",
        "--yes",
        "--encrypt",
        "-a",
        "-r",
        fingerprint,
        "--trusted-key",
        id,
        "--no-encrypt-to",
    ];
    Ok(args.map(str::to_owned))
}

/// By the words that `GnuPG` does not translate in its C locale; in others there is no hint.
fn failure_hint(message: &str) -> Option<String> {
    let hint = if message.contains("No secret key") {
        "the private key is not in this keyring: set GNUPGHOME, import it, or insert the card"
    } else if message.contains("No public key") {
        "import the public key: `gpg --import`"
    } else if message.contains("Inappropriate ioctl") || message.contains("No pinentry") {
        "gpg-agent cannot ask for the passphrase: run `export GPG_TTY=$(tty)`"
    } else {
        return None;
    };
    Some(hint.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FINGERPRINT: &str = "FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4";

    #[test]
    fn issue_1365_a_subkey_is_named_with_its_mark_in_both_places() {
        let args = wrap_args(FINGERPRINT).unwrap();
        assert_eq!(
            args.join(" "),
            "--no-default-recipient --yes --encrypt -a -r FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4 \
            --trusted-key 3D16CEE4A27381B4 --no-encrypt-to"
        );
        let args = wrap_args(&format!("{FINGERPRINT}!")).unwrap();
        assert_eq!(args[5], format!("{FINGERPRINT}!"));
        assert_eq!(args[7], "3D16CEE4A27381B4!");
        assert_eq!(wrap_args("3D16CEE4").unwrap()[7], "3D16CEE4");
    }

    #[test]
    fn what_is_no_fingerprint_never_becomes_an_argument() {
        for text in [
            "",
            "!",
            "--output=/etc/passwd",
            "-r",
            "FBC7B9E2 A4F9289A",
            "alice@example.test",
        ] {
            assert!(wrap_args(text).is_err(), "{text}");
        }
    }

    #[test]
    fn failures_that_people_meet_have_a_hint() {
        assert!(
            failure_hint("gpg: decryption failed: No secret key")
                .unwrap()
                .contains("GNUPGHOME")
        );
        assert!(
            failure_hint("gpg: 3D16: skipped: No public key")
                .unwrap()
                .contains("--import")
        );
        assert!(failure_hint("gpg: something else").is_none());
    }
}
