use super::*;

const MONTHLY: Renewal = Renewal {
    period: Some(SignedDuration::from_hours(30 * 24)),
    cutoff: None,
    may_mint: true,
};

fn one(key: &SealingKey, created: &str) -> Keys {
    load(&[stored(key, "k", created)])
}

#[test]
fn the_first_key_is_made() {
    let none = Keys::default();
    assert_eq!(
        needs_key(&none, at(FEBRUARY), &MONTHLY),
        Need::Key(Why::NoKey)
    );
    let never = Renewal {
        period: None,
        ..MONTHLY
    };
    assert_eq!(
        needs_key(&none, at(FEBRUARY), &never),
        Need::Key(Why::NoKey)
    );
}

#[test]
fn issue_702_no_key_is_made_where_that_is_forbidden() {
    let forbidden = Renewal {
        may_mint: false,
        ..MONTHLY
    };
    assert_eq!(
        needs_key(&Keys::default(), at(FEBRUARY), &forbidden),
        Need::Rescue(Why::NoKey)
    );
    let keys = one(&old_key(), JANUARY);
    let later = at("2027-01-01T00:00:00Z");
    assert_eq!(
        needs_key(&keys, later, &forbidden),
        Need::Nothing { until: None }
    );
}

#[test]
fn a_key_gets_a_successor_after_a_period() {
    let keys = one(&old_key(), JANUARY);
    let due = at("2026-01-31T00:00:00Z");
    let until = Some(due);
    assert_eq!(
        needs_key(&keys, at("2026-01-15T00:00:00Z"), &MONTHLY),
        Need::Nothing { until }
    );
    assert_eq!(needs_key(&keys, due, &MONTHLY), Need::Key(Why::Renewal));
    let never = Renewal {
        period: None,
        ..MONTHLY
    };
    assert_eq!(needs_key(&keys, due, &never), Need::Nothing { until: None });
}

#[test]
fn issue_1588_a_restored_key_is_used_for_a_period_before_it_gets_a_successor() {
    // Made in January, restored from a backup in March.
    let keys = one(&old_key(), "2026-03-01T00:00:00Z");
    let until = Some(at("2026-03-31T00:00:00Z"));
    assert_eq!(
        needs_key(&keys, at("2026-03-01T00:05:00Z"), &MONTHLY),
        Need::Nothing { until }
    );
}

#[test]
fn a_key_older_than_the_cutoff_gets_a_successor_at_once() {
    let keys = one(&old_key(), "2026-03-01T00:00:00Z");
    let cutoff = Renewal {
        cutoff: Some(at(FEBRUARY)),
        period: None,
        may_mint: true,
    };
    assert_eq!(
        needs_key(&keys, at("2026-03-02T00:00:00Z"), &cutoff),
        Need::Key(Why::Cutoff)
    );
    let younger = one(&new_key(), FEBRUARY);
    assert_eq!(
        needs_key(&younger, at("2026-03-02T00:00:00Z"), &cutoff),
        Need::Nothing { until: None }
    );
    let forbidden = Renewal {
        may_mint: false,
        ..cutoff
    };
    assert_eq!(
        needs_key(&keys, at("2026-03-02T00:00:00Z"), &forbidden),
        Need::Rescue(Why::Cutoff)
    );
}

#[test]
fn a_key_whose_certificate_expired_gets_a_successor() {
    let slow = Renewal {
        period: Some(SignedDuration::from_hours(24 * 365 * 50)),
        ..MONTHLY
    };
    let keys = one(&old_key(), JANUARY);
    let expiry = keys.ring.newest().unwrap().certificate.not_after();
    let after = expiry.checked_add(SignedDuration::from_secs(1)).unwrap();
    assert_eq!(
        needs_key(&keys, at(FEBRUARY), &slow),
        Need::Nothing { until: Some(after) }
    );
    assert_eq!(needs_key(&keys, after, &slow), Need::Key(Why::Expired));
}

#[test]
fn a_period_beyond_the_end_of_time_is_no_error() {
    let endless = Renewal {
        period: Some(SignedDuration::MAX),
        ..MONTHLY
    };
    let need = needs_key(&one(&old_key(), JANUARY), at(FEBRUARY), &endless);
    assert!(matches!(need, Need::Nothing { .. }));
}

#[test]
fn a_certificate_that_begins_in_the_future_neither_stops_renewal_nor_stays_the_newest() {
    // Made while a clock was a month ahead; the API server's was right.
    let created = "2025-12-31T00:00:00Z";
    let ahead = stored(&new_key(), "ahead", created);
    let now = at("2026-01-20T00:00:00Z");
    let keys = load(std::slice::from_ref(&ahead));
    let future: Vec<_> = keys
        .of_the_future(now, SignedDuration::from_hours(1))
        .collect();
    assert_eq!(future.len(), 1);
    let weekly = Renewal {
        period: Some(SignedDuration::from_hours(7 * 24)),
        ..MONTHLY
    };
    assert_eq!(needs_key(&keys, now, &weekly), Need::Key(Why::Renewal));
    // Its certificate begins earlier, in January, and it was made later.
    let successor = stored(&old_key(), "successor", "2026-01-01T00:00:01Z");
    assert_eq!(names(&load(&[ahead, successor])), ["successor", "ahead"]);
}

#[test]
fn a_clock_that_is_ahead_now_does_not_make_key_after_key() {
    // The key was just made by a clock that is a year ahead of the API server's.
    let key = one(&new_key(), "2025-02-01T00:00:00Z");
    let now = at("2026-02-01T00:00:05Z");
    assert!(matches!(
        needs_key(&key, now, &MONTHLY),
        Need::Nothing { .. }
    ));
}
