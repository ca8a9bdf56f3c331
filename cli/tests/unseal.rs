//! `signet unseal`, and private keys in every form.

use crate::support::{SECRET, Session};

fn sealed() -> Session {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run("seal secret.yaml --cert main.cert.pem --output sealed.yaml")
        .ok();
    session
}

#[test]
fn d09_the_secret_has_no_owner_without_a_uid() {
    let session = sealed();
    let secret = session
        .run("unseal sealed.yaml --private-key main.key.pem")
        .ok()
        .stdout;
    assert!(!secret.contains("ownerReferences"), "{secret}");
    assert_eq!(
        secret,
        "\
apiVersion: v1
data:
  password: aHVudGVyMg==
  user: YWRtaW4=
kind: Secret
metadata:
  name: db
  namespace: team
type: Opaque
"
    );
}

#[test]
fn d09_every_document_is_opened_and_others_pass() {
    let session = sealed();
    let sealed = session.read("sealed.yaml");
    let other = "# stays\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n";
    let all = format!("{sealed}---\n{other}---\n{sealed}");
    let opened = session
        .pipe("unseal --private-key main.key.pem", all)
        .ok()
        .stdout;
    assert_eq!(opened.matches("kind: Secret\n").count(), 2, "{opened}");
    assert!(opened.contains(&format!("---\n{other}---\n")), "{opened}");
}

#[test]
fn every_form_of_a_backup_opens() {
    let session = sealed();
    let pem = session.read("main.key.pem");
    let base64 = signet_keys::sealed::encode(pem.as_bytes());
    let secret = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: key1}}\ntype: kubernetes.io/tls\n\
         data:\n  tls.key: {base64}\n"
    );
    session.write("secret-key.yaml", &secret);
    session.write(
        "documents.yaml",
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x}}\n---\n{secret}"),
    );
    session.write(
        "list.json",
        format!(
            r#"{{"apiVersion":"v1","kind":"List","items":[{{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"key1"}},"data":{{"tls.key":"{base64}"}}}}]}}"#
        ),
    );
    let other = session.read("other.key.pem");
    session.write("several.pem", format!("some text\n{other}{pem}"));
    for form in [
        "main.key.pem",
        "secret-key.yaml",
        "documents.yaml",
        "list.json",
        "several.pem",
    ] {
        assert_eq!(
            session.opened("sealed.yaml", form),
            "password=hunter2\nuser=admin\n",
            "{form}"
        );
    }
}

#[test]
fn a_wrong_key_is_told_with_the_items() {
    let session = sealed();
    session
        .run("unseal sealed.yaml --private-key other.key.pem")
        .refused(&["`sealed.yaml`, line 2: `db`: no key could decrypt secret (password, user)"]);
}

#[test]
fn a_file_without_a_key_is_told_apart_from_one_with_a_bad_key() {
    let session = sealed();
    session
        .run("unseal sealed.yaml --private-key main.cert.pem")
        .refused(&["`main.cert.pem` holds no private key"]);
    session.write(
        "bad.yaml",
        "kind: Secret\napiVersion: v1\ndata: {tls.key: '@'}\n",
    );
    session
        .run("unseal sealed.yaml --private-key bad.yaml")
        .refused(&["`bad.yaml`, line 1: `tls.key` is not base64"]);
}

#[test]
fn one_item_is_printed_byte_for_byte() {
    let session = sealed();
    let item = session
        .run("unseal sealed.yaml --private-key main.key.pem --item password")
        .ok();
    assert_eq!(item.stdout, "hunter2");
    session
        .run("unseal sealed.yaml --private-key main.key.pem --item nope")
        .refused(&["no item `nope`; there are: password, user"]);
}

#[test]
fn a_sealed_item_is_printed_although_a_template_would_have_to_be_rendered() {
    let session = sealed();
    let data = "  template:\n    data: {url: 'u://{{ .password }}'}\n";
    let text = session.read("sealed.yaml").replace("  template:\n", data);
    session.write("sealed.yaml", text);
    let item = session
        .run("unseal sealed.yaml --private-key main.key.pem --item password")
        .ok();
    assert_eq!(item.stdout, "hunter2");
    session
        .run("unseal sealed.yaml sealed.yaml --private-key main.key.pem --item password")
        .refused(&["`--item` needs exactly one SealedSecret, and there are 2"]);
}

#[test]
fn an_output_file_with_plaintext_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let session = sealed();
    session
        .run("unseal sealed.yaml --private-key main.key.pem --output plain.yaml")
        .ok();
    let mode = std::fs::metadata(session.path("plain.yaml")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}

#[test]
fn without_a_key_it_says_what_is_missing() {
    let session = sealed();
    let done = session.run("unseal sealed.yaml");
    assert_eq!(done.status, 2);
    done.says(&["no private keys are named", "--private-key"]);
}
