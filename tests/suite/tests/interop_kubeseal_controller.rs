//! `signet` under the name `kubeseal`, and the peer's controller.
//!
//! (Against our own controller, `cluster/kubeseal.rs` has both programs.)

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::process::Output;

use serde_json::{Value, json};
use signet_kit::controller::{NAME, NAMESPACE};
use signet_kit::{ControlPlane, PeerController, PlaneOptions, SealedSecret, Sealer, ServiceProxy};
use tempfile::TempDir;
use tokio::process::Command;
use tokio::sync::OnceCell;

struct Stage {
    plane: ControlPlane,
    proxy: ServiceProxy,
    sealer: Sealer,
    peer: PeerController,
}

async fn stage() -> &'static Stage {
    static STAGE: OnceCell<Stage> = OnceCell::const_new();
    STAGE
        .get_or_init(async || {
            let plane = ControlPlane::with_deployment(PlaneOptions::default())
                .await
                .unwrap();
            let peer = PeerController::start(&plane, &[]).await.unwrap();
            let proxy = ServiceProxy::start(&plane).unwrap();
            proxy.route(NAMESPACE, NAME, peer.http_port());
            let sealer = peer.sealer().await.unwrap();
            Stage {
                plane,
                proxy,
                sealer,
                peer,
            }
        })
        .await
}

/// A folder with a kubeconfig, and the program under its name.
struct Kubeseal {
    folder: TempDir,
    program: PathBuf,
}

impl Kubeseal {
    fn ours(stage: &Stage) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("kubeseal");
        std::os::unix::fs::symlink(signet_kit::cargo::signet(), &program).unwrap();
        Self::with(stage, folder, program)
    }

    fn peer(stage: &Stage) -> Self {
        let program = signet_kit::tools().path("kubeseal");
        Self::with(stage, tempfile::tempdir().unwrap(), program)
    }

    fn with(stage: &Stage, folder: TempDir, program: PathBuf) -> Self {
        let kubeconfig = stage.proxy.access().kubeconfig();
        std::fs::write(folder.path().join("config"), kubeconfig).unwrap();
        Self { folder, program }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    async fn run(&self, args: &[&str]) -> Output {
        Command::new(&self.program)
            .args(["--kubeconfig", "config"])
            .args(args)
            .current_dir(self.folder.path())
            .output()
            .await
            .unwrap()
    }

    async fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args).await;
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn sealed(stage: &Stage) -> SealedSecret {
    SealedSecret::new("team-a", "demo")
        .seal(&stage.sealer, "pw", "hunter2")
        .template("/data", json!({ "url": "db://u@h/x" }))
}

#[tokio::test]
async fn both_fetch_the_same_certificate() {
    let stage = stage().await;
    let ours = Kubeseal::ours(stage).ok(&["--fetch-cert"]).await;
    let peers = Kubeseal::peer(stage).ok(&["--fetch-cert"]).await;
    assert_eq!(ours, peers);
}

#[tokio::test]
async fn both_seal_for_the_cluster_what_its_controller_can_open() {
    let stage = stage().await;
    for kubeseal in [Kubeseal::ours(stage), Kubeseal::peer(stage)] {
        kubeseal.write(
            "secret.yaml",
            "kind: Secret\nmetadata: {name: demo, namespace: team-a}\ndata: {pw: aGk=}\n",
        );
        kubeseal
            .ok(&["-f", "secret.yaml", "-w", "sealed.yaml"])
            .await;
        kubeseal.ok(&["--validate", "-f", "sealed.yaml"]).await;
    }
}

#[tokio::test]
async fn the_document_that_does_not_open_is_named() {
    let stage = stage().await;
    let good = sealed(stage).to_json();
    let bad = sealed(stage).renamed("moved").to_json();
    for kubeseal in [Kubeseal::ours(stage), Kubeseal::peer(stage)] {
        kubeseal.write("sealed.json", &format!("{good}\n{bad}\n"));
        let output = kubeseal.run(&["--validate", "-f", "sealed.json"]).await;
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "error: unable to decrypt sealed secret: moved\n"
        );
    }
}

