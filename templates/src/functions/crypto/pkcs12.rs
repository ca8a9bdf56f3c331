//! PKCS#12 archives, as Java and Windows keep keys and certificates.

use p12_keystore::{
    Certificate, KeyStore, KeyStoreEntry, Pkcs12ImportPolicy, PrivateKey, PrivateKeyChain,
};

use super::certificate::Parsed;
use super::private_key::Key;
use super::{Table, chain, pem};
use crate::error::Failure;
use crate::functions::encoding::base64;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![
        ("fullPemToPkcs12", Function::new(full_pem_to_pkcs12)),
        (
            "fullPemToPkcs12Pass",
            Function::new(full_pem_to_pkcs12_pass),
        ),
        ("pemToPkcs12", Function::new(pem_to_pkcs12)),
        ("pemToPkcs12Pass", Function::new(pem_to_pkcs12_pass)),
        ("pemTruststoreToPKCS12", Function::new(truststore)),
        ("pemTruststoreToPKCS12Pass", Function::new(truststore_pass)),
        ("pkcs12cert", Function::new(cert)),
        ("pkcs12certPass", Function::new(cert_pass)),
        ("pkcs12key", Function::new(key)),
        ("pkcs12keyPass", Function::new(key_pass)),
    ]
}

fn key(context: &mut Context<'_, '_>, archive: Text) -> Result<String, Failure> {
    key_pass(context, Text::default(), archive)
}

/// The private key, as PKCS#8 in PEM.
fn key_pass(
    context: &mut Context<'_, '_>,
    password: Text,
    archive: Text,
) -> Result<String, Failure> {
    let store = open(context, &password, &archive)?;
    let (_, chain) = store
        .private_key_chain()
        .ok_or("there is no private key in the archive")?;
    Ok(pem::encode("PRIVATE KEY", chain.key().as_der()))
}

fn cert(context: &mut Context<'_, '_>, archive: Text) -> Result<String, Failure> {
    cert_pass(context, Text::default(), archive)
}

/// The certificates of the key from the leaf on, in PEM.
fn cert_pass(
    context: &mut Context<'_, '_>,
    password: Text,
    archive: Text,
) -> Result<String, Failure> {
    let store = open(context, &password, &archive)?;
    let (_, chain) = store
        .private_key_chain()
        .ok_or("there is no private key in the archive")?;
    let certificates = chain
        .certs()
        .iter()
        .map(|certificate| Parsed::from_der(certificate.as_der()));
    let certificates: Option<Vec<Parsed>> = certificates.collect();
    let ordered =
        chain::ordered(certificates.ok_or("a certificate of the archive cannot be read")?)?;
    Ok(ordered.iter().map(Parsed::to_pem).collect())
}

fn open(
    context: &mut Context<'_, '_>,
    password: &Text,
    archive: &Text,
) -> Result<KeyStore, Failure> {
    context.spend_derivation()?;
    let password = password.as_str().ok_or("the password is no text")?;
    let opened = KeyStore::from_pkcs12(archive, password, Pkcs12ImportPolicy::Relaxed);
    opened.map_err(|_| "the PKCS#12 archive cannot be opened with this password".into())
}

fn pem_to_pkcs12(
    context: &mut Context<'_, '_>,
    certificate: Text,
    key: Text,
) -> Result<String, Failure> {
    pem_to_pkcs12_pass(context, certificate, key, Text::default())
}

/// A certificate and its key, as base64 of an archive.
fn pem_to_pkcs12_pass(
    context: &mut Context<'_, '_>,
    certificate: Text,
    key: Text,
    password: Text,
) -> Result<String, Failure> {
    let certificates = certificates(&certificate)?.into_iter().take(1).collect();
    archive(context, certificates, &key, &password)
}

fn full_pem_to_pkcs12(
    context: &mut Context<'_, '_>,
    chain: Text,
    key: Text,
) -> Result<String, Failure> {
    full_pem_to_pkcs12_pass(context, chain, key, Text::default())
}

/// A chain in any order and the key of its leaf, as base64 of an archive.
fn full_pem_to_pkcs12_pass(
    context: &mut Context<'_, '_>,
    chain: Text,
    key: Text,
    password: Text,
) -> Result<String, Failure> {
    let ordered = chain::ordered(certificates(&chain)?)?;
    archive(context, ordered, &key, &password)
}

fn truststore(context: &mut Context<'_, '_>, certificates: Text) -> Result<String, Failure> {
    truststore_pass(context, certificates, Text::default())
}

/// Certificates without a key, as base64 of an archive that Java takes for a trust store.
fn truststore_pass(
    context: &mut Context<'_, '_>,
    text: Text,
    password: Text,
) -> Result<String, Failure> {
    let mut store = KeyStore::new();
    for (index, certificate) in certificates(&text)?.iter().enumerate() {
        let certificate = Certificate::from_der(&certificate.der).map_err(|_| NOT_A_CERTIFICATE)?;
        store.add_entry(&index.to_string(), KeyStoreEntry::Certificate(certificate));
    }
    write(context, &store, &password)
}

const NOT_A_CERTIFICATE: &str = "a certificate cannot be read";

fn certificates(text: &Text) -> Result<Vec<Parsed>, Failure> {
    let certificates = Parsed::all(text).ok_or(NOT_A_CERTIFICATE)?;
    if certificates.is_empty() {
        return Err("there is no certificate".into());
    }
    Ok(certificates)
}

fn archive(
    context: &mut Context<'_, '_>,
    certificates: Vec<Parsed>,
    key: &Text,
    password: &Text,
) -> Result<String, Failure> {
    let key = Key::from_pem(key)?.to_pkcs8()?;
    let key = PrivateKey::from_der(&key).map_err(|_| "the private key cannot be read")?;
    let certificates = certificates
        .iter()
        .map(|certificate| Certificate::from_der(&certificate.der));
    let certificates: Result<Vec<_>, _> = certificates.collect();
    let chain = PrivateKeyChain::new(
        b"1".to_vec(),
        key,
        certificates.map_err(|_| NOT_A_CERTIFICATE)?,
    );
    let mut store = KeyStore::new();
    store.add_entry("1", KeyStoreEntry::PrivateKeyChain(chain));
    write(context, &store, password)
}

fn write(
    context: &mut Context<'_, '_>,
    store: &KeyStore,
    password: &Text,
) -> Result<String, Failure> {
    context.spend_derivation()?;
    let password = password.as_str().ok_or("the password is no text")?;
    let written = store.writer(password).write();
    let written = written.map_err(|_| "the PKCS#12 archive cannot be written")?;
    Ok(base64(&written))
}
