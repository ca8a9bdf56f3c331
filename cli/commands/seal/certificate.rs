//! The certificates to seal with, each with a name.

use std::convert::Infallible;
use std::str::FromStr;

use signet_keys::certificate::Certificate;

use crate::certificates::CertificateOptions;
use crate::certificates::source::Source;
use crate::{Context, Failure};

/// `[NAME=]FILE`: a certificate and what `{cert}` stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedSource {
    name: String,
    source: Source,
}

impl FromStr for NamedSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if let Some((name, source)) = text.split_once('=')
            && !name.is_empty()
            && name.chars().all(plain)
        {
            return Ok(Self {
                name: name.to_owned(),
                source: source.parse()?,
            });
        }
        let source: Source = text.parse()?;
        Ok(Self {
            name: source.stem(),
            source,
        })
    }
}

/// Reads all certificates; without any, the cluster's or the pinned one.
pub(super) fn load(
    named: &[NamedSource],
    options: &CertificateOptions,
    context: &mut Context,
) -> Result<Vec<(String, Certificate)>, Failure> {
    if named.is_empty() {
        return Ok(vec![(
            options.pin.pin_name.clone(),
            options.usual(context)?,
        )]);
    }
    let mut certificates: Vec<(String, Certificate)> = Vec::new();
    for NamedSource { name, source } in named {
        if certificates.iter().any(|(other, _)| other == name) {
            return Err(
                Failure::usage(format!("two certificates have the name `{name}`"))
                    .with_hint("name them: `--cert dev=a/cert.pem --cert prod=b/cert.pem`"),
            );
        }
        certificates.push((name.clone(), options.named(source, context)?));
    }
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn issue_263_certificates_have_names_given_or_taken_from_the_file() {
        let name = |text: &str| text.parse::<NamedSource>().unwrap().name;
        assert_eq!(name("prod=a/cert.pem"), "prod");
        assert_eq!(name("a/dev.pem"), "dev");
        assert_eq!(
            name("https://seal.example.org/cert.pem?a=b"),
            "seal.example.org"
        );
    }
}
