//! Public issues of the peer, by number: <https://github.com/bitnami-labs/sealed-secrets/issues>.
//! (`D…` are defects that were found in its source.)

use crate::support::{SECRET, Session, certificate, ciphertexts, days};

#[test]
fn issue_104_string_data_wins_over_data() {
    let session = Session::new();
    let both = "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: team}\n\
                data: {a: MQ==}\nstringData: {a: '2'}\n";
    session.write(
        "sealed.yaml",
        session.pipe("seal --cert main.cert.pem", both).ok().stdout,
    );
    assert_eq!(session.opened("sealed.yaml", "main.key.pem"), "a=2\n");
}

#[test]
fn issue_114_issue_474_all_documents_are_sealed_in_order_and_others_pass() {
    let session = Session::new();
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c # as it was\n";
    let second = SECRET.replace("name: db", "name: second");
    let input = format!("{SECRET}---\n{config}---\n{second}");
    let sealed = session.pipe("seal --cert main.cert.pem", input).ok().stdout;
    let order: Vec<_> = sealed
        .lines()
        .filter(|line| line.starts_with("kind: ") || line.starts_with("  name: "))
        .collect();
    assert_eq!(
        order,
        [
            "kind: SealedSecret",
            "  name: db  # keep this name",
            "kind: ConfigMap",
            "  name: c # as it was",
            "kind: SealedSecret",
            "  name: second  # keep this name",
        ]
    );
    assert!(sealed.contains(&format!("---\n{config}---\n")), "{sealed}");
}

#[test]
fn issue_131_issue_376_issue_1468_unchanged_items_keep_their_ciphertext() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    let seal = "seal secret.yaml --cert main.cert.pem --output sealed.yaml";
    session.run(seal).ok();
    let first = session.ciphertexts("sealed.yaml");
    session.run(seal).ok();
    assert_eq!(session.ciphertexts("sealed.yaml"), first);

    session.write("secret.yaml", SECRET.replace("hunter2", "hunter3"));
    session.run(seal).ok();
    let second = session.ciphertexts("sealed.yaml");
    assert_eq!(first["user"], second["user"]);
    assert_ne!(first["password"], second["password"]);
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=hunter3\nuser=admin\n"
    );
}

#[test]
fn issue_131_a_ciphertext_is_not_kept_for_another_certificate_or_place() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    let seal = |args: &str| {
        session
            .run(&format!("seal secret.yaml --output sealed.yaml {args}"))
            .ok();
        session.ciphertexts("sealed.yaml")
    };
    let strict = seal("--cert main.cert.pem");
    let wide = seal("--cert main.cert.pem --scope namespace-wide");
    let other = seal("--cert other.cert.pem --scope namespace-wide");
    assert!(strict.iter().all(|(item, text)| wide[item] != *text));
    assert!(wide.iter().all(|(item, text)| other[item] != *text));
    assert_eq!(
        session.opened("sealed.yaml", "other.key.pem"),
        "password=hunter2\nuser=admin\n"
    );
}

#[test]
fn issue_263_issue_839_several_certificates_give_one_output_each() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --cert main.cert.pem --cert prod=other.cert.pem --output sealed-{cert}.yaml")
        .ok();
    assert_eq!(
        session.opened("sealed-main.cert.yaml", "main.key.pem"),
        session.opened("sealed-prod.yaml", "other.key.pem")
    );
    let done = session.run("seal secret.yaml --cert main.cert.pem --cert other.cert.pem");
    assert_eq!(done.status, 2);
    done.says(&["several certificates need one output each", "{cert}"]);
}

#[test]
fn issue_450_issue_322_an_item_of_another_scope_is_explained() {
    let session = Session::new();
    let sealed = session
        .pipe("seal --scope namespace-wide --cert main.cert.pem", SECRET)
        .ok()
        .stdout;
    let stripped: String = sealed
        .lines()
        .filter(|line| !line.contains("annotations:") && !line.contains("namespace-wide"))
        .flat_map(|line| [line, "\n"])
        .collect();
    session.write("sealed.yaml", stripped);
    session
        .run("unseal sealed.yaml --private-key main.key.pem")
        .refused(&["namespace-wide"]);
}

#[test]
fn issue_1041_issue_791_an_expired_certificate_is_refused_and_can_be_forced() {
    let session = Session::new();
    session.write("expired.pem", certificate(days(-400), days(-1)));
    session.pipe("seal --cert expired.pem", SECRET).refused(&[
        "the certificate `expired.pem` expired on 2",
        "--danger-accept-expired",
    ]);
    let forced = session
        .pipe("seal --cert expired.pem --danger-accept-expired", SECRET)
        .ok()
        .says(&["warning: the certificate `expired.pem` expired on 2"]);
    assert_eq!(ciphertexts(&forced.stdout).len(), 2);
}

#[test]
fn issue_791_a_certificate_near_its_end_is_told_in_time() {
    let session = Session::new();
    session.write("soon.pem", certificate(days(-300), days(20)));
    session
        .pipe("seal --cert soon.pem", SECRET)
        .ok()
        .says(&["warning: the certificate `soon.pem` expires on 2"]);
}

#[test]
fn issue_1789_offline_no_kubeconfig_is_read() {
    let session = Session::new();
    // Reading it would fail, and be told.
    session.write("kubeconfig", "{ not a kubeconfig");
    let env = [("KUBECONFIG", "kubeconfig")];
    session.write("secret.yaml", SECRET);
    for args in [
        "seal secret.yaml --cert main.cert.pem --output sealed.yaml",
        "set sealed.yaml password --cert main.cert.pem",
        "unset sealed.yaml user",
        "unseal sealed.yaml --private-key main.key.pem",
        "reseal sealed.yaml --private-key main.key.pem --cert other.cert.pem",
        "keys list --private-key main.key.pem",
    ] {
        session.run_with(args, "value", &env).ok();
    }
}
