//! The peer's own integration suite, as it tests itself, against our controller and our `kubeseal`.

use signet_kit::{cargo, tools};
use tokio::process::Command;

use crate::stage::stage;

#[tokio::test]
async fn all_specs_of_the_peers_own_suite_pass() {
    let stage = stage().await;
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    std::fs::write(&kubeconfig, stage.proxy.access().kubeconfig()).unwrap();
    let kubeseal = folder.path().join("kubeseal");
    std::os::unix::fs::symlink(cargo::signet(), &kubeseal).unwrap();
    let output = Command::new(tools().path("sealed-secrets-suite"))
        .arg("-ginkgo.no-color")
        .arg("-kubeconfig")
        .arg(&kubeconfig)
        .arg("-kubeseal-bin")
        .arg(&kubeseal)
        .arg("-controller-bin")
        .arg(cargo::controller())
        .env("HOME", folder.path())
        .output()
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Ran 41 of 41 Specs"), "{text}");
}
