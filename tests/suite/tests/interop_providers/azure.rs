//! Keys of an Azure Key Vault. The fake is judged by Azure's own Python client; sops takes vaults of
//! Azure's own domains alone, so it cannot be asked.

use std::sync::OnceLock;

use signet_keys::sops::MasterKey;
use signet_kit::fakes::FakeKeyVault;
use signet_kit::fakes::azure::{CLIENT, FEDERATED, SECRET as CLIENT_SECRET, TENANT, VERSIONS};
use signet_providers::{KeyService, block_on};

use super::session::{SECRET, Session, keys, signet_decrypts, signet_encrypts};

fn vault() -> &'static FakeKeyVault {
    static VAULT: OnceLock<FakeKeyVault> = OnceLock::new();
    VAULT.get_or_init(|| FakeKeyVault::start().unwrap())
}

fn session() -> Session {
    let ca = vault().ca();
    Session::new()
        .with("SSL_CERT_FILE", ca.to_str().unwrap())
        .with("REQUESTS_CA_BUNDLE", ca.to_str().unwrap())
        .with("AZURE_AUTHORITY_HOST", &vault().url())
}

fn with_client() -> Session {
    session()
        .with("AZURE_TENANT_ID", TENANT)
        .with("AZURE_CLIENT_ID", CLIENT)
        .with("AZURE_CLIENT_SECRET", CLIENT_SECRET)
}

fn key(version: Option<&str>) -> MasterKey {
    MasterKey::AzureKv {
        vault_url: vault().url(),
        name: "sops".into(),
        version: version.map(Into::into),
    }
}

fn goes_round(session: &Session) {
    let local = session.local();
    let file = signet_encrypts(&local, &[key(Some(VERSIONS[0]))]);
    assert_eq!(signet_decrypts(&local, &file).unwrap(), SECRET);
}

#[test]
fn a_client_secret_a_federated_token_and_a_managed_identity_give_tokens() {
    goes_round(&with_client());
    let workload = session()
        .with("AZURE_TENANT_ID", TENANT)
        .with("AZURE_CLIENT_ID", CLIENT);
    let file = workload.write("token", format!("{FEDERATED}\n"));
    goes_round(&workload.with("AZURE_FEDERATED_TOKEN_FILE", file.to_str().unwrap()));
    let managed = session().with("IDENTITY_ENDPOINT", &format!("{}/msi/token", vault().url()));
    goes_round(&managed.with("IDENTITY_HEADER", CLIENT_SECRET));
}

#[test]
fn the_command_line_of_azure_gives_tokens() {
    let session = session();
    let script = "#!/bin/sh\necho \"$@\" > \"$HOME/asked\"\n\
        echo '{\"accessToken\": \"an-access-token\", \"expiresOn\": \"2036-01-01 00:00:00.000000\"}'\n";
    let program = session.write("bin/az", script);
    std::fs::set_permissions(
        &program,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let session = session.with("PATH", &path);
    goes_round(&session);
    let asked = std::fs::read_to_string(session.path().join("asked")).unwrap();
    let scope = format!("{}/.default", vault().url());
    assert_eq!(
        asked.trim(),
        format!("account get-access-token --output json --scope {scope} --tenant {TENANT}")
    );
}

#[test]
fn a_key_without_a_version_gets_the_newest_and_the_file_names_it() {
    let session = with_client();
    let local = session.local();
    let file = signet_encrypts(&local, &[key(None)]);
    assert_eq!(keys(&file)[0].key, key(Some(VERSIONS[1])));
    assert_eq!(signet_decrypts(&local, &file).unwrap(), SECRET);
}

#[test]
fn azure_s_own_client_and_signet_unwrap_what_the_other_wrapped() {
    let session = with_client();
    session.write("clouds.py", include_str!("clouds.py"));
    let url = vault().url();
    let ask = |args: &[&str]| {
        let place = ["clouds.py", "azure", &url, "sops", "-"];
        let output = session.output("cloud-python", &[&place[..], args].concat());
        output.trim().to_owned()
    };
    let local = session.local();
    let newest = key(Some(VERSIONS[1]));
    let ours = block_on(local.wrap(&newest, &SECRET.as_bytes().to_vec().into())).unwrap();
    assert_eq!(ask(&["decrypt", &ours]), SECRET);
    let theirs = ask(&["encrypt", SECRET]);
    assert_eq!(
        block_on(local.unwrap(&newest, &theirs)).unwrap().expose(),
        SECRET.as_bytes()
    );
}

#[test]
fn a_server_that_asks_for_the_token_of_another_gets_none() {
    let other = FakeKeyVault::start().unwrap();
    // By this name it is another server than the one that it asks a token for.
    let url = other.url().replace("127.0.0.1", "localhost");
    let key = MasterKey::AzureKv {
        vault_url: url,
        name: "sops".into(),
        version: Some(VERSIONS[0].into()),
    };
    let session = with_client().with("SSL_CERT_FILE", other.ca().to_str().unwrap());
    let error = block_on(session.local().unwrap(&key, "AAAA")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("does not ask for a token as a key vault does"),
        "{error}"
    );
    assert!(other.seen().is_empty(), "{:?}", other.seen());
}

#[test]
fn refusals_say_what_to_do() {
    let secret = b"x".to_vec().into();
    let wrong = with_client().with("AZURE_CLIENT_SECRET", "wrong secret");
    let error = block_on(wrong.local().wrap(&key(Some(VERSIONS[0])), &secret)).unwrap_err();
    let text = format!("{error} | {}", error.hint().unwrap());
    assert!(
        text.contains("AZURE_CLIENT_SECRET")
            && text.contains("invalid_client")
            && text.contains("az login"),
        "{text}"
    );
    assert!(!text.contains("wrong secret|"));
    let missing = MasterKey::AzureKv {
        vault_url: vault().url(),
        name: "nothing".into(),
        version: None,
    };
    let error = block_on(with_client().local().complete(&missing)).unwrap_err();
    let text = format!("{error} | {}", error.hint().unwrap());
    assert!(
        text.contains("KeyNotFound") && text.contains("check the name"),
        "{text}"
    );
    let none = Session::new().with("SSL_CERT_FILE", vault().ca().to_str().unwrap());
    let error = block_on(none.local().wrap(&key(Some(VERSIONS[0])), &secret)).unwrap_err();
    assert!(
        error.to_string().contains("there are no Azure credentials"),
        "{error}"
    );
}
