//! New certificates, made as the Sealed Secrets controller makes its own.

use der::asn1::{
    Any, BitString, GeneralizedTime, ObjectIdentifier, OctetString, SetOfVec, UtcTime,
};
use der::{Decode, Encode, Sequence, Tag};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use x509_cert::Version;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{BasicConstraints, KeyUsage, KeyUsages};
use x509_cert::name::{RdnSequence, RelativeDistinguishedName};
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::{Time, Validity};

use super::{COMMON_NAME, Certificate};
use crate::rsa::PrivateKey;

/// What a new certificate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfSigned {
    /// Common name of subject and issuer; when empty, both are empty.
    pub common_name: String,
    /// When it becomes valid: now, by the clock of the caller. Fractions of a second are dropped.
    pub not_before: Timestamp,
    /// How long clients may seal with it.
    pub lifetime: SignedDuration,
}

/// Why a certificate was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelfSignError {
    /// The dates do not fit into a certificate.
    #[error("the certificate would be valid outside of the years 1970 to 9999")]
    Date,
    /// The lifetime is not positive.
    #[error("the lifetime of a certificate must be longer than zero")]
    Lifetime,
    /// The system gave no random numbers.
    #[error("the system's random number generator is unavailable")]
    Random,
    /// The encoding or the signature failed.
    #[error("making the certificate failed")]
    Encoding,
}

impl Certificate {
    /// Makes a certificate of this key that is signed by the key itself: X.509 version 3, a random
    /// serial number of 128 bits, key usage `encipherOnly`, basic constraints with `CA`, a subject
    /// key identifier, sha256WithRSAEncryption; the first two extensions critical.
    pub fn self_signed(key: &PrivateKey, content: &SelfSigned) -> Result<Self, SelfSignError> {
        let mut serial = [0; 16];
        getrandom::fill(&mut serial).map_err(|_| SelfSignError::Random)?;
        let der = encode(key, content, &serial)?;
        Self::from_der(&der).map_err(|_| SelfSignError::Encoding)
    }
}

const SHA256_WITH_RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
const SUBJECT_KEY_IDENTIFIER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.14");
const KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.15");
const BASIC_CONSTRAINTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.19");

/// `TBSCertificate` of RFC 5280 as far as it is written here.
#[derive(Sequence)]
struct ToBeSigned {
    #[asn1(context_specific = "0")]
    version: Version,
    serial_number: SerialNumber,
    signature: AlgorithmIdentifierOwned,
    issuer: RdnSequence,
    validity: Validity,
    subject: RdnSequence,
    subject_public_key_info: SubjectPublicKeyInfoOwned,
    #[asn1(context_specific = "3")]
    extensions: Vec<Extension>,
}

#[derive(Sequence)]
struct Signed {
    certificate: ToBeSigned,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitString,
}

/// The certificate in DER. `serial` is an unsigned big-endian number.
pub(super) fn encode(
    key: &PrivateKey,
    content: &SelfSigned,
    serial: &[u8],
) -> Result<Vec<u8>, SelfSignError> {
    let validity = validity(content)?;
    let name = name(&content.common_name)?;
    let algorithm = AlgorithmIdentifierOwned {
        oid: SHA256_WITH_RSA,
        parameters: Some(Any::null()),
    };
    let spki = SubjectPublicKeyInfoOwned::from_der(key.public_key().spki_der())?;
    let to_be_signed = ToBeSigned {
        version: Version::V3,
        serial_number: SerialNumber::new(serial)?,
        signature: algorithm.clone(),
        issuer: name.clone(),
        validity,
        subject: name,
        extensions: extensions(&spki)?,
        subject_public_key_info: spki,
    };
    let signature = key
        .sign(&to_be_signed.to_der()?)
        .ok_or(SelfSignError::Encoding)?;
    let signature = BitString::from_bytes(&signature)?;
    Ok(Signed {
        certificate: to_be_signed,
        algorithm,
        signature,
    }
    .to_der()?)
}

fn extensions(spki: &SubjectPublicKeyInfoOwned) -> der::Result<Vec<Extension>> {
    // RFC 7093, method 1.
    let digest = Sha256::digest(spki.subject_public_key.raw_bytes());
    let key_id = OctetString::new(&digest[..20])?;
    let constraints = BasicConstraints {
        ca: true,
        path_len_constraint: None,
    };
    Ok(vec![
        extension(
            KEY_USAGE,
            true,
            KeyUsage(KeyUsages::EncipherOnly.into()).to_der()?,
        )?,
        extension(BASIC_CONSTRAINTS, true, constraints.to_der()?)?,
        extension(SUBJECT_KEY_IDENTIFIER, false, key_id.to_der()?)?,
    ])
}

fn extension(extn_id: ObjectIdentifier, critical: bool, value: Vec<u8>) -> der::Result<Extension> {
    Ok(Extension {
        extn_id,
        critical,
        extn_value: OctetString::new(value)?,
    })
}

fn name(common_name: &str) -> der::Result<RdnSequence> {
    let mut sequence = RdnSequence::default();
    if !common_name.is_empty() {
        let tag = if common_name.chars().all(is_printable) {
            Tag::PrintableString
        } else {
            Tag::Utf8String
        };
        let value = Any::new(tag, common_name.as_bytes())?;
        let mut attributes = SetOfVec::new();
        attributes.insert(AttributeTypeAndValue {
            oid: COMMON_NAME,
            value,
        })?;
        sequence.push(RelativeDistinguishedName::from(attributes));
    }
    Ok(sequence)
}

/// Whether ASN.1's `PrintableString` has the character.
fn is_printable(character: char) -> bool {
    character.is_ascii_alphanumeric() || " '()+,-./:=?".contains(character)
}

fn validity(content: &SelfSigned) -> Result<Validity, SelfSignError> {
    if content.lifetime <= SignedDuration::ZERO {
        return Err(SelfSignError::Lifetime);
    }
    let not_after = content
        .not_before
        .checked_add(content.lifetime)
        .map_err(|_| SelfSignError::Date)?;
    Ok(Validity::new(time(content.not_before)?, time(not_after)?))
}

/// `UTCTime` up to 2049, `GeneralizedTime` after it, as RFC 5280 wants.
fn time(timestamp: Timestamp) -> Result<Time, SelfSignError> {
    let seconds = u64::try_from(timestamp.as_second()).map_err(|_| SelfSignError::Date)?;
    let since_epoch = std::time::Duration::from_secs(seconds);
    if let Ok(time) = UtcTime::from_unix_duration(since_epoch) {
        return Ok(Time::UtcTime(time));
    }
    let time = GeneralizedTime::from_unix_duration(since_epoch).map_err(|_| SelfSignError::Date)?;
    Ok(Time::GeneralTime(time))
}

impl From<der::Error> for SelfSignError {
    fn from(_: der::Error) -> Self {
        Self::Encoding
    }
}
