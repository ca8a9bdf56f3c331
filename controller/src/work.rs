//! The queue as workers share it: a lock around [`crate::queue`] and a bell.

use std::{
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::{
    object::ObjectKey,
    queue::{Priority, Queue, Tenant, Turn},
};

/// Is told how many objects are due, and how many wait for their time.
type Show = Box<dyn Fn(usize, usize) + Send + Sync>;

/// The objects that are to be worked on.
pub struct Work<K = ObjectKey> {
    queue: Mutex<Queue<K>>,
    bell: Notify,
    show: Show,
}

impl<K: Clone + Ord + Hash + Tenant> Work<K> {
    /// An empty queue for this many workers, that shows itself by `show`: objects that are due, and
    /// those that wait for their time.
    pub fn new(workers: usize, show: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self {
            queue: Mutex::new(Queue::new(workers)),
            bell: Notify::new(),
            show: Box::new(show),
        }
    }

    /// Asks for an object now.
    pub fn add(&self, key: K, priority: Priority) {
        self.add_after(key, priority, Duration::ZERO);
    }

    /// Asks for an object after a delay.
    pub fn add_after(&self, key: K, priority: Priority, delay: Duration) {
        let now = Instant::now();
        let mut queue = self.queue();
        queue.add_at(key, priority, now + delay, now);
        self.show(&queue);
        drop(queue);
        self.bell.notify_one();
    }

    /// Waits for the next object that is due. Give it back with [`Work::done`].
    pub async fn next(&self) -> Turn<K> {
        loop {
            let next_due = {
                let mut queue = self.queue();
                if let Some(turn) = queue.pop(Instant::now()) {
                    self.show(&queue);
                    // Another worker that slept may be allowed what it was not before.
                    self.bell.notify_one();
                    return turn;
                }
                queue.next_due()
            };
            let due = async {
                match next_due {
                    Some(due) => tokio::time::sleep_until(due.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.bell.notified() => {}
                () = due => {}
            }
        }
    }

    /// The worker has finished with an object.
    pub fn done(&self, key: &K) {
        let mut queue = self.queue();
        queue.done(key, Instant::now());
        self.show(&queue);
        drop(queue);
        self.bell.notify_one();
    }

    /// Notes a failure and returns how many there have been in a row.
    pub fn failed(&self, key: &K) -> u32 {
        self.queue().failed(key)
    }

    /// Notes a success.
    pub fn succeeded(&self, key: &K) {
        self.queue().succeeded(key);
    }

    /// The object is gone.
    pub fn forget(&self, key: &K) {
        let mut queue = self.queue();
        queue.forget(key);
        self.show(&queue);
    }

    fn show(&self, queue: &Queue<K>) {
        (self.show)(queue.depth(), queue.delayed());
    }

    fn queue(&self) -> MutexGuard<'_, Queue<K>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
