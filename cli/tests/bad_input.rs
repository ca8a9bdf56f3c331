//! Inputs that are wrong: each gets a clear error, and nothing is lost.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::support::{SECRET, Session};

#[test]
fn a_directory_a_missing_and_an_empty_file() {
    let session = Session::new();
    session.write("empty.yaml", "");
    session
        .run("seal home --cert main.cert.pem")
        .refused(&["`home` is a directory", "hint: "]);
    session
        .run("seal nope.yaml --cert main.cert.pem")
        .refused(&["cannot read `nope.yaml`: No such file"]);
    session
        .run("seal empty.yaml --cert main.cert.pem")
        .refused(&["`empty.yaml`: the input is empty"]);
}

#[test]
fn utf_16_is_named_and_a_byte_order_mark_is_kept() {
    let session = Session::new();
    let utf16: Vec<u8> = SECRET.encode_utf16().flat_map(u16::to_le_bytes).collect();
    session.write("utf16.yaml", utf16);
    session
        .run("seal utf16.yaml --cert main.cert.pem")
        .refused(&[
            "`utf16.yaml`: the input is UTF-16 (little endian), not UTF-8",
            "hint: ",
        ]);
    session.write("bom.yaml", format!("\u{feff}{SECRET}"));
    session.run("seal -i bom.yaml --cert main.cert.pem").ok();
    assert!(session.read("bom.yaml").starts_with("\u{feff}# database"));
}

#[test]
fn a_bad_document_is_named_and_the_good_one_is_not_written_either() {
    let session = Session::new();
    let two = format!(
        "{SECRET}---\napiVersion: v1\nkind: Secret\nmetadata: {{name: b, namespace: c}}\ndata: {{x: '%'}}\n"
    );
    session.write("two.yaml", &two);
    session
        .run("seal -i two.yaml --cert main.cert.pem")
        .refused(&["`two.yaml`, document 2: line 15, column 11: `data.x` is not base64"]);
    assert_eq!(session.read("two.yaml"), two);
}

#[test]
fn all_that_is_wrong_is_told_at_once_and_no_file_is_touched() {
    let session = Session::new();
    session.write("good.yaml", SECRET);
    session.write(
        "nameless.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {namespace: a}\ndata: {x: YQ==}\n",
    );
    session.write(
        "nowhere.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {x: YQ==}\n",
    );
    session
        .run("seal -i good.yaml nameless.yaml nowhere.yaml --cert main.cert.pem")
        .refused(&[
            "missing metadata.name",
            "no namespace, and strict scope binds it to one",
        ]);
    assert_eq!(session.read("good.yaml"), SECRET);
}

#[test]
fn a_secret_without_items_is_refused_unless_that_is_meant() {
    let session = Session::new();
    let empty = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\n";
    session
        .pipe("seal --cert main.cert.pem", empty)
        .refused(&["neither data nor stringData", "--allow-empty-data"]);
    session
        .pipe("seal --allow-empty-data --cert main.cert.pem", empty)
        .ok();
}

#[test]
fn an_input_without_a_secret_is_not_taken_for_a_success() {
    let session = Session::new();
    session
        .pipe(
            "seal --cert main.cert.pem",
            "apiVersion: v1\nkind: ConfigMap\n",
        )
        .refused(&["there is no Secret in the input"]);
    session
        .pipe(
            "seal --cert main.cert.pem",
            "apiVersion: v1\ndata: {a: b}\n",
        )
        .refused(&["line 1: not a Kubernetes resource: it has no kind"]);
}

#[test]
fn d11_a_failed_command_leaves_the_output_as_it_was_and_nothing_beside_it() {
    let session = Session::new();
    session.write("out/sealed.yaml", "old");
    session
        .pipe(
            "seal --cert main.cert.pem --output out/sealed.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {x: YQ==}\n",
        )
        .says(&["error: "]);
    assert_eq!(session.read("out/sealed.yaml"), "old");
    assert_eq!(session.names("out"), ["sealed.yaml"]);
}

#[test]
fn d11_mode_and_symbolic_link_of_the_output_are_kept() {
    let session = Session::new();
    session.write("real.yaml", SECRET);
    let mode = |mode| fs::Permissions::from_mode(mode);
    fs::set_permissions(session.path("real.yaml"), mode(0o640)).unwrap();
    symlink("real.yaml", session.path("link.yaml")).unwrap();
    session.run("seal -i link.yaml --cert main.cert.pem").ok();
    let link = fs::symlink_metadata(session.path("link.yaml")).unwrap();
    assert!(link.is_symlink());
    let real = fs::metadata(session.path("real.yaml")).unwrap();
    assert_eq!(real.permissions().mode() & 0o777, 0o640);
    assert!(session.read("real.yaml").contains("kind: SealedSecret"));
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let session = Session::new();
    session
        .pipe("seal --cert main.cert.pem --output home", SECRET)
        .refused(&["cannot write `home`: it is a directory"]);
    let missing = session
        .pipe(
            "seal --cert main.cert.pem --output no/such/sealed.yaml",
            SECRET,
        )
        .refused(&["cannot write `no/such/sealed.yaml`: No such file or directory"]);
    assert!(!missing.stderr.contains(".signet-"), "{}", missing.stderr);
}

