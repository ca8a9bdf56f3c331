//! Identities from every place, beside sops that finds them in the same place.

use std::os::unix::fs::PermissionsExt;

use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;
use signet_providers::Prompt;

use super::session::{SECRET, Session, signet_decrypts};

fn keygen(session: &Session) -> (String, String) {
    let identity = session.output("age-keygen", &[]);
    let path = session.write("fresh", &identity);
    let recipient = session.output("age-keygen", &["-y", path.to_str().unwrap()]);
    (identity, recipient.trim().to_owned())
}

fn ssh_keygen(session: &Session, kind: &str, name: &str, passphrase: &str) -> String {
    let path = session.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let path = path.to_str().unwrap();
    session.output(
        "ssh-keygen",
        &["-q", "-t", kind, "-N", passphrase, "-C", "", "-f", path],
    );
    std::fs::read_to_string(format!("{path}.pub"))
        .unwrap()
        .trim()
        .to_owned()
}

fn age(recipient: &str) -> MasterKey {
    MasterKey::Age {
        recipient: recipient.to_owned(),
    }
}

fn goes_both_ways(session: &Session, recipient: &str) {
    session.goes_both_ways(&["--age", recipient], &age(recipient));
}

#[test]
fn identities_are_found_where_sops_finds_them() {
    let text = Session::new();
    let (identity, recipient) = keygen(&text);
    let key = identity.lines().last().unwrap();
    goes_both_ways(&text.with("SOPS_AGE_KEY", key), &recipient);

    let file = Session::new();
    let path = file.write("my key", &identity);
    let file = file.with("SOPS_AGE_KEY_FILE", path.to_str().unwrap());
    goes_both_ways(&file, &recipient);

    let program = Session::new();
    let path = program.write("my keys", &identity);
    let program = program.with("SOPS_AGE_KEY_CMD", &format!("cat '{}'", path.display()));
    goes_both_ways(&program, &recipient);

    let usual = Session::new();
    usual.write(".config/sops/age/keys.txt", &identity);
    goes_both_ways(&usual, &recipient);
    let config = Session::new();
    config.write("elsewhere/sops/age/keys.txt", &identity);
    let folder = config.path().join("elsewhere");
    let config = config.with("XDG_CONFIG_HOME", folder.to_str().unwrap());
    goes_both_ways(&config, &recipient);
}

#[test]
fn ssh_keys_are_found_where_sops_finds_them() {
    for (kind, name) in [("ed25519", ".ssh/id_ed25519"), ("rsa", ".ssh/id_rsa")] {
        let session = Session::new();
        let recipient = ssh_keygen(&session, kind, name, "");
        goes_both_ways(&session, &recipient);
    }
    let session = Session::new();
    let recipient = ssh_keygen(&session, "ed25519", "key", "");
    let path = session.path().join("key").to_str().unwrap().to_owned();
    let by_file = session.with("SOPS_AGE_SSH_PRIVATE_KEY_FILE", &path);
    goes_both_ways(&by_file, &recipient);
    let session = Session::new();
    let recipient = ssh_keygen(&session, "ed25519", "key", "");
    let path = session.path().join("key").to_str().unwrap().to_owned();
    goes_both_ways(
        &session.with("SOPS_AGE_SSH_PRIVATE_KEY_CMD", &format!("cat {path}")),
        &recipient,
    );
}

#[test]
fn the_post_quantum_recipient_goes_both_ways() {
    let session = Session::new();
    let identity = session.output("age-keygen", &["-pq"]);
    let path = session.write("pq", &identity);
    let path = path.to_str().unwrap();
    let recipient = session
        .output("age-keygen", &["-y", path])
        .trim()
        .to_owned();
    let session = Session::new().with("SOPS_AGE_KEY", identity.lines().last().unwrap());
    goes_both_ways(&session, &recipient);
}

