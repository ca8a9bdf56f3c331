//! PGP keys of a keyring of the test's own.

use signet_keys::sops::MasterKey;

use super::session::{SECRET, Session, signet_decrypts};

/// A keyring with a new key. Its agent ends with it.
struct Keyring {
    session: Session,
    fingerprint: String,
    subkey: String,
}

impl Keyring {
    fn new() -> Self {
        let session = Session::new();
        let home = session.path().join("gnupg");
        std::fs::create_dir(&home).unwrap();
        std::fs::set_permissions(&home, std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .unwrap();
        let session = session.with("GNUPGHOME", home.to_str().unwrap());
        let parameters = "Key-Type: eddsa\nKey-Curve: ed25519\nKey-Usage: sign\nSubkey-Type: ecdh\n\
            Subkey-Curve: cv25519\nSubkey-Usage: encrypt\nName-Real: Test\nName-Email: test@example.test\n\
            Expire-Date: 0\n%no-protection\n%commit\n";
        let path = session.write("parameters", parameters);
        session.output(
            "gpg",
            &[
                "--batch",
                "--quiet",
                "--generate-key",
                path.to_str().unwrap(),
            ],
        );
        let listed = session.output("gpg", &["--batch", "--with-colons", "--list-keys"]);
        let mut fingerprints = listed
            .lines()
            .filter(|line| line.starts_with("fpr:"))
            .map(|line| line.split(':').nth(9).unwrap().to_owned());
        Self {
            fingerprint: fingerprints.next().unwrap(),
            subkey: fingerprints.next().unwrap(),
            session,
        }
    }
}

impl Drop for Keyring {
    fn drop(&mut self) {
        self.session.run("gpgconf", &["--kill", "all"]);
    }
}

fn pgp(fingerprint: &str) -> MasterKey {
    MasterKey::Pgp {
        fingerprint: fingerprint.to_owned(),
    }
}

#[test]
fn a_key_of_the_keyring_goes_both_ways() {
    let keyring = Keyring::new();
    let fingerprint = &keyring.fingerprint;
    keyring
        .session
        .goes_both_ways(&["--pgp", fingerprint], &pgp(fingerprint));
}

#[test]
fn issue_1365_a_subkey_that_is_meant_goes_both_ways() {
    let keyring = Keyring::new();
    let meant = format!("{}!", keyring.subkey);
    keyring
        .session
        .goes_both_ways(&["--pgp", &meant], &pgp(&meant));
}

#[test]
fn another_binary_is_used_if_the_variable_names_one() {
    let keyring = Keyring::new();
    let theirs = keyring
        .session
        .sops_encrypts(&["--pgp", &keyring.fingerprint]);
    let broken = Session::new().with("SOPS_GPG_EXEC", "/does/not/exist");
    let error = signet_decrypts(&broken.local(), &theirs).unwrap_err();
    assert!(error.hints()[0].contains("SOPS_GPG_EXEC"), "{error:?}");
}

#[test]
fn a_key_that_is_not_in_the_keyring_is_told_in_gpgs_own_words() {
    let (mine, other) = (Keyring::new(), Keyring::new());
    let theirs = mine.session.sops_encrypts(&["--pgp", &mine.fingerprint]);
    let error = signet_decrypts(&other.session.local(), &theirs).unwrap_err();
    let text = format!("{error:?} {:?}", error.hints());
    assert!(
        text.contains("No secret key") && text.contains("GNUPGHOME"),
        "{text}"
    );
    assert!(!text.contains(SECRET));
}
