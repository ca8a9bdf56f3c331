//! New keys and certificates. They are other ones at each rendering: for a Secret that is refreshed, that
//! is nearly never what is wanted.

use jiff::{SignedDuration, Timestamp};
use sha1::{Digest, Sha1};

use super::certificate::Parsed;
use super::der::{self, oid};
use super::private_key::Key;
use super::{Table, pem};
use crate::error::Failure;
use crate::functions::encoding::from_base64;
use crate::limits::Context;
use crate::signature::{Function, Int};
use crate::value::{Certificate, List, Text, Value};

pub(super) fn table() -> Table {
    vec![
        ("buildCustomCert", Function::new(build_custom_cert)),
        ("genCA", Function::new(gen_ca)),
        ("genCAWithKey", Function::new(gen_ca_with_key)),
        ("genPrivateKey", Function::new(gen_private_key)),
        ("genSelfSignedCert", Function::new(gen_self_signed)),
        (
            "genSelfSignedCertWithKey",
            Function::new(gen_self_signed_with_key),
        ),
        ("genSignedCert", Function::new(gen_signed)),
        ("genSignedCertWithKey", Function::new(gen_signed_with_key)),
    ]
}

/// Bits of the key of a certificate.
const CERTIFICATE_BITS: usize = 2048;

/// `rsa`, `ecdsa` or `ed25519`.
fn gen_private_key(context: &mut Context<'_, '_>, kind: Text) -> Result<String, Failure> {
    let key = match &*kind {
        b"" | b"rsa" => Key::generate_rsa(context, 4096)?,
        b"ecdsa" => Key::generate_p256(context)?,
        b"ed25519" => Key::generate_ed25519(context),
        b"dsa" => return Err("DSA keys are not made any more".into()),
        _ => return Err("there is no such kind of key".into()),
    };
    key.to_pem()
}

/// A certificate and a key that are there, both as base64 of PEM.
fn build_custom_cert(
    _: &mut Context<'_, '_>,
    certificate: Text,
    key: Text,
) -> Result<Certificate, Failure> {
    let cert = from_base64(&certificate).ok_or("the certificate is no base64")?;
    let key = from_base64(&key).ok_or("the private key is no base64")?;
    if Parsed::all(&cert).is_none_or(|certificates| certificates.is_empty()) {
        return Err("the certificate cannot be read".into());
    }
    Key::from_pem(&key)?;
    Ok(Certificate {
        cert: cert.into(),
        key: key.into(),
    })
}

fn gen_ca(context: &mut Context<'_, '_>, name: Text, days: Int) -> Result<Certificate, Failure> {
    let key = Key::generate_rsa(context, CERTIFICATE_BITS)?;
    ca(context, &name, days, &key)
}

fn gen_ca_with_key(
    context: &mut Context<'_, '_>,
    name: Text,
    days: Int,
    key: Text,
) -> Result<Certificate, Failure> {
    ca(context, &name, days, &Key::from_pem(&key)?)
}

fn ca(
    context: &mut Context<'_, '_>,
    name: &Text,
    days: Int,
    key: &Key,
) -> Result<Certificate, Failure> {
    let wish = Wish {
        name,
        days,
        addresses: Vec::new(),
        hosts: Vec::new(),
        ca: true,
    };
    make(context, &wish, key, None)
}

fn gen_self_signed(
    context: &mut Context<'_, '_>,
    name: Text,
    addresses: List,
    hosts: List,
    days: Int,
) -> Result<Certificate, Failure> {
    let wish = Wish::new(&name, &addresses, &hosts, days)?;
    let key = Key::generate_rsa(context, CERTIFICATE_BITS)?;
    make(context, &wish, &key, None)
}

fn gen_self_signed_with_key(
    context: &mut Context<'_, '_>,
    name: Text,
    addresses: List,
    hosts: List,
    days: Int,
    key: Text,
) -> Result<Certificate, Failure> {
    let wish = Wish::new(&name, &addresses, &hosts, days)?;
    make(context, &wish, &Key::from_pem(&key)?, None)
}

