//! `signet publish`: many files, a dry run, and an answer for programs.

use std::sync::OnceLock;

use serde_json::{Value as Json, json};
use signet_kit::OpenBao;
use signet_kit::openbao::TOKEN;
use signet_providers::block_on;

use super::world::World;

fn bao() -> &'static OpenBao {
    static BAO: OnceLock<OpenBao> = OnceLock::new();
    BAO.get_or_init(|| block_on(OpenBao::start()).unwrap())
}

fn world(path: &str) -> World {
    let world = World::new(&format!("- path_regex: ^apps/\n  vault_path: {path}\n"))
        .with("VAULT_ADDR", bao().url())
        .with("VAULT_TOKEN", TOKEN);
    for name in ["apps/a.yaml", "apps/deep/b.yaml", "elsewhere/c.yaml"] {
        world.encrypted(name, "a: x\n");
    }
    world.write("apps/plain.yaml", "a: x\n");
    world
}

/// Null where there is nothing.
fn there(path: &str) -> Json {
    let answer = block_on(bao().read(&format!("secret/data/{path}")));
    answer.unwrap_or_default()["data"].clone()
}

#[test]
fn a_folder_is_published_and_every_file_told() {
    let world = world("folder");
    let args = ["publish", "--yes", "-o", "json", "apps", "elsewhere"];
    let run = || {
        let done = world.signet(&args);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        let rows: Json = serde_json::from_slice(&done.stdout).unwrap();
        (rows, done.stderr)
    };
    let row = |file: &str, name: &str, outcome: &str| {
        let destination = format!("{}/v1/secret/data/folder/{name}", bao().url());
        json!({"file": file, "destination": destination, "outcome": outcome})
    };
    let rows = |outcome: &str| {
        json!([
            row("apps/a.yaml", "a.yaml", outcome),
            row("apps/deep/b.yaml", "deep/b.yaml", outcome)
        ])
    };
    let (told, summary) = run();
    assert_eq!(told, rows("published"));
    assert!(summary.contains("published 2 files"), "{summary}");
    assert_eq!(there("folder/deep/b.yaml")["data"], json!({"a": "x"}));
    assert_eq!(run().0, rows("unchanged"));
    world.encrypted("apps/a.yaml", "a: y\n");
    let (told, summary) = run();
    assert_eq!(
        (&told[0]["outcome"], &told[1]["outcome"]),
        (&json!("published"), &json!("unchanged"))
    );
    assert!(
        summary.contains("1 file as they should be already"),
        "{summary}"
    );
}

#[test]
fn a_dry_run_opens_what_must_be_opened_and_writes_nothing() {
    let world = world("dry");
    let done = world.signet(&["publish", "--dry-run", "apps"]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let told = String::from_utf8(done.stdout).unwrap();
    assert_eq!(told.matches("would publish").count(), 2, "{told}");
    assert_eq!(there("dry/a.yaml"), Json::Null);
    let world = world.with("HOME", "/nowhere");
    let done = world.signet(&["publish", "--dry-run", "apps"]);
    assert_eq!(done.status, Some(1), "{}", done.stderr);
}

#[test]
fn one_bad_file_does_not_keep_the_others() {
    let world = world("bad");
    world.write("apps/bad.yaml", "a: ENC[AES256_GCM,x]\nsops: {}\n");
    let done = world.signet(&["publish", "--yes", "apps", "elsewhere/c.yaml"]);
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains("2 files not done"), "{}", done.stderr);
    assert!(
        done.stderr.contains("no matching destination"),
        "{}",
        done.stderr
    );
    assert!(there("bad/a.yaml").is_object());
}

#[test]
fn nobody_is_asked_where_nobody_is() {
    let world = world("unasked");
    let done = world.signet(&["publish", "apps"]);
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("--yes"), "{}", done.stderr);
    assert_eq!(there("unasked/a.yaml"), Json::Null);
}

#[test]
fn two_files_do_not_go_to_one_place() {
    let world = world("one");
    world.encrypted("apps/deep/a.yaml", "a: other\n");
    let done = world.signet(&["publish", "--yes", "apps/a.yaml", "apps/deep/a.yaml"]);
    assert_eq!(done.status, Some(1));
    assert!(
        done.stderr.contains("would both be published as"),
        "{}",
        done.stderr
    );
    assert_eq!(there("one/a.yaml"), Json::Null);
}
