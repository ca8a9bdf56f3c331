//! `signet` under the name `kubeseal`, beside the real one.
//!
//! * `sessions`: command lines as data (`kubeseal-sessions/*.toml`), run by both, compared.
//! * `matrix`: sealed by one, opened by the other.
//! * `verbs`: the same with `signet seal`, `unseal` and `reseal`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod fixtures;
mod matrix;
mod normal;
mod place;
mod program;
mod verbs;

use signet_kit::session::Peer;

const KUBESEAL: Peer = Peer {
    name: "kubeseal",
    sessions: concat!(env!("CARGO_MANIFEST_DIR"), "/kubeseal-sessions"),
    differences: "docs/kubeseal-differences.md",
    fixtures: fixtures::files,
    normal: normal::normal,
};

/// One test for each file of sessions, named as the file.
macro_rules! sessions {
    ($($name:ident)*) => {
        mod sessions {
            $(#[test]
            fn $name() {
                super::KUBESEAL.check(stringify!($name));
            })*

            #[test]
            fn every_file_of_sessions_is_run() {
                assert_eq!(super::KUBESEAL.subjects(), [$(stringify!($name)),*]);
            }
        }
    };
}

sessions! {
    bad_input
    certificate
    documents
    environment
    flags
    merge
    namespace
    output
    raw
    recovery
    scope
    seal
}
