//! What is sealed and unsealed: the same keys, Secrets and ciphertexts for both sides.

use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::rsa::PrivateKey;
use signet_kit::{SealedSecret, Sealer};

use crate::Result;

/// Secrets, and items in each.
pub const SECRETS: usize = 500;
pub const ITEMS: usize = 3;
pub const NAMESPACE: &str = "bench";

/// A key of the size that both controllers make by default.
pub struct Keys {
    pub certificate: String,
    pub private_key: String,
}

impl Keys {
    pub fn generate() -> Result<Self> {
        let private = PrivateKey::generate(4096)?;
        let subject = SelfSigned {
            common_name: String::new(),
            not_before: jiff::Timestamp::now(),
            lifetime: jiff::SignedDuration::from_hours(87_600),
        };
        let certificate = Certificate::self_signed(&private, &subject)?;
        Ok(Self {
            certificate: certificate.pem().to_owned(),
            private_key: String::from_utf8(private.to_pkcs1_pem().expose().to_vec())?,
        })
    }

    pub fn sealed_secrets(&self) -> Result<Vec<SealedSecret>> {
        let sealer = Sealer::new(&self.certificate)?;
        (0..SECRETS)
            .map(|number| {
                let start = SealedSecret::new(NAMESPACE, &name(number));
                (0..ITEMS).try_fold(start, |sealed, item| {
                    Ok(sealed.item(&sealer, &format!("item-{item}"), value(number, item))?)
                })
            })
            .collect()
    }
}

/// One file of all Secrets, as kubeseal reads them.
pub fn secrets_yaml() -> String {
    let mut lines = Vec::new();
    for number in 0..SECRETS {
        lines.push("---\napiVersion: v1\nkind: Secret\nmetadata:".to_owned());
        lines.push(format!(
            "  name: {}\n  namespace: {NAMESPACE}",
            name(number)
        ));
        lines.push("stringData:".to_owned());
        lines.extend((0..ITEMS).map(|item| format!("  item-{item}: {}", value(number, item))));
    }
    lines.join("\n") + "\n"
}

fn name(number: usize) -> String {
    format!("secret-{number:04}")
}

/// Forty characters, as a token has.
fn value(number: usize, item: usize) -> String {
    format!("value-{number:016}-{item:017}")
}
