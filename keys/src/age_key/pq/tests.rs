#![allow(clippy::unwrap_used)]
use age::Identity as _;
use age::Recipient as _;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::testing::fixture;

#[derive(Deserialize)]
struct Pair {
    material: String,
    seed: String,
    public: String,
}

fn pairs() -> Vec<Pair> {
    serde_json::from_slice(fixture!("sops-3.13.3/x-wing.json")).unwrap()
}

fn bytes(text: &str) -> Vec<u8> {
    crate::base64::decode(text).unwrap()
}

fn identity(seed: [u8; 32]) -> Identity {
    Identity(xwing::PrivateKey::from_bytes(&seed).unwrap())
}

fn wrapped(recipient: &Recipient) -> Stanza {
    let file_key = FileKey::new(Box::new([5; FILE_KEY_BYTES]));
    recipient.wrap_file_key(&file_key).unwrap().0.remove(0)
}

/// The reference is the implementation that sops is built with.
#[test]
fn key_pairs_are_those_of_the_reference() {
    for pair in pairs() {
        let (private, public) = XWing::derive_keypair(&bytes(&pair.material));
        assert_eq!(private.to_bytes()[..], bytes(&pair.seed)[..]);
        assert_eq!(public.to_bytes()[..], bytes(&pair.public)[..]);
        assert!(xwing::PublicKey::from_bytes(&bytes(&pair.public)).unwrap() == public);
    }
}

#[test]
fn a_recipient_and_its_text_are_one_to_one() {
    let text = identity([1; 32]).recipient().to_string();
    assert!(text.starts_with("age1pq1"));
    assert_eq!(Recipient::parse(&text).unwrap().to_string(), text);
    assert!(Recipient::parse(&text[..text.len() - 1]).is_err());
}

#[test]
fn numbers_that_are_not_reduced_are_no_recipient() {
    let mut public = identity([1; 32]).recipient().0.to_bytes();
    public[..3].fill(0xFF);
    assert!(xwing::PublicKey::from_bytes(&public).is_err());
}

#[test]
fn a_point_that_gives_no_secrets_is_no_recipient() {
    let mut public = identity([1; 32]).recipient().0.to_bytes();
    let point = public.len() - 32;
    public[point..].fill(0);
    assert!(xwing::PublicKey::from_bytes(&public).is_err());
}

#[test]
fn what_is_wrapped_may_not_be_beside_weaker_recipients() {
    let file_key = FileKey::new(Box::new([5; FILE_KEY_BYTES]));
    let (_, labels) = identity([1; 32])
        .recipient()
        .wrap_file_key(&file_key)
        .unwrap();
    assert_eq!(labels, HashSet::from(["postquantum".to_owned()]));
}

#[test]
fn a_stanza_of_another_shape_is_malformed() {
    let stanza = wrapped(&identity([1; 32]).recipient());
    let changed = |change: fn(&mut Stanza)| {
        let mut stanza = Stanza {
            tag: stanza.tag.clone(),
            args: stanza.args.clone(),
            body: stanza.body.clone(),
        };
        change(&mut stanza);
        identity([1; 32]).unwrap_stanza(&stanza)
    };
    let malformed = |found| matches!(found, Some(Err(DecryptError::InvalidHeader)));
    assert!(malformed(changed(|stanza| stanza.args.clear())));
    assert!(malformed(changed(|stanza| stanza.args.push(String::new()))));
    assert!(malformed(changed(|stanza| stanza.args[0].push('A'))));
    assert!(malformed(changed(|stanza| stanza.body.push(0))));
    assert!(changed(|stanza| stanza.tag = "X25519".into()).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn an_identity_opens_what_is_for_it_alone(one in any::<[u8; 32]>(), other in any::<[u8; 32]>()) {
        prop_assume!(one != other);
        let stanza = wrapped(&identity(one).recipient());
        let opened = identity(one).unwrap_stanza(&stanza).unwrap().unwrap();
        prop_assert_eq!(opened.expose_secret(), &[5; FILE_KEY_BYTES]);
        prop_assert!(identity(other).unwrap_stanza(&stanza).is_none());
    }

    #[test]
    fn one_flipped_bit_anywhere_and_it_does_not_open(at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let mut stanza = wrapped(&identity([1; 32]).recipient());
        let mut encapsulated = STANDARD_NO_PAD.decode(&stanza.args[0]).unwrap();
        match at.index(encapsulated.len() + stanza.body.len()) {
            at if at < encapsulated.len() => encapsulated[at] ^= 1 << bit,
            at => stanza.body[at - encapsulated.len()] ^= 1 << bit,
        }
        stanza.args[0] = STANDARD_NO_PAD.encode(encapsulated);
        prop_assert!(!matches!(identity([1; 32]).unwrap_stanza(&stanza), Some(Ok(_))));
    }
}
