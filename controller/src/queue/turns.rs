//! What is due, by turns of its tenants.
//!
//! Of those who have something due, the one whose work has taken the least time is next; who comes
//! anew begins where the one that was last chosen stood, so that nobody saves up time or debt. A
//! tenant may take a worker only while it holds fewer than are free: half of them at most, if it is
//! alone, and some are left for whoever comes.
//!
//! Nothing is kept of a tenant that has nothing due and holds no worker.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use super::{Priority, Tenant};

/// What a turn counts at least, so that cheap ones alternate too.
const LEAST: Duration = Duration::from_micros(100);

/// Where an object stands among those of its tenant that have its priority: those that failed the
/// last time behind the others, and all in the order of asking.
pub(super) type Place = (bool, u64);

/// The objects that are due.
#[derive(Debug)]
pub(super) struct Turns<K> {
    tenants: HashMap<String, Account<K>>,
    /// For each priority the tenants that have something due, who is next first.
    order: [BTreeSet<(Duration, String)>; 2],
    /// Where the tenant stood that was chosen last.
    clock: Duration,
    /// Workers that nobody holds.
    free: usize,
    len: usize,
}

#[derive(Debug)]
struct Account<K> {
    /// Time that its work has taken.
    used: Duration,
    /// Workers that it holds.
    held: usize,
    /// For each priority.
    due: [BTreeSet<(Place, K)>; 2],
}

impl<K: Clone + Ord + Tenant> Turns<K> {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            tenants: HashMap::new(),
            order: Default::default(),
            clock: Duration::ZERO,
            free: workers.max(1),
            len: 0,
        }
    }

    /// How many objects are due.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn insert(&mut self, priority: Priority, place: Place, key: &K) {
        self.change(key.tenant(), |account| {
            account.due[priority as usize].insert((place, key.clone()));
        });
    }

    pub(super) fn remove(&mut self, priority: Priority, place: Place, key: &K) {
        self.change(key.tenant(), |account| {
            account.due[priority as usize].remove(&(place, key.clone()));
        });
    }

    /// The next object of a priority, which takes a worker.
    pub(super) fn take(&mut self, priority: Priority) -> Option<K> {
        let may = |(_, tenant): &&(Duration, String)| {
            let held = self.tenants.get(tenant).map_or(0, |account| account.held);
            held < self.free
        };
        let (used, tenant) = self.order[priority as usize].iter().find(may)?.clone();
        self.clock = self.clock.max(used);
        self.free -= 1;
        self.change(&tenant, |account| {
            account.held += 1;
            account.used += LEAST;
            account.due[priority as usize].pop_first()
        })
        .map(|(_, key)| key)
    }

    /// The worker is free again; its work took so long.
    pub(super) fn give_back(&mut self, tenant: &str, took: Duration) {
        self.free += 1;
        self.change(tenant, |account| {
            account.held = account.held.saturating_sub(1);
            account.used += took;
        });
    }

    /// Changes an account, and puts it where it then belongs.
    fn change<T>(&mut self, tenant: &str, change: impl FnOnce(&mut Account<K>) -> T) -> T {
        let mut account = self.tenants.remove(tenant).unwrap_or_else(|| Account {
            used: self.clock,
            held: 0,
            due: Default::default(),
        });
        let before = (account.used, tenant.to_owned());
        for (order, due) in self.order.iter_mut().zip(&account.due) {
            if !due.is_empty() {
                order.remove(&before);
            }
        }
        self.len -= account.len();
        let answer = change(&mut account);
        self.len += account.len();
        for (order, due) in self.order.iter_mut().zip(&account.due) {
            if !due.is_empty() {
                order.insert((account.used, tenant.to_owned()));
            }
        }
        if account.held > 0 || account.len() > 0 {
            self.tenants.insert(tenant.to_owned(), account);
        }
        answer
    }

    /// Whether nothing is kept of anybody.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.tenants.is_empty() && self.order.iter().all(BTreeSet::is_empty)
    }
}

impl<K> Account<K> {
    fn len(&self) -> usize {
        self.due.iter().map(BTreeSet::len).sum()
    }
}