fn gen_signed(
    context: &mut Context<'_, '_>,
    name: Text,
    addresses: List,
    hosts: List,
    days: Int,
    ca: Certificate,
) -> Result<Certificate, Failure> {
    let wish = Wish::new(&name, &addresses, &hosts, days)?;
    let key = Key::generate_rsa(context, CERTIFICATE_BITS)?;
    make(context, &wish, &key, Some(&Issuer::new(&ca)?))
}

fn gen_signed_with_key(
    context: &mut Context<'_, '_>,
    name: Text,
    addresses: List,
    hosts: List,
    days: Int,
    ca: Certificate,
    key: Text,
) -> Result<Certificate, Failure> {
    let wish = Wish::new(&name, &addresses, &hosts, days)?;
    make(
        context,
        &wish,
        &Key::from_pem(&key)?,
        Some(&Issuer::new(&ca)?),
    )
}

/// What a certificate should say.
struct Wish<'a> {
    name: &'a Text,
    days: Int,
    /// Four or sixteen bytes each.
    addresses: Vec<Vec<u8>>,
    hosts: Vec<Text>,
    ca: bool,
}

impl<'a> Wish<'a> {
    fn new(name: &'a Text, addresses: &List, hosts: &List, days: Int) -> Result<Self, Failure> {
        let addresses = addresses.items().iter().map(address);
        let hosts = hosts.items().iter().map(|host| match host {
            Value::Text(host) => Ok(host.clone()),
            _ => Err(Failure::from("a host name is not a string")),
        });
        let (addresses, hosts) = (
            addresses.collect::<Result<_, _>>()?,
            hosts.collect::<Result<_, _>>()?,
        );
        Ok(Self {
            name,
            days,
            addresses,
            hosts,
            ca: false,
        })
    }
}

fn address(value: &Value) -> Result<Vec<u8>, Failure> {
    let Value::Text(text) = value else {
        return Err("an IP address is not a string".into());
    };
    let address = text.as_str().and_then(|text| text.parse().ok());
    match address.ok_or("an IP address cannot be read")? {
        std::net::IpAddr::V4(address) => Ok(address.octets().to_vec()),
        std::net::IpAddr::V6(address) => Ok(address.octets().to_vec()),
    }
}

/// Who signs, where it is not the key of the certificate itself.
struct Issuer {
    certificate: Parsed,
    key: Key,
}

impl Issuer {
    fn new(ca: &Certificate) -> Result<Self, Failure> {
        let certificates = Parsed::all(&ca.cert).unwrap_or_default();
        let certificate = certificates.into_iter().next();
        let certificate = certificate.ok_or("the certificate of the issuer cannot be read")?;
        Ok(Self {
            certificate,
            key: Key::from_pem(&ca.key)?,
        })
    }
}

fn make(
    context: &mut Context<'_, '_>,
    wish: &Wish<'_>,
    key: &Key,
    issuer: Option<&Issuer>,
) -> Result<Certificate, Failure> {
    let signer = issuer.map_or(key, |issuer| &issuer.key);
    let algorithm = signer.signature_algorithm();
    let subject = subject(wish.name);
    let issuer_name = issuer.map_or(&subject, |issuer| &issuer.certificate.subject);
    let public = key.public()?;
    let version = der::value(0xa0, &[&der::unsigned(&[2])]);
    let serial = der::unsigned(&context.random::<16>());
    let validity = validity(context.ambient.now, wish.days)?;
    let extensions = extensions(wish, &public, issuer);
    let signed = der::sequence(&[
        &version,
        &serial,
        &algorithm,
        issuer_name,
        &validity,
        &subject,
        &public,
        &extensions,
    ]);
    let signature = der::bits(&signer.sign(&signed)?);
    let certificate = der::sequence(&[&signed, &algorithm, &signature]);
    Ok(Certificate {
        cert: pem::encode("CERTIFICATE", &certificate).into(),
        key: key.to_pem()?.into(),
    })
}

fn subject(name: &Text) -> Vec<u8> {
    if name.is_empty() {
        return der::sequence(&[]);
    }
    let name = der::value(der::UTF8_STRING, &[name.lossy().as_bytes()]);
    let attribute = der::sequence(&[oid::COMMON_NAME, &name]);
    der::sequence(&[&der::value(der::SET, &[&attribute])])
}

