//! Keys as `.sops.yaml` and the command line write them.

use std::collections::BTreeMap;

use super::{KeyType, MasterKey, NotationError, vault};

/// An encryption context of AWS: it is not secret, and it is needed again to unwrap.
pub type KmsContext = BTreeMap<String, String>;

/// What the notation of AWS keys does not carry and all keys of a list share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KmsOptions {
    /// The encryption context.
    pub context: KmsContext,
    /// The profile of the local AWS configuration.
    pub aws_profile: Option<String>,
}

impl MasterKey {
    /// The keys of a list with commas, in its order. White space around a key and empty places, such
    /// as after a comma at the end, do not count. `kms` is for keys of AWS alone.
    pub fn list(kind: KeyType, text: &str, kms: &KmsOptions) -> Result<Vec<Self>, NotationError> {
        let keys = text.split(',').map(str::trim).filter(|key| !key.is_empty());
        keys.map(|key| Self::one(kind, key, kms)).collect()
    }

    /// One key. A comma in it is a part of it.
    pub fn one(kind: KeyType, text: &str, kms: &KmsOptions) -> Result<Self, NotationError> {
        match kind {
            KeyType::Age => Self::age(text),
            KeyType::AzureKv => Self::azure(text),
            KeyType::GcpKms => Self::gcp(text),
            KeyType::HcKms => Self::huawei(text),
            KeyType::HcVault => vault::parse(text.trim()),
            KeyType::Kms => Self::kms(text, kms),
            KeyType::Pgp => Self::pgp(text),
        }
    }

    /// A recipient of age. Only its beginning is looked at: whether it is whole shows when something is
    /// wrapped for it.
    pub fn age(recipient: &str) -> Result<Self, NotationError> {
        let recipient = recipient.trim();
        if recipient.starts_with("AGE-") || recipient.contains("PRIVATE KEY") {
            return Err(NotationError::AgePrivate);
        }
        if !recipient.starts_with("age1") && !recipient.starts_with("ssh-") {
            return Err(NotationError::AgeRecipient);
        }
        Ok(Self::Age {
            recipient: recipient.to_owned(),
        })
    }

    /// `https://VAULT/keys/NAME` with or without `/VERSION`.
    pub fn azure(url: &str) -> Result<Self, NotationError> {
        let url = url.trim();
        let parts = || {
            let rest = url.strip_prefix("https://")?;
            let mut parts = rest.splitn(4, '/');
            let (host, keys, name) = (parts.next()?, parts.next()?, parts.next()?);
            let version = parts.next().unwrap_or_default();
            let whole = !host.is_empty() && keys == "keys" && !name.is_empty();
            (whole && !version.contains('/')).then_some((host, name, version))
        };
        let (host, name, version) = parts().ok_or_else(|| NotationError::AzureUrl {
            url: url.to_owned(),
        })?;
        Ok(Self::AzureKv {
            vault_url: format!("https://{host}"),
            name: name.to_owned(),
            version: some(version),
        })
    }

    /// A resource name of Google Cloud; spaces in it do not count.
    pub fn gcp(resource_id: &str) -> Result<Self, NotationError> {
        let resource_id = without_spaces(resource_id, "resource name of the GCP key")?;
        Ok(Self::GcpKms { resource_id })
    }

    /// `REGION:KEY-ID`.
    pub fn huawei(key_id: &str) -> Result<Self, NotationError> {
        let key_id = key_id.trim();
        let parts = key_id.split_once(':').map(|(a, b)| (a.trim(), b.trim()));
        match parts {
            Some((region, key)) if !region.is_empty() && !key.is_empty() => Ok(Self::HcKms {
                key_id: key_id.to_owned(),
            }),
            _ => Err(NotationError::HuaweiKeyId {
                key_id: key_id.to_owned(),
            }),
        }
    }

    /// An ARN, and behind a `+` that of a role to assume; spaces do not count.
    pub fn kms(arn: &str, options: &KmsOptions) -> Result<Self, NotationError> {
        let arn = without_spaces(arn, "ARN of the AWS key")?;
        // A path in an ARN may have a `+`, no colon.
        let (arn, role) = match arn.find("+arn:") {
            Some(plus) if plus > 0 => (arn[..plus].to_owned(), some(&arn[plus + 1..])),
            _ => (arn, None),
        };
        Ok(Self::Kms {
            arn,
            role,
            context: options.context.clone(),
            aws_profile: options.aws_profile.clone().filter(|name| !name.is_empty()),
        })
    }

    /// A fingerprint; spaces in it do not count.
    pub fn pgp(fingerprint: &str) -> Result<Self, NotationError> {
        let fingerprint = without_spaces(fingerprint, "fingerprint of the PGP key")?;
        Ok(Self::Pgp { fingerprint })
    }

    /// Reads an encryption context: `NAME:VALUE`, with commas between several. White space counts.
    pub fn kms_context(text: &str) -> Result<KmsContext, NotationError> {
        if text.is_empty() {
            return Ok(KmsContext::new());
        }
        let pairs = text.split(',').map(|pair| match pair.split_once(':') {
            Some((name, value)) if !value.contains(':') => Ok((name.to_owned(), value.to_owned())),
            _ => Err(NotationError::KmsContext),
        });
        pairs.collect()
    }
}

/// The region of `arn:aws:kms:REGION:ACCOUNT:key/…`; `None` if it is not the ARN of a key or alias.
pub(super) fn arn_region(arn: &str) -> Option<&str> {
    let mut parts = arn.splitn(6, ':');
    let (scheme, partition, service) = (parts.next()?, parts.next()?, parts.next()?);
    let (region, account, resource) = (parts.next()?, parts.next()?, parts.next()?);
    let (kind, name) = resource.split_once('/')?;
    let known = scheme == "arn"
        && partition.starts_with("aws")
        && service == "kms"
        && !account.is_empty()
        && account.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(kind, "key" | "alias")
        && !name.is_empty();
    (known && !region.is_empty()).then_some(region)
}

fn without_spaces(text: &str, what: &'static str) -> Result<String, NotationError> {
    let text: String = text.chars().filter(|char| !char.is_whitespace()).collect();
    if text.is_empty() {
        return Err(NotationError::Missing { what });
    }
    Ok(text)
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
