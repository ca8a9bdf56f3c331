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
    keyservice
    legacy
    publish
    rotate
    set
    unset
    updatekeys
    verbose
}

/// With sops the file is gone before it is read.
#[test]
fn a_command_in_the_background_can_read_its_file_when_it_likes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in fixtures::files() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let script = "sleep 0.2; cat {} {} > part; mv part read";
    let args = ["exec-file", "--background", "secret.env", script].map(str::to_owned);
    let program = signet_kit::session::named("sops");
    let env = std::collections::BTreeMap::new();
    let done = signet_kit::session::run(&program, folder.path(), &args, &env, b"");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let read = folder.path().join("read");
    let begun = std::time::Instant::now();
    while !read.exists() && begun.elapsed() < std::time::Duration::from_secs(20) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let text = &fixtures::files()["plain.env"];
    assert_eq!(std::fs::read_to_string(read).unwrap(), text.repeat(2));
}
