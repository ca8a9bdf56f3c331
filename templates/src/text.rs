//! Bytes that may be secret, and the buffer that makes them.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::error::{Failure, Limit};

/// A Go string: any bytes, nearly always UTF-8. Cheap to clone, wiped when the last clone is dropped,
/// and its `Debug` shows nothing of it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(Arc<Zeroizing<Vec<u8>>>);

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As text; bytes that are no UTF-8 become replacement characters.
    pub(crate) fn lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// As text, if it is UTF-8.
    pub(crate) fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By bytes, as Go orders strings.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text(<redacted>)")
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Zeroizing::new(bytes)))
    }
}

impl From<Zeroizing<Vec<u8>>> for Text {
    fn from(bytes: Zeroizing<Vec<u8>>) -> Self {
        Self(Arc::new(bytes))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

/// Takes text that grows, up to a limit. Growing leaves no copy behind in freed memory.
pub(crate) struct Sink {
    bytes: Zeroizing<Vec<u8>>,
    room: usize,
    limit: Limit,
}

impl Sink {
    /// Takes up to `room` bytes; what comes after them fails with `limit`.
    pub(crate) fn new(room: usize, limit: Limit) -> Self {
        let bytes = Zeroizing::default();
        Self { bytes, room, limit }
    }

    pub(crate) fn push(&mut self, more: impl AsRef<[u8]>) -> Result<(), Failure> {
        let more = more.as_ref();
        self.reserve(more.len())?;
        self.bytes.extend_from_slice(more);
        Ok(())
    }

    pub(crate) fn push_char(&mut self, c: char) -> Result<(), Failure> {
        self.push(c.encode_utf8(&mut [0; 4]).as_bytes())
    }

    /// The same byte so many times.
    pub(crate) fn fill(&mut self, byte: u8, count: usize) -> Result<(), Failure> {
        self.reserve(count)?;
        let length = self.bytes.len() + count;
        self.bytes.resize(length, byte);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_bytes(self) -> Zeroizing<Vec<u8>> {
        self.bytes
    }

    pub(crate) fn finish(self) -> Text {
        self.bytes.into()
    }

    fn reserve(&mut self, more: usize) -> Result<(), Failure> {
        let needed = self.bytes.len().saturating_add(more);
        if needed > self.room {
            return Err(Failure::Limit(self.limit));
        }
        if needed > self.bytes.capacity() {
            let capacity = needed.max(self.bytes.capacity() * 2).max(64);
            let mut larger = Zeroizing::new(Vec::with_capacity(capacity));
            larger.extend_from_slice(&self.bytes);
            self.bytes = larger;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn debug_shows_nothing_of_the_text() {
        assert_eq!(format!("{:?}", Text::from("hunter2")), "Text(<redacted>)");
    }

    #[test]
    fn a_sink_takes_what_there_is_room_for_and_no_byte_more() {
        let mut sink = Sink::new(5, Limit::Memory);
        sink.push("abc").unwrap();
        sink.fill(b'-', 2).unwrap();
        assert_eq!(sink.push("x"), Err(Failure::Limit(Limit::Memory)));
        assert_eq!(
            sink.fill(b'x', usize::MAX),
            Err(Failure::Limit(Limit::Memory))
        );
        assert_eq!(sink.finish().as_bytes(), b"abc--");
    }
}
