#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::{Priority::*, *};

impl Tenant for &'static str {
    fn tenant(&self) -> &str {
        self.split_once('/').map_or("", |(tenant, _)| tenant)
    }
}

impl Tenant for u32 {
    fn tenant(&self) -> &'static str {
        ""
    }
}

/// For enough workers that nobody meets the limit.
fn queue<K: Clone + Ord + Hash + Tenant>() -> Queue<K> {
    Queue::new(1000)
}

/// All that are due, each given back before the next is taken.
fn keys(queue: &mut Queue<&'static str>, now: Instant) -> Vec<&'static str> {
    let next = || {
        let turn = queue.pop(now)?;
        queue.done(&turn.key, now);
        Some(turn.key)
    };
    std::iter::from_fn(next).collect()
}

fn later(now: Instant, milliseconds: u64) -> Instant {
    now + Duration::from_millis(milliseconds)
}

#[test]
fn issue_1833_a_new_object_goes_before_the_whole_resync() {
    let (mut queue, now) = (queue(), Instant::now());
    for key in ["a", "b", "c"] {
        queue.add(key, Routine, now);
    }
    queue.add("new", Urgent, now);
    assert_eq!(keys(&mut queue, now), ["new", "a", "b", "c"]);
}

#[test]
fn an_edit_of_an_object_that_stands_in_the_resync_moves_it_forward() {
    let (mut queue, now) = (queue(), Instant::now());
    for key in ["a", "b"] {
        queue.add(key, Routine, now);
    }
    queue.add("b", Urgent, now);
    queue.add("b", Routine, now);
    assert_eq!(queue.depth(), 2);
    assert_eq!(keys(&mut queue, now), ["b", "a"]);
}

#[test]
fn a_flood_of_edits_does_not_stop_the_rest_for_good() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add(0, Routine, now);
    for key in 1..=2 * FAIRNESS {
        queue.add(key, Urgent, now);
    }
    let order: Vec<u32> = std::iter::from_fn(|| queue.pop(now).map(|turn| turn.key)).collect();
    assert_eq!(
        order.iter().position(|key| *key == 0),
        Some(FAIRNESS as usize)
    );
}

#[test]
fn an_object_is_worked_on_by_one_worker_at_a_time_and_once_more_for_all_that_was_asked_meanwhile() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add("a", Urgent, now);
    queue.pop(now).unwrap();
    queue.add("a", Routine, now);
    queue.add("a", Urgent, now);
    assert_eq!(queue.pop(now), None);
    queue.done(&"a", now);
    assert_eq!(queue.pop(now).unwrap().priority, Urgent);
    queue.done(&"a", now);
    assert_eq!(queue.pop(now), None);
}

#[test]
fn a_delayed_object_holds_nobody_up_and_comes_at_its_time() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add_at("slow", Routine, later(now, 100), now);
    queue.add("a", Routine, now);
    assert_eq!(keys(&mut queue, now), ["a"]);
    assert_eq!(queue.next_due(), Some(later(now, 100)));
    assert_eq!(keys(&mut queue, later(now, 99)), [""; 0]);
    assert_eq!(keys(&mut queue, later(now, 100)), ["slow"]);
    assert_eq!(queue.next_due(), None);
}

#[test]
fn an_edit_cuts_a_delay_short() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add_at("a", Routine, later(now, 60_000), now);
    queue.add("a", Urgent, now);
    assert_eq!(queue.delayed(), 0);
    assert_eq!(keys(&mut queue, now), ["a"]);
}

#[test]
fn a_delay_asked_for_while_working_counts_afterwards() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add("a", Urgent, now);
    queue.pop(now).unwrap();
    queue.add_at("a", Routine, later(now, 50), now);
    assert_eq!(queue.next_due(), None);
    queue.done(&"a", now);
    assert_eq!(queue.next_due(), Some(later(now, 50)));
    assert_eq!(keys(&mut queue, later(now, 50)), ["a"]);
}

#[test]
fn failures_are_counted_in_a_row_and_a_success_ends_the_row() {
    let (mut queue, now) = (queue(), Instant::now());
    for expected in 1..=3 {
        queue.add("a", Routine, now);
        queue.pop(now).unwrap();
        assert_eq!(queue.failed(&"a"), expected);
        queue.done(&"a", now);
    }
    queue.add("a", Routine, now);
    queue.pop(now).unwrap();
    queue.succeeded(&"a");
    queue.done(&"a", now);
    assert_eq!(queue.failed(&"a"), 1);
}

