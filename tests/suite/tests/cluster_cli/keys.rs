//! `signet keys`: listed, backed up, restored, and never replaced.

use signet_kit::tools;

use crate::session::{Cluster, Session};

/// Makes an age identity in `key.txt` and returns its recipient.
pub fn recipient(session: &Session) -> String {
    let keygen = tools().path("age-keygen");
    let file = session.path("key.txt");
    let made = std::process::Command::new(&keygen)
        .arg("-o")
        .arg(&file)
        .output();
    assert!(made.unwrap().status.success());
    let shown = std::process::Command::new(&keygen)
        .arg("-y")
        .arg(&file)
        .output();
    String::from_utf8(shown.unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_opens_with_age_and_restores_a_lost_key() {
    let cluster = Cluster::own().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("backup").await;
    let recipient = recipient(&session);
    session
        .run(&format!(
            "keys backup --recipient {recipient} --output backup.age"
        ))
        .await
        .ok()
        .says(&["backed up 1 keys"]);

    // The reference implementation opens it too.
    let plain = std::process::Command::new(tools().path("age"))
        .args(["--decrypt", "-i"])
        .arg(session.path("key.txt"))
        .arg(session.path("backup.age"))
        .output()
        .unwrap();
    let plain = String::from_utf8(plain.stdout).unwrap();
    assert!(plain.contains("kind: List") && plain.contains("tls.key"));
    assert!(!session.read("backup.age").contains("tls.key"));

    // It opens what was sealed, without the cluster.
    session.secret("db", &namespace, "hunter2");
    session
        .run("seal secret.yaml --output sealed.yaml")
        .await
        .ok();
    let opened = session
        .run("unseal sealed.yaml --private-key backup.age --identity key.txt --item password")
        .await
        .ok();
    assert_eq!(opened.stdout, "hunter2");

    let listed = session.run("keys list").await.ok().stdout;
    let name = listed
        .lines()
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    let restore = "keys restore backup.age --identity key.txt";
    session.run(restore).await.ok().says(&["is there already"]);

    cluster
        .plane
        .kubectl(["delete", "secret", "-n", "kube-system", name.as_str()])
        .await
        .unwrap();
    session
        .run(&format!("{restore} --dry-run"))
        .await
        .ok()
        .says(&[&format!("would create `kube-system/{name}`")]);
    session
        .run(restore)
        .await
        .ok()
        .says(&[&format!("created `kube-system/{name}`")]);
    assert!(session.run("keys list").await.ok().stdout.contains(&name));
}

/// All key Secrets as `kubectl get` prints them: what Sealed Secrets tells its users to keep.
const GET_KEYS: [&str; 7] = [
    "get",
    "secret",
    "-n",
    "kube-system",
    "-l",
    "sealedsecrets.bitnami.com/sealed-secrets-key",
    "-oyaml",
];

#[tokio::test(flavor = "multi_thread")]
async fn what_kubectl_printed_of_the_keys_is_restored() {
    let cluster = Cluster::own().await;
    let session = Session::through(&cluster.proxy);
    let backup = cluster.plane.kubectl(GET_KEYS).await.unwrap();
    assert!(backup.contains("resourceVersion") && backup.contains("uid"));
    session.write("main.key", &backup);
    let listed = session.run("keys list").await.ok().stdout;
    let name = listed.lines().nth(1).unwrap().split(' ').next().unwrap();
    cluster
        .plane
        .kubectl(["delete", "secret", "-n", "kube-system", name])
        .await
        .unwrap();
    session
        .run("keys restore main.key --dry-run")
        .await
        .ok()
        .says(&[&format!("would create `kube-system/{name}`")]);
    session
        .run("keys restore main.key")
        .await
        .ok()
        .says(&[&format!("created `kube-system/{name}`")]);
    assert!(session.run("keys list").await.ok().stdout.contains(name));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_cluster_would_refuse_is_known_before_anything_is_written() {
    let cluster = Cluster::own().await;
    let session = Session::through(&cluster.proxy);
    let listed = session.run("keys list").await.ok().stdout;
    let backup = cluster.plane.kubectl(GET_KEYS).await.unwrap();
    let name = listed.lines().nth(1).unwrap().split(' ').next().unwrap();
    let two = [
        backup.replace(name, "first"),
        backup.replace(name, "Not_A_Name"),
    ];
    session.write("two.yaml", two.join("---\n"));
    for args in ["keys restore two.yaml --dry-run", "keys restore two.yaml"] {
        session
            .run(args)
            .await
            .failed()
            .says(&["create Secret `kube-system/Not_A_Name`"]);
    }
    assert_eq!(session.run("keys list").await.ok().stdout, listed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_no_controller_would_use_is_restored_only_with_its_label() {
    let cluster = Cluster::own().await;
    let session = Session::through(&cluster.proxy);
    let encoded = |text: &str| signet_keys::sealed::encode(text.as_bytes());
    let pem = encoded(include_str!(
        "../../../../cli/tests/fixtures/test-only-other.key.pem"
    ));
    let certificate = encoded(include_str!(
        "../../../../cli/tests/fixtures/other.cert.pem"
    ));
    let secret = |items: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: own\ndata:\n  tls.key: {pem}\n{items}"
        )
    };
    session.write("own.yaml", secret(&format!("  tls.crt: {certificate}\n")));
    session.run("keys restore own.yaml").await.failed().says(&[
        "has no label `sealedsecrets.bitnami.com/sealed-secrets-key`",
        "--activate",
    ]);
    session.write("bare.yaml", secret(""));
    session
        .run("keys restore bare.yaml --activate")
        .await
        .failed()
        .says(&["would pass over Secret `own`: it has no item tls.crt"]);
    assert!(!session.run("keys list").await.ok().stdout.contains("own "));

    session
        .run("keys restore own.yaml --activate")
        .await
        .ok()
        .says(&["created `kube-system/own`"]);
    assert!(session.run("keys list").await.ok().stdout.contains("own "));
    let marked = "sealedsecrets.bitnami.com/sealed-secrets-key=compromised";
    cluster
        .plane
        .kubectl([
            "label",
            "--overwrite",
            "-nkube-system",
            "secret/own",
            marked,
        ])
        .await
        .unwrap();
    session
        .run("keys restore own.yaml --activate")
        .await
        .ok()
        .says(&["`kube-system/own` is there already, but marked `compromised`"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_with_another_key_is_never_replaced() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    let listed = session.run("keys list").await.ok().stdout;
    let name = listed.lines().nth(1).unwrap().split(' ').next().unwrap();
    let pem = include_str!("../../../../cli/tests/fixtures/test-only-other.key.pem");
    session.write(
        "other.yaml",
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\ndata:\n  tls.key: {}\n",
            signet_keys::sealed::encode(pem.as_bytes())
        ),
    );
    session
        .run("keys restore other.yaml")
        .await
        .failed()
        .says(&["holds another key; nothing was written"]);
    assert_eq!(session.run("keys list").await.ok().stdout, listed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipient_that_is_none_is_refused_before_the_cluster_is_asked() {
    let cluster = Cluster::shared().await;
    let proxy = signet_kit::ServiceProxy::start(&cluster.plane).unwrap();
    let session = Session::through(&proxy);
    session
        .run("keys backup --recipient foo")
        .await
        .failed()
        .says(&["`foo` is not an age recipient"]);
    assert!(proxy.requests().is_empty());
}
