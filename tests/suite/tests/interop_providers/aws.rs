//! Keys of AWS KMS in moto, beside sops.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::json;
use signet_keys::sops::MasterKey;
use signet_kit::Moto;
use signet_kit::moto::ACCOUNT;
use signet_providers::block_on;

use super::session::{SECRET, Session, signet_decrypts, signet_encrypts};

const REGION: &str = "eu-central-1";

/// One server for all tests, and a key.
fn moto() -> &'static (Moto, String) {
    static MOTO: OnceLock<(Moto, String)> = OnceLock::new();
    MOTO.get_or_init(|| {
        block_on(async {
            let moto = Moto::start().await?;
            let arn = moto.create_key(REGION).await?;
            Ok::<_, signet_kit::KitError>((moto, arn))
        })
        .unwrap()
    })
}

fn session() -> Session {
    Session::new()
        .with("AWS_ENDPOINT_URL", moto().0.url())
        .with("AWS_EC2_METADATA_DISABLED", "true")
}

fn with_keys() -> Session {
    session()
        .with("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        .with("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
}

fn key(role: Option<&str>, context: &[(&str, &str)], profile: Option<&str>) -> MasterKey {
    let pairs = context
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    MasterKey::Kms {
        arn: moto().1.clone(),
        role: role.map(Into::into),
        context: pairs.collect::<BTreeMap<_, _>>(),
        aws_profile: profile.map(Into::into),
    }
}

#[test]
fn a_key_goes_both_ways_without_and_with_a_context() {
    let session = with_keys();
    session.goes_both_ways(&["--kms", &moto().1], &key(None, &[], None));
    let flags = [
        "--kms",
        &moto().1,
        "--encryption-context",
        "app:web,env:dev",
    ];
    session.goes_both_ways(&flags, &key(None, &[("app", "web"), ("env", "dev")], None));
}

#[test]
fn an_alias_goes_both_ways() {
    block_on(moto().0.create_alias(REGION, "sops", &moto().1)).unwrap();
    let arn = format!("arn:aws:kms:{REGION}:{ACCOUNT}:alias/sops");
    let key = MasterKey::Kms {
        arn: arn.clone(),
        role: None,
        context: BTreeMap::new(),
        aws_profile: None,
    };
    with_keys().goes_both_ways(&["--kms", &arn], &key);
}

#[test]
fn a_role_is_assumed_first() {
    let role = format!("arn:aws:iam::{ACCOUNT}:role/sops");
    let flags = ["--kms", &format!("{}+{role}", moto().1)];
    with_keys().goes_both_ways(&flags, &key(Some(&role), &[], None));
}

#[test]
fn a_profile_of_the_document_or_of_the_variable_gives_the_credentials() {
    let files = |session: &Session| {
        let text =
            "[production]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = x\n";
        session.write(".aws/credentials", text);
    };
    let session = session();
    files(&session);
    let flags = ["--kms", &moto().1, "--aws-profile", "production"];
    session.goes_both_ways(&flags, &key(None, &[], Some("production")));
    let session = session.with("AWS_PROFILE", "production");
    session.goes_both_ways(&["--kms", &moto().1], &key(None, &[], None));
}

#[test]
fn another_context_or_a_changed_ciphertext_opens_nothing_and_says_why() {
    let session = with_keys();
    let local = session.local();
    let file = signet_encrypts(&local, &[key(None, &[("app", "web")], None)]);
    let mut other = file.clone();
    other["sops"]["kms"][0]["context"] = json!({"app": "other"});
    let error = signet_decrypts(&local, &other).unwrap_err();
    assert!(error.hints()[0].contains("encryption context"), "{error:?}");
    let mut changed = file;
    changed["sops"]["kms"][0]["enc"] = json!("bm90IGEgY2lwaGVydGV4dA==");
    let error = signet_decrypts(&local, &changed).unwrap_err();
    let text = format!("{error:?}");
    assert!(text.contains(&moto().1) && !text.contains(SECRET), "{text}");
}
