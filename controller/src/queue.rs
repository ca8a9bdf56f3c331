//! The work queue: which object is worked on next.
//!
//! Pure: the time comes in with every call. [`crate::work`] puts a lock and a bell around it.
//!
//! # Guarantees
//!
//! - An object is worked on by one worker at a time; what is asked for meanwhile is done
//!   afterwards, once.
//! - Edits, new objects and recoveries go before resync and drift (sealed-secrets#1833), but one in
//!   [`FAIRNESS`] turns goes to the others, so that a flood of edits does not stop the rest for
//!   good.
//! - Among objects of one priority, tenants take turns by the time that their work has taken, and
//!   one tenant does not hold all workers (see [`turns`]): a namespace full of large objects that
//!   do not open delays itself. Of one tenant's objects those that failed before come last.
//! - An object that failed is tried again for as long as it is not forgotten, each time after the
//!   delay that the caller computes from the number of failures in a row. It holds nobody up
//!   meanwhile.

use std::{
    collections::{BTreeSet, HashMap},
    hash::Hash,
    time::{Duration, Instant},
};

use self::turns::{Place, Turns};

mod turns;

/// After this many urgent turns in a row one goes to the rest.
pub const FAIRNESS: u32 = 32;

/// What belongs to somebody with whom others share the workers.
pub trait Tenant {
    /// To whom it belongs.
    fn tenant(&self) -> &str;
}

/// How soon an object is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Somebody is waiting: a new or edited object, a way that has become free, a key that has
    /// arrived.
    Urgent,
    /// Resync, drift, another attempt.
    Routine,
}

/// What [`Queue::pop`] gives out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn<K> {
    /// The object.
    pub key: K,
    /// How soon it was wanted.
    pub priority: Priority,
    /// How long it stood in the queue after it was due.
    pub waited: Duration,
}

/// A queue of keys.
#[derive(Debug)]
pub struct Queue<K> {
    entries: HashMap<K, Entry>,
    /// Due now.
    ready: Turns<K>,
    /// Due later, soonest first.
    delayed: BTreeSet<(Instant, u64, K)>,
    next_number: u64,
    urgent_in_a_row: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    wanted: Option<Wanted>,
    /// Since when it is worked on.
    working: Option<Instant>,
    failures: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wanted {
    priority: Priority,
    due: Instant,
    /// Order of asking; kept while the entry waits for its worker.
    number: u64,
    /// Where it stands in `ready`; in `delayed` otherwise.
    ready: Option<Place>,
}

impl<K: Clone + Ord + Hash + Tenant> Queue<K> {
    /// An empty queue for this many workers.
    pub fn new(workers: usize) -> Self {
        Self {
            entries: HashMap::new(),
            ready: Turns::new(workers),
            delayed: BTreeSet::new(),
            next_number: 0,
            urgent_in_a_row: 0,
        }
    }

    /// Asks for `key` now.
    pub fn add(&mut self, key: K, priority: Priority, now: Instant) {
        self.add_at(key, priority, now, now);
    }

    /// Asks for `key` at `due`. Of several wishes the earliest time and the highest priority count.
    #[expect(clippy::needless_pass_by_value, reason = "the queue keeps the key")]
    pub fn add_at(&mut self, key: K, priority: Priority, due: Instant, now: Instant) {
        let entry = self.entries.entry(key.clone()).or_default();
        let before = entry.wanted;
        let wanted = if let Some(before) = before {
            Wanted {
                priority: before.priority.min(priority),
                due: before.due.min(due),
                ..before
            }
        } else {
            self.next_number += 1;
            Wanted {
                priority,
                due,
                number: self.next_number,
                ready: None,
            }
        };
        entry.wanted = Some(wanted);
        if entry.working.is_none() {
            self.place(&key, before, wanted, now);
        }
    }

