//! A service whose wrapping can be read.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::sync::Mutex;

use futures::future::{BoxFuture, FutureExt};
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;

use crate::{KeyError, KeyService};

/// Wraps as `service:recipient:hex` for the keys it has; unwraps the same, and text that is not
/// hexadecimal as it stands. Notes what it was asked.
pub(crate) struct Fake {
    name: &'static str,
    keys: Vec<&'static str>,
    asked: Mutex<Vec<String>>,
}

impl Fake {
    pub(crate) fn new(name: &'static str, keys: &[&'static str]) -> Self {
        Self {
            name,
            keys: keys.to_vec(),
            asked: Mutex::default(),
        }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn note(&self, verb: &str, key: &MasterKey) -> Result<(), KeyError> {
        self.asked.lock().unwrap().push(format!("{verb} {key}"));
        let has = self.keys.contains(&key.to_string().as_str());
        has.then_some(()).ok_or(KeyError::Huawei)
    }
}

impl KeyService for Fake {
    fn name(&self) -> &str {
        self.name
    }

    fn wrap<'a>(
        &'a self,
        key: &'a MasterKey,
        secret: &'a Plaintext,
    ) -> BoxFuture<'a, Result<String, KeyError>> {
        async move {
            self.note("wrap", key)?;
            let hex = hex(secret.expose());
            Ok(format!("{}:{key}:{hex}", self.name))
        }
        .boxed()
    }

    fn unwrap<'a>(
        &'a self,
        key: &'a MasterKey,
        wrapped: &'a str,
    ) -> BoxFuture<'a, Result<Plaintext, KeyError>> {
        async move {
            self.note("unwrap", key)?;
            let_others().await;
            let body = wrapped.strip_prefix(&format!("{}:{key}:", self.name));
            let body = body.ok_or(KeyError::Thread)?;
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let bytes: Option<Vec<u8>> = body.as_bytes().chunks(2).map(byte).collect();
            Ok(bytes.unwrap_or_else(|| body.as_bytes().to_vec()).into())
        }
        .boxed()
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Comes back after others had their turn, as a network does.
fn let_others() -> impl Future<Output = ()> {
    let mut waited = false;
    std::future::poll_fn(move |context| {
        if std::mem::replace(&mut waited, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
}

pub(crate) fn age(recipient: &str) -> MasterKey {
    MasterKey::Age {
        recipient: recipient.into(),
    }
}

pub(crate) fn pgp(fingerprint: &str) -> MasterKey {
    MasterKey::Pgp {
        fingerprint: fingerprint.into(),
    }
}
