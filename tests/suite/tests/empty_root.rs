//! The binary of the image runs where there is nothing else: no shell, no library, no writable file.
//! What every container is given is all that is added: a few devices, `/etc/hosts` and the access to the
//! API server.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use signet_kit::controller::{NAME, NAMESPACE};
use signet_kit::process::{Launch, Process};
use signet_kit::{ControlPlane, PlaneOptions, port, tools::repository, wait_for};
use tempfile::TempDir;

const BINARY: &str = "/usr/local/bin/controller";

/// Makes the folder `$1` a read-only root and runs the rest in it as the user that the image names.
/// Whoever is not root already becomes root of a user namespace instead.
const IN_ROOT: &str = r#"
set -e
mount --bind "$1" "$1"
mkdir "$1/dev"
for device in null random urandom; do
  : > "$1/dev/$device"
  mount --bind "/dev/$device" "$1/dev/$device"
done
mount -o remount,bind,ro "$1"
user=$2; root=$1; shift 2
exec chroot $user "$root" "$@"
"#;

#[test]
fn the_static_binary_starts_in_an_empty_root_and_says_its_version() {
    let root = root_of_image();
    assert_eq!(files(root.path()), [root.path().join(&BINARY[1..])]);

    let (program, args) = in_root(root.path(), &["--version"]);
    let output = Command::new(program).args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("controller version: v"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success());
}

#[tokio::test]
async fn in_an_empty_read_only_root_it_finds_the_api_server_by_name_and_serves_its_certificate() {
    let plane = ControlPlane::with_deployment(PlaneOptions::default())
        .await
        .unwrap();
    let root = root_of_image();
    let by_name = format!("https://localhost:{}", plane.port());
    let access = plane
        .service_account(NAMESPACE, NAME)
        .await
        .unwrap()
        .through(&by_name);
    give(root.path(), "kubeconfig", &access.kubeconfig());
    give(root.path(), "etc/hosts", "127.0.0.1 localhost\n");

    let (http, metrics) = (port::free().unwrap(), port::free().unwrap());
    let (program, args) = in_root(
        root.path(),
        &[
            "--kubeconfig=/kubeconfig",
            &format!("--listen-addr=127.0.0.1:{http}"),
            &format!("--listen-metrics-addr=127.0.0.1:{metrics}"),
            "--key-size=2048",
        ],
    );
    let launch = Launch::new("image", program)
        .args(args)
        .env("POD_NAMESPACE", NAMESPACE);
    let process = Process::spawn(&launch, &plane.log_path("image")).unwrap();

    let url = format!("http://127.0.0.1:{http}/v1/cert.pem");
    let certificate = wait_for(Duration::from_secs(30), async || {
        let answer = reqwest::get(&url).await.ok()?.error_for_status().ok()?;
        answer.text().await.ok()
    })
    .await;
    let certificate = certificate.unwrap_or_else(|| panic!("no certificate:\n{}", process.log()));
    assert!(
        certificate.starts_with("-----BEGIN CERTIFICATE-----"),
        "{certificate}"
    );
}

/// What `deploy/container/Dockerfile` copies into the image.
fn root_of_image() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // Linked as releases are, but not optimised, which would take minutes.
    let output = Command::new(repository().join("deploy/container/rootfs"))
        .args([root.path(), Path::new("dev")])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    root
}

fn in_root(root: &Path, args: &[&str]) -> (&'static str, Vec<String>) {
    let (namespace, user) = if rustix::process::geteuid().is_root() {
        ("--mount", "--userspec=65532:65532")
    } else {
        ("--map-root-user", "--userspec=0:0")
    };
    let before = [
        namespace,
        "--mount",
        "/bin/sh",
        "-c",
        IN_ROOT,
        "root",
        root.to_str().unwrap(),
        user,
        BINARY,
    ];
    let words = before.iter().chain(args).map(|&word| word.to_owned());
    ("unshare", words.collect())
}

fn give(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
