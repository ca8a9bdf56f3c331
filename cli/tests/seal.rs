//! `signet seal`

use crate::support::{SECRET, Session, blanked, ciphertexts};

#[test]
fn comments_order_and_layout_of_the_manifest_are_kept() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    let sealed = session.run("seal secret.yaml --cert main.cert.pem").ok();
    assert_eq!(
        blanked(&sealed.stdout),
        "\
# database of the team
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata:
  name: db  # keep this name
  namespace: team
spec:
  encryptedData:
    user: CIPHERTEXT
    password: CIPHERTEXT
  template:
    metadata:
      name: db
      namespace: team
    type: Opaque
"
    );
}

#[test]
fn what_was_sealed_opens_to_what_was_there() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --cert main.cert.pem --output sealed.yaml")
        .ok();
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=hunter2\nuser=admin\n"
    );
}

#[test]
fn in_place_replaces_the_file_and_nothing_in_it_stays_plain() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session.run("seal -i secret.yaml --cert main.cert.pem").ok();
    let text = session.read("secret.yaml");
    assert!(text.contains("kind: SealedSecret"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn json_in_is_json_out_and_either_can_be_asked_for() {
    let session = Session::new();
    let json = r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","namespace":"team"},"stringData":{"a":"b"}}"#;
    let same = session.pipe("seal --cert main.cert.pem", json).ok();
    assert!(same.stdout.starts_with('{'), "{}", same.stdout);
    let yaml = session.pipe("seal --cert main.cert.pem -o yaml", json).ok();
    assert!(yaml.stdout.starts_with("apiVersion: "), "{}", yaml.stdout);
    let json = session
        .pipe("seal --cert main.cert.pem -o json", SECRET)
        .ok();
    assert!(
        json.stdout.starts_with("{\n  \"apiVersion\""),
        "{}",
        json.stdout
    );
}

#[test]
fn items_of_a_list_are_sealed_where_they_stand() {
    let session = Session::new();
    let list = "\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata: {name: a, namespace: team}
  stringData:
    x: one
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b, namespace: team}
  data: {y: two}
";
    let sealed = session.pipe("seal --cert main.cert.pem", list).ok().stdout;
    assert!(
        sealed.starts_with("apiVersion: v1\nkind: List\nitems:\n"),
        "{sealed}"
    );
    assert!(sealed.contains("kind: SealedSecret"), "{sealed}");
    assert!(sealed.contains("data: {y: two}"), "{sealed}");
    assert!(!sealed.contains("one"), "{sealed}");
}

#[test]
fn other_kinds_are_refused_by_name_where_that_is_asked_for() {
    let session = Session::new();
    let mixed = format!(
        "{SECRET}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata: {{}}\n"
    );
    session
        .pipe("seal --only-secrets --cert main.cert.pem", mixed)
        .refused(&["standard input, document 2, line 12: ConfigMap `settings` is no Secret"]);
}

#[test]
fn another_namespace_than_the_one_in_the_file_is_refused_and_not_passed_over() {
    let session = Session::new();
    let told = session
        .pipe("seal --namespace other --cert main.cert.pem", SECRET)
        .refused(&["in namespace `team`", "`--namespace` says `other`"]);
    assert_eq!(told.stdout, "");
    session
        .pipe("seal --namespace team --cert main.cert.pem", SECRET)
        .ok();
}

#[test]
fn a_raw_value_is_base64_alone_and_opens_under_its_label() {
    let session = Session::new();
    let raw = session
        .pipe(
            "seal --raw --name db --namespace team --cert main.cert.pem",
            "s3cret",
        )
        .ok()
        .stdout;
    assert!(raw.starts_with("AQ") && !raw.ends_with('\n'), "{raw}");
    session.write(
        "sealed.yaml",
        format!(
            "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n\
             metadata: {{name: db, namespace: team}}\nspec:\n  encryptedData:\n    k: {raw}\n"
        ),
    );
    assert_eq!(session.opened("sealed.yaml", "main.key.pem"), "k=s3cret\n");
}

#[test]
fn a_raw_value_needs_what_its_scope_binds_it_to() {
    let session = Session::new();
    let run = |args: &str| session.pipe(&format!("seal --raw --cert main.cert.pem {args}"), "x");
    let told = run("--namespace team").says(&["strict scope", "`--name` is missing"]);
    assert_eq!(told.status, 2);
    run("--scope namespace-wide").says(&["`--namespace` is missing"]);
    run("--scope cluster-wide").ok();
}

#[test]
fn into_sets_items_under_the_scope_of_the_file_and_leaves_the_others() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --scope cluster-wide --cert main.cert.pem --output sealed.yaml")
        .ok();
    let before = session.ciphertexts("sealed.yaml");
    let update = "\
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: team}
stringData: {password: new, token: t}
";
    session
        .pipe("seal --into sealed.yaml --cert main.cert.pem", update)
        .ok();
    let after = session.ciphertexts("sealed.yaml");
    assert_eq!(before["user"], after["user"]);
    assert_ne!(before["password"], after["password"]);
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=new\ntoken=t\nuser=admin\n"
    );
}

