//! `signet reseal`, offline. (With a controller: the cluster tests.)

use crate::support::{SECRET, Session, blanked, certificate, days, fixture, key_secret};

fn tree() -> Session {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --cert main.cert.pem --output tree/apps/db.yaml")
        .refused(&["cannot write"]);
    session.write("tree/apps/readme.yaml", "not: sealed\n");
    session
        .run("seal secret.yaml --cert main.cert.pem --output tree/apps/db.yaml")
        .ok();
    session
}

const TO_OTHER: &str = "reseal tree --private-key main.key.pem --cert other.cert.pem";

#[test]
fn a_tree_is_moved_to_another_key_and_only_ciphertexts_change() {
    let session = tree();
    let before = session.read("tree/apps/db.yaml");
    let done = session.run(TO_OTHER).ok();
    assert_eq!(
        done.stdout,
        "tree/apps/db.yaml: resealed team/db (password, user)\n"
    );
    let after = session.read("tree/apps/db.yaml");
    assert_ne!(before, after);
    assert_eq!(blanked(&before), blanked(&after));
    assert_eq!(
        session.opened("tree/apps/db.yaml", "other.key.pem"),
        "password=hunter2\nuser=admin\n"
    );
    assert_eq!(session.read("tree/apps/readme.yaml"), "not: sealed\n");
}

#[test]
fn what_is_on_the_newest_key_is_left_alone() {
    let session = tree();
    session.run(TO_OTHER).ok();
    let once = session.read("tree/apps/db.yaml");
    let again = session.run(TO_OTHER).ok();
    assert_eq!(again.stdout, "");
    assert_eq!(session.read("tree/apps/db.yaml"), once);
    // Without local state a private key tells.
    session
        .run(&format!(
            "{TO_OTHER} --no-state --private-key other.key.pem"
        ))
        .ok();
    assert_eq!(session.read("tree/apps/db.yaml"), once);
}

#[test]
fn a_dry_run_tells_and_changes_nothing() {
    let session = tree();
    let before = session.read("tree/apps/db.yaml");
    let done = session.run(&format!("{TO_OTHER} --dry-run")).ok();
    assert_eq!(
        done.stdout,
        "tree/apps/db.yaml: would reseal team/db (password, user)\n"
    );
    assert_eq!(session.read("tree/apps/db.yaml"), before);
}

#[test]
fn one_bad_file_does_not_stop_the_others_and_the_exit_code_tells() {
    let session = tree();
    session.write(
        "tree/a-bad.yaml",
        "kind: SealedSecret\nmetadata: {name: 'open\n",
    );
    let before = session.read("tree/apps/db.yaml");
    let strange = before.replace("name: db", "name: renamed");
    session.write("tree/strange.yaml", &strange);
    let done = session.run(TO_OTHER);
    assert_eq!(done.status, 1);
    assert_eq!(
        done.stdout,
        "tree/apps/db.yaml: resealed team/db (password, user)\n"
    );
    done.says(&[
        "`tree/a-bad.yaml`, line",
        "`tree/strange.yaml`, line 2: none of the private keys opens password, user of `renamed`",
        "2 objects not done",
    ]);
    assert_eq!(session.read("tree/strange.yaml"), strange);
    assert_ne!(session.read("tree/apps/db.yaml"), before);
}

#[test]
fn d02_template_data_is_kept_as_it_is_written() {
    let session = tree();
    let sealed = session.read("tree/apps/db.yaml").replace(
        "    type: Opaque\n",
        "    type: Opaque\n    data:\n      url: \"db://{{ .user }}@h\"  # rendered later\n",
    );
    session.write("tree/apps/db.yaml", &sealed);
    session.run(TO_OTHER).ok();
    assert_eq!(
        blanked(&session.read("tree/apps/db.yaml")),
        blanked(&sealed)
    );
}

#[test]
fn json_and_lists_are_resealed_in_place() {
    let session = tree();
    let json = session
        .run("seal secret.yaml --cert main.cert.pem -o json")
        .ok();
    session.write("tree/one.json", json.stdout);
    let object = session.read("tree/apps/db.yaml");
    let item: String = object
        .lines()
        .skip(1)
        .flat_map(|line| {
            [
                "  ", line, "
",
            ]
        })
        .collect();
    let item = item.replacen("  ", "- ", 1);
    session.write(
        "tree/list.yaml",
        format!("apiVersion: v1\nkind: List\nitems:\n{item}"),
    );
    let done = session.run(TO_OTHER).ok();
    assert_eq!(done.stdout.lines().count(), 3, "{}", done.stdout);
    let again = session
        .run(&format!(
            "{TO_OTHER} --no-state --private-key other.key.pem -o json"
        ))
        .ok();
    let reports: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    for report in reports.as_array().unwrap() {
        assert_eq!(report["objects"][0]["current"], 2, "{report}");
    }
}

