//! Keys of Google Cloud KMS. The fake is judged by Google's own Python client, and used by sops too.

use std::sync::OnceLock;

use serde_json::Value as Json;
use signet_keys::sops::MasterKey;
use signet_kit::fakes::FakeKms;
use signet_kit::fakes::gcp::{KEY, TOKEN};
use signet_providers::{KeyService, block_on};

use super::session::{SECRET, Session, signet_decrypts, signet_encrypts};

fn kms() -> &'static FakeKms {
    static KMS: OnceLock<FakeKms> = OnceLock::new();
    KMS.get_or_init(|| FakeKms::start().unwrap())
}

fn session() -> Session {
    let ca = kms().ca();
    Session::new()
        .with("SOPS_GCP_KMS_ENDPOINT", &kms().url())
        .with("SOPS_GCP_KMS_CLIENT_TYPE", "rest")
        .with("SSL_CERT_FILE", ca.to_str().unwrap())
        .with("REQUESTS_CA_BUNDLE", ca.to_str().unwrap())
}

fn key() -> MasterKey {
    MasterKey::GcpKms {
        resource_id: KEY.to_owned(),
    }
}

#[test]
fn a_key_goes_both_ways_between_sops_and_signet() {
    let session = session().with("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN);
    session.goes_both_ways(&["--gcp-kms", KEY], &key());
    let session = session.with("GOOGLE_CREDENTIALS", &kms().service_account().to_string());
    session.goes_both_ways(&["--gcp-kms", KEY], &key());
}

#[test]
fn every_kind_of_credentials_gives_a_token() {
    let external = kms().external().unwrap();
    let kinds = [
        kms().service_account(),
        kms().user(),
        external,
        kms().impersonated(),
    ];
    for credentials in kinds {
        // As the value, as a file that the variable names, and where gcloud leaves it.
        let given = session().with("GOOGLE_CREDENTIALS", &credentials.to_string());
        let named = session();
        let path = named.write("credentials.json", credentials.to_string());
        let named = named.with("GOOGLE_APPLICATION_CREDENTIALS", path.to_str().unwrap());
        let usual = session();
        usual.write(
            ".config/gcloud/application_default_credentials.json",
            credentials.to_string(),
        );
        for session in [given, named, usual] {
            let local = session.local();
            let file = signet_encrypts(&local, &[key()]);
            assert_eq!(
                signet_decrypts(&local, &file).unwrap(),
                SECRET,
                "{}",
                credentials["type"]
            );
        }
    }
}

#[test]
fn a_token_is_asked_for_once() {
    let kms = FakeKms::start().unwrap();
    let session = Session::new()
        .with("SOPS_GCP_KMS_ENDPOINT", &kms.url())
        .with("SSL_CERT_FILE", kms.ca().to_str().unwrap())
        .with("GOOGLE_CREDENTIALS", &kms.service_account().to_string());
    let local = session.local();
    let secret = b"x".to_vec().into();
    for _ in 0..3 {
        block_on(local.wrap(&key(), &secret)).unwrap();
    }
    let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    assert_eq!(kms.seen(), [grant, "encrypt", "encrypt", "encrypt"]);
}

#[test]
fn google_s_own_client_and_signet_unwrap_what_the_other_wrapped() {
    let session = session().with("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN);
    session.write("clouds.py", include_str!("clouds.py"));
    let local = session.local();
    for credentials in [kms().user(), kms().service_account()] {
        session.write("credentials.json", credentials.to_string());
        let url = kms().url();
        let ask = |args: &[&str]| {
            let place = ["clouds.py", "gcp", &url, KEY, "credentials.json"];
            let output = session.output("cloud-python", &[&place[..], args].concat());
            output.trim().to_owned()
        };
        let ours = block_on(local.wrap(&key(), &SECRET.as_bytes().to_vec().into())).unwrap();
        assert_eq!(ask(&["decrypt", &ours]), SECRET);
        let theirs = ask(&["encrypt", SECRET]);
        let opened = block_on(local.unwrap(&key(), &theirs)).unwrap();
        assert_eq!(opened.expose(), SECRET.as_bytes());
    }
}

#[test]
fn refusals_say_what_to_do() {
    let secret = b"x".to_vec().into();
    let session = session().with("GOOGLE_OAUTH_ACCESS_TOKEN", "ya29.wrong");
    let error = block_on(session.local().wrap(&key(), &secret)).unwrap_err();
    let text = format!("{error} | {}", error.hint().unwrap());
    assert!(
        text.contains("401") && text.contains("gcloud auth"),
        "{text}"
    );
    assert!(!text.contains("ya29.wrong"));
    let mut user: Json = kms().user();
    user["refresh_token"] = "revoked".into();
    let session = session.with("GOOGLE_CREDENTIALS", &user.to_string());
    let error = block_on(session.local().wrap(&key(), &secret)).unwrap_err();
    let text = format!("{error} | {}", error.hint().unwrap());
    assert!(
        text.contains("invalid_grant") && !text.contains("revoked"),
        "{text}"
    );
}
