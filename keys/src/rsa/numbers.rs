//! Keys from and to their numbers, as SSH has them: unsigned and big endian, leading zeros allowed.

use crypto_bigint::{BoxedUint, NonZero};
use der::asn1::UintRef;
use der::{Decode, Encode};
use pkcs1::{RsaPrivateKeyRef, RsaPublicKeyRef};
use pkcs8::spki::SubjectPublicKeyInfoRef;
use zeroize::Zeroizing;

use super::private::spki_der;
use super::{Backend, KeyError, PrivateKey, PublicKey};

/// The numbers of a private key. The coefficient is the inverse of the second prime modulo the first.
pub(crate) struct Numbers<'a> {
    pub modulus: &'a [u8],
    pub public_exponent: &'a [u8],
    pub private_exponent: &'a [u8],
    pub prime1: &'a [u8],
    pub prime2: &'a [u8],
    pub coefficient: &'a [u8],
}

/// The numbers of a public key, without leading zeros.
pub(crate) struct PublicNumbers {
    pub modulus: Vec<u8>,
    pub exponent: Vec<u8>,
}

impl PublicKey {
    pub(crate) fn from_numbers(modulus: &[u8], exponent: &[u8]) -> Result<Self, KeyError> {
        let malformed = |_| KeyError::Malformed("RSA public key");
        let key = RsaPublicKeyRef {
            modulus: UintRef::new(modulus).map_err(malformed)?,
            public_exponent: UintRef::new(exponent).map_err(malformed)?,
        };
        let spki = spki_der(&key).ok_or(KeyError::Malformed("RSA public key"))?;
        Self::from_spki_der(&spki)
    }

    pub(crate) fn numbers(&self) -> Option<PublicNumbers> {
        let spki = SubjectPublicKeyInfoRef::from_der(self.spki_der()).ok()?;
        let key = RsaPublicKeyRef::from_der(spki.subject_public_key.as_bytes()?).ok()?;
        Some(PublicNumbers {
            modulus: key.modulus.as_bytes().to_vec(),
            exponent: key.public_exponent.as_bytes().to_vec(),
        })
    }
}

impl PrivateKey {
    pub(crate) fn from_numbers(numbers: &Numbers<'_>) -> Result<Self, KeyError> {
        let der = pkcs1(numbers).ok_or(KeyError::Malformed("RSA private key"))?;
        Self::from_pkcs1(&der, Backend::preferred())
    }
}

/// PKCS#1 has the private exponent modulo each prime less one besides.
fn pkcs1(numbers: &Numbers<'_>) -> Option<Zeroizing<Vec<u8>>> {
    let exponent1 = reduce(numbers.private_exponent, numbers.prime1)?;
    let exponent2 = reduce(numbers.private_exponent, numbers.prime2)?;
    let key = RsaPrivateKeyRef {
        modulus: UintRef::new(numbers.modulus).ok()?,
        public_exponent: UintRef::new(numbers.public_exponent).ok()?,
        private_exponent: UintRef::new(numbers.private_exponent).ok()?,
        prime1: UintRef::new(numbers.prime1).ok()?,
        prime2: UintRef::new(numbers.prime2).ok()?,
        exponent1: UintRef::new(&exponent1).ok()?,
        exponent2: UintRef::new(&exponent2).ok()?,
        coefficient: UintRef::new(numbers.coefficient).ok()?,
        other_prime_infos: None,
    };
    key.to_der().ok().map(Zeroizing::new)
}

/// The number modulo one less than the prime, in constant time.
fn reduce(number: &[u8], prime: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    // A prime is odd, so one less is without its last bit.
    let mut less_one = Zeroizing::new(prime.to_vec());
    *less_one.last_mut()? &= 0xFE;
    let bits = u32::try_from(number.len().max(prime.len()) * 8).ok()?;
    let uint = |bytes| BoxedUint::from_be_slice(bytes, bits).ok();
    let number = Zeroizing::new(uint(number)?);
    let modulus = Zeroizing::new(NonZero::new(uint(&less_one)?).into_option()?);
    let rest = Zeroizing::new(number.rem(&modulus));
    Some(Zeroizing::new(rest.to_be_bytes().into_vec()))
}

#[cfg(test)]
mod tests;
