//! Key-value engines of a real server.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use futures::future::{BoxFuture, FutureExt};
use serde_json::{Value as Json, json};
use signet_keys::Plaintext;
use signet_kit::OpenBao;
use signet_kit::openbao::TOKEN;
use signet_providers::store::{Checked, Query, Reference, SecretStore, StoreErrorKind};
use signet_providers::vault::store::{Auth, KvVersion, Settings, Token, VaultStore};
use signet_providers::{Environment, Policy, block_on};

use super::conformance::{self, Backend, as_json};

/// One server for all tests: `secret` is an engine of version 2, `kv1` one of version 1.
fn bao() -> &'static OpenBao {
    static BAO: OnceLock<OpenBao> = OnceLock::new();
    BAO.get_or_init(|| {
        block_on(async {
            let bao = OpenBao::start().await?;
            let kv1 = json!({"type": "kv", "options": {"version": "1"}});
            bao.write("sys/mounts/kv1", &kv1).await?;
            for method in ["approle", "userpass", "jwt"] {
                bao.write(&format!("sys/auth/{method}"), &json!({"type": method})).await?;
            }
            let all = r#"path "secret/*" { capabilities = ["create", "read", "update", "list", "delete"] }"#;
            bao.write("sys/policies/acl/all", &json!({"policy": all})).await?;
            Ok::<_, signet_kit::KitError>(bao)
        })
        .unwrap()
    })
}

/// Runs a test. The server is started outside of the test's runtime.
fn run(test: impl Future<Output = ()>) {
    bao();
    block_on(test);
}

fn settings(version: KvVersion, auth: Auth) -> Settings {
    let mount = if version == KvVersion::V1 {
        "kv1"
    } else {
        "secret"
    };
    Settings {
        server: bao().url().to_owned(),
        mount: Some(mount.to_owned()),
        version,
        namespace: None,
        auth,
        auth_namespace: None,
        authorities: None,
        identity: None,
        headers: Vec::new(),
        check_and_set: version == KvVersion::V2,
    }
}

fn store(settings: Settings) -> VaultStore {
    VaultStore::new(settings, &Environment::default(), &Policy::everything()).unwrap()
}

fn token(text: &str) -> Auth {
    Auth::Token(Plaintext::new(text.as_bytes().to_vec()))
}

/// A token that may do nothing.
async fn powerless() -> String {
    let body = json!({"policies": ["default"], "no_default_policy": true});
    let answer = bao().write("auth/token/create", &body).await.unwrap();
    answer["auth"]["client_token"].as_str().unwrap().to_owned()
}

struct Engine {
    version: KvVersion,
    store: VaultStore,
    denied: VaultStore,
}

impl Engine {
    async fn new(version: KvVersion) -> Self {
        Self {
            version,
            store: store(settings(version, token(TOKEN))),
            denied: store(settings(version, token(&powerless().await))),
        }
    }
}

impl Backend for Engine {
    fn store(&self) -> &dyn SecretStore {
        &self.store
    }

    fn denied(&self) -> &dyn SecretStore {
        &self.denied
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: &'a Json,
        tags: &'a [(&'a str, &'a str)],
    ) -> BoxFuture<'a, ()> {
        async move {
            if self.version == KvVersion::V1 {
                bao().write(&format!("kv1/{key}"), value).await.unwrap();
                return;
            }
            let data = json!({ "data": value });
            bao()
                .write(&format!("secret/data/{key}"), &data)
                .await
                .unwrap();
            if !tags.is_empty() {
                let tags: BTreeMap<_, _> = tags.iter().copied().collect();
                let metadata = json!({ "custom_metadata": tags });
                let path = format!("secret/metadata/{key}");
                bao().write(&path, &metadata).await.unwrap();
            }
        }
        .boxed()
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()> {
        async move {
            let (path, body) = match self.version {
                KvVersion::V1 => (format!("kv1/{key}"), None),
                KvVersion::V2 => (
                    format!("secret/delete/{key}"),
                    Some(json!({"versions": [1]})),
                ),
            };
            match body {
                Some(body) => drop(bao().write(&path, &body).await.unwrap()),
                None => bao().delete(&path).await.unwrap(),
            }
        }
        .boxed()
    }

    fn first_version(&self) -> Option<&'static str> {
        (self.version == KvVersion::V2).then_some("1")
    }

    fn has_tags(&self) -> bool {
        self.version == KvVersion::V2
    }
}

#[test]
fn version_2_passes_the_suite() {
    run(async {
        let engine = Engine::new(KvVersion::V2).await;
        conformance::holds(&engine).await;
        let metadata = conformance::metadata(&engine).await;
        assert_eq!(metadata["team"], "blue");
        assert_eq!(metadata["current_version"], "1");
    });
}

#[test]
fn version_1_passes_the_suite() {
    run(async { conformance::holds(&Engine::new(KvVersion::V1).await).await });
}

#[test]
fn numbers_keep_their_text() {
    run(async {
        bao()
            .write("kv1/numbers", &json!({"big": 9_007_199_254_740_993_u64}))
            .await
            .unwrap();
        let store = store(settings(KvVersion::V1, token(TOKEN)));
        let value = store.read(&Reference::to("numbers")).await.unwrap();
        assert_eq!(as_json(&value), json!({"big": 9_007_199_254_740_993_u64}));
    });
}

