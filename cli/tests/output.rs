//! What `signet seal --output` does with a file that is there.

use crate::support::{SECRET, Session};

const SEAL: &str = "seal secret.yaml --cert main.cert.pem --output";

#[test]
fn what_the_input_does_not_have_goes_from_the_output_and_is_named() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    session
        .run(&format!("{SEAL} sealed.yaml"))
        .ok()
        .says(&["note: items sealed: 2; unchanged, and left as they are: 0"]);
    session
        .pipe("set sealed.yaml extra --cert main.cert.pem", "more")
        .ok();
    let more = "# of the team\n---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: settings}\n";
    let sealed = session.read("sealed.yaml") + more;
    session.write("sealed.yaml", &sealed);
    session.run(&format!("{SEAL} sealed.yaml")).ok().says(&[
        "warning: what `sealed.yaml` held and the input does not have is gone: ConfigMap `settings`, \
         item `extra` of `team/db`, a comment",
        "note: items sealed: 0; unchanged, and left as they are: 2",
    ]);
    let again = session.run(&format!("{SEAL} sealed.yaml")).ok();
    assert!(!again.stderr.contains("is gone"), "{}", again.stderr);
}

#[test]
fn a_file_that_holds_nothing_sealed_is_not_replaced() {
    let session = Session::new();
    session.write("secret.yaml", SECRET);
    let told = [
        "it was not replaced",
        "`--output` replaces sealed files alone",
    ];
    for text in ["remember the milk\n", "kind: ConfigMap\n", "a: 'open\n"] {
        session.write("notes.txt", text);
        session.run(&format!("{SEAL} notes.txt")).refused(&told);
        assert_eq!(session.read("notes.txt"), text);
    }
    session.write("empty.yaml", "\n");
    session.run(&format!("{SEAL} empty.yaml")).ok();
    session.run(&format!("{SEAL} secret.yaml")).ok();
    assert_eq!(
        session.opened("secret.yaml", "main.key.pem"),
        session.opened("empty.yaml", "main.key.pem")
    );
}
