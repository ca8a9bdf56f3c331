//! What a command line of `kubeseal` asks for.

use std::fmt;

use signet_keys::sealed::Scope;

use crate::cluster::{Connection, Controller};

/// The values of all flags. An empty text is the same as a flag that was not given, as in the peer.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
#[derive(Default)]
pub(super) struct Options {
    /// `-f`
    pub(super) secret_file: String,
    /// `-w`
    pub(super) sealed_secret_file: String,
    /// `-o`, if it was given.
    pub(super) format: Option<String>,
    /// `--cert`
    pub(super) cert: String,
    /// `--scope`, if it was given.
    pub(super) scope: Option<Scope>,
    /// `--name`
    pub(super) name: String,
    /// `--allow-empty-data`
    pub(super) allow_empty_data: bool,
    /// `--merge-into`
    pub(super) merge_into: String,
    /// `--raw`
    pub(super) raw: bool,
    /// `--from-file`
    pub(super) from_file: Vec<String>,
    /// `--fetch-cert`
    pub(super) fetch_cert: bool,
    /// `--validate`
    pub(super) validate: bool,
    /// `--re-encrypt`
    pub(super) re_encrypt: bool,
    /// `--controller-name`, `--controller-namespace`
    pub(super) controller: Controller,
    /// `--recovery-unseal`
    pub(super) recovery_unseal: bool,
    /// `--recovery-private-key`
    pub(super) recovery_private_keys: Vec<String>,
    /// `--help`
    pub(super) help: bool,
    /// `--version`
    pub(super) version: bool,
    /// `-n`
    pub(super) namespace: String,
    /// Which cluster, and as whom.
    pub(super) connection: Connection,
}

/// Not derived: a token or password may be in it.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").finish_non_exhaustive()
    }
}
