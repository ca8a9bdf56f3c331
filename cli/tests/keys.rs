//! `signet keys` without a cluster. (With one: the cluster tests.)

use crate::support::{Session, certificate, days, fixture, key_secret};

#[test]
fn a_backup_is_listed_with_the_state_of_each_key() {
    let session = Session::new();
    let old = certificate(days(-2000), days(3650));
    let main = key_secret("old", "active", "main", &old);
    let newer = key_secret("new", "compromised", "other", &fixture("other.cert.pem"));
    session.write("backup.yaml", format!("{main}---\n{newer}"));
    let listed = session
        .run("keys list --private-key backup.yaml -o json")
        .ok();
    let rows: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let told = |row: usize| {
        let row = &rows[row];
        (
            row["name"].as_str().unwrap(),
            row["state"].as_str().unwrap(),
            row["newest"].as_bool().unwrap(),
        )
    };
    assert_eq!(told(0), ("new", "compromised", false));
    assert_eq!(told(1), ("old", "active", true));
}

#[test]
fn a_pem_file_is_not_restored_and_what_to_do_is_told() {
    let session = Session::new();
    session.run("keys restore main.key.pem").refused(&[
        "`main.key.pem` is a private key alone",
        "kubectl create secret tls",
        "--activate",
    ]);
}