#[test]
fn a_forgotten_object_is_not_tried_again_and_leaves_nothing_behind() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add("a", Urgent, now);
    queue.pop(now).unwrap();
    queue.failed(&"a");
    queue.add_at("a", Routine, later(now, 10), now);
    queue.forget(&"a");
    queue.done(&"a", now);
    queue.add_at("b", Routine, later(now, 10), now);
    queue.forget(&"b");
    assert!(queue.entries.is_empty() && queue.ready.is_empty() && queue.delayed.is_empty());
}

#[test]
fn the_wait_is_counted_from_when_the_object_was_due() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add_at("a", Routine, later(now, 100), now);
    assert_eq!(
        queue.pop(later(now, 130)).unwrap().waited,
        Duration::from_millis(30)
    );
}

#[test]
fn tenants_take_turns_whoever_came_first() {
    let (mut queue, now) = (queue(), Instant::now());
    for key in ["a/1", "a/2", "a/3", "b/1", "c/1"] {
        queue.add(key, Urgent, now);
    }
    assert_eq!(keys(&mut queue, now), ["a/1", "b/1", "c/1", "a/2", "a/3"]);
}

#[test]
fn who_has_used_much_time_waits_until_others_have_had_theirs() {
    let (mut queue, mut now) = (queue(), Instant::now());
    for key in ["a/1", "a/2"] {
        queue.add(key, Urgent, now);
    }
    assert_eq!(queue.pop(now).unwrap().key, "a/1");
    now = later(now, 10_000);
    queue.done(&"a/1", now);
    for key in ["b/1", "b/2", "b/3"] {
        queue.add(key, Urgent, now);
    }
    assert_eq!(keys(&mut queue, now), ["b/1", "b/2", "b/3", "a/2"]);
}

#[test]
fn nobody_saves_up_turns_by_waiting() {
    let (mut queue, mut now) = (queue(), Instant::now());
    queue.add("a/1", Urgent, now);
    queue.pop(now).unwrap();
    now = later(now, 10_000);
    queue.done(&"a/1", now);
    // All that was used is forgotten with the last object.
    for key in ["a/2", "a/3", "b/1", "b/2"] {
        queue.add(key, Urgent, now);
    }
    assert_eq!(keys(&mut queue, now), ["a/2", "b/1", "a/3", "b/2"]);
}

#[test]
fn one_tenant_holds_half_of_the_workers_at_most() {
    let (mut queue, now) = (Queue::new(4), Instant::now());
    for key in ["a/1", "a/2", "a/3", "a/4"] {
        queue.add(key, Urgent, now);
    }
    let given: Vec<_> = std::iter::from_fn(|| queue.pop(now)).collect();
    assert_eq!(given.len(), 2);
    queue.add("b/1", Routine, now);
    assert_eq!(
        queue.pop(now).unwrap().key,
        "b/1",
        "a worker is left for it"
    );
    queue.done(&"a/1", now);
    assert_eq!(queue.pop(now).unwrap().key, "a/3");
}

#[test]
fn a_single_worker_serves_everybody() {
    let (mut queue, now) = (Queue::new(1), Instant::now());
    for key in ["a/1", "b/1"] {
        queue.add(key, Urgent, now);
    }
    assert_eq!(keys(&mut queue, now), ["a/1", "b/1"]);
}

#[test]
fn what_failed_before_comes_after_its_tenants_other_objects() {
    let (mut queue, now) = (queue(), Instant::now());
    queue.add("a/bad", Urgent, now);
    queue.pop(now).unwrap();
    queue.failed(&"a/bad");
    queue.done(&"a/bad", now);
    for key in ["a/bad", "a/1", "a/2"] {
        queue.add(key, Urgent, now);
    }
    assert_eq!(keys(&mut queue, now), ["a/1", "a/2", "a/bad"]);
}

#[test]
fn nothing_is_kept_of_tenants_that_have_nothing_to_do() {
    let (mut queue, now) = (Queue::new(8), Instant::now());
    for key in ["a/1", "b/1", "c/1"] {
        queue.add(key, Urgent, now);
        queue.pop(now).unwrap();
        queue.done(&key, later(now, 5));
    }
    queue.add("d/1", Routine, now);
    queue.forget(&"d/1");
    assert!(queue.ready.is_empty() && queue.entries.is_empty());
}
