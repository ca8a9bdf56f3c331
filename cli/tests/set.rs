//! `signet set` and `signet unset`

use crate::support::{SECRET, Session};

fn sealed() -> Session {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --cert main.cert.pem --output sealed.yaml")
        .ok();
    session
}

/// Lines of `after` that are not in `before`.
fn new_lines<'a>(before: &str, after: &'a str) -> Vec<&'a str> {
    after
        .lines()
        .filter(|line| !before.lines().any(|old| old == *line))
        .collect()
}

#[test]
fn issue_1689_one_value_changes_and_nothing_else_moves() {
    let session = sealed();
    let before = session.read("sealed.yaml");
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "new")
        .ok();
    let after = session.read("sealed.yaml");
    let [line] = new_lines(&before, &after)[..] else {
        panic!("{after}");
    };
    assert!(line.starts_with("    password: 'AQ"), "{line}");
    assert_eq!(before.lines().count(), after.lines().count());
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=new\nuser=admin\n"
    );
}

#[test]
fn a_new_item_goes_below_the_others() {
    let session = sealed();
    let before = session.read("sealed.yaml");
    session
        .pipe("set sealed.yaml token --cert main.cert.pem", "t")
        .ok();
    let after = session.read("sealed.yaml");
    let [line] = new_lines(&before, &after)[..] else {
        panic!("{after}");
    };
    assert!(line.starts_with("    token: AQ"), "{line}");
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=hunter2\ntoken=t\nuser=admin\n"
    );
}

#[test]
fn d04_the_scope_comes_from_the_file() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --scope cluster-wide --cert main.cert.pem --output sealed.yaml")
        .ok();
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "new")
        .ok();
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=new\nuser=admin\n"
    );
}

#[test]
fn an_unchanged_value_leaves_the_file_as_it_is() {
    let session = sealed();
    let before = session.read("sealed.yaml");
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "hunter2")
        .ok()
        .says(&["has that value already"]);
    assert_eq!(session.read("sealed.yaml"), before);
}

#[test]
fn a_line_break_at_the_end_is_told_and_taken_off_on_request() {
    let session = sealed();
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "new\n")
        .ok()
        .says(&["warning: the value ends with a line break"]);
    session
        .pipe(
            "set sealed.yaml password --trim-newline --cert main.cert.pem",
            "newer\n",
        )
        .ok();
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=newer\nuser=admin\n"
    );
}

#[test]
fn unset_then_set_gives_the_items_back() {
    let session = sealed();
    let before = session.read("sealed.yaml");
    session.run("unset sealed.yaml user").ok();
    let after = session.read("sealed.yaml");
    assert_eq!(before.lines().count() - 1, after.lines().count());
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=hunter2\n"
    );
    session
        .run("unset sealed.yaml user")
        .refused(&["`db` has no item `user`; there are: password"]);
}

#[test]
fn several_objects_in_a_file_are_told_apart_by_name() {
    let session = sealed();
    let text = session.read("sealed.yaml");
    let second = text.replace("name: db", "name: other");
    session.write("sealed.yaml", format!("{text}---\n{second}"));
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "new")
        .refused(&["holds several SealedSecrets: db, other", "--name NAME"]);
    session
        .pipe(
            "set sealed.yaml password --name other --cert main.cert.pem",
            "new",
        )
        .ok();
    assert!(session.read("sealed.yaml").starts_with(&text));
}

#[test]
fn a_file_without_a_namespace_needs_to_be_told_one() {
    let session = sealed();
    let text = session.read("sealed.yaml");
    let text = text.replacen("\n  namespace: team\n", "\n", 1);
    session.write("sealed.yaml", &text);
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "new")
        .refused(&["`db` has no namespace", "--namespace"]);
    assert_eq!(session.read("sealed.yaml"), text);
    session
        .pipe(
            "set sealed.yaml password -n team --cert main.cert.pem",
            "new",
        )
        .ok();
    let opened = session
        .run("unseal sealed.yaml -n team --private-key main.key.pem --item password")
        .ok();
    assert_eq!(opened.stdout, "new");
}

#[test]
fn a_value_is_no_argument() {
    let session = sealed();
    let done = session.run("set sealed.yaml password hunter3 --cert main.cert.pem");
    assert_eq!(done.status, 2);
    assert!(!done.stderr.contains("hunter3"), "{}", done.stderr);
    done.says(&["the value is not an argument", "--from-file"]);
}

#[test]
fn a_value_that_is_typed_beside_the_items_name_is_not_repeated() {
    let session = sealed();
    for key in ["password=hunter3", "pass:hunter3"] {
        let done = session.run(&format!("set sealed.yaml {key} --cert main.cert.pem"));
        assert_eq!(done.status, 2);
        assert!(!done.stderr.contains("hunter3"), "{}", done.stderr);
    }
}

#[test]
fn an_empty_value_needs_a_file_that_is_named() {
    let session = sealed();
    let before = session.read("sealed.yaml");
    session
        .pipe("set sealed.yaml password --cert main.cert.pem", "")
        .refused(&["the value is empty", "--from-file /dev/null"]);
    session
        .pipe(
            "set sealed.yaml password --trim-newline --cert main.cert.pem",
            "\n",
        )
        .refused(&["the value is empty"]);
    assert_eq!(session.read("sealed.yaml"), before);
    session
        .pipe(
            "set sealed.yaml password --from-file - --cert main.cert.pem",
            "",
        )
        .ok();
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=\nuser=admin\n"
    );
}

#[test]
fn what_two_objects_share_by_an_alias_is_not_changed_for_one_of_them() {
    let session = sealed();
    let item = session.ciphertexts("sealed.yaml")["password"].clone();
    let text = format!(
        "apiVersion: v1
kind: List
items:
- apiVersion: bitnami.com/v1alpha1
  kind: SealedSecret
  metadata: {{name: a, namespace: team}}
  spec: {{encryptedData: &it {{password: {item}}}}}
- apiVersion: bitnami.com/v1alpha1
  kind: SealedSecret
  metadata: {{name: b, namespace: team}}
  spec: {{encryptedData: *it}}
"
    );
    session.write("list.yaml", &text);
    for args in ["unset list.yaml password", "set list.yaml password"] {
        for name in ["a", "b"] {
            let cert = if args.starts_with("set") {
                "--cert main.cert.pem"
            } else {
                ""
            };
            session
                .pipe(&format!("{args} --name {name} {cert}"), "new")
                .refused(&["`list.yaml`", "other places would change with it"]);
            assert_eq!(session.read("list.yaml"), text);
        }
    }
}