#[test]
fn keys_without_dates_do_not_say_which_is_the_newest() {
    let session = tree();
    let done = session.run("reseal tree --private-key main.key.pem --private-key other.key.pem");
    assert_eq!(done.status, 2);
    done.says(&["do not tell which of them is the newest", "--cert FILE"]);
}

#[test]
fn one_key_without_its_certificate_is_told_so() {
    let session = tree();
    let done = session.run("reseal tree --private-key main.key.pem");
    assert_eq!(done.status, 2);
    done.says(&["a private key without its certificate", "--cert FILE"]);
}

/// A folder whose path is longer than the operating system takes at once.
fn out_of_reach(session: &Session, folder: &str) {
    use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
    let mut at = open(session.path(folder), OFlags::DIRECTORY, Mode::empty()).unwrap();
    let name = "x".repeat(250);
    for _ in 0..20 {
        mkdirat(&at, &name, Mode::RWXU).unwrap();
        at = openat(&at, &name, OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_reported_and_the_rest_is_done() {
    let session = tree();
    out_of_reach(&session, "tree");
    let done = session.run(TO_OTHER);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("tree/apps/db.yaml: resealed"),
        "{}",
        done.stdout
    );
    done.says(&["cannot read the folder", "1 object not done"]);
}

#[test]
fn a_name_in_the_report_does_not_steer_the_terminal() {
    let session = tree();
    let sealed = session.read("tree/apps/db.yaml");
    let steering = sealed.replace("    user:", "    \"us\\eer\":");
    assert_ne!(sealed, steering);
    session.write("tree/apps/db.yaml", steering);
    let done = session.run(TO_OTHER).ok();
    assert!(done.stdout.contains("us\u{fffd}er"), "{:?}", done.stdout);
}

/// A backup of the main key and of a newer one, which is marked.
fn with_newer(session: &Session, main: &str, newer: &str) {
    let old = certificate(days(-2000), days(3650));
    let main = key_secret("old", main, "main", &old);
    let newer = key_secret("new", newer, "other", &fixture("other.cert.pem"));
    session.write("backup.yaml", format!("{main}---\n{newer}"));
}

#[test]
fn nothing_is_sealed_for_a_key_that_is_marked_as_compromised() {
    let session = tree();
    with_newer(&session, "active", "compromised");
    let sealed_for_newer = "seal secret.yaml --cert other.cert.pem --output tree/other.yaml";
    session.run(sealed_for_newer).ok();
    let before = session.read("tree/apps/db.yaml");
    let done = session
        .run("reseal tree --private-key backup.yaml --no-state")
        .ok();
    assert_eq!(
        done.stdout,
        "tree/other.yaml: resealed team/db (password, user)\n"
    );
    assert_eq!(session.read("tree/apps/db.yaml"), before);
    assert_eq!(
        session.opened("tree/other.yaml", "main.key.pem"),
        "password=hunter2\nuser=admin\n"
    );
}

#[test]
fn with_retired_keys_alone_the_certificate_has_to_be_named() {
    let session = tree();
    with_newer(&session, "retired", "compromised");
    let before = session.read("tree/apps/db.yaml");
    let done = session.run("reseal tree --private-key backup.yaml");
    assert_eq!(done.status, 2);
    done.says(&[
        "every private key is retired: `new` (compromised), `old` (retired)",
        "--cert FILE",
    ]);
    assert_eq!(session.read("tree/apps/db.yaml"), before);
    session
        .run("reseal tree --private-key backup.yaml --cert other.cert.pem")
        .ok()
        .says(&["warning: the key of the certificate is marked `compromised` in the backup"]);
}

#[test]
fn a_template_of_a_chart_is_passed_over_with_a_warning() {
    let session = tree();
    let chart = "{{- if .Values.db }}\nkind: SealedSecret\n{{- end }}\n";
    session.write("tree/chart.yaml", chart);
    session
        .run(TO_OTHER)
        .ok()
        .says(&["warning: `tree/chart.yaml` is a template and is passed over"]);
    assert_eq!(session.read("tree/chart.yaml"), chart);
}

#[test]
fn an_item_that_is_not_base64_or_comes_from_elsewhere_is_told_so() {
    let session = tree();
    let sealed = session.read("tree/apps/db.yaml");
    let item = session.ciphertexts("tree/apps/db.yaml")["password"].clone();
    session.write("bad/db.yaml", sealed.replace(&item, "'@@'"));
    let reseal = "reseal bad --private-key main.key.pem --cert other.cert.pem";
    let done = session.run(reseal);
    assert_eq!(done.status, 1);
    done.says(&["`password` of `db` is not base64"]);
    let merged = format!(
        "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n\
         metadata: {{name: db, namespace: team}}\nspec:\n  encryptedData:\n    <<: {{password: {item}}}\n"
    );
    session.write("bad/db.yaml", &merged);
    let done = session.run(reseal);
    assert_eq!(done.status, 1);
    done.says(&["`password` comes from a merge key"]);
    assert_eq!(session.read("bad/db.yaml"), merged);
}
