#![allow(clippy::unwrap_used)]
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ::age::secrecy::ExposeSecret;
use ::age::x25519;

use super::*;
use crate::NoPrompt;

fn pair() -> (String, String) {
    let identity = x25519::Identity::generate();
    let text = identity.to_string();
    (
        text.expose_secret().to_owned(),
        identity.to_public().to_string(),
    )
}

fn keys(environment: Environment) -> AgeKeys {
    AgeKeys::new(environment, Policy::everything(), Arc::new(NoPrompt))
}

fn home(folder: &Path) -> Environment {
    Environment::default()
        .with("HOME", folder)
        .with("PATH", "/usr/bin:/bin")
}

fn secret() -> Plaintext {
    vec![7; 32].into()
}

/// A program that appends the recipient to a file and prints an identity.
fn program(folder: &Path, identity: &str) -> String {
    let path = folder.join("give key");
    let script = format!(
        "#!/bin/sh\necho \"$SOPS_AGE_RECIPIENT $1\" >> '{}/asked'\necho {identity}\n",
        folder.display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("'{}' \"an argument\"", path.display())
}

#[test]
fn every_place_of_the_peer_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let (identity, recipient) = pair();
    let file = folder.path().join("identity");
    fs::write(&file, format!("# created by hand\n{identity}\n")).unwrap();
    let config = folder.path().join(".config/sops/age");
    let command = program(folder.path(), &identity);
    let without = home(folder.path());
    let places = [
        without.clone().with("SOPS_AGE_SSH_PRIVATE_KEY_FILE", &file),
        without
            .clone()
            .with("SOPS_AGE_SSH_PRIVATE_KEY_CMD", &command),
        without
            .clone()
            .with("SOPS_AGE_KEY", format!("{} {identity}", pair().0)),
        without.clone().with("SOPS_AGE_KEY_FILE", &file),
        without.clone().with("SOPS_AGE_KEY_CMD", &command),
    ];
    let wrapped = keys(without.clone()).wrap(&recipient, &secret()).unwrap();
    for environment in places {
        assert_eq!(
            keys(environment.clone())
                .unwrap(&recipient, &wrapped)
                .unwrap(),
            secret(),
            "{environment:?}"
        );
    }
    assert!(keys(without.clone()).unwrap(&recipient, &wrapped).is_err());
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("keys.txt"), &identity).unwrap();
    let found = keys(without);
    assert_eq!(found.unwrap(&recipient, &wrapped).unwrap(), secret());
    assert_eq!(found.recipients(), [recipient]);
}

#[test]
fn a_program_is_told_the_recipient_and_asked_once_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let ((identity, recipient), (_, other)) = (pair(), pair());
    let command = program(folder.path(), &identity);
    let keys = keys(home(folder.path()).with("SOPS_AGE_KEY_CMD", command));
    let wrapped = keys.wrap(&recipient, &secret()).unwrap();
    for _ in 0..3 {
        assert_eq!(keys.unwrap(&recipient, &wrapped).unwrap(), secret());
    }
    let foreign = keys.wrap(&other, &secret()).unwrap();
    assert!(keys.unwrap(&other, &foreign).is_err());
    let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
    assert_eq!(
        asked,
        format!("{recipient} an argument\n{other} an argument\n")
    );
}

#[test]
fn what_opens_first_spares_the_places_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let (identity, recipient) = pair();
    let command = program(folder.path(), &identity);
    let environment = home(folder.path()).with("SOPS_AGE_KEY_CMD", command);
    let keys = keys(environment.with("SOPS_AGE_KEY", &identity));
    let wrapped = keys.wrap(&recipient, &secret()).unwrap();
    assert_eq!(keys.unwrap(&recipient, &wrapped).unwrap(), secret());
    assert!(!folder.path().join("asked").exists());
}

#[test]
fn issue_1987_a_place_that_cannot_be_used_does_not_block_the_others_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (identity, recipient) = pair();
    let ssh = folder.path().join(".ssh");
    fs::create_dir(&ssh).unwrap();
    let hardware = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
    fs::write(ssh.join("id_ed25519"), hardware).unwrap();
    let environment = home(folder.path())
        .with("SOPS_AGE_KEY_FILE", "/does/not/exist")
        .with("SOPS_AGE_KEY_CMD", "false");
    let wrapped = keys(environment.clone())
        .wrap(&recipient, &secret())
        .unwrap();
    let with_key = keys(environment.clone().with("SOPS_AGE_KEY", &identity));
    assert_eq!(with_key.unwrap(&recipient, &wrapped).unwrap(), secret());

    let error = keys(environment).unwrap(&recipient, &wrapped).unwrap_err();
    let text = error.to_string();
    for part in [
        "no age identity was found",
        "id_ed25519`: the SSH private key in",
        "SOPS_AGE_KEY_FILE `/does/not/exist`: No such file",
        "SOPS_AGE_KEY_CMD: `false` ended with exit status: 1",
        "nothing in SOPS_AGE_SSH_PRIVATE_KEY_FILE, SOPS_AGE_SSH_PRIVATE_KEY_CMD",
        "SOPS_AGE_KEY,",
    ] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn when_nothing_opens_the_error_tells_where_identities_were_and_were_not() {
    let folder = tempfile::tempdir().unwrap();
    let ((mine, _), (_, recipient)) = (pair(), pair());
    let keys = keys(home(folder.path()).with("SOPS_AGE_KEY", &mine));
    let wrapped = keys.wrap(&recipient, &secret()).unwrap();
    let error = keys.unwrap(&recipient, &wrapped).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("the one age identity that was found does not open it; found in SOPS_AGE_KEY (1 identity); nothing in "), "{text}");
    assert!(
        text.ends_with(&format!(
            "`{}/.config/sops/age/keys.txt`",
            folder.path().display()
        )),
        "{text}"
    );
    assert!(!text.contains(&mine) && error.hint().unwrap().contains("have a reader"));
}

#[test]
fn text_that_is_no_identity_is_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let keys = keys(home(folder.path()).with("SOPS_AGE_KEY", "hunter2"));
    let wrapped = keys.wrap(&pair().1, &secret()).unwrap();
    let error = keys.unwrap("age1", &wrapped).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
    assert!(
        error
            .to_string()
            .contains("SOPS_AGE_KEY: line 1 of SOPS_AGE_KEY is not an age identity")
    );
}

#[test]
fn a_plugin_is_started_only_where_the_policy_lets_it() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("age-plugin-test");
    fs::write(&plugin, "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(&plugin, fs::Permissions::from_mode(0o755)).unwrap();
    let environment = Environment::default().with("PATH", folder.path());
    let policy = Policy::listed([] as [&str; 0]);
    let keys = AgeKeys::new(environment.clone(), policy, Arc::new(NoPrompt));
    let error = keys.wrap("age1test1qqqq", &secret()).unwrap_err();
    assert!(error.to_string().contains("not allowed here"), "{error}");
    let nowhere = AgeKeys::new(
        Environment::default(),
        Policy::everything(),
        Arc::new(NoPrompt),
    );
    let error = nowhere.wrap("age1test1qqqq", &secret()).unwrap_err();
    assert!(error.to_string().contains("is not available"), "{error}");
}
