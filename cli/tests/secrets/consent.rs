//! Files that are not what the rules say, and files that were tampered with.

use super::{OTHER, PLAIN, RECIPIENT, Repository};

#[test]
fn a_recipient_that_the_rules_do_not_know_needs_consent() {
    let repository = Repository::new();
    repository.ok(&format!(
        "encrypt plain.yaml --age {RECIPIENT},{OTHER} -o secret.yaml"
    ));
    let before = repository.read("secret.yaml");
    for args in [
        "rotate secret.yaml",
        "set secret.yaml note",
        "edit secret.yaml",
    ] {
        let env = [("EDITOR", "sed -i s/admin/owner/")];
        let done = repository.session.run_with(args, "x", &env);
        assert_eq!(done.status, 1, "{args}");
        assert!(done.stderr.contains(OTHER), "{args}: {}", done.stderr);
        assert_eq!(repository.read("secret.yaml"), before, "{args}");
    }
    repository.ok("rotate secret.yaml --accept");
    assert_ne!(repository.read("secret.yaml"), before);
}

#[test]
fn a_recipient_that_was_put_in_without_anything_wrapped_needs_consent_too() {
    let repository = Repository::with_secret();
    let text = repository.read("secret.yaml");
    for enc in ["''", "null"] {
        let planted = format!("  age:\n    - recipient: {OTHER}\n      enc: {enc}\n");
        let tampered = text.replacen("  age:\n", &planted, 1);
        assert_ne!(tampered, text);
        repository.write("secret.yaml", &tampered);
        for args in ["rotate secret.yaml", "set secret.yaml note"] {
            let done = repository.session.pipe(args, "x");
            assert_eq!(done.status, 1, "{args}, {enc}");
            assert!(done.stderr.contains(OTHER), "{args}: {}", done.stderr);
            assert_eq!(repository.read("secret.yaml"), tampered, "{args}");
        }
    }
}

#[test]
fn a_file_that_is_encrypted_anew_in_its_place_needs_consent_for_what_was_put_into_it() {
    let repository = Repository::new();
    repository.ok("encrypt plain.yaml --unencrypted-regex ^zz -o secret.yaml");
    let before = repository.read("secret.yaml");
    repository.write("plain.yaml", format!("{PLAIN}zzpw: canary-4711\n"));
    let done = repository.run("encrypt plain.yaml -o secret.yaml");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("^zz"), "{}", done.stderr);
    assert_eq!(repository.read("secret.yaml"), before);
    repository.ok("encrypt plain.yaml -o secret.yaml --accept");
}

#[test]
fn a_value_that_is_stored_in_the_clear_is_told_without_rules_too() {
    let repository = Repository::new();
    repository.ok("encrypt plain.yaml --encrypted-regex ^password$ -o secret.yaml");
    repository.rules(&format!("path_regex: never, age: {RECIPIENT}"));
    for (key, told) in [("token", true), ("password", false)] {
        let done = repository
            .session
            .pipe(&format!("set secret.yaml {key}"), "canary-4711");
        assert_eq!(done.status, 0, "{}", done.stderr);
        assert_eq!(
            done.stderr.contains("in the clear"),
            told,
            "{}",
            done.stderr
        );
        assert!(!done.stderr.contains("canary"), "{}", done.stderr);
    }
}

#[test]
fn issue_770_938_1153_1788_a_new_secret_is_not_stored_in_plaintext() {
    let repository = Repository::new();
    repository.ok("encrypt plain.yaml --encrypted-regex ^password$ -o secret.yaml");
    repository.rules(&format!(
        "age: {RECIPIENT}, encrypted_regex: '^(password|token)$'"
    ));
    let before = repository.read("secret.yaml");
    let done = repository
        .session
        .pipe("set secret.yaml token --accept", "canary-4711");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("plaintext"), "{}", done.stderr);
    assert_eq!(repository.read("secret.yaml"), before);
}

#[test]
fn a_file_that_was_tampered_with_is_not_changed() {
    let repository = Repository::with_secret();
    let text = repository.read("secret.yaml");
    let user = text.lines().find(|line| line.contains("user:")).unwrap();
    let tampered = text.replace(&format!("{user}\n"), "");
    repository.write("secret.yaml", &tampered);
    for args in [
        "rotate secret.yaml",
        "set secret.yaml note",
        "unset secret.yaml note",
        "updatekeys secret.yaml --yes",
        "decrypt -i secret.yaml",
    ] {
        repository.rules(&format!("age: '{RECIPIENT},{OTHER}'"));
        let done = repository.session.pipe(args, "x");
        assert_eq!(done.status, 1, "{args}: {}", done.stderr);
        assert_eq!(repository.read("secret.yaml"), tampered, "{args}");
    }
    let done = repository.ok("decrypt --danger-ignore-mac secret.yaml");
    assert!(!done.stdout.contains("user"), "{}", done.stdout);
}

#[test]
fn issue_484_without_a_key_the_file_stays_as_it_is() {
    let repository = Repository::new();
    repository.ok(&format!("encrypt plain.yaml --age {OTHER} -o secret.yaml"));
    repository.rules(&format!("age: {OTHER}"));
    let before = repository.read("secret.yaml");
    for args in [
        "rotate secret.yaml",
        "decrypt -i secret.yaml",
        "unset secret.yaml note",
    ] {
        assert_eq!(repository.run(args).status, 1, "{args}");
        assert_eq!(repository.read("secret.yaml"), before, "{args}");
    }
}

#[test]
fn issue_242_1222_786_rules_are_those_nearest_to_the_file() {
    let repository = Repository::new();
    repository.write("sub/plain.yaml", PLAIN);
    repository.write(
        "sub/.sops.yaml",
        format!("creation_rules: [{{age: {OTHER}}}]\n"),
    );
    let done = repository.ok("encrypt sub/plain.yaml");
    assert!(done.stdout.contains(OTHER) && !done.stdout.contains(RECIPIENT));
}
