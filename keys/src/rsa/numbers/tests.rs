#![allow(clippy::unwrap_used)]
use der::Decode;

use super::*;
use crate::pem;
use crate::testing::fixture;

fn with_zero(number: UintRef<'_>) -> Vec<u8> {
    [&[0], number.as_bytes()].concat()
}

#[test]
fn a_key_from_its_numbers_is_the_key() {
    for text in [
        fixture!("test-keys/rsa-2048.pem"),
        fixture!("test-keys/rsa-4096.pem"),
        fixture!("test-keys/rsa-2048-exponent-3.pem"),
    ] {
        let block = pem::blocks(text).remove(0);
        let key = RsaPrivateKeyRef::from_der(block.der.as_deref().unwrap()).unwrap();
        let numbers = [
            key.modulus,
            key.public_exponent,
            key.private_exponent,
            key.prime1,
            key.prime2,
            key.coefficient,
        ]
        .map(with_zero);
        let [
            modulus,
            public_exponent,
            private_exponent,
            prime1,
            prime2,
            coefficient,
        ] = numbers.each_ref().map(Vec::as_slice);
        let again = PrivateKey::from_numbers(&Numbers {
            modulus,
            public_exponent,
            private_exponent,
            prime1,
            prime2,
            coefficient,
        })
        .unwrap();
        let original = PrivateKey::from_pem(text).unwrap();
        assert_eq!(again.to_pkcs1_pem(), original.to_pkcs1_pem());

        let public = PublicKey::from_numbers(modulus, public_exponent).unwrap();
        assert_eq!(&public, original.public_key());
        let read = public.numbers().unwrap();
        assert_eq!([0, read.modulus[0]], modulus[..2]);
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let numbers = |prime1| Numbers {
        modulus: &[15],
        public_exponent: &[3],
        private_exponent: &[3],
        prime1,
        prime2: &[5],
        coefficient: &[2],
    };
    for prime in [&[][..], &[0], &[1], &[0, 0, 1], &[3]] {
        assert!(
            PrivateKey::from_numbers(&numbers(prime)).is_err(),
            "{prime:?}"
        );
    }
    assert!(PublicKey::from_numbers(&[], &[]).is_err());
}
