//! Keys and certificates: made by Sprig's functions, sorted and converted by the operator's own.

use super::Table;

mod certificate;
mod chain;
mod der;
mod generate;
mod jwk;
mod pem;
mod pkcs12;
mod private_key;
mod rsa_decrypt;

pub(super) fn table() -> Table {
    let tables = [
        chain::table,
        generate::table,
        jwk::table,
        pkcs12::table,
        rsa_decrypt::table,
    ];
    tables
        .into_iter()
        .flat_map(|table: fn() -> Table| table())
        .collect()
}
