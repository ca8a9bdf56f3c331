#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt as _;

use signet_keys::sealed::Scope;

use super::*;

const FINGERPRINT: &str = "SHA256:ZK5p0gJ8mqvVfBkYvQpbW2lSDnGrk9rvxWxRk9pDPXA";
const OTHER_FINGERPRINT: &str = "SHA256:aK5p0gJ8mqvVfBkYvQpbW2lSDnGrk9rvxWxRk9pDPXA";

fn claim<'a>(
    fingerprint: &'a Fingerprint,
    label: &'a Label,
    value: &'a [u8],
    ciphertext: &'a [u8],
) -> Claim<'a> {
    Claim {
        fingerprint,
        label,
        item: "password",
        value,
        ciphertext,
    }
}

#[test]
fn issue_131_a_value_that_was_sealed_here_is_recognised_in_a_later_run() {
    let home = tempfile::tempdir().unwrap();
    let fingerprint = FINGERPRINT.parse().unwrap();
    let label = Label::new(Scope::Strict, "team", "db");
    let sealed = claim(&fingerprint, &label, b"hunter2", b"ciphertext");

    let mut proofs = Proofs::open(home.path().join("proofs")).unwrap();
    assert!(!proofs.prove(&sealed));
    proofs.remember(&sealed);
    proofs.save().unwrap();

    let later = Proofs::open(home.path().join("proofs")).unwrap();
    assert!(later.prove(&sealed));
}

#[test]
fn a_proof_holds_for_one_value_in_one_place() {
    let home = tempfile::tempdir().unwrap();
    let fingerprint = FINGERPRINT.parse().unwrap();
    let label = Label::new(Scope::Strict, "team", "db");
    let elsewhere = Label::new(Scope::Strict, "team", "other");
    let sealed = claim(&fingerprint, &label, b"hunter2", b"ciphertext");
    let mut proofs = Proofs::open(home.path().to_owned()).unwrap();
    proofs.remember(&sealed);

    assert!(proofs.prove(&sealed));
    assert!(!proofs.prove(&Claim {
        value: b"hunter3",
        ..sealed
    }));
    assert!(!proofs.prove(&Claim {
        label: &elsewhere,
        ..sealed
    }));
    assert!(!proofs.prove(&Claim {
        item: "user",
        ..sealed
    }));
    assert!(!proofs.prove(&Claim {
        ciphertext: b"another",
        ..sealed
    }));
}

#[test]
fn the_key_of_a_ciphertext_is_remembered_without_its_value() {
    let home = tempfile::tempdir().unwrap();
    let fingerprint = FINGERPRINT.parse().unwrap();
    let other = OTHER_FINGERPRINT.parse().unwrap();
    let label = Label::new(Scope::Strict, "team", "db");
    let mut proofs = Proofs::open(home.path().to_owned()).unwrap();
    proofs.remember(&claim(&fingerprint, &label, b"hunter2", b"ciphertext"));

    assert!(proofs.prove_key(&fingerprint, b"ciphertext"));
    assert!(!proofs.prove_key(&other, b"ciphertext"));
    assert!(!proofs.prove_key(&fingerprint, b"another"));
}

#[test]
fn another_user_with_another_key_proves_nothing_with_the_same_lines() {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let fingerprint = FINGERPRINT.parse().unwrap();
    let label = Label::new(Scope::Strict, "team", "db");
    let sealed = claim(&fingerprint, &label, b"hunter2", b"ciphertext");
    let mut proofs = Proofs::open(ours.path().to_owned()).unwrap();
    proofs.remember(&sealed);
    proofs.save().unwrap();

    std::fs::copy(ours.path().join("sealed"), theirs.path().join("sealed")).unwrap();
    let proofs = Proofs::open(theirs.path().to_owned()).unwrap();
    assert!(!proofs.prove(&sealed));
}

#[test]
fn the_files_are_for_their_owner_alone_and_hold_no_value() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("proofs");
    let fingerprint = FINGERPRINT.parse().unwrap();
    let label = Label::new(Scope::Strict, "team", "db");
    let mut proofs = Proofs::open(folder.clone()).unwrap();
    proofs.remember(&claim(&fingerprint, &label, b"canary-value", b"ciphertext"));
    proofs.save().unwrap();

    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for name in ["key", "sealed", "lock"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
    let text = std::fs::read_to_string(folder.join("sealed")).unwrap();
    assert!(!text.contains("canary"));
    assert!(!text.contains(&store::hex(&Sha256::digest(b"canary-value").into())));
}

#[test]
fn damaged_lines_prove_nothing_and_stop_nothing() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("sealed"), "nonsense\nab cd\n\u{e9} x\n").unwrap();
    assert!(Proofs::open(home.path().to_owned()).is_ok());
}
