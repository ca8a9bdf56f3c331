//! JSON Web Keys (RFC 7517, 7518, 8037) as PEM.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

use super::der::{self, oid};
use super::{Table, pem};
use crate::error::Failure;
use crate::functions::json;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{Map, Text, Value};

pub(super) fn table() -> Table {
    vec![
        ("jwkPrivateKeyPem", Function::new(private_key)),
        ("jwkPublicKeyPem", Function::new(public_key)),
    ]
}

fn public_key(context: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    let key = Key::read(context, &text)?;
    Ok(pem::encode("PUBLIC KEY", &key.public()?))
}

fn private_key(context: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    let key = Key::read(context, &text)?;
    Ok(pem::encode("PRIVATE KEY", &key.private()?))
}

struct Key(Map);

const NOT_A_KEY: &str = "the text is no JSON Web Key of a known kind";

impl Key {
    fn read(context: &mut Context<'_, '_>, text: &Text) -> Result<Self, Failure> {
        match json::parse(context, text)? {
            Value::Map(map) => Ok(Self(map)),
            _ => Err(NOT_A_KEY.into()),
        }
    }

    fn text(&self, name: &str) -> Option<Text> {
        match self.0.get(name.as_bytes())? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn bytes(&self, name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let text = self
            .text(name)
            .ok_or("a part of the JSON Web Key is missing")?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(&*text);
        bytes
            .map(Zeroizing::new)
            .map_err(|_| "a part of the JSON Web Key is no base64".into())
    }

    fn kind(&self) -> Result<Kind, Failure> {
        let curve = self.text("crv");
        let curve = curve.as_deref().unwrap_or_default();
        let kind = match (self.text("kty").as_deref(), curve) {
            (Some(b"RSA"), _) => Some(Kind::Rsa),
            (Some(b"EC"), b"P-256") => Some(Kind::Ec(oid::P256, 32)),
            (Some(b"EC"), b"P-384") => Some(Kind::Ec(oid::P384, 48)),
            (Some(b"EC"), b"P-521") => Some(Kind::Ec(oid::P521, 66)),
            (Some(b"OKP"), b"Ed25519") => Some(Kind::Ed25519),
            _ => None,
        };
        kind.ok_or_else(|| NOT_A_KEY.into())
    }

    /// `SubjectPublicKeyInfo` of RFC 5280.
    fn public(&self) -> Result<Vec<u8>, Failure> {
        let kind = self.kind()?;
        let key = match kind {
            Kind::Rsa => {
                let (modulus, exponent) = (self.bytes("n")?, self.bytes("e")?);
                der::sequence(&[&der::unsigned(&modulus), &der::unsigned(&exponent)])
            }
            Kind::Ec(_, size) => self.point(size)?,
            Kind::Ed25519 => self.sized("x", 32)?.to_vec(),
        };
        Ok(der::sequence(&[&kind.algorithm(), &der::bits(&key)]))
    }

    fn point(&self, size: usize) -> Result<Vec<u8>, Failure> {
        Ok([&[4], &**self.sized("x", size)?, &**self.sized("y", size)?].concat())
    }

    /// A number filled up to a size with zeros.
    fn sized(&self, name: &str, size: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let bytes = self.bytes(name)?;
        let missing = size
            .checked_sub(bytes.len())
            .ok_or("a part of the JSON Web Key is too long")?;
        Ok(Zeroizing::new([&vec![0; missing][..], &bytes].concat()))
    }

    /// `PrivateKeyInfo` of RFC 5208.
    fn private(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let kind = self.kind()?;
        let key = match kind {
            Kind::Rsa => self.rsa_numbers()?,
            Kind::Ec(_, size) => {
                let secret = der::value(der::OCTET_STRING, &[&self.sized("d", size)?]);
                let public = der::value(0xa1, &[&der::bits(&self.point(size)?)]);
                der::sequence(&[&der::unsigned(&[1]), &secret, &public])
            }
            Kind::Ed25519 => der::value(der::OCTET_STRING, &[&self.sized("d", 32)?]),
        };
        let key = Zeroizing::new(key);
        let key = der::value(der::OCTET_STRING, &[&key]);
        Ok(Zeroizing::new(der::sequence(&[
            &der::unsigned(&[0]),
            &kind.algorithm(),
            &key,
        ])))
    }

    /// `RSAPrivateKey` of RFC 8017.
    fn rsa_numbers(&self) -> Result<Vec<u8>, Failure> {
        let names = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];
        let mut numbers = vec![der::unsigned(&[0])];
        for name in names {
            numbers.push(der::unsigned(&self.bytes(name)?));
        }
        let numbers: Vec<&[u8]> = numbers.iter().map(Vec::as_slice).collect();
        Ok(der::sequence(&numbers))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Rsa,
    /// The curve, and the bytes of a coordinate.
    Ec(&'static [u8], usize),
    Ed25519,
}

impl Kind {
    fn algorithm(self) -> Vec<u8> {
        match self {
            Self::Rsa => der::sequence(&[oid::RSA, der::NULL]),
            Self::Ec(curve, _) => der::sequence(&[oid::EC, curve]),
            Self::Ed25519 => der::sequence(&[oid::ED25519]),
        }
    }
}
