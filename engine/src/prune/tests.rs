#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::*;
use crate::testing::{Cluster, at, edit, foreign_key, new_key, object, old_key, seal};
use signet_keys::keyring::SealingKey;
use signet_keys::sealed::Scope;

const GRACE: SignedDuration = SignedDuration::from_hours(24 * 30);

fn key(key: &SealingKey, created: &str) -> Key {
    Key {
        secret: key.name.clone(),
        fingerprint: key.fingerprint(),
        started: key.certificate.not_before(),
        created: at(created),
        active: true,
    }
}

/// The old key of January and the new one of February.
fn keys() -> Vec<Key> {
    vec![
        key(&new_key(), "2026-02-01T00:00:00Z"),
        key(&old_key(), "2026-01-01T00:00:00Z"),
    ]
}

/// An object whose one item is sealed for this key, as the controller left it.
fn applied(by: &SealingKey) -> SealedSecret {
    let item = seal(by, Scope::Strict, ("team-a", "demo"), "value");
    let mut cluster = Cluster::new(object(&[("a", item)]), None);
    cluster.reconcile();
    cluster.sealed
}

fn decide_at(objects: &[SealedSecret], now: &str) -> Decision {
    decide(keys(), objects, GRACE, at(now))
}

fn verdict_of_the_old(decision: &Decision) -> &Verdict {
    &decision.verdicts[1].1
}

#[test]
fn issue_336_a_key_that_no_object_needs_can_go_and_the_newest_stays() {
    let decision = decide_at(&[applied(&new_key())], "2026-06-01T00:00:00Z");
    let removable: Vec<_> = decision.removable().map(|key| &key.secret[..]).collect();
    assert_eq!(removable, ["old"]);
    assert_eq!(decision.verdicts[0].1, Verdict::Newest);
}

#[test]
fn issue_336_a_key_that_opened_an_item_stays_and_its_users_are_named() {
    let decision = decide_at(&[applied(&old_key())], "2026-06-01T00:00:00Z");
    let users = BTreeSet::from(["team-a/demo".to_owned()]);
    assert_eq!(*verdict_of_the_old(&decision), Verdict::Needed(users));
    assert_eq!(decision.removable().count(), 0);
}

#[test]
fn a_key_that_was_the_newest_of_late_stays_for_files_that_are_on_their_way() {
    let objects = [applied(&new_key())];
    let decision = decide_at(&objects, "2026-02-20T00:00:00Z");
    let since = at("2026-02-01T00:00:00Z");
    assert_eq!(*verdict_of_the_old(&decision), Verdict::Recent(since));
    let later = decide_at(&objects, "2026-03-04T00:00:00Z");
    assert_eq!(*verdict_of_the_old(&later), Verdict::Unneeded);
}

#[test]
fn while_it_is_not_known_what_an_object_needs_no_key_can_go() {
    let good = applied(&new_key());
    let edited = edit(&good, "/metadata/generation", json!(9));
    let mut new = good.clone();
    new.status = None;
    let mut forgotten = good.clone();
    forgotten.status.as_mut().unwrap().applied = None;
    let mut keyless = good.clone();
    let status = keyless.status.as_mut().unwrap();
    status.applied.as_mut().unwrap().keys.clear();
    let failed = applied(&foreign_key());
    for (sealed, why) in [
        (edited, Why::Stale),
        (new, Why::NeverApplied),
        (forgotten, Why::NeverApplied),
        (keyless, Why::NeverApplied),
        (failed, Why::NotSynced),
    ] {
        let decision = decide_at(&[good.clone(), sealed], "2026-06-01T00:00:00Z");
        assert_eq!(decision.unknown.len(), 1);
        assert_eq!(decision.unknown[0].why, why);
        assert_eq!(*verdict_of_the_old(&decision), Verdict::Unneeded);
        assert_eq!(decision.removable().count(), 0, "{why}");
    }
}

#[test]
fn the_newest_by_either_order_stays() {
    // A backup of the old key was restored after the new one was made.
    let mut keys = keys();
    keys[1].created = at("2026-03-01T00:00:00Z");
    let decision = decide(keys, &[], GRACE, at("2026-06-01T00:00:00Z"));
    let newest = |(_, verdict): &(Key, Verdict)| *verdict == Verdict::Newest;
    assert!(decision.verdicts.iter().all(newest));
}

#[test]
fn a_retired_key_is_judged_by_who_needs_it_and_never_counts_as_the_newest() {
    let mut keys = keys();
    keys[0].active = false;
    let decision = decide(
        keys,
        &[applied(&new_key())],
        GRACE,
        at("2026-06-01T00:00:00Z"),
    );
    assert!(matches!(decision.verdicts[0].1, Verdict::Needed(_)));
    assert_eq!(*verdict_of_the_old(&decision), Verdict::Newest);
}

#[test]
fn a_status_that_names_the_wrong_key_is_found_out_before_anything_is_removed() {
    let mut forged = applied(&old_key());
    let status = forged.status.as_mut().unwrap();
    status.applied.as_mut().unwrap().keys[0].fingerprint = new_key().fingerprint().to_string();
    let objects = [forged, applied(&new_key())];
    let decision = decide_at(&objects, "2026-06-01T00:00:00Z");
    assert_eq!(decision.removable().count(), 1, "the status is believed");

    let left = KeyRing::new(vec![new_key()]);
    assert_eq!(
        objects.map(|sealed| opens_with(&sealed, &left)),
        [false, true]
    );
}
