//! Many files at once.

use super::{OTHER, PLAIN, RECIPIENT, Repository, exists, tampered};

fn tree() -> Repository {
    let repository = Repository::new();
    repository.rules(&format!("path_regex: 'secret', age: {RECIPIENT}"));
    for name in ["a/secret.yaml", "b/secret.yaml"] {
        repository.write(name, PLAIN);
    }
    repository.write("b/readme.md", "no secret: x\n");
    repository
}

#[test]
fn a_tree_is_encrypted_rotated_and_decrypted_by_its_rules() {
    let repository = tree();
    let done = repository.ok("encrypt --in-place a b");
    assert!(done.stderr.contains("encrypted 2 files"), "{}", done.stderr);
    assert_eq!(repository.read("b/readme.md"), "no secret: x\n");
    let before = repository.read("a/secret.yaml");
    let done = repository.ok("rotate . --dry-run");
    assert!(
        done.stderr.contains("would rotate 2 files"),
        "{}",
        done.stderr
    );
    assert_eq!(repository.read("a/secret.yaml"), before);
    repository.ok("rotate .");
    assert_ne!(repository.read("a/secret.yaml"), before);
    repository.ok("decrypt --in-place .");
    assert_eq!(repository.read("a/secret.yaml"), PLAIN);
}

#[test]
fn one_bad_file_does_not_stop_the_others_and_the_status_tells() {
    let repository = tree();
    repository.ok("encrypt --in-place a b");
    let bad = tampered(&repository.read("b/secret.yaml"));
    repository.write("b/secret.yaml", &bad);
    let before = repository.read("a/secret.yaml");
    let done = repository.run("rotate .");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("b/secret.yaml"), "{}", done.stderr);
    assert!(
        done.stderr.contains("rotated 1 file; 1 file not done"),
        "{}",
        done.stderr
    );
    assert_ne!(repository.read("a/secret.yaml"), before);
    assert_eq!(repository.read("b/secret.yaml"), bad);
}

#[test]
fn issue_1071_keys_of_a_tree_are_updated_after_they_were_shown() {
    let repository = tree();
    repository.ok("encrypt --in-place a b");
    repository.rules(&format!("path_regex: 'secret', age: '{RECIPIENT},{OTHER}'"));
    let before = repository.read("a/secret.yaml");
    let done = repository.run("updatekeys .");
    assert_eq!(done.status, 2, "nobody is there to agree");
    assert!(
        done.stdout.contains(&format!("+ age {OTHER}")),
        "{}",
        done.stdout
    );
    assert_eq!(repository.read("a/secret.yaml"), before);
    let done = repository.ok("updatekeys . --yes");
    assert!(done.stderr.contains("updated 2 files"), "{}", done.stderr);
    let after = repository.read("a/secret.yaml");
    assert!(after.contains(OTHER));
    // What was wrapped for the first recipient stays as it was.
    let kept = before
        .lines()
        .filter(|line| line.contains("enc:") || line.len() == 84);
    assert!(
        kept.into_iter().all(|line| after.contains(line.trim())),
        "{after}"
    );
    let done = repository.ok("updatekeys . --yes");
    assert!(
        done.stderr.contains("2 files as they should be already"),
        "{}",
        done.stderr
    );
}

#[test]
fn issue_810_2269_a_threshold_is_brought_in_line_with_the_rules() {
    let repository = Repository::new();
    let groups = format!(
        "key_groups: [{{age: [{RECIPIENT}]}}, {{age: [{RECIPIENT}]}}, {{age: [{RECIPIENT}]}}]"
    );
    repository.rules(&format!("shamir_threshold: 2, {groups}"));
    repository.ok("encrypt plain.yaml -o secret.yaml");
    repository.rules(&format!("shamir_threshold: 3, {groups}"));
    repository.ok("updatekeys secret.yaml --yes");
    assert!(
        repository
            .read("secret.yaml")
            .contains("shamir_threshold: 3")
    );
    assert_eq!(repository.decrypted("secret.yaml"), PLAIN);
}

#[test]
fn who_can_read_a_tree_is_told_without_any_key() {
    let repository = tree();
    repository.ok("encrypt --in-place a");
    repository.rules(&format!("path_regex: 'secret', age: {OTHER}"));
    std::fs::remove_dir_all(repository.session.path("home/.config")).unwrap();
    let done = repository.ok("keys who .");
    assert!(
        done.stdout
            .contains(&format!("may not  age       {RECIPIENT}")),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains(&format!("not yet  age       {OTHER}")),
        "{}",
        done.stdout
    );
    let done = repository.ok("keys who . -o json");
    let answer: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(answer[0]["keys"][0]["standing"], "may not");
    assert!(!exists(&repository, "home/.config"));
}
