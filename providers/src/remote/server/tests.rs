#![allow(clippy::unwrap_used)]
use std::sync::Mutex;

use super::*;
use crate::groups::testing::{Fake, age};
use crate::remote::{Remote, RemoteError};

/// Asks a server of this process.
async fn with_server<T>(
    address: &str,
    consent: Option<Consent>,
    ask: impl AsyncFnOnce(Remote) -> T,
) -> T {
    let listener = Listener::bind(&address.parse().unwrap()).await.unwrap();
    let remote = Remote::new(listener.address().clone());
    let (stop, stopped) = futures::channel::oneshot::channel::<()>();
    let service = Arc::new(Fake::new("there", &["age1a"]));
    let server = serve(listener, service, consent, async {
        stopped.await.unwrap_or(());
    });
    let client = async {
        let answer = ask(remote).await;
        drop(stop);
        answer
    };
    let (served, answer) = futures::future::join(server, client).await;
    served.unwrap();
    answer
}

async fn round_trip(remote: Remote) {
    let key = age("age1a");
    let wrapped = remote.wrap(&key, &b"secret".to_vec().into()).await.unwrap();
    let secret = remote.unwrap(&key, &wrapped).await.unwrap();
    assert_eq!(secret.expose(), b"secret");
}

#[test]
fn what_one_side_wraps_over_tcp_it_unwraps() {
    crate::block_on(with_server("tcp://127.0.0.1:0", None, round_trip));
}

#[test]
fn a_unix_socket_works_is_for_its_owner_alone_and_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.sock");
    let address = format!("unix://{}", path.display());
    let mode = crate::block_on(with_server(&address, None, async |remote| {
        round_trip(remote).await;
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777
    }));
    assert_eq!(mode, 0o600);
    assert!(!path.exists());
}

#[test]
fn what_fails_there_is_told_here() {
    let ask = async |remote: Remote| remote.unwrap(&age("age1b"), "x").await;
    let error = crate::block_on(with_server("tcp://127.0.0.1:0", None, ask)).unwrap_err();
    assert!(error.to_string().contains("Huawei"), "{error}");
}

#[test]
fn a_request_that_is_refused_is_not_worked_on() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let consent: Consent = {
        let asked = Arc::clone(&asked);
        Arc::new(move |operation, key| {
            asked.lock().unwrap().push((operation, key.to_string()));
            false
        })
    };
    let ask = async |remote: Remote| remote.unwrap(&age("age1a"), "there:age1a:x").await;
    let error = crate::block_on(with_server("tcp://127.0.0.1:0", Some(consent), ask)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("Request rejected by user (PermissionDenied)"),
        "{error}"
    );
    assert_eq!(
        *asked.lock().unwrap(),
        [(Operation::Decrypt, "age1a".to_owned())]
    );
}

#[test]
fn a_request_without_a_key_is_not_found() {
    let handler = Handler {
        service: Arc::new(Fake::new("there", &[])),
        consent: None,
    };
    let request = Request {
        key: None,
        bytes: Vec::new(),
    };
    let status = crate::block_on(handler.answer(Operation::Encrypt, request)).unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (tonic::Code::NotFound, "Must provide a key")
    );
}

#[test]
fn a_key_without_a_version_is_refused_before_anybody_is_asked() {
    let remote = Remote::new("tcp://127.0.0.1:1".parse().unwrap());
    let key = MasterKey::AzureKv {
        vault_url: "https://v.vault.azure.net".into(),
        name: "k".into(),
        version: None,
    };
    let error = crate::block_on(remote.complete(&key)).unwrap_err();
    assert!(matches!(error, KeyError::Remote(RemoteError::Version)));
}

#[test]
fn nobody_at_the_address_is_said() {
    let remote = Remote::new("tcp://127.0.0.1:1".parse().unwrap());
    let key = age("age1a");
    let error = crate::block_on(remote.unwrap(&key, "x")).unwrap_err();
    let KeyError::Remote(RemoteError::Unreachable(reason)) = &error else {
        panic!("{error:?}");
    };
    assert!(reason.contains("refused"), "{reason}");
    assert!(error.hint().unwrap().contains("keyservice"));
}