    /// Gives out the next object that is due, and nobody else gets it until [`Queue::done`]. Nothing
    /// where none is due, or where those who have any hold their share of the workers.
    pub fn pop(&mut self, now: Instant) -> Option<Turn<K>> {
        self.promote(now);
        let order = if self.urgent_in_a_row >= FAIRNESS {
            [Priority::Routine, Priority::Urgent]
        } else {
            [Priority::Urgent, Priority::Routine]
        };
        let (priority, key) = order
            .into_iter()
            .find_map(|priority| Some((priority, self.ready.take(priority)?)))?;
        self.urgent_in_a_row = if priority == Priority::Urgent {
            self.urgent_in_a_row + 1
        } else {
            0
        };
        let entry = self.entries.entry(key.clone()).or_default();
        let due = entry.wanted.take().map_or(now, |wanted| wanted.due);
        entry.working = Some(now);
        Some(Turn {
            key,
            priority,
            waited: now.saturating_duration_since(due),
        })
    }

    /// The worker has finished with `key`; what was asked for meanwhile becomes due.
    pub fn done(&mut self, key: &K, now: Instant) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        if let Some(since) = entry.working.take() {
            self.ready
                .give_back(key.tenant(), now.saturating_duration_since(since));
        }
        match entry.wanted {
            Some(wanted) => self.place(key, None, wanted, now),
            None if entry.failures == 0 => drop(self.entries.remove(key)),
            None => {}
        }
    }

    /// Notes a failure and returns how many there have been in a row.
    pub fn failed(&mut self, key: &K) -> u32 {
        let entry = self.entries.entry(key.clone()).or_default();
        entry.failures = entry.failures.saturating_add(1);
        entry.failures
    }

    /// Notes a success: the next failure is the first again.
    pub fn succeeded(&mut self, key: &K) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.failures = 0;
        }
    }

    /// The object is gone: neither wanted nor remembered.
    pub fn forget(&mut self, key: &K) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        entry.failures = 0;
        if let Some(wanted) = entry.wanted.take() {
            self.unplace(key, wanted);
        }
        let idle = |entry: &Entry| entry.working.is_none();
        if self.entries.get(key).is_some_and(idle) {
            self.entries.remove(key);
        }
    }

    /// When the next delayed object is due; nothing if none is delayed.
    pub fn next_due(&self) -> Option<Instant> {
        self.delayed.first().map(|(due, ..)| *due)
    }

    /// Objects that are due.
    pub fn depth(&self) -> usize {
        self.ready.len()
    }

    /// Objects that wait for their time.
    pub fn delayed(&self) -> usize {
        self.delayed.len()
    }

    /// Moves what has become due.
    fn promote(&mut self, now: Instant) {
        while let Some((due, number, key)) = self.delayed.first().cloned() {
            if due > now {
                return;
            }
            self.delayed.remove(&(due, number, key.clone()));
            if let Some(entry) = self.entries.get_mut(&key)
                && let Some(wanted) = &mut entry.wanted
            {
                let place = (entry.failures > 0, number);
                wanted.ready = Some(place);
                self.ready.insert(wanted.priority, place, &key);
            }
        }
    }

    fn place(&mut self, key: &K, before: Option<Wanted>, mut wanted: Wanted, now: Instant) {
        if let Some(before) = before {
            self.unplace(key, before);
        }
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        if wanted.due <= now {
            let place = (entry.failures > 0, wanted.number);
            wanted.ready = Some(place);
            self.ready.insert(wanted.priority, place, key);
        } else {
            wanted.ready = None;
            self.delayed
                .insert((wanted.due, wanted.number, key.clone()));
        }
        entry.wanted = Some(wanted);
    }

    fn unplace(&mut self, key: &K, wanted: Wanted) {
        match wanted.ready {
            Some(place) => self.ready.remove(wanted.priority, place, key),
            None => drop(
                self.delayed
                    .remove(&(wanted.due, wanted.number, key.clone())),
            ),
        }
    }
}

#[cfg(test)]
mod tests;
