//! X-Wing (draft-connolly-cfrg-xwing-kem), which draft-ietf-hpke-pq calls MLKEM768-X25519: a shared
//! secret that is safe as long as one of ML-KEM-768 and X25519 is.

use ctutils::CtEq;
use hpke::generic_array::GenericArray;
use hpke::generic_array::typenum::{Sum, U32, U96, U192, U1024};
use hpke::kem::SharedSecret;
use hpke::rand_core::{CryptoRng, RngCore};
use hpke::{Deserializable, HpkeError, Serializable};
use ml_kem::kem::{Decapsulate, Encapsulate};
use ml_kem::{EncodedSizeUser, KemCore, MlKem768};
use sha3::digest::{ExtendableOutput, FixedOutput, Update, XofReader};
use sha3::{Sha3_256, Shake256};
use x25519_dalek::{PublicKey as Point, StaticSecret};
use zeroize::Zeroizing;

type LatticePublic = <MlKem768 as KemCore>::EncapsulationKey;
type LatticePrivate = <MlKem768 as KemCore>::DecapsulationKey;

const POINT_LEN: usize = 32;
const LATTICE_PUBLIC_LEN: usize = 1184;
const LATTICE_SECRET_LEN: usize = 1088;
const PUBLIC_LEN: usize = LATTICE_PUBLIC_LEN + POINT_LEN;
const ENCAPSULATED_LEN: usize = LATTICE_SECRET_LEN + POINT_LEN;
/// The label that parts X-Wing from other hybrids, a picture of a fighter.
const LABEL: &[u8] = br"\.//^\";

pub(super) struct XWing;

/// The key of ML-KEM and the point of X25519, both valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PublicKey([u8; PUBLIC_LEN]);

/// The seed that both keys are made from.
#[derive(Clone)]
pub(super) struct PrivateKey(Zeroizing<[u8; 32]>);

/// The ciphertext of ML-KEM and a point of X25519.
#[derive(Clone)]
pub(super) struct Encapsulated([u8; ENCAPSULATED_LEN]);

impl hpke::Kem for XWing {
    type PublicKey = PublicKey;
    type PrivateKey = PrivateKey;
    type EncappedKey = Encapsulated;
    type NSecret = U32;
    const KEM_ID: u16 = 0x647a;

    fn sk_to_pk(key: &PrivateKey) -> PublicKey {
        let (_, lattice, secret) = key.expand();
        PublicKey(join(&lattice.as_bytes(), Point::from(&secret).as_bytes()))
    }

    fn derive_keypair(material: &[u8]) -> (PrivateKey, PublicKey) {
        let mut seed = Zeroizing::new([0; 32]);
        Shake256::default()
            .chain(material)
            .chain(b"HPKE-v1KEM")
            .chain(Self::KEM_ID.to_be_bytes())
            .chain(b"\x00\x0dDeriveKeyPair\x00\x20")
            .finalize_xof_into(&mut seed[..]);
        let key = PrivateKey(seed);
        let public = Self::sk_to_pk(&key);
        (key, public)
    }

    fn encap<R: CryptoRng + RngCore>(
        recipient: &PublicKey,
        sender: Option<(&PrivateKey, &PublicKey)>,
        random: &mut R,
    ) -> Result<(SharedSecret<Self>, Encapsulated), HpkeError> {
        if sender.is_some() {
            return Err(HpkeError::EncapError);
        }
        let (lattice, point) = recipient.parts();
        let (ciphertext, first) = lattice
            .encapsulate(random)
            .map_err(|()| HpkeError::EncapError)?;
        let ephemeral = StaticSecret::random_from_rng(random);
        let ours = Point::from(&ephemeral);
        let second = ephemeral.diffie_hellman(&point);
        let shared = combine(&first, second.as_bytes(), &ours, &point);
        Ok((shared, Encapsulated(join(&ciphertext, ours.as_bytes()))))
    }