#[test]
fn into_a_file_of_one_object_takes_the_name_and_namespace_of_the_file() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --cert main.cert.pem --output sealed.yaml")
        .ok();
    let update = "kind: Secret\nmetadata: {name: whatever}\nstringData: {token: t}\n";
    session
        .pipe("seal --into sealed.yaml --cert main.cert.pem", update)
        .ok()
        .says(&["note: the items of Secret `team/whatever` are sealed into `team/db`"]);
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=hunter2\ntoken=t\nuser=admin\n"
    );
    let two = session
        .read("sealed.yaml")
        .replace("name: db", "name: other");
    session.write("two.yaml", session.read("sealed.yaml") + "---\n" + &two);
    session
        .pipe("seal --into two.yaml --cert main.cert.pem", update)
        .refused(&["`two.yaml` holds no SealedSecret `whatever`"]);
}

#[test]
fn a_private_key_proves_unchanged_values_without_any_state() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    let seal = "seal secret.yaml --no-state --cert main.cert.pem --output sealed.yaml";
    session.run(seal).ok();
    let before = session.ciphertexts("sealed.yaml");
    session
        .run(&format!("{seal} --private-key main.key.pem"))
        .ok();
    assert_eq!(session.ciphertexts("sealed.yaml"), before);
    session.run(seal).ok();
    assert_ne!(session.ciphertexts("sealed.yaml"), before);
    assert!(session.names("home").is_empty());
}

#[test]
fn comments_beside_values_are_told_by_their_lines() {
    let session = Session::new();
    let text = format!("{SECRET}  # old: swordfish\n# the end\n")
        .replace("user: admin", "user: admin  # was: root");
    let sealed = session.pipe("seal --cert main.cert.pem", text).ok();
    assert!(sealed.stdout.contains("# was: root") && sealed.stdout.contains("# old: swordfish"));
    assert_eq!(
        sealed.stderr,
        "note: standard input: comments beside the values are kept, for everybody to read \
         (lines 9, 11)\n"
    );
}

#[test]
fn comments_that_cannot_be_kept_are_counted() {
    let session = Session::new();
    let text = "kind: Secret\nmetadata: {name: db, namespace: team}\n\
                stringData: {a: \"x\", # why\n  b: z}\n";
    session
        .pipe("seal --cert main.cert.pem", text)
        .ok()
        .says(&["warning: standard input: 1 comment could not be kept"]);
}

#[test]
fn in_place_a_second_run_and_a_file_that_is_named_twice_do_no_harm() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    let seal = "seal -i secret.yaml ./secret.yaml --cert main.cert.pem";
    session.run(seal).ok();
    let once = session.read("secret.yaml");
    session
        .run(seal)
        .ok()
        .says(&["note: nothing to do: the files are sealed already"]);
    assert_eq!(session.read("secret.yaml"), once);
    session
        .run("seal secret.yaml --cert main.cert.pem")
        .refused(&["sealed already", "`signet set`"]);
}

#[test]
fn a_hard_link_that_stays_plain_is_warned_of() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    std::fs::hard_link(session.path("secret.yaml"), session.path("twin.yaml")).unwrap();
    session
        .run("seal -i secret.yaml --cert main.cert.pem")
        .ok()
        .says(&["warning: `secret.yaml` had another name (a hard link)"]);
    assert_eq!(session.read("twin.yaml"), SECRET);
}

#[test]
fn a_secret_that_no_cluster_takes_is_refused() {
    let session = Session::new();
    let large = "a".repeat(1 << 20);
    let secret = |extra: &str| {
        format!(
            "kind: Secret\nmetadata: {{name: db, namespace: team}}\nstringData: {{a: {large}{extra}}}\n"
        )
    };
    session.pipe("seal --cert main.cert.pem", secret("")).ok();
    session
        .pipe("seal --cert main.cert.pem", secret("b"))
        .refused(&["1048577 bytes", "at most 1048576"]);
}

#[test]
fn standard_output_is_data_alone() {
    let session = Session::new();
    let sealed = session.pipe("seal --cert main.cert.pem", SECRET).ok();
    assert_eq!(ciphertexts(&sealed.stdout).len(), 2);
    assert_eq!(sealed.stderr, "");
}

#[test]
fn standard_input_is_not_replaced_in_place() {
    let session = Session::new();
    let done = session.pipe("seal -i --cert main.cert.pem", SECRET);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    done.says(&["standard input cannot be replaced in place"]);
}

#[test]
fn proofs_that_cannot_be_used_are_told_and_stop_nothing() {
    let session = Session::new();
    session.write("home/.local/state/signet/proofs/key", "too short");
    session
        .pipe("seal --cert main.cert.pem", SECRET)
        .ok()
        .says(&["warning: the key of the local proofs", "--no-state"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_signet"))
        .args(["completion", "bash"])
        .stdout(writer)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn manual_pages_go_to_a_folder_that_need_not_be_there() {
    let session = Session::new();
    session.run("man share/man/man1").ok();
    let pages = session.names("share/man/man1");
    assert!(pages.contains(&"signet.1".to_owned()), "{pages:?}");
    assert!(
        pages.contains(&"signet-cert-fetch.1".to_owned()),
        "{pages:?}"
    );
    assert!(
        !pages.iter().any(|page| page.contains("-help")),
        "{pages:?}"
    );
}
