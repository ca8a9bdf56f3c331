//! Ed25519 keys, used for X25519 on the same curve. The secret that the two sides share is bound to
//! the SSH key by a further multiplication, so that it is none of another protocol's.

use age_core::primitives::{aead_decrypt, aead_encrypt, bech32_encode, hkdf};
use bech32::Hrp;
use curve25519_dalek::EdwardsPoint;
use curve25519_dalek::edwards::CompressedEdwardsY;
use pkcs8::{ObjectIdentifier, PrivateKeyInfoRef};
use rand_core::OsRng;
use sha2::{Digest, Sha512};
use x25519_dalek::{PublicKey as Point, SharedSecret, StaticSecret};
use zeroize::Zeroizing;

const LABEL: &[u8] = b"age-encryption.org/v1/ssh-ed25519";
const X25519: Hrp = Hrp::parse_unchecked("age-secret-key-");
const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
const FILE_KEY_LEN: usize = 16;

#[derive(Clone)]
pub(super) struct Public(Point);

pub(super) struct Private {
    public: [u8; 32],
    secret: StaticSecret,
}

impl Public {
    /// `None` for a point that is not on the curve or gives no secrets.
    pub(super) fn new(key: [u8; 32]) -> Option<Self> {
        let point = CompressedEdwardsY(key).decompress()?;
        let gives_secrets = !point.is_small_order();
        gives_secrets.then(|| Self(Point::from(point.to_montgomery().to_bytes())))
    }

    /// The ephemeral point, and the file key wrapped.
    pub(super) fn wrap(&self, blob: &[u8], file_key: &[u8]) -> ([u8; 32], Vec<u8>) {
        let ephemeral = StaticSecret::random_from_rng(OsRng);
        let ours = Point::from(&ephemeral);
        let shared = ephemeral.diffie_hellman(&self.0);
        let key = wrapping_key(blob, &shared, &ours, &self.0);
        (ours.to_bytes(), aead_encrypt(&key, file_key))
    }
}

impl Private {
    pub(super) fn new(seed: &[u8; 32]) -> Self {
        let digest = Zeroizing::new(<[u8; 64]>::from(Sha512::digest(seed)));
        let mut scalar = Zeroizing::new([0; 32]);
        scalar.copy_from_slice(&digest[..32]);
        let public = EdwardsPoint::mul_base_clamped(*scalar).compress();
        Self {
            public: public.to_bytes(),
            secret: StaticSecret::from(*scalar),
        }
    }

    /// `None` when it is something else.
    pub(super) fn from_pkcs8(der: &[u8]) -> Option<Self> {
        let info = PrivateKeyInfoRef::try_from(der).ok()?;
        // An octet string in an octet string (RFC 8410, section 7).
        let seed = info.private_key.as_bytes().strip_prefix(&[4, 32])?;
        let seed = seed.try_into().ok()?;
        (info.algorithm.oid == OID).then(|| Self::new(seed))
    }

    /// The same key as an age identity, as the program ssh-to-age makes it.
    pub(super) fn to_x25519(&self) -> Option<age::x25519::Identity> {
        let scalar = Zeroizing::new(self.secret.to_bytes());
        let text = Zeroizing::new(bech32_encode(X25519, &scalar[..]));
        let text = Zeroizing::new(text.to_ascii_uppercase());
        text.parse().ok()
    }

    pub(super) fn public(&self) -> &[u8; 32] {
        &self.public
    }

    pub(super) fn unwrap(
        &self,
        blob: &[u8],
        point: [u8; 32],
        body: &[u8],
    ) -> Option<Zeroizing<Vec<u8>>> {
        let theirs = Point::from(point);
        let shared = self.secret.diffie_hellman(&theirs);
        if !shared.was_contributory() {
            return None;
        }
        let key = wrapping_key(blob, &shared, &theirs, &Point::from(&self.secret));
        let file_key = aead_decrypt(&key, FILE_KEY_LEN, body).ok()?;
        Some(Zeroizing::new(file_key))
    }
}

fn wrapping_key(
    blob: &[u8],
    shared: &SharedSecret,
    ephemeral: &Point,
    recipient: &Point,
) -> Zeroizing<[u8; 32]> {
    let tweak = StaticSecret::from(hkdf(blob, LABEL, &[]));
    let bound = tweak.diffie_hellman(&Point::from(*shared.as_bytes()));
    let salt = [ephemeral.to_bytes(), recipient.to_bytes()].concat();
    Zeroizing::new(hkdf(&salt, LABEL, bound.as_bytes()))
}
