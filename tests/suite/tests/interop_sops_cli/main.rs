//! `signet` under the name `sops`, beside the real one: command lines as data
//! (`sops-sessions/*.toml`), run by both, compared.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod fixtures;
mod normal;

use signet_kit::session::Peer;

const SOPS: Peer = Peer {
    name: "sops",
    sessions: concat!(env!("CARGO_MANIFEST_DIR"), "/sops-sessions"),
    differences: "docs/sops-differences.md",
    fixtures: fixtures::files,
    normal: normal::normal,
};

/// One test for each file of sessions, named as the file.
macro_rules! sessions {
    ($($name:ident)*) => {
        mod sessions {
            $(#[test]
            fn $name() {
                super::SOPS.check(stringify!($name));
            })*

            #[test]
            fn every_file_of_sessions_is_run() {
                assert_eq!(super::SOPS.subjects(), [$(stringify!($name)),*]);
            }
        }
    };
}

sessions! {
    decrypt
    edit
    encrypt
    exec
    grammar
    groups
    legacy
    publish
    rotate
    set
    unset
    updatekeys
}
