//! A transit engine of a real server, beside sops.

use std::sync::OnceLock;

use serde_json::json;
use signet_keys::sops::MasterKey;
use signet_kit::OpenBao;
use signet_kit::openbao::TOKEN;
use signet_providers::{KeyService, block_on};

use super::session::{SECRET, Session, signet_decrypts, signet_encrypts};

/// One server for all tests, with two engines.
fn bao() -> &'static OpenBao {
    static BAO: OnceLock<OpenBao> = OnceLock::new();
    BAO.get_or_init(|| {
        block_on(async {
            let bao = OpenBao::start().await?;
            for engine in ["transit", "team/transit"] {
                bao.write(&format!("sys/mounts/{engine}"), &json!({"type": "transit"}))
                    .await?;
                bao.write(&format!("{engine}/keys/sops"), &json!({}))
                    .await?;
            }
            Ok::<_, signet_kit::KitError>(bao)
        })
        .unwrap()
    })
}

fn key(server: &str, engine: &str) -> MasterKey {
    MasterKey::HcVault {
        vault_address: server.to_owned(),
        engine_path: engine.to_owned(),
        key_name: "sops".to_owned(),
    }
}

fn uri(server: &str, engine: &str) -> String {
    format!("{server}/v1/{engine}/keys/sops")
}

#[test]
fn transit_keys_go_both_ways() {
    let session = Session::new().with("VAULT_TOKEN", TOKEN);
    for engine in ["transit", "team/transit"] {
        let flags = ["--hc-vault-transit", &uri(bao().url(), engine)];
        session.goes_both_ways(&flags, &key(bao().url(), engine));
    }
}

#[test]
fn the_token_that_login_leaves_in_the_home_folder_is_used() {
    let session = Session::new();
    session.write(".vault-token", format!("{TOKEN}\n"));
    let flags = ["--hc-vault-transit", &uri(bao().url(), "transit")];
    session.goes_both_ways(&flags, &key(bao().url(), "transit"));
}

#[test]
fn what_was_wrapped_before_a_rotation_still_opens() {
    let session = Session::new().with("VAULT_TOKEN", TOKEN);
    block_on(bao().write("transit/keys/rotated", &json!({}))).unwrap();
    let server = bao().url();
    let key = MasterKey::HcVault {
        vault_address: server.to_owned(),
        engine_path: "transit".into(),
        key_name: "rotated".into(),
    };
    let local = session.local();
    let file = signet_encrypts(&local, &[key]);
    assert!(
        file["sops"]["hc_vault"][0]["enc"]
            .as_str()
            .unwrap()
            .starts_with("vault:v1:")
    );
    block_on(bao().write("transit/keys/rotated/rotate", &json!({}))).unwrap();
    assert_eq!(signet_decrypts(&local, &file).unwrap(), SECRET);
}

#[test]
fn a_namespace_is_asked_in() {
    let bao = bao();
    block_on(async {
        let engine = json!({"type": "transit"});
        bao.write("sys/namespaces/team-a", &json!({})).await?;
        bao.write_in("team-a", "sys/mounts/inner", &engine).await?;
        bao.write_in("team-a", "inner/keys/sops", &json!({})).await
    })
    .unwrap();
    let session = Session::new()
        .with("VAULT_TOKEN", TOKEN)
        .with("VAULT_NAMESPACE", "team-a");
    let flags = ["--hc-vault-transit", &uri(bao.url(), "inner")];
    session.goes_both_ways(&flags, &key(bao.url(), "inner"));
}

#[test]
fn a_private_authority_is_trusted_only_if_it_is_named() {
    let server = block_on(async {
        let bao = OpenBao::start_tls().await?;
        bao.write("sys/mounts/transit", &json!({"type": "transit"}))
            .await?;
        bao.write("transit/keys/sops", &json!({})).await?;
        Ok::<_, signet_kit::KitError>(bao)
    })
    .unwrap();
    let session = Session::new().with("VAULT_TOKEN", TOKEN);
    let key = key(server.url(), "transit");
    let secret = b"x".to_vec().into();
    let error = block_on(session.local().wrap(&key, &secret)).unwrap_err();
    assert!(error.hint().unwrap().contains("SSL_CERT_FILE"), "{error}");
    let session = session.with("VAULT_CACERT", server.ca().to_str().unwrap());
    session.goes_both_ways(&["--hc-vault-transit", &uri(server.url(), "transit")], &key);
}

#[test]
fn the_allowlist_keeps_the_token_from_servers_that_it_does_not_have() {
    let session = Session::new().with("VAULT_TOKEN", TOKEN);
    let (url, local) = (bao().url(), session.local());
    let file = signet_encrypts(&local, &[key(url, "transit")]);
    for (list, allowed) in [
        ("all", true),
        ("none", false),
        (url, true),
        (format!("https://other.example, {url}/").as_str(), true),
        ("https://other.example", false),
        (&url[..url.len() - 1], false),
    ] {
        let session = Session::new()
            .with("VAULT_TOKEN", TOKEN)
            .with("SOPS_HC_VAULT_ALLOWLIST", list);
        let ours = signet_decrypts(&session.local(), &file).is_ok();
        session.write("file.json", file.to_string());
        let theirs = session
            .run("sops", &["decrypt", "file.json"])
            .status
            .success();
        assert_eq!((ours, theirs), (allowed, allowed), "{list}");
    }
}

#[test]
fn refusals_say_what_to_do() {
    let session = Session::new().with("VAULT_TOKEN", "s.wrong");
    let secret = b"x".to_vec().into();
    let refused = |session: &Session, key: &MasterKey| {
        let error = block_on(session.local().wrap(key, &secret)).unwrap_err();
        format!("{error} | {}", error.hint().unwrap())
    };
    let transit = key(bao().url(), "transit");
    let text = refused(&session, &transit);
    assert!(
        text.contains("transit/sops")
            && text.contains("permission denied")
            && text.contains("expired"),
        "{text}"
    );
    assert!(!text.contains("s.wrong"));
    let text = refused(&Session::new(), &transit);
    assert!(
        text.contains("there is no token") && text.contains("vault login"),
        "{text}"
    );
    let session = Session::new().with("VAULT_TOKEN", TOKEN);
    let text = refused(&session, &key(bao().url(), "nowhere"));
    assert!(
        text.contains("404") && text.contains("VAULT_NAMESPACE"),
        "{text}"
    );
    let text = refused(&session, &key("http://127.0.0.1:1", "transit"));
    assert!(text.contains("cannot reach http://127.0.0.1:1"), "{text}");
}
