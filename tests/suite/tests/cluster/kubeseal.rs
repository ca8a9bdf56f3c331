//! kubeseal against our controller, through the service proxy: the peer's own binary, and ours under
//! its name.

use std::path::{Path, PathBuf};
use std::process::Command;

use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use signet_kit::namespace::text;
use signet_kit::{cargo, child, tools};
use tempfile::TempDir;

use crate::stage::{Stage, keys, stage};

/// A kubeseal, and a folder for what it reads and writes.
struct Kubeseal {
    program: PathBuf,
    kubeconfig: PathBuf,
    folder: TempDir,
}

/// What a run gave.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    fn json(self) -> Value {
        let text = self.ok();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

impl Kubeseal {
    fn peer(stage: &Stage) -> Self {
        Self::new(stage, tools().path("kubeseal"))
    }

    /// The `signet` binary under the name that asks for the peer's grammar.
    fn ours(stage: &Stage) -> Self {
        let kubeseal = Self::new(stage, PathBuf::new());
        let link = kubeseal.folder.path().join("kubeseal");
        std::os::unix::fs::symlink(cargo::signet(), &link).unwrap();
        Self {
            program: link,
            ..kubeseal
        }
    }

    fn new(stage: &Stage, program: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        std::fs::write(
            &kubeconfig,
            stage
                .proxy
                .access()
                .in_namespace("of-the-context")
                .kubeconfig(),
        )
        .unwrap();
        Self {
            program,
            kubeconfig,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn run(&self, args: &[&str], input: &str) -> Run {
        self.run_with(&self.kubeconfig, args, input).await
    }

    async fn run_with(&self, kubeconfig: &Path, args: &[&str], input: &str) -> Run {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .env("KUBECONFIG", kubeconfig)
            .env("HOME", self.folder.path());
        let output = child::fed(command, input).await.unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn secret(name: &str, namespace: Option<&str>) -> Value {
    let mut secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name},
        "data": {"foo": "YmFy"}});
    if let Some(namespace) = namespace {
        secret["metadata"]["namespace"] = json!(namespace);
    }
    secret
}

/// Applies what a kubeseal printed and waits for the Secret.
async fn expect_unsealed(stage: &Stage, output: &str, namespace: &str) {
    let file = stage
        .plane
        .workdir()
        .write(&format!("kubeseal-{namespace}.json"), output)
        .unwrap();
    stage.plane.apply(&file).await.unwrap();
    let namespace = signet_kit::Namespace::existing(&stage.plane, namespace)
        .await
        .unwrap();
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(text(&secret)["foo"], "bar");
}

async fn without_arguments(stage: &Stage, kubeseal: Kubeseal) {
    let namespace = stage.namespace("kubeseal").await;
    let sealed = kubeseal
        .run(&[], &secret("test", Some(namespace.name())).to_string())
        .await
        .json();
    assert_eq!(sealed["kind"], "SealedSecret");
    assert_eq!(sealed["metadata"]["name"], "test");
    assert_eq!(sealed["metadata"]["namespace"], namespace.name());
    expect_unsealed(stage, &sealed.to_string(), namespace.name()).await;
}

async fn without_a_namespace_that_of_the_context_counts(kubeseal: Kubeseal) {
    let sealed = kubeseal
        .run(&[], &secret("test", None).to_string())
        .await
        .json();
    assert_eq!(sealed["metadata"]["namespace"], "of-the-context");
    assert_eq!(
        sealed["spec"]["template"]["metadata"]["namespace"],
        "of-the-context"
    );
}

async fn with_a_namespace_flag(kubeseal: Kubeseal) {
    let sealed = kubeseal
        .run(&["-n", "given"], &secret("test", None).to_string())
        .await
        .json();
    assert_eq!(sealed["metadata"]["namespace"], "given");
    assert_eq!(sealed["spec"]["template"]["metadata"]["namespace"], "given");
}

async fn offline_with_a_certificate(stage: &Stage, kubeseal: Kubeseal) {
    let namespace = stage.namespace("kubeseal-offline").await;
    let certificate = kubeseal.path("cert.pem");
    std::fs::write(&certificate, stage.controller.certificate().await.unwrap()).unwrap();
    let broken = kubeseal.path("broken");
    std::fs::write(
        &broken,
        stage.plane.admin().through("http://0.0.0.1:1").kubeconfig(),
    )
    .unwrap();
    let input = secret("test", Some(namespace.name())).to_string();
    let run = kubeseal
        .run_with(&broken, &["--cert", certificate.to_str().unwrap()], &input)
        .await;
    expect_unsealed(stage, &run.ok(), namespace.name()).await;
}

async fn without_input(kubeseal: Kubeseal) {
    let run = kubeseal.run(&[], "").await;
    assert_ne!(run.code, Some(0));
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
}

async fn the_certificate_is_fetched(stage: &Stage, kubeseal: Kubeseal) {
    let served = kubeseal.run(&["--fetch-cert"], "").await.ok();
    assert_eq!(served, stage.controller.certificate().await.unwrap());
    let namespace = signet_kit::Namespace::existing(&stage.plane, "kube-system")
        .await
        .unwrap();
    let newest = keys(&namespace).await.pop().unwrap().data.unwrap();
    assert_eq!(served.as_bytes(), newest["tls.crt"].0);
}

async fn the_version_is_told(kubeseal: Kubeseal) {
    let text = kubeseal.run(&["--version"], "").await.ok();
    assert!(text.starts_with("kubeseal version: "), "{text}");
}

async fn a_file_is_validated(stage: &Stage, kubeseal: Kubeseal) {
    let sealed = signet_kit::SealedSecret::new("some", "test").seal(&stage.sealer, "foo", "bar");
    kubeseal
        .run(&["--validate"], &sealed.to_json().to_string())
        .await
        .ok();
    let run = kubeseal
        .run(
            &["--validate"],
            &sealed.renamed("other").to_json().to_string(),
        )
        .await;
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr
            .starts_with("error: unable to decrypt sealed secret"),
        "{}",
        run.stderr
    );
}

