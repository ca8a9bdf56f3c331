//! What kind of key a file holds, in the words of its owner.

use der::asn1::ObjectIdentifier;

use super::KeyError;

/// Refuses everything but `rsaEncryption`, naming what it is.
pub(super) fn must_be_rsa(oid: &ObjectIdentifier) -> Result<(), KeyError> {
    if *oid == pkcs1::ALGORITHM_OID {
        return Ok(());
    }
    let dotted = oid.to_string();
    Err(KeyError::NotRsa(match dotted.as_str() {
        "1.2.840.113549.1.1.7" => "an RSA key restricted to OAEP".to_owned(),
        "1.2.840.113549.1.1.10" => "an RSA key restricted to PSS signatures".to_owned(),
        "1.2.840.10040.4.1" => "a DSA key".to_owned(),
        "1.2.840.10045.2.1" => "an ECDSA key".to_owned(),
        "1.3.101.110" => "an X25519 key".to_owned(),
        "1.3.101.112" => "an Ed25519 key".to_owned(),
        "1.3.101.113" => "an Ed448 key".to_owned(),
        other => format!("a key of the algorithm {other}"),
    }))
}

/// What a PEM block of this label holds.
pub(super) fn of_pem_label(label: &str) -> String {
    match label {
        "EC PRIVATE KEY" => "an ECDSA key".to_owned(),
        "DSA PRIVATE KEY" => "a DSA key".to_owned(),
        "OPENSSH PRIVATE KEY" => "a key in OpenSSH's own format".to_owned(),
        other => format!("a \"{other}\" block"),
    }
}