#[test]
fn a_version_that_was_deleted_is_told_apart_from_a_secret_that_never_was() {
    run(async {
        let engine = Engine::new(KvVersion::V2).await;
        engine.put("deleted", &json!({"a": "1"}), &[]).await;
        engine.delete("deleted").await;
        let kind = async |key: &str| {
            let read = engine.store.read(&Reference::to(key)).await;
            read.unwrap_err().kind()
        };
        assert_eq!(kind("deleted").await, StoreErrorKind::VersionMissing);
        assert_eq!(kind("never").await, StoreErrorKind::Missing);
    });
}

/// A login by each method that the server has, under a name of the test.
async fn logins(name: &str) -> Vec<(&'static str, Auth)> {
    let bao = bao();
    let secret = |text: &str| Plaintext::new(text.as_bytes().to_vec());
    let role = json!({"token_policies": ["all"], "token_ttl": "1h"});
    bao.write(&format!("auth/approle/role/{name}"), &role)
        .await
        .unwrap();
    let id = bao
        .read(&format!("auth/approle/role/{name}/role-id"))
        .await
        .unwrap();
    let made = bao
        .write(&format!("auth/approle/role/{name}/secret-id"), &json!({}))
        .await
        .unwrap();
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let user = json!({"password": "pw", "token_policies": ["all"]});
    bao.write(&format!("auth/userpass/users/{name}"), &user)
        .await
        .unwrap();
    vec![
        (
            "approle",
            Auth::AppRole {
                mount: "approle".into(),
                role_id: text(&id["data"]["role_id"]),
                secret_id: secret(made["data"]["secret_id"].as_str().unwrap()),
            },
        ),
        (
            "userpass",
            Auth::Password {
                mount: "userpass".into(),
                user: name.into(),
                password: secret("pw"),
            },
        ),
    ]
}

#[test]
fn one_login_serves_many_reads_and_its_token_is_given_back() {
    run(async {
        bao()
            .write("secret/data/login", &json!({"data": {"a": "1"}}))
            .await
            .unwrap();
        for (method, auth) in logins("many").await {
            let store = store(settings(KvVersion::V2, auth));
            assert_eq!(store.check().await, Ok(Checked::Unknown), "{method}");
            let reference = Reference::to("login");
            let reads = futures::future::join_all((0..20).map(|_| store.read(&reference)));
            for read in reads.await {
                assert_eq!(as_json(&read.unwrap()), json!({"a": "1"}), "{method}");
            }
            assert_eq!(store.check().await, Ok(Checked::Valid), "{method}");
            store.close().await;
        }
    });
}

#[test]
fn a_token_that_was_revoked_is_got_anew() {
    run(async {
        bao()
            .write("secret/data/revoked", &json!({"data": {"a": "1"}}))
            .await
            .unwrap();
        for (method, auth) in logins("revoked").await {
            let store = store(settings(KvVersion::V2, auth));
            let reference = Reference::to("revoked");
            store.read(&reference).await.unwrap();
            let path = format!("sys/leases/revoke-prefix/auth/{method}/login");
            bao().write(&path, &json!({})).await.unwrap();
            let read = store.read(&reference).await;
            assert_eq!(as_json(&read.unwrap()), json!({"a": "1"}), "{method}");
        }
    });
}

#[test]
fn wrong_credentials_are_told_apart_from_a_right_that_is_missing() {
    run(async {
        let auth = Auth::AppRole {
            mount: "approle".into(),
            role_id: "nobody".into(),
            secret_id: Plaintext::new(b"canary-4711".to_vec()),
        };
        let error = store(settings(KvVersion::V2, auth))
            .read(&Reference::to("x"))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unauthenticated, "{error}");
        assert!(
            !format!("{error} {error:?}").contains("canary-4711"),
            "{error}"
        );
        let auth = Auth::Jwt {
            mount: "jwt".into(),
            role: Some("none".into()),
            token: Token::Value(Plaintext::new(b"canary-4711".to_vec())),
        };
        let error = store(settings(KvVersion::V2, auth))
            .read(&Reference::to("x"))
            .await;
        assert_eq!(error.unwrap_err().kind(), StoreErrorKind::Unauthenticated);
    });
}

#[test]
fn a_store_that_a_namespace_user_wrote_reaches_no_address_of_the_machine() {
    run(async {
        let policy = Policy::listed([] as [&str; 0]);
        let settings = settings(KvVersion::V2, token(TOKEN));
        let store = VaultStore::new(settings, &Environment::default(), &policy).unwrap();
        let error = store.read(&Reference::to("x")).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::NotAllowed, "{error}");
    });
}

#[test]
fn a_server_that_is_not_there_is_unavailable_and_a_bad_pattern_invalid() {
    run(async {
        let mut gone = settings(KvVersion::V2, token(TOKEN));
        gone.server = "http://127.0.0.1:1".into();
        let error = store(gone).read(&Reference::to("x")).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
        let query = Query {
            name: Some("(".into()),
            ..Query::default()
        };
        let here = store(settings(KvVersion::V2, token(TOKEN)));
        let error = here.find(&query).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Invalid, "{error}");
    });
}
