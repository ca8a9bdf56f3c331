//! One file, one command.

use super::{PLAIN, RECIPIENT, Repository, changed_lines, tampered};

#[test]
fn issue_864_396_1158_2130_what_is_encrypted_comes_back_with_its_bytes() {
    let repository = Repository::with_secret();
    let encrypted = repository.read("secret.yaml");
    assert!(!encrypted.contains("canary"), "{encrypted}");
    assert!(encrypted.starts_with("---\n"), "{encrypted}");
    assert_eq!(repository.decrypted("secret.yaml"), PLAIN);
}

#[test]
fn a_new_decrypted_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let repository = Repository::with_secret();
    repository.ok("decrypt secret.yaml -o out.yaml");
    assert_eq!(repository.read("out.yaml"), PLAIN);
    let mode = std::fs::metadata(repository.session.path("out.yaml")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_part_is_extracted_and_another_format_asked_for() {
    let repository = Repository::with_secret();
    let done = repository.ok("decrypt secret.yaml --extract [\"db\"][\"password\"]");
    assert_eq!(done.stdout, "canary-4711");
    let done = repository.ok("decrypt secret.yaml --extract [\"db\"] --output-type json");
    assert_eq!(
        done.stdout,
        "{\n\t\"user\": \"admin\",\n\t\"password\": \"canary-4711\"\n}\n"
    );
}

#[test]
fn issue_696_1587_encrypting_over_the_encrypted_twin_changes_what_changed() {
    let repository = Repository::with_secret();
    let before = repository.read("secret.yaml");
    repository.write("plain.yaml", PLAIN.replace("admin", "owner"));
    repository.ok("encrypt plain.yaml -o secret.yaml");
    let after = repository.read("secret.yaml");
    // The value, `lastmodified` unless it is the same second, and `mac`.
    let changed = changed_lines(&before, &after);
    assert!((2..=3).contains(&changed), "{changed}: {after}");
    assert!(repository.decrypted("secret.yaml").contains("user: owner"));
}

#[test]
fn issue_950_one_value_that_is_set_changes_that_value_and_the_checksum() {
    let repository = Repository::with_secret();
    let before = repository.read("secret.yaml");
    let done = repository
        .session
        .pipe("set secret.yaml [\"db\"][\"password\"]", "new");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let changed = changed_lines(&before, &repository.read("secret.yaml"));
    assert!((2..=3).contains(&changed), "{changed}");
    let expected = PLAIN.replace("canary-4711", "new");
    let found = repository.decrypted("secret.yaml");
    assert_eq!(found.replace(['\'', '"'], ""), expected.replace('\'', ""));
}

#[test]
fn a_value_is_removed() {
    let repository = Repository::with_secret();
    repository.ok("unset secret.yaml ports");
    assert!(!repository.decrypted("secret.yaml").contains("ports"));
}

#[test]
fn issue_1469_a_command_gets_values_without_a_shell_and_its_status_is_passed_on() {
    let repository = Repository::new();
    repository.write("flat.env", "A=one two\nB=3\n");
    repository.ok("encrypt flat.env -o secret.env");
    let done = repository.ok("exec-env secret.env -- printenv A");
    assert_eq!(done.stdout, "one two\n");
    let done = repository.run("exec-env secret.env -- false");
    assert_eq!(done.status, 1);
}

#[test]
fn a_command_reads_the_file_from_a_pipe_that_is_gone_afterwards() {
    let repository = Repository::with_secret();
    let done = repository.ok("exec-file secret.yaml -- cat {}");
    assert_eq!(done.stdout, PLAIN);
    let done = repository.ok("exec-file secret.yaml -- echo {}");
    assert!(
        !std::fs::exists(done.stdout.trim()).unwrap(),
        "{}",
        done.stdout
    );
    let done = repository.ok("exec-file --file secret.yaml -- wc -c {}");
    assert!(
        done.stdout.starts_with(&PLAIN.len().to_string()),
        "{}",
        done.stdout
    );
}

#[test]
fn issue_990_a_signal_reaches_the_command_and_the_status_tells() {
    let repository = Repository::with_secret();
    repository.write("killed.sh", "kill -TERM $$\n");
    let done = repository.run("exec-file secret.yaml -- sh killed.sh {}");
    assert_eq!(done.status, 143);
}

#[test]
fn issue_127_an_editor_that_is_back_at_once_is_noticed() {
    let repository = Repository::with_secret();
    let before = repository.read("secret.yaml");
    let done = repository
        .session
        .run_with("edit secret.yaml", "", &[("EDITOR", "true")]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("--wait"), "{}", done.stderr);
    assert_eq!(repository.read("secret.yaml"), before);
}

#[test]
fn an_edit_keeps_the_ciphertext_of_what_did_not_change() {
    let repository = Repository::with_secret();
    let before = repository.read("secret.yaml");
    let editor = [("EDITOR", "sed -i s/admin/owner/")];
    let done = repository.session.run_with("edit secret.yaml", "", &editor);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let changed = changed_lines(&before, &repository.read("secret.yaml"));
    assert!((2..=3).contains(&changed), "{changed}");
    assert_eq!(
        repository.decrypted("secret.yaml"),
        PLAIN.replace("admin", "owner")
    );
}

#[test]
fn an_edit_that_is_no_yaml_is_opened_again_and_without_an_answer_nothing_is_written() {
    let repository = Repository::with_secret();
    let before = repository.read("secret.yaml");
    // Breaks the file at first and mends it when it is opened again.
    repository.write(
        "editor.sh",
        "if grep -q broken \"$1\"; then sed -i /broken/d \"$1\"; echo 'new: value' >> \"$1\"; \
         else echo 'broken: [' >> \"$1\"; fi\n",
    );
    let script = format!("sh {}", repository.session.path("editor.sh").display());
    let editor = [("EDITOR", script.as_str())];
    let done = repository.session.run_with("edit secret.yaml", "", &editor);
    assert_eq!(done.status, 1);
    assert_eq!(repository.read("secret.yaml"), before);
    let done = repository
        .session
        .run_with("edit secret.yaml", "\n", &editor);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        repository
            .decrypted("secret.yaml")
            .ends_with("new: value\n")
    );
}

