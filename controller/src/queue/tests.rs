#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::{Priority::*, *};

fn keys(queue: &mut Queue<&'static str>, now: Instant) -> Vec<&'static str> {
    std::iter::from_fn(|| queue.pop(now).map(|turn| turn.key)).collect()
}

fn later(now: Instant, milliseconds: u64) -> Instant {
    now + Duration::from_millis(milliseconds)
}

#[test]
fn issue_1833_a_new_object_goes_before_the_whole_resync() {
    let (mut queue, now) = (Queue::default(), Instant::now());
    for key in ["a", "b", "c"] {
        queue.add(key, Routine, now);
    }
    queue.add("new", Urgent, now);
    assert_eq!(keys(&mut queue, now), ["new", "a", "b", "c"]);
}

#[test]
fn an_edit_of_an_object_that_stands_in_the_resync_moves_it_forward() {
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
    queue.add_at("a", Routine, later(now, 60_000), now);
    queue.add("a", Urgent, now);
    assert_eq!(queue.delayed(), 0);
    assert_eq!(keys(&mut queue, now), ["a"]);
}

#[test]
fn a_delay_asked_for_while_working_counts_afterwards() {
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
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
    let (mut queue, now) = (Queue::default(), Instant::now());
    queue.add_at("a", Routine, later(now, 100), now);
    assert_eq!(
        queue.pop(later(now, 130)).unwrap().waited,
        Duration::from_millis(30)
    );
}