/// Knows one passphrase.
struct Passphrase(&'static str);

impl Prompt for Passphrase {
    fn passphrase(&self, _: &str) -> Option<Plaintext> {
        Some(self.0.as_bytes().to_vec().into())
    }
}

#[test]
fn a_locked_ssh_key_is_opened_by_the_passphrase_that_ssh_keygen_was_given() {
    let session = Session::new().with_prompt(Passphrase("a long passphrase"));
    let recipient = ssh_keygen(&session, "ed25519", ".ssh/id_ed25519", "a long passphrase");
    let theirs = session.sops_encrypts(&["--age", &recipient]);
    assert_eq!(signet_decrypts(&session.local(), &theirs).unwrap(), SECRET);
    let wrong = session.with_prompt(Passphrase("another"));
    let error = signet_decrypts(&wrong.local(), &theirs).unwrap_err();
    assert!(
        format!("{error:?}").contains("WrongPassphrase"),
        "{error:?}"
    );
}

#[test]
fn a_passphrase_protected_identity_file_is_opened() {
    let session = Session::new();
    let (identity, recipient) = keygen(&session);
    session.write("plain", identity);
    // What `age -p` asks a terminal for, its plugin takes from variables.
    let tools = signet_kit::tools().path("age");
    let path = format!("{}:/usr/bin:/bin", tools.parent().unwrap().display());
    let session = session
        .with("PATH", &path)
        .with("AGE_PASSPHRASE", "open sesame")
        .with("AGE_PASSPHRASE_WORK_FACTOR", "12");
    session.output("age", &["-e", "-j", "batchpass", "-o", "locked", "plain"]);
    let theirs = session.sops_encrypts(&["--age", &recipient]);
    let locked = session.path().join("locked").to_str().unwrap().to_owned();
    let session = session
        .with("SOPS_AGE_KEY_FILE", &locked)
        .with_prompt(Passphrase("open sesame"));
    assert_eq!(signet_decrypts(&session.local(), &theirs).unwrap(), SECRET);
    let nobody = session.with_prompt(signet_providers::NoPrompt);
    let error = signet_decrypts(&nobody.local(), &theirs).unwrap_err();
    assert!(format!("{error:?}").contains("NoPassphrase"), "{error:?}");
}

/// A plugin that hides nothing: what is wrapped is the file key as it stands.
const PLUGIN: &str = include_str!("age-plugin-open");

#[test]
fn a_plugin_serves_sops_and_signet_alike() {
    let session = Session::new();
    let plugin = session.write("bin/age-plugin-open", PLUGIN);
    std::fs::set_permissions(&plugin, std::fs::Permissions::from_mode(0o755)).unwrap();
    let folder = plugin.parent().unwrap().to_str().unwrap();
    // The age crate looks for programs in the path of the process, which other tests share.
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "age::in_a_process_with_the_plugin",
            "--nocapture",
        ])
        .env("PATH", &path)
        .env("SIGNET_TEST_PLUGIN", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("the plugin was used"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
#[allow(clippy::print_stdout)]
fn in_a_process_with_the_plugin() {
    if std::env::var_os("SIGNET_TEST_PLUGIN").is_none() {
        return;
    }
    let path = std::env::var("PATH").unwrap();
    let recipient = bech32("age1open", false);
    let identity = bech32("age-plugin-open-", true);
    let session = Session::new()
        .with("PATH", &path)
        .with("SOPS_AGE_KEY", &identity);
    goes_both_ways(&session, &recipient);
    println!("the plugin was used");
}

/// Four bytes under a name, in Bech32.
fn bech32(name: &str, upper: bool) -> String {
    let generator = [
        0x3b6a_57b2_u32,
        0x2650_8e6d,
        0x1ea1_19fa,
        0x3d42_33dd,
        0x2a14_62b3,
    ];
    let mut values: Vec<u32> = name.bytes().map(|byte| u32::from(byte >> 5)).collect();
    values.push(0);
    values.extend(name.bytes().map(|byte| u32::from(byte & 31)));
    let data = [0_u32; 7];
    values.extend(data);
    values.extend([0; 6]);
    let checksum = values.iter().fold(1, |sum, value| {
        let top = sum >> 25;
        let shifted = (sum & 0x01ff_ffff) << 5 ^ value;
        (0..5)
            .filter(|bit| top >> bit & 1 == 1)
            .fold(shifted, |sum, bit| sum ^ generator[bit])
    }) ^ 1;
    let alphabet = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let check = (0..6).map(|index| checksum >> (5 * (5 - index)) & 31);
    let letters = data
        .into_iter()
        .chain(check)
        .map(|value| char::from(alphabet[value as usize]));
    let text = format!("{name}1{}", letters.collect::<String>());
    if upper { text.to_uppercase() } else { text }
}