#[test]
fn encrypting_what_holds_nothing_to_encrypt_is_warned_of() {
    let repository = Repository::new();
    let done = repository.ok("encrypt plain.yaml --encrypted-regex ^nosuch$");
    assert!(
        done.stderr.contains("nothing in the file is encrypted"),
        "{}",
        done.stderr
    );
}

#[test]
fn no_value_is_told_and_no_file_with_one_is_left() {
    let repository = Repository::with_secret();
    repository.write("tmp/keep", "");
    let tmp = repository.session.path("tmp").display().to_string();
    repository.write("tampered.yaml", tampered(&repository.read("secret.yaml")));
    for args in [
        "encrypt plain.yaml",
        "decrypt tampered.yaml",
        "decrypt plain.yaml",
        "set plain.yaml a",
        "rotate secret.yaml",
        "updatekeys secret.yaml --yes",
        "exec-env secret.yaml -- true",
        "exec-file secret.yaml -- true {}",
        "edit secret.yaml",
        "keys who secret.yaml",
    ] {
        let env = [("TMPDIR", tmp.as_str()), ("EDITOR", "true")];
        let done = repository.session.run_with(args, "canary-4711", &env);
        assert!(!done.stderr.contains("canary"), "{args}: {}", done.stderr);
        assert!(!done.stdout.contains("canary"), "{args}: {}", done.stdout);
    }
    let left: Vec<_> = std::fs::read_dir(tmp).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_key_that_is_missing_is_told_with_what_was_tried() {
    let repository = Repository::with_secret();
    std::fs::remove_dir_all(repository.session.path("home/.config")).unwrap();
    let done = repository.run("decrypt secret.yaml");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains(RECIPIENT), "{}", done.stderr);
    assert!(done.stdout.is_empty());
}

#[test]
fn a_misspelled_key_of_the_rules_is_told_once_with_the_likely_one() {
    let repository = Repository::new();
    repository.write(
        ".sops.yaml",
        format!("creation_rules:\n- age: {RECIPIENT}\n  encrypted-regex: ^password$\n"),
    );
    repository.write("other.yaml", PLAIN);
    let done = repository.ok("encrypt --in-place plain.yaml other.yaml");
    let told = done
        .stderr
        .matches("did you mean `encrypted_regex`?")
        .count();
    assert_eq!(told, 1, "{}", done.stderr);
    assert!(!done.stderr.contains("canary"), "{}", done.stderr);
}

#[test]
fn one_item_of_a_list_is_set_and_the_others_keep_their_ciphertext() {
    let repository = Repository::with_secret();
    let before = repository.read("secret.yaml");
    let done = repository
        .session
        .pipe("set secret.yaml [\"ports\"][1] --json", "5434");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let after = repository.read("secret.yaml");
    let changed = changed_lines(&before, &after);
    assert!((2..=3).contains(&changed), "{changed}: {after}");
    let first = |text: &str| {
        let ports = text.split_once("ports: [").unwrap().1;
        ports.split_once(", ").unwrap().0.to_owned()
    };
    assert_eq!(first(&before), first(&after));
    assert_eq!(
        repository.decrypted("secret.yaml"),
        PLAIN.replace("5433", "5434")
    );
}

#[test]
fn one_value_of_a_dotenv_file_is_set_and_other_lines_stay() {
    let repository = Repository::new();
    let plain = "# db\n\nUSER = \"ann\"\nPW=canary-1\n";
    repository.write("plain.env", plain);
    repository.ok("encrypt plain.env -o secret.env");
    let done = repository.session.pipe("set secret.env [\"PW\"]", "new");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(
        repository.decrypted("secret.env"),
        plain.replace("canary-1", "new")
    );
}

#[test]
fn a_list_gains_and_loses_items_and_the_others_keep_their_ciphertext() {
    let plain = "# users\nusers:\n  # first\n  - name: ann   # a\n\n  -   'bob'\nother: [ 1, 2 ]\n";
    let repository = Repository::new();
    repository.write("list.yaml", plain);
    repository.ok("encrypt list.yaml -o secret.yaml");
    let before = repository.read("secret.yaml");
    let set = |path: &str, value: &str| {
        let line = format!("set secret.yaml {path} --json");
        let done = repository.session.pipe(&line, value);
        assert_eq!(done.status, 0, "{}", done.stderr);
        repository.decrypted("secret.yaml")
    };
    // The comment above the first item counts in the path, as with sops.
    let grown = plain.replace("'bob'\n", "'bob'\n  - eve\n");
    assert_eq!(set("[\"users\"][3]", "\"eve\""), grown);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&before), lines(&repository.read("secret.yaml")));
    assert_eq!(new.len(), old.len() + 1);
    let kept = old.iter().filter(|line| new.contains(line)).count();
    assert!(kept >= old.len() - 2, "{new:?}");
    assert_eq!(
        set("[\"users\"]", "[{\"name\": \"ann\"}, \"eve\"]"),
        plain.replace("  -   'bob'\n", "  - eve\n")
    );
    repository.ok("unset secret.yaml [\"users\"][2]");
    let shrunk = plain.replace("\n  -   'bob'\n", "\n");
    assert_eq!(repository.decrypted("secret.yaml"), shrunk);
}