    fn decap(
        key: &PrivateKey,
        sender: Option<&PublicKey>,
        encapsulated: &Encapsulated,
    ) -> Result<SharedSecret<Self>, HpkeError> {
        if sender.is_some() {
            return Err(HpkeError::DecapError);
        }
        let (lattice, _, secret) = key.expand();
        let (ciphertext, theirs) = split::<LATTICE_SECRET_LEN>(&encapsulated.0);
        let first = lattice
            .decapsulate(&ciphertext.into())
            .map_err(|()| HpkeError::DecapError)?;
        let second = secret.diffie_hellman(&theirs);
        if !second.was_contributory() {
            return Err(HpkeError::DecapError);
        }
        Ok(combine(
            &first,
            second.as_bytes(),
            &theirs,
            &Point::from(&secret),
        ))
    }
}

impl PrivateKey {
    fn expand(&self) -> (LatticePrivate, LatticePublic, StaticSecret) {
        let mut stream = Shake256::default().chain(&self.0[..]).finalize_xof();
        let mut next = || {
            let mut bytes = Zeroizing::new([0; 32]);
            stream.read(&mut bytes[..]);
            bytes
        };
        let (d, z, scalar) = (next(), next(), next());
        let (private, public) = MlKem768::generate_deterministic(&(*d).into(), &(*z).into());
        (private, public, StaticSecret::from(*scalar))
    }
}

impl PublicKey {
    fn parts(&self) -> (LatticePublic, Point) {
        let (lattice, point) = split::<LATTICE_PUBLIC_LEN>(&self.0);
        (LatticePublic::from_bytes(&lattice.into()), point)
    }

    /// Whether the numbers of the lattice are reduced (FIPS 203, 7.2) and the point has an order that
    /// gives secrets.
    fn is_valid(&self) -> bool {
        let (lattice, point) = self.parts();
        let probe = StaticSecret::from([1; 32]).diffie_hellman(&point);
        lattice.as_bytes()[..] == self.0[..LATTICE_PUBLIC_LEN] && probe.was_contributory()
    }
}

impl Deserializable for PublicKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        let key = Self(exactly(bytes)?);
        key.is_valid()
            .then_some(key)
            .ok_or(HpkeError::ValidationError)
    }
}

impl Serializable for PublicKey {
    type OutputSize = Sum<U1024, U192>;

    fn write_exact(&self, buffer: &mut [u8]) {
        buffer.copy_from_slice(&self.0);
    }
}

impl Deserializable for PrivateKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        exactly(bytes).map(Zeroizing::new).map(Self)
    }
}

impl Serializable for PrivateKey {
    type OutputSize = U32;

    fn write_exact(&self, buffer: &mut [u8]) {
        buffer.copy_from_slice(&self.0[..]);
    }
}

impl PartialEq for PrivateKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&*other.0).to_bool()
    }
}

impl Eq for PrivateKey {}

impl Deserializable for Encapsulated {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        exactly(bytes).map(Self)
    }
}

impl Serializable for Encapsulated {
    type OutputSize = Sum<U1024, U96>;

    fn write_exact(&self, buffer: &mut [u8]) {
        buffer.copy_from_slice(&self.0);
    }
}

fn combine(lattice: &[u8], point: &[u8], ours: &Point, theirs: &Point) -> SharedSecret<XWing> {
    let hash = Sha3_256::default()
        .chain(lattice)
        .chain(point)
        .chain(ours.as_bytes())
        .chain(theirs.as_bytes())
        .chain(LABEL);
    let shared: GenericArray<u8, U32> = hash.finalize_fixed();
    SharedSecret(shared)
}

fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], HpkeError> {
    let exact = bytes.try_into();
    exact.map_err(|_| HpkeError::IncorrectInputLength(N, bytes.len()))
}

/// Both parts one behind the other. The lengths are those of the types.
fn join<const N: usize>(lattice: &[u8], point: &[u8; POINT_LEN]) -> [u8; N] {
    let mut joined = [0; N];
    let (first, second) = joined.split_at_mut(lattice.len());
    first.copy_from_slice(lattice);
    second.copy_from_slice(point);
    joined
}

fn split<const L: usize>(joined: &[u8]) -> ([u8; L], Point) {
    let (mut lattice, mut point) = ([0; L], [0; POINT_LEN]);
    lattice.copy_from_slice(&joined[..L]);
    point.copy_from_slice(&joined[L..]);
    (lattice, Point::from(point))
}