#[test]
fn certificates_that_are_none_are_told_apart() {
    let session = Session::new();
    let seal = |cert: &str| session.pipe(&format!("seal --cert {cert}"), SECRET);
    seal("main.key.pem").refused(&[
        "cannot use the certificate `main.key.pem`",
        "RSA PRIVATE KEY",
    ]);
    seal("nope.pem").refused(&["cannot read `nope.pem`: No such file"]);
    session.write("ecdsa.pem", include_str!("fixtures/ecdsa.cert.pem"));
    seal("ecdsa.pem").refused(&["cannot use the certificate `ecdsa.pem`"]);
}

#[test]
fn a_secret_value_is_in_no_error() {
    let session = Session::new();
    for bad in [
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\ndata: {x: canary-value}\n",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\nstringData: [canary-value]\n",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {x: canary-value}\n",
        "apiVersion: v1\nkind: Secret\nstringData:\n  x: 'canary-value\n",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\nstringData:\n  x: {y: canary-value}\n",
    ] {
        let done = session.pipe("seal --cert main.cert.pem", bad);
        assert_eq!(done.status, 1, "{bad}");
        assert!(!done.stderr.contains("canary"), "{}", done.stderr);
        assert_eq!(done.stdout, "");
    }
}

#[test]
fn a_misspelt_secret_is_refused_and_not_passed_through() {
    let session = Session::new();
    for (right, wrong) in [
        ("kind: Secret", "kind: secret"),
        ("apiVersion: v1", "apiVersion: V1"),
    ] {
        let done = session.pipe("seal --cert main.cert.pem", SECRET.replace(right, wrong));
        done.refused(&[
            "standard input: line 2, column 1: this is a",
            "not a Secret",
        ]);
    }
    let other = "apiVersion: vault.example/v1\nkind: Secret\nmetadata: {name: a}\n";
    let both = format!("{SECRET}---\n{other}");
    let sealed = session.pipe("seal --cert main.cert.pem", both).ok().stdout;
    assert!(sealed.ends_with(other), "{sealed}");
}

#[test]
fn ciphertexts_that_are_none_are_named_with_what_is_wrong() {
    let session = Session::new();
    let sealed = session
        .pipe("seal --cert main.cert.pem", SECRET)
        .ok()
        .stdout;
    let whole = crate::support::ciphertexts(&sealed)["user"].clone();
    for (item, told) in [
        (
            "'%%%'".to_owned(),
            "(user): it was cut or is not a sealed value",
        ),
        (
            whole[..whole.len() - 4].to_owned(),
            "no key could decrypt secret (user)",
        ),
        (whole[..200].to_owned(), "not a complete sealed item"),
        ("''".to_owned(), "not a complete sealed item"),
        (whole.replacen("AQ", "Ag", 1), "not a complete sealed item"),
        (
            "17".to_owned(),
            "expected text; quote numbers and true or false (user)",
        ),
    ] {
        session.write("sealed.yaml", sealed.replace(&whole, &item));
        session
            .run("unseal sealed.yaml --private-key main.key.pem")
            .refused(&["`sealed.yaml`, line 2: `db`: ", told]);
    }
}

#[test]
fn names_that_the_cluster_would_refuse_are_refused_when_sealing_with_the_rule() {
    let session = Session::new();
    for (good, bad, rule) in [
        (
            "name: db ",
            "name: Data_Base ",
            "`Data_Base` is no name of a Secret",
        ),
        (
            "namespace: team",
            "namespace: team.a",
            "`team.a` is no name of a namespace",
        ),
        (
            "user: admin",
            "\"us er\": admin",
            "an item's name has letters",
        ),
    ] {
        let secret = SECRET.replace(good, bad);
        assert_ne!(secret, SECRET);
        session
            .pipe("seal --cert main.cert.pem", secret)
            .refused(&[rule]);
    }
    for (flags, rule) in [
        ("--namespace team --name A", "`A` is no name of a Secret"),
        ("--namespace T --name db", "`T` is no name of a namespace"),
    ] {
        let raw = format!("seal --raw --cert main.cert.pem {flags}");
        session.pipe(&raw, "x").refused(&[rule]);
    }
}