fn validity(now: Timestamp, days: Int) -> Result<Vec<u8>, Failure> {
    let out_of_range = "the certificate would be valid outside of the years 1950 to 9999";
    let seconds = days.0.checked_mul(86_400).ok_or(out_of_range)?;
    let end = now
        .checked_add(SignedDuration::from_secs(seconds))
        .map_err(|_| out_of_range)?;
    let (start, end) = (
        time(now).ok_or(out_of_range)?,
        time(end).ok_or(out_of_range)?,
    );
    Ok(der::sequence(&[&start, &end]))
}

/// With two digits of the year up to 2049, with four after it.
fn time(at: Timestamp) -> Option<Vec<u8>> {
    let utc = at.to_zoned(jiff::tz::TimeZone::UTC);
    let year = utc.year();
    let rest = format!(
        "{:02}{:02}{:02}{:02}{:02}Z",
        utc.month(),
        utc.day(),
        utc.hour(),
        utc.minute(),
        utc.second()
    );
    match year {
        1950..2050 => Some(der::value(
            0x17,
            &[format!("{:02}{rest}", year % 100).as_bytes()],
        )),
        2050..=9999 => Some(der::value(0x18, &[format!("{year}{rest}").as_bytes()])),
        _ => None,
    }
}

/// The last two bytes of identifiers of extensions, which all begin with 2.5.
const KEY_USAGE: u8 = 15;
const EXTENDED_KEY_USAGE: u8 = 37;
const BASIC_CONSTRAINTS: u8 = 19;
const SUBJECT_KEY: u8 = 14;
const AUTHORITY_KEY: u8 = 35;
const ALTERNATIVE_NAMES: u8 = 17;

fn extensions(wish: &Wish<'_>, public: &[u8], issuer: Option<&Issuer>) -> Vec<u8> {
    // Digital signature, key encipherment and, for an authority, signing of certificates.
    let usage: &[u8] = if wish.ca {
        &[3, 2, 2, 0b1010_0100]
    } else {
        &[3, 2, 5, 0b1010_0000]
    };
    let purpose = |last: u8| [&[0x06, 8, 0x2b, 6, 1, 5, 5, 7, 3][..], &[last]].concat();
    let (server, client) = (purpose(1), purpose(2));
    let constraints: &[u8] = if wish.ca { &[0x01, 1, 0xff] } else { &[] };
    let mut extensions = vec![
        extension(KEY_USAGE, true, usage),
        extension(
            EXTENDED_KEY_USAGE,
            false,
            &der::sequence(&[&server, &client]),
        ),
        extension(BASIC_CONSTRAINTS, true, &der::sequence(&[constraints])),
    ];
    if wish.ca {
        let digest = Sha1::digest(public);
        let key = der::value(der::OCTET_STRING, &[digest.as_slice()]);
        extensions.push(extension(SUBJECT_KEY, false, &key));
    }
    if let Some(key) = issuer.and_then(|issuer| issuer.certificate.subject_key.as_ref()) {
        let key = der::sequence(&[&der::value(0x80, &[key])]);
        extensions.push(extension(AUTHORITY_KEY, false, &key));
    }
    if !wish.hosts.is_empty() || !wish.addresses.is_empty() {
        let hosts = wish.hosts.iter().map(|host| der::value(0x82, &[host]));
        let addresses = wish
            .addresses
            .iter()
            .map(|address| der::value(0x87, &[address]));
        let names: Vec<u8> = hosts.chain(addresses).flatten().collect();
        let critical = wish.name.is_empty();
        extensions.push(extension(
            ALTERNATIVE_NAMES,
            critical,
            &der::sequence(&[&names]),
        ));
    }
    der::value(0xa3, &[&der::sequence(&[&extensions.concat()])])
}

fn extension(last: u8, critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if critical { &[0x01, 1, 0xff] } else { &[] };
    let value = der::value(der::OCTET_STRING, &[value]);
    der::sequence(&[&[0x06, 3, 0x55, 0x1d, last], critical, &value])
}