async fn a_certificate_that_is_not_there_is_an_error(kubeseal: Kubeseal) {
    let run = kubeseal
        .run(
            &["--cert", "/does/not/exist"],
            &secret("test", Some("some")).to_string(),
        )
        .await;
    assert_eq!(run.code, Some(1));
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("error:") && first.contains("no such file or directory"),
        "{}",
        run.stderr
    );
}

async fn a_file_is_unsealed_with_a_backup_of_the_keys(stage: &Stage, kubeseal: Kubeseal) {
    let sealed = signet_kit::SealedSecret::new("some", "test").seal(&stage.sealer, "foo", "bar");
    let sealed = sealed.to_json().to_string();
    let run = kubeseal.run(&["--recovery-unseal"], &sealed).await;
    assert_eq!(run.code, Some(1));
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("error:") && first.contains("no key could decrypt secret (foo)"),
        "{}",
        run.stderr
    );

    let selector = "-lsealedsecrets.bitnami.com/sealed-secrets-key=active";
    let backup = stage
        .plane
        .kubectl(["get", "secret", "-n", "kube-system", selector, "-o", "json"])
        .await
        .unwrap();
    // As kubectl prints it, and as a Go program marshals the same list: without types.
    let mut typeless: Value = serde_json::from_str(&backup).unwrap();
    let items = typeless["items"]
        .as_array()
        .unwrap()
        .clone()
        .into_iter()
        .map(untyped);
    typeless = json!({"metadata": typeless["metadata"], "items": items.collect::<Vec<_>>()});
    for text in [backup, typeless.to_string()] {
        let file = kubeseal.path("backup.json");
        std::fs::write(&file, text).unwrap();
        let args = [
            "--recovery-unseal",
            "--recovery-private-key",
            file.to_str().unwrap(),
        ];
        let run = kubeseal
            .run_with(Path::new("/does/not/exist"), &args, &sealed)
            .await;
        assert_eq!(run.json()["data"]["foo"], "YmFy");
    }
}

fn untyped(mut object: Value) -> Value {
    let fields = object.as_object_mut().unwrap();
    fields.remove("kind");
    fields.remove("apiVersion");
    object
}

async fn a_file_is_sealed_anew(stage: &Stage, kubeseal: Kubeseal) {
    let namespace = stage.namespace("kubeseal-rotate").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    let rotated = kubeseal
        .run(&["--re-encrypt"], &sealed.to_json().to_string())
        .await
        .json();
    assert_ne!(
        rotated["spec"]["encryptedData"]["foo"],
        sealed.ciphertext("foo").unwrap()
    );
    expect_unsealed(stage, &rotated.to_string(), namespace.name()).await;
}

/// Each behaviour as a test of the peer's binary and of ours.
macro_rules! for_both {
    ($($name:ident($($argument:ident),*);)*) => {
        mod peer {
            use super::*;
            $(for_both!(@test $name peer $($argument)*);)*
        }
        mod ours {
            use super::*;
            $(for_both!(@test $name ours $($argument)*);)*
        }
    };
    (@test $name:ident $program:ident stage) => {
        #[tokio::test]
        async fn $name() {
            super::$name(stage().await, Kubeseal::$program(stage().await)).await;
        }
    };
    (@test $name:ident $program:ident) => {
        #[tokio::test]
        async fn $name() {
            super::$name(Kubeseal::$program(stage().await)).await;
        }
    };
}

for_both! {
    without_arguments(stage);
    without_a_namespace_that_of_the_context_counts();
    with_a_namespace_flag();
    offline_with_a_certificate(stage);
    without_input();
    the_certificate_is_fetched(stage);
    the_version_is_told();
    a_file_is_validated(stage);
    a_certificate_that_is_not_there_is_an_error();
    a_file_is_unsealed_with_a_backup_of_the_keys(stage);
    a_file_is_sealed_anew(stage);
}

#[tokio::test]
async fn those_who_may_not_use_the_service_proxy_are_refused() {
    let stage = stage().await;
    let mut kubeseal = Kubeseal::peer(stage);
    let mut access = stage.proxy.access();
    access.token = "nobody".into();
    kubeseal.kubeconfig = kubeseal.path("nobody");
    std::fs::write(&kubeseal.kubeconfig, access.kubeconfig()).unwrap();
    let run = kubeseal.run(&["--fetch-cert"], "").await;
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.is_empty());
}

#[tokio::test]
async fn everybody_who_can_log_in_may_seal_and_read_no_key() {
    let stage = stage().await;
    let namespace = stage.namespace("nobody").await;
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "nobody", "namespace": namespace.name()}});
    let file = stage
        .plane
        .workdir()
        .write("nobody.json", account.to_string())
        .unwrap();
    stage.plane.apply(&file).await.unwrap();
    let access = stage
        .plane
        .service_account(namespace.name(), "nobody")
        .await
        .unwrap()
        .through(&stage.proxy.url());
    let mut kubeseal = Kubeseal::peer(stage);
    kubeseal.kubeconfig = kubeseal.path("nobody");
    std::fs::write(&kubeseal.kubeconfig, access.kubeconfig()).unwrap();
    let served = kubeseal.run(&["--fetch-cert"], "").await.ok();
    assert_eq!(served, stage.controller.certificate().await.unwrap());
    let keys: kube::Api<Secret> =
        kube::Api::namespaced(access.client().await.unwrap(), "kube-system");
    assert!(keys.list(&kube::api::ListParams::default()).await.is_err());
}
