//! What other tools conclude from the JSON that we write. Their rules in our words: kstatus as Flux,
//! `kpt` and others use it, and the check that Argo CD has for this kind.

use super::*;

#[derive(Debug, PartialEq)]
enum Kstatus {
    Current,
    Failed,
    InProgress,
}

fn kstatus(object: &Value) -> Kstatus {
    let empty = Vec::new();
    let conditions = object["status"]["conditions"].as_array().unwrap_or(&empty);
    let is = |type_: &str| {
        conditions
            .iter()
            .find(|c| c["type"] == type_)
            .and_then(|c| c["status"].as_str())
    };
    let observed = object["status"]["observedGeneration"].as_i64();
    if observed.is_some() && observed != object["metadata"]["generation"].as_i64() {
        return Kstatus::InProgress;
    }
    match (is("Reconciling"), is("Stalled"), is("Ready")) {
        (Some("True"), _, _) => Kstatus::InProgress,
        (_, Some("True"), _) => Kstatus::Failed,
        (_, _, Some("False" | "Unknown")) => Kstatus::InProgress,
        (_, _, Some(_) | None) => Kstatus::Current,
    }
}

#[derive(Debug, PartialEq)]
enum Argo {
    Degraded,
    Healthy,
    Progressing,
}

fn argo(object: &Value) -> (Argo, String) {
    let conditions = object["status"]["conditions"].as_array();
    for condition in conditions
        .into_iter()
        .flatten()
        .filter(|c| c["type"] == "Synced")
    {
        let message = condition["message"].as_str().unwrap_or_default().to_owned();
        match condition["status"].as_str() {
            Some("False") => return (Argo::Degraded, message),
            Some("True") => return (Argo::Healthy, message),
            _ => {}
        }
    }
    (Argo::Progressing, String::new())
}

fn health(outcome: &Outcome) -> (Kstatus, Argo) {
    let object = json_of(&with(&sealed(&[("a", "1")]), outcome, T0));
    (kstatus(&object), argo(&object).0)
}

fn json_of(sealed: &SealedSecret) -> Value {
    serde_json::to_value(sealed).unwrap()
}

#[test]
fn success_is_healthy() {
    let outcome = applied(&sealed(&[("a", "1")]));
    assert_eq!(health(&outcome), (Kstatus::Current, Argo::Healthy));
}

#[test]
fn a_failure_for_a_person_is_failed_and_one_that_passes_is_in_progress() {
    assert_eq!(health(&api(422)), (Kstatus::Failed, Argo::Degraded));
    assert_eq!(health(&api(503)), (Kstatus::InProgress, Argo::Degraded));
}

#[test]
fn a_slow_first_attempt_is_in_progress() {
    assert_eq!(
        health(&Outcome::Progressing),
        (Kstatus::InProgress, Argo::Progressing)
    );
}

#[test]
fn a_generation_that_was_not_looked_at_is_in_progress() {
    let object = sealed(&[("a", "1")]);
    let object = with(&object, &applied(&object), T0);
    let object = json_of(&edit(&object, "/metadata/generation", json!(2)));
    assert_eq!(kstatus(&object), Kstatus::InProgress);
}

#[test]
fn argo_shows_cause_and_remedy_of_a_conflict() {
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), Some(secret(&json!({}), &[])));
    cluster.reconcile();
    let object = json_of(&cluster.sealed);
    assert_eq!(kstatus(&object), Kstatus::Failed);
    let (health, message) = argo(&object);
    assert_eq!(health, Argo::Degraded);
    assert!(
        message.contains("sealedsecrets.bitnami.com/managed"),
        "{message}"
    );
}
