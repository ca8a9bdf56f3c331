//! Parts of a text of PEM: by their kind, or by their place in a chain of certificates.

use super::certificate::Parsed;
use super::{Table, pem};
use crate::error::Failure;
use crate::functions::strings::texts;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{List, Text};

pub(super) fn table() -> Table {
    vec![
        ("certSANs", Function::new(cert_sans)),
        ("filterCertChain", Function::new(filter_cert_chain)),
        ("filterPEM", Function::new(filter_pem)),
    ]
}

/// The blocks with that label.
fn filter_pem(_: &mut Context<'_, '_>, label: Text, text: Text) -> Result<String, Failure> {
    let label = label.lossy();
    let blocks = pem::blocks(&text);
    if blocks.is_empty() && !text.is_empty() {
        return Err("could not find a PEM block".into());
    }
    let wanted = blocks
        .iter()
        .filter(|block| block.label.eq_ignore_ascii_case(&label));
    Ok(wanted.map(pem::Block::to_pem).collect())
}

/// `leaf`, `intermediate` or `root`, of a chain in any order.
fn filter_cert_chain(_: &mut Context<'_, '_>, part: Text, text: Text) -> Result<String, Failure> {
    let chain = ordered(Parsed::all(&text).ok_or(NOT_A_CERTIFICATE)?)?;
    let pem = |certificate: Option<&Parsed>| certificate.map(Parsed::to_pem).unwrap_or_default();
    match &*part {
        b"leaf" => Ok(pem(chain.first().filter(|leaf| !leaf.is_root()))),
        b"intermediate" => {
            let inner = chain
                .iter()
                .skip(1)
                .take_while(|certificate| !certificate.is_root());
            Ok(inner.map(Parsed::to_pem).collect())
        }
        b"root" => Ok(pem(chain.last().filter(|root| root.is_root()))),
        _ => Ok(String::new()),
    }
}

const NOT_A_CERTIFICATE: &str = "a certificate cannot be read";

/// From the leaf to the root.
pub(super) fn ordered(mut certificates: Vec<Parsed>) -> Result<Vec<Parsed>, Failure> {
    if certificates.is_empty() {
        return Err("there is no certificate".into());
    }
    if certificates.len() > 64 {
        return Err("there are too many certificates for a chain".into());
    }
    let issues = |index: usize| {
        let others = certificates
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        others
            .into_iter()
            .any(|(_, other)| other.is_issued_by(&certificates[index]))
    };
    let leaves: Vec<usize> = (0..certificates.len())
        .filter(|index| !issues(*index))
        .collect();
    let [leaf] = leaves[..] else {
        return Err("the certificates are no chain: there must be one leaf".into());
    };
    let mut chain = vec![certificates.remove(leaf)];
    while let Some(last) = chain.last() {
        let Some(next) = certificates
            .iter()
            .position(|other| last.is_issued_by(other))
        else {
            break;
        };
        chain.push(certificates.remove(next));
    }
    Ok(chain)
}

/// The names that the first certificate is for: hosts, addresses and others, as they come.
fn cert_sans(_: &mut Context<'_, '_>, text: Text) -> Result<List, Failure> {
    let certificates = Parsed::all(&text).ok_or(NOT_A_CERTIFICATE)?;
    let first = certificates
        .into_iter()
        .next()
        .ok_or("there is no certificate")?;
    Ok(texts(
        first
            .alternative_names
            .into_iter()
            .map(Text::from)
            .collect(),
    ))
}
