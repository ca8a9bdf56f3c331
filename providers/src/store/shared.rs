//! One read for all who want the same of a store.
//!
//! Values that were read are plaintext in memory. They are kept for one identity alone, bounded, and
//! wiped when they go; a limit of zero keeps nothing, and then only those who ask at the same time share
//! a read.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Query, Reference, SecretStore, StoreError, Value};

/// A failure is told to those who ask within so long, and then tried again.
const FAILURE_STANDS: Duration = Duration::from_secs(2);

/// What was read, for everybody.
pub type Shared<T> = Arc<Result<T, StoreError>>;

/// A store whose reads are shared.
pub struct SharedStore {
    store: Arc<dyn SecretStore>,
    reads: Slots<Reference, Value>,
    finds: Slots<Query, BTreeMap<String, Value>>,
}

impl SharedStore {
    /// Shares a store. At most `limit` bytes of values are kept.
    pub fn new(store: Arc<dyn SecretStore>, limit: usize) -> Self {
        Self {
            store,
            reads: Slots::new(limit / 2),
            finds: Slots::new(limit / 2),
        }
    }

    /// The store itself.
    pub fn store(&self) -> &Arc<dyn SecretStore> {
        &self.store
    }

    /// Reads a secret; an answer that was asked for at `since` or later will do. The second value says
    /// whether the store was asked.
    pub async fn read(&self, reference: &Reference, since: Instant) -> (Shared<Value>, bool) {
        let ask = async || self.store.read(reference).await;
        self.reads.get(reference, since, weigh, ask).await
    }

    /// Searches; the same holds.
    pub async fn find(
        &self,
        query: &Query,
        since: Instant,
    ) -> (Shared<BTreeMap<String, Value>>, bool) {
        let ask = async || self.store.find(query).await;
        let weigh = |found: &BTreeMap<String, Value>| found.values().map(weigh).sum();
        self.finds.get(query, since, weigh, ask).await
    }
}

fn weigh(value: &Value) -> usize {
    match value {
        Value::Bytes(bytes) => bytes.len(),
        Value::Fields(fields) => fields.values().map(signet_keys::Plaintext::len).sum(),
    }
}

/// Answers by question.
struct Slots<K, T> {
    slots: Mutex<HashMap<K, Slot<T>>>,
    limit: usize,
}

struct Slot<T> {
    /// Locked while somebody asks, so that all others wait for that answer.
    answer: Arc<tokio::sync::Mutex<Option<Answer<T>>>>,
    asked: Instant,
    weight: usize,
}

struct Answer<T> {
    asked: Instant,
    answer: Shared<T>,
}

impl<K: Clone + Eq + std::hash::Hash, T> Slots<K, T> {
    fn new(limit: usize) -> Self {
        Self {
            slots: Mutex::default(),
            limit,
        }
    }

    async fn get(
        &self,
        question: &K,
        since: Instant,
        weigh: impl Fn(&T) -> usize,
        ask: impl AsyncFnOnce() -> Result<T, StoreError>,
    ) -> (Shared<T>, bool) {
        let slot = self.slot(question);
        let mut held = slot.lock().await;
        if let Some(known) = &*held {
            let stands = match &*known.answer {
                Ok(_) => true,
                Err(error) if error.is_gone() => true,
                Err(_) => known.asked.elapsed() < FAILURE_STANDS,
            };
            if stands && known.asked >= since {
                return (known.answer.clone(), false);
            }
        }
        let asked = Instant::now();
        let answer = Arc::new(ask().await);
        let weight = answer.as_ref().as_ref().map_or(0, weigh);
        *held = Some(Answer {
            asked,
            answer: answer.clone(),
        });
        drop(held);
        self.keep(question, asked, weight);
        (answer, true)
    }

    fn slot(&self, question: &K) -> Arc<tokio::sync::Mutex<Option<Answer<T>>>> {
        let mut slots = self.slots();
        let slot = slots.entry(question.clone()).or_insert_with(|| Slot {
            answer: Arc::default(),
            asked: Instant::now(),
            weight: 0,
        });
        slot.answer.clone()
    }

    /// Notes what an answer weighs, and drops the oldest while all together weigh too much.
    fn keep(&self, question: &K, asked: Instant, weight: usize) {
        let mut slots = self.slots();
        if let Some(slot) = slots.get_mut(question) {
            slot.asked = asked;
            // What is kept of a name that has no value counts too.
            slot.weight = weight + size_of::<K>() + 64;
        }
        let mut total: usize = slots.values().map(|slot| slot.weight).sum();
        while total > self.limit {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.asked);
            let Some(oldest) = oldest.map(|(question, _)| question.clone()) else {
                return;
            };
            total -= slots.remove(&oldest).map_or(0, |slot| slot.weight);
        }
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<K, Slot<T>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::future::join_all;
    use signet_keys::Plaintext;

    use super::*;
    use crate::block_on;
    use crate::store::StoreErrorKind;

    async fn get(
        slots: &Slots<u8, usize>,
        since: Instant,
        count: &AtomicUsize,
        weight: usize,
    ) -> (Shared<usize>, bool) {
        let ask = async || {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Ok(count.fetch_add(1, Ordering::Relaxed))
        };
        slots.get(&0, since, |_| weight, ask).await
    }

    #[test]
    fn those_who_ask_together_share_one_answer() {
        block_on(async {
            let (slots, count) = (Slots::new(0), AtomicUsize::new(0));
            let start = Instant::now();
            join_all((0..50).map(|_| get(&slots, start, &count, 1))).await;
            assert_eq!(count.load(Ordering::Relaxed), 1);
        });
    }

    #[test]
    fn an_answer_that_was_asked_for_too_early_will_not_do() {
        block_on(async {
            let (slots, count) = (Slots::new(1 << 20), AtomicUsize::new(0));
            let start = Instant::now();
            assert!(get(&slots, start, &count, 1).await.1);
            assert!(!get(&slots, start, &count, 1).await.1);
            assert!(get(&slots, Instant::now(), &count, 1).await.1);
        });
    }

    #[test]
    fn with_a_limit_of_zero_nothing_is_kept_and_a_large_answer_is_not_either() {
        block_on(async {
            for (limit, weight) in [(0, 1), (1000, 2000)] {
                let (slots, count) = (Slots::new(limit), AtomicUsize::new(0));
                let start = Instant::now();
                assert!(get(&slots, start, &count, weight).await.1);
                assert!(slots.slots().is_empty(), "{limit}");
            }
        });
    }

    #[test]
    fn a_failure_is_tried_again_soon_and_what_is_missing_is_not() {
        block_on(async {
            let slots: Slots<u8, usize> = Slots::new(1 << 20);
            let start = Instant::now();
            let fail = |kind| async move || Err(StoreError::new(kind, "x"));
            let ask = fail(StoreErrorKind::Missing);
            assert!(slots.get(&1, start, |_| 0, ask).await.1);
            assert!(
                !slots
                    .get(&1, start, |_| 0, fail(StoreErrorKind::Missing))
                    .await
                    .1
            );
        });
    }

    #[test]
    fn values_weigh_what_they_hold() {
        let value = Value::Bytes(Plaintext::new(vec![0; 10]));
        assert_eq!(weigh(&value), 10);
    }
}
