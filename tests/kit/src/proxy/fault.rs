//! Faults that a test wants to see answered.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

/// What happens to the next requests that match.
#[derive(Clone, Debug)]
pub struct Fault {
    method: Option<String>,
    path: String,
    remaining: u32,
    effect: Effect,
}

/// The fault itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The API server refuses.
    Status(u16),
    /// The request is forwarded, later.
    Delay(Duration),
    /// The connection is closed without an answer.
    Drop,
    /// The request is forwarded and its answer thrown away: done, but nobody knows.
    LoseAnswer,
    /// Nothing comes at all.
    Silence,
}

impl Fault {
    /// A refusal with this HTTP status, as a `Status` object.
    pub fn status(code: u16) -> Self {
        Self::new(Effect::Status(code))
    }

    /// A delay.
    pub fn delay(time: Duration) -> Self {
        Self::new(Effect::Delay(time))
    }

    /// A closed connection in place of an answer; the request is not forwarded.
    pub fn dropped() -> Self {
        Self::new(Effect::Drop)
    }

    /// A closed connection in place of the answer of a request that was carried out.
    pub fn answer_lost() -> Self {
        Self::new(Effect::LoseAnswer)
    }

    /// No answer, for as long as the client waits.
    pub fn silence() -> Self {
        Self::new(Effect::Silence)
    }

    /// Only requests with this method whose path and query contain this text.
    #[must_use]
    pub fn on(mut self, method: &str, path: &str) -> Self {
        self.method = Some(method.into());
        self.path = path.into();
        self
    }

    /// Only requests whose path and query contain this text.
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        self.path = path.into();
        self
    }

    /// So many requests, in place of one.
    #[must_use]
    pub fn times(mut self, count: u32) -> Self {
        self.remaining = count;
        self
    }

    /// Every request until [`Faults::clear`].
    #[must_use]
    pub fn always(self) -> Self {
        self.times(u32::MAX)
    }

    fn new(effect: Effect) -> Self {
        Self {
            method: None,
            path: String::new(),
            remaining: 1,
            effect,
        }
    }

    fn matches(&self, method: &str, path: &str) -> bool {
        self.remaining > 0
            && self.method.as_deref().is_none_or(|wanted| wanted == method)
            && path.contains(&self.path)
    }
}

/// The faults of a proxy.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    /// Adds a fault. The first that matches a request and is not used up has effect.
    pub fn inject(&self, fault: Fault) {
        self.lock().push(fault);
    }

    /// Removes all faults.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Whether every fault has had its effect as often as it should.
    pub fn are_spent(&self) -> bool {
        self.left() == 0
    }

    /// How many faults still wait for a request.
    pub fn left(&self) -> usize {
        self.lock()
            .iter()
            .filter(|fault| fault.remaining > 0)
            .count()
    }

    /// The effect on a request, which uses up one of its times.
    pub(super) fn take(&self, method: &str, path: &str) -> Option<Effect> {
        let mut faults = self.lock();
        let fault = faults
            .iter_mut()
            .find(|fault| fault.matches(method, path))?;
        if fault.remaining != u32::MAX {
            fault.remaining -= 1;
        }
        Some(fault.effect)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Fault>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of a refusal, as the API server writes it.
pub(super) fn refusal(code: u16) -> String {
    let reason = match code {
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        410 => "Expired",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        _ => "InternalError",
    };
    json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": format!("injected fault {code}"),
        "reason": reason,
        "code": code,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_has_effect_as_often_as_it_says() {
        let faults = Faults::default();
        faults.inject(Fault::status(409).on("PUT", "/secrets/").times(2));
        assert_eq!(faults.take("GET", "/secrets/a"), None);
        assert_eq!(faults.take("PUT", "/secrets/a"), Some(Effect::Status(409)));
        assert!(!faults.are_spent());
        assert_eq!(faults.take("PUT", "/secrets/b"), Some(Effect::Status(409)));
        assert!(faults.are_spent());
        assert_eq!(faults.take("PUT", "/secrets/c"), None);
    }

    #[test]
    fn faults_have_effect_in_the_order_of_injection() {
        let faults = Faults::default();
        faults.inject(Fault::dropped().at("/a"));
        faults.inject(Fault::silence().always());
        assert_eq!(faults.take("GET", "/a"), Some(Effect::Drop));
        assert_eq!(faults.take("GET", "/a"), Some(Effect::Silence));
        faults.clear();
        assert_eq!(faults.take("GET", "/a"), None);
    }
}
