//! `signet cert`

use crate::support::{SECRET, Session, certificate, days};

#[test]
fn a_certificate_is_shown_for_people_and_programs() {
    let session = Session::new();
    let text = session.run("cert show main.cert.pem").ok().stdout;
    assert!(
        text.contains("subject      signet test only, main\n"),
        "{text}"
    );
    assert!(text.contains("key          RSA 2048\n"), "{text}");
    assert!(text.contains("fingerprint  SHA256:"), "{text}");
    let json = session.run("cert show main.cert.pem -o json").ok().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["bits"], 2048);
    assert_eq!(json[0]["expired"], false);
}

#[test]
fn check_fails_when_a_certificate_has_expired_or_soon_will() {
    let session = Session::new();
    session.write("soon.pem", certificate(days(-300), days(10)));
    session.write("gone.pem", certificate(days(-300), days(-1)));
    session.run("cert check main.cert.pem").ok();
    session.run("cert check soon.pem --days 5").ok();
    let soon = session.run("cert check soon.pem");
    assert_eq!(soon.status, 1);
    soon.says(&["error: `soon.pem` expires on 2"]);
    let gone = session.run("cert check main.cert.pem gone.pem");
    assert_eq!(gone.status, 1);
    gone.says(&["error: `gone.pem` expired on 2"]);
}

#[test]
fn without_a_pin_it_says_how_to_make_one() {
    let session = Session::new();
    session.run("cert show").refused(&[
        "no certificate is pinned under `.signet/certs/default.pem`",
        "signet cert fetch",
    ]);
}

#[test]
fn without_a_pin_the_hint_names_what_the_command_takes() {
    let session = Session::new();
    session
        .run("cert show")
        .refused(&["no certificate is pinned", "`signet cert show FILE`"]);
}

#[test]
fn a_certificate_that_anybody_on_the_way_could_replace_is_told() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    for (scheme, told) in [("http", true), ("https", false)] {
        let done = session.run(&format!(
            "seal secret.yaml --cert {scheme}://127.0.0.1:1/cert.pem"
        ));
        assert_eq!(done.status, 1);
        assert_eq!(done.stderr.contains("without TLS"), told, "{}", done.stderr);
    }
}
