//! What a passphrase opens, once.

use std::sync::{Arc, Mutex, PoisonError};

/// Something that is opened when it is first needed and kept open. Others wait meanwhile, so that a
/// person is asked once.
pub(super) struct Locked<T>(Mutex<Option<Arc<T>>>);

impl<T> Locked<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// What was opened, or what `open` gives. A failure is not remembered.
    pub(super) fn get_or_open<E>(&self, open: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        // Nothing is left half done by a panic: the value is there or not.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = &*state {
            return Ok(Arc::clone(opened));
        }
        let opened = Arc::new(open()?);
        *state = Some(Arc::clone(&opened));
        Ok(opened)
    }
}
