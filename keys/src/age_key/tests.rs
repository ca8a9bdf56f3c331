#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;

const KEY: &[u8] = &[7; 32];

fn x25519() -> (age::x25519::Identity, Recipient, Vec<Identity>) {
    use age::secrecy::ExposeSecret;
    let identity = age::x25519::Identity::generate();
    let recipient = identity.to_public().to_string().parse().unwrap();
    let text = identity.to_string();
    let identities = Identity::parse_all(text.expose_secret().as_bytes(), "test").unwrap();
    (identity, recipient, identities)
}

/// Serves `age1test1...` and `AGE-PLUGIN-TEST-1...` with a key of X25519.
struct Plugin(age::x25519::Identity);

impl Assistant for Plugin {
    fn plugin_identity(&self, name: &str, _: &str) -> Result<Box<dyn age::Identity>, PluginError> {
        assert_eq!(name, "test");
        Ok(Box::new(self.0.clone()))
    }

    fn plugin_recipient(
        &self,
        name: &str,
        recipient: &str,
    ) -> Result<Box<dyn age::Recipient>, PluginError> {
        assert_eq!((name, recipient), ("test", "age1test1qqqq"));
        Ok(Box::new(self.0.to_public()))
    }
}

#[test]
fn a_plugin_wraps_and_unwraps_through_the_assistant() {
    let plugin = Plugin(x25519().0);
    let recipient: Recipient = "age1test1qqqq".parse().unwrap();
    assert_eq!(recipient.plugin(), Some("test"));
    let wrapped = wrap(&KEY.to_vec().into(), &recipient, &plugin).unwrap();
    let identities = Identity::parse_all(b"AGE-PLUGIN-TEST-1QQQQ", "test").unwrap();
    let key = unwrap(&wrapped, &identities, &plugin).unwrap();
    assert_eq!(key.expose(), KEY);
}

#[test]
fn a_plugin_that_is_not_there_is_named() {
    let recipient: Recipient = "age1yubikey1qqqq".parse().unwrap();
    let error = wrap(&KEY.to_vec().into(), &recipient, &Unattended).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot encrypt to `age1yubikey1qqqq`: the age plugin `age-plugin-yubikey` is not available"
    );

    let (_, recipient, _) = x25519();
    let wrapped = wrap(&KEY.to_vec().into(), &recipient, &Unattended).unwrap();
    let identities = Identity::parse_all(b"AGE-PLUGIN-YUBIKEY-1QQQQ", "keys.txt").unwrap();
    let error = unwrap(&wrapped, &identities, &Unattended).unwrap_err();
    assert_eq!(
        error.to_string(),
        "none of the 1 age identities opens the wrapped key; keys.txt: the age plugin \
        `age-plugin-yubikey` is not available"
    );
}

/// Is asked, and has nothing but bad news.
struct Broken;

impl age::Identity for Broken {
    fn unwrap_stanza(
        &self,
        _: &age_core::format::Stanza,
    ) -> Option<Result<age_core::format::FileKey, age::DecryptError>> {
        Some(Err(age::DecryptError::DecryptionFailed))
    }
}

impl Assistant for Broken {
    fn plugin_identity(&self, _: &str, _: &str) -> Result<Box<dyn age::Identity>, PluginError> {
        Ok(Box::new(Self))
    }
}

#[test]
fn what_a_plugin_says_when_it_fails_is_told() {
    let (_, recipient, _) = x25519();
    let wrapped = wrap(&KEY.to_vec().into(), &recipient, &Unattended).unwrap();
    let identities = Identity::parse_all(b"AGE-PLUGIN-TEST-1QQQQ", "keys.txt").unwrap();
    let error = unwrap(&wrapped, &identities, &Broken).unwrap_err();
    let said = age::DecryptError::DecryptionFailed;
    let expected = format!("keys.txt: the age plugin `age-plugin-test` failed: {said}");
    assert!(error.to_string().ends_with(&expected), "{error}");
}

#[test]
fn white_space_around_a_wrapped_key_does_not_matter() {
    let (_, recipient, identities) = x25519();
    let wrapped = wrap(&KEY.to_vec().into(), &recipient, &Unattended).unwrap();
    for text in [
        wrapped.trim().to_owned(),
        format!("\n{wrapped}\n\n"),
        wrapped.replace('\n', "\r\n"),
    ] {
        assert_eq!(
            unwrap(&text, &identities, &Unattended).unwrap().expose(),
            KEY
        );
    }
}

#[test]
fn without_identities_the_hint_is_to_give_one() {
    let (_, recipient, _) = x25519();
    let wrapped = wrap(&KEY.to_vec().into(), &recipient, &Unattended).unwrap();
    let error = unwrap(&wrapped, &[], &Unattended).unwrap_err();
    assert!(error.hint().starts_with("give an identity"));
}

#[test]
fn what_is_no_age_file_or_too_long_is_refused() {
    let (_, _, identities) = x25519();
    let long = format!("{BEGIN}\n{}", "A".repeat(LONGEST));
    for text in ["", "hunter2", "age-encryption.org/v1\n", BEGIN, &long] {
        assert_eq!(
            unwrap(text, &identities, &Unattended),
            Err(UnwrapError::NotAge)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_cut_or_changed_file_never_opens_and_never_panics(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let (_, recipient, identities) = x25519();
        let wrapped = wrap(&KEY.to_vec().into(), &recipient, &Unattended).unwrap();
        let at = at.index(wrapped.trim_end().len());
        prop_assert!(unwrap(&wrapped[..at], &identities, &Unattended).is_err());
        let mut changed = wrapped.clone().into_bytes();
        changed[at] = byte;
        if let Ok(changed) = String::from_utf8(changed)
            && let Ok(key) = unwrap(&changed, &identities, &Unattended)
        {
            // The same byte, or white space for white space.
            prop_assert_eq!(key.expose(), KEY);
        }
    }
}