#[tokio::test]
async fn d2_a_template_survives_the_answer_that_lost_it() {
    let stage = stage().await;
    let before = sealed(stage).to_json();
    let template = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        value["spec"]["template"]["data"].clone()
    };

    let ours = Kubeseal::ours(stage);
    ours.write("sealed.json", &before.to_string());
    let after = ours
        .ok(&["--re-encrypt", "-f", "sealed.json", "-w", "/dev/stdout"])
        .await;
    assert_eq!(template(&after), before["spec"]["template"]["data"]);
    ours.write("after.json", &after);
    ours.ok(&["--validate", "-f", "after.json"]).await;

    let peers = Kubeseal::peer(stage);
    peers.write("sealed.json", &before.to_string());
    let after = peers
        .ok(&["--re-encrypt", "-f", "sealed.json", "-w", "out.json"])
        .await;
    assert!(after.is_empty());
    assert_eq!(template(&peers.read("out.json")), Value::Null);
}

#[tokio::test]
async fn a_file_is_re_encrypted_in_place_and_keeps_all_but_its_ciphertext() {
    let stage = stage().await;
    let kubeseal = Kubeseal::ours(stage);
    let item = sealed(stage).ciphertext("pw").unwrap().to_owned();
    let text = format!(
        "# the database\nkind: SealedSecret\napiVersion: bitnami.com/v1alpha1\n\
         metadata: {{namespace: team-a, name: demo}} # as deployed\n\
         spec:\n    encryptedData:\n        pw: {item}\n"
    );
    kubeseal.write("sealed.yaml", &text);
    assert!(
        kubeseal
            .ok(&["--re-encrypt", "-f", "sealed.yaml"])
            .await
            .is_empty()
    );
    let after = kubeseal.read("sealed.yaml");
    let (_, new) = after.trim_end().rsplit_once(' ').unwrap();
    assert_ne!(new, item);
    assert_eq!(after.replace(new, &item), text);
    kubeseal.ok(&["--validate", "-f", "sealed.yaml"]).await;
}

#[tokio::test]
async fn a_file_that_the_controller_cannot_open_stays_as_it_was() {
    let stage = stage().await;
    let kubeseal = Kubeseal::ours(stage);
    let text = sealed(stage).moved("team-b").to_json().to_string();
    kubeseal.write("sealed.json", &text);
    let output = kubeseal.run(&["--re-encrypt", "-f", "sealed.json"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(kubeseal.read("sealed.json"), text);
}

#[tokio::test]
async fn issue_870_more_files_than_the_controller_takes_at_once_are_validated_all_the_same() {
    let stage = stage().await;
    let kubeseal = Kubeseal::ours(stage);
    let many: Vec<_> = (0..8)
        .map(|_| sealed(stage).to_json().to_string())
        .collect();
    kubeseal.write("sealed.json", &many.join("\n"));
    kubeseal.ok(&["--validate", "-f", "sealed.json"]).await;
}

#[tokio::test]
async fn d24_a_service_whose_first_port_is_of_the_metrics_is_understood() {
    let stage = stage().await;
    let service = json!({
        "kind": "Service",
        "apiVersion": "v1",
        "metadata": { "name": "metrics-first", "namespace": NAMESPACE },
        "spec": { "ports": [
            { "name": "metrics", "port": 8081 },
            { "name": "http", "port": 8080 },
        ]},
    });
    let file = stage
        .plane
        .workdir()
        .write("metrics-first.json", service.to_string())
        .unwrap();
    stage.plane.apply(&file).await.unwrap();
    stage
        .proxy
        .route(NAMESPACE, "metrics-first", stage.peer.http_port());
    Kubeseal::ours(stage)
        .ok(&["--fetch-cert", "--controller-name", "metrics-first"])
        .await;
    let asked = |port: &str| {
        let part = format!("http:metrics-first:{port}/proxy/v1/cert.pem");
        stage
            .proxy
            .requests()
            .iter()
            .any(|seen| seen.path.contains(&part))
    };
    assert!(asked("http") && !asked("metrics"));
}

#[tokio::test]
async fn a_service_that_is_not_there_is_told_with_the_flags_to_use() {
    let stage = stage().await;
    for kubeseal in [Kubeseal::ours(stage), Kubeseal::peer(stage)] {
        let output = kubeseal
            .run(&["--fetch-cert", "--controller-name", "nosuch"])
            .await;
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(
            told.starts_with("error: cannot get sealed secret service: "),
            "{told}"
        );
        assert!(
            told.contains(
                ".\nPlease, use the flag --controller-name and --controller-namespace to set up \
                 the name and namespace of the sealed secrets controller\n"
            ),
            "{told}"
        );
    }
}
