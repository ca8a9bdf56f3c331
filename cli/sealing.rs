//! Sealing items for one certificate, and keeping the ciphertext of those that have not changed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use signet_keys::Fingerprint;
use signet_keys::certificate::Certificate;
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::{self, Label, SealError};

use crate::Context;
use crate::error::chain;
use crate::proofs::{Claim, Proofs, StoreError};

/// Seals for one certificate. Used from several threads at once.
#[derive(Debug)]
pub struct Sealer<'a> {
    certificate: &'a Certificate,
    fingerprint: Fingerprint,
    memory: &'a Memory,
    sealed: AtomicUsize,
    kept: AtomicUsize,
}

/// What can tell that a ciphertext already holds a value: the proofs of this machine, private keys,
/// or nothing.
#[derive(Debug, Default)]
pub struct Memory {
    proofs: Option<Mutex<Proofs>>,
    keys: KeyRing,
}

/// How many items were sealed anew, and how many kept their ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Sealed anew.
    pub sealed: usize,
    /// Unchanged.
    pub kept: usize,
}

impl Memory {
    /// With the proofs of this user, unless `state` is off, and with private keys if there are any.
    ///
    /// Proofs that cannot be read are as good as none: items get new ciphertexts, which is told.
    pub fn open(context: &mut Context, state: bool, keys: KeyRing) -> Self {
        let folder = Proofs::folder(&context.env).filter(|_| state);
        let proofs = match folder.map(Proofs::open).transpose() {
            Ok(proofs) => proofs.map(Mutex::new),
            Err(error) => {
                tell(&error, context);
                None
            }
        };
        Self { proofs, keys }
    }

    /// Writes down what was sealed. The files are sealed by then: what goes wrong here is told and
    /// undoes nothing.
    pub fn save(&self, context: &mut Context) {
        let saved = self.proofs.as_ref().map(|proofs| lock(proofs).save());
        if let Some(Err(error)) = saved {
            tell(&error, context);
        }
    }

    /// Whether this machine remembers that a ciphertext is for that key.
    pub fn sealed_for(&self, fingerprint: &Fingerprint, ciphertext: &[u8]) -> bool {
        self.proofs
            .as_ref()
            .is_some_and(|proofs| lock(proofs).prove_key(fingerprint, ciphertext))
    }

    /// Remembers the key of a ciphertext that somebody else made.
    pub fn remember_key(&self, fingerprint: &Fingerprint, ciphertext: &[u8]) {
        if let Some(proofs) = &self.proofs {
            lock(proofs).remember_key(fingerprint, ciphertext);
        }
    }

    fn holds(&self, claim: &Claim<'_>) -> bool {
        let proven = || {
            let proofs = self.proofs.as_ref()?;
            Some(lock(proofs).prove(claim))
        };
        let opened = || {
            // Under another key than the certificate's it would have to be sealed anew all the same.
            let key = self.keys.get(claim.fingerprint)?;
            let value = sealed::open(&key.private, claim.label, claim.ciphertext).ok()?;
            Some(value.expose() == claim.value)
        };
        proven() == Some(true) || opened() == Some(true)
    }

    fn remember(&self, claim: &Claim<'_>) {
        if let Some(proofs) = &self.proofs {
            lock(proofs).remember(claim);
        }
    }
}

impl<'a> Sealer<'a> {
    /// Seals for this certificate.
    pub fn new(certificate: &'a Certificate, memory: &'a Memory) -> Self {
        Self {
            certificate,
            fingerprint: certificate.public_key().fingerprint(),
            memory,
            sealed: AtomicUsize::new(0),
            kept: AtomicUsize::new(0),
        }
    }

    /// The item in base64: `previous` when that is known to hold the value already, otherwise a new
    /// ciphertext.
    pub fn item(
        &self,
        label: &Label,
        item: &str,
        value: &[u8],
        previous: Option<&str>,
    ) -> Result<String, SealError> {
        if let Some(previous) = previous
            && let Ok(ciphertext) = sealed::decode(previous)
            && self
                .memory
                .holds(&self.claim(label, item, value, &ciphertext))
        {
            self.kept.fetch_add(1, Ordering::Relaxed);
            return Ok(previous.to_owned());
        }
        let ciphertext = sealed::seal(self.certificate.public_key(), label, value)?;
        self.memory
            .remember(&self.claim(label, item, value, &ciphertext));
        self.sealed.fetch_add(1, Ordering::Relaxed);
        Ok(sealed::encode(&ciphertext))
    }

    fn claim<'c>(
        &'c self,
        label: &'c Label,
        item: &'c str,
        value: &'c [u8],
        ciphertext: &'c [u8],
    ) -> Claim<'c> {
        Claim {
            fingerprint: &self.fingerprint,
            label,
            item,
            value,
            ciphertext,
        }
    }

    /// How many items were sealed and kept so far.
    pub fn tally(&self) -> Tally {
        Tally {
            sealed: self.sealed.load(Ordering::Relaxed),
            kept: self.kept.load(Ordering::Relaxed),
        }
    }
}

fn tell(error: &StoreError, context: &mut Context) {
    let told = chain(error);
    let warning = format!(
        "{told}; unchanged items get new ciphertexts (remove that folder to start anew, or add \
         `--no-state` to do without)"
    );
    context.ui.warn(&context.env, warning);
}

/// A thread that panicked has at worst forgotten to remember.
fn lock(proofs: &Mutex<Proofs>) -> std::sync::MutexGuard<'_, Proofs> {
    proofs.lock().unwrap_or_else(PoisonError::into_inner)
}
