//! sops asks signet's key service, and signet that of sops.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use signet_keys::sops::MasterKey;
use signet_kit::process::{Launch, Process};
use signet_providers::remote::{Address, Consent, Listener, Remote, serve};
use signet_providers::{Environment, KeyService, Local, NoPrompt, Policy, Prompt};

use super::session::{SECRET, Session, signet_decrypts, signet_encrypts};

fn identity() -> (String, MasterKey) {
    let session = Session::new();
    let text = session.output("age-keygen", &[]);
    let path = session.write("identity", &text);
    let recipient = session.output("age-keygen", &["-y", path.to_str().unwrap()]);
    let recipient = recipient.trim().to_owned();
    let identity = text.lines().last().unwrap().to_owned();
    (identity, MasterKey::Age { recipient })
}

/// Serves signet's keys while `use_it` runs.
fn with_signet_serving(
    address: &str,
    identity: &str,
    consent: Option<Consent>,
    use_it: impl FnOnce(&Address) + Send,
) {
    let prompt: Arc<dyn Prompt> = Arc::new(NoPrompt);
    let environment = Environment::default().with("SOPS_AGE_KEY", identity);
    let local = Local::new(&environment, Policy::everything(), &prompt);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let listener = runtime
        .block_on(Listener::bind(&address.parse().unwrap()))
        .unwrap();
    let bound = listener.address().clone();
    let (stop, stopped) = futures::channel::oneshot::channel::<()>();
    let server = runtime.spawn(serve(listener, Arc::new(local), consent, async {
        let _ = stopped.await;
    }));
    use_it(&bound);
    drop(stop);
    runtime.block_on(server).unwrap().unwrap();
}

#[test]
fn sops_encrypts_and_decrypts_by_the_key_service_of_signet() {
    let (identity, MasterKey::Age { recipient }) = identity() else {
        panic!()
    };
    let folder = tempfile::tempdir().unwrap();
    let socket = format!("unix://{}/keys.sock", folder.path().display());
    for address in ["tcp://127.0.0.1:0", &socket] {
        with_signet_serving(address, &identity, None, |address| {
            let session = Session::new();
            let address = address.to_string();
            let there = ["--enable-local-keyservice=false", "--keyservice", &address];
            let file = session.sops_encrypts(&[&["--age", &recipient][..], &there].concat());
            assert_eq!(
                session.sops_decrypts(&file, &there),
                json!({"password": SECRET})
            );
        });
    }
}

#[test]
fn what_signet_refuses_sops_tells() {
    let (identity, MasterKey::Age { recipient }) = identity() else {
        panic!()
    };
    let refuse: Consent = Arc::new(|_, _| false);
    with_signet_serving("tcp://127.0.0.1:0", &identity, Some(refuse), |address| {
        let session = Session::new();
        let file = session.sops_encrypts(&["--age", &recipient]);
        session.write("file.json", file.to_string());
        let address = address.to_string();
        let output = session.run("sops", &["decrypt", "--keyservice", &address, "file.json"]);
        assert_eq!(output.status.code(), Some(128));
        let errors = String::from_utf8_lossy(&output.stderr);
        // sops breaks its lines and puts a bar in front of each.
        let words: Vec<&str> = errors
            .split_whitespace()
            .filter(|word| *word != "|")
            .collect();
        let refused = "code = PermissionDenied desc = Request rejected by user";
        assert!(words.join(" ").contains(refused), "{errors}");
    });
}

/// A key service of sops, which has the identity.
fn sops_serves(network: &str, address: &str, identity: &str, log: &std::path::Path) -> Process {
    let launch = Launch::new("sops keyservice", signet_kit::tools().path("sops"))
        .args(["keyservice", "--network", network, "--address", address])
        .env("SOPS_AGE_KEY", identity);
    Process::spawn(&launch, log).unwrap()
}

#[test]
fn signet_wraps_and_unwraps_by_the_key_service_of_sops() {
    let (identity, key) = identity();
    let session = Session::new();
    let port = signet_kit::port::free().unwrap();
    let socket = session.path().join("sops.sock");
    let socket = socket.to_str().unwrap();
    for (network, address, uri) in [
        (
            "tcp",
            format!("127.0.0.1:{port}"),
            format!("tcp://127.0.0.1:{port}"),
        ),
        ("unix", socket.to_owned(), format!("unix://{socket}")),
    ] {
        let _server = sops_serves(network, &address, &identity, &session.path().join("log"));
        let remote = Remote::new(uri.parse().unwrap());
        let secret = b"a data key".to_vec().into();
        let wrapped = signet_providers::block_on(async {
            let answer = signet_kit::wait_for(Duration::from_secs(30), async || {
                remote.wrap(&key, &secret).await.ok()
            });
            answer.await.unwrap()
        });
        let opened = signet_providers::block_on(remote.unwrap(&key, &wrapped)).unwrap();
        assert_eq!(opened, secret);
        let file = signet_encrypts(&remote, std::slice::from_ref(&key));
        assert_eq!(signet_decrypts(&remote, &file).unwrap(), SECRET);
    }
}
