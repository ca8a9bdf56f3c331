#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use jiff::Timestamp;
use serde_json::json;
use signet_crds::external::refs::StoreKind;

use super::*;
use crate::external::testing::{Simple, text};

fn push(spec: Value) -> PushSecret {
    let mut whole =
        json!({"secretStoreRefs": [{"name": "vault"}], "selector": {"secret": {"name": "s"}}});
    whole
        .as_object_mut()
        .unwrap()
        .extend(spec.as_object().unwrap().clone());
    serde_json::from_value(json!({
        "apiVersion": "external-secrets.io/v1alpha1", "kind": "PushSecret",
        "metadata": {"name": "p", "namespace": "team", "generation": 1}, "spec": whole,
    }))
    .unwrap()
}

fn store(name: &str, labels: &[(&str, &str)]) -> Store {
    let labels = labels
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Store {
        reference: StoreRef {
            name: name.to_owned(),
            kind: StoreKind::SecretStore,
        },
        labels: labels.collect(),
    }
}

fn source() -> BTreeMap<String, Plaintext> {
    let values = [
        ("user", "ada"),
        ("password", "hunter2"),
        ("path_U002f_x", "z"),
    ];
    values
        .map(|(key, value)| (key.to_owned(), text(value)))
        .into()
}

fn planned(push: &PushSecret) -> Result<Plan, PushError> {
    let stores = [
        store("vault", &[("a", "b")]),
        store("aws", &[("a", "b")]),
        store("other", &[]),
    ];
    plan(
        push,
        Some(&source()),
        &stores,
        &Answers::default(),
        &mut Simple,
    )
}

fn places(plan: &Plan) -> Vec<String> {
    let place = |write: &Write| format!("{} {}", write.store.name, place_name(&write.remote));
    plan.writes.iter().map(place).collect()
}

fn entry(key: &str, remote: &str) -> Value {
    json!({"match": {"secretKey": key, "remoteRef": {"remoteKey": remote}}})
}

#[test]
fn each_entry_is_written_to_each_store() {
    let property =
        json!({"match": {"secretKey": "user", "remoteRef": {"remoteKey": "r", "property": "u"}}});
    let push = push(json!({
        "secretStoreRefs": [{"name": "other"}, {"labelSelector": {"matchLabels": {"a": "b"}}}],
        "data": [property, entry("password", "pw")],
    }));
    let plan = planned(&push).unwrap();
    assert_eq!(
        places(&plan),
        [
            "aws pw",
            "aws r/u",
            "other pw",
            "other r/u",
            "vault pw",
            "vault r/u"
        ]
    );
    assert_eq!(plan.writes[0].value, Fetched::Bytes(text("hunter2")));
}

#[test]
fn without_a_key_all_values_are_one() {
    let whole = push(
        json!({"data": [{"match": {"remoteRef": {"remoteKey": "all"}}, "conversionStrategy": "ReverseUnicode"}]}),
    );
    let plan = planned(&whole).unwrap();
    let Fetched::Fields(fields) = &plan.writes[0].value else {
        panic!("one value");
    };
    assert_eq!(
        fields.keys().collect::<Vec<_>>(),
        ["password", "path/x", "user"]
    );
}

#[test]
fn all_matching_keys_are_written_one_by_one_or_together() {
    let to = |rest: Value| {
        let mut entry = json!({"storeRef": {"name": "vault"}});
        entry
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        planned(&push(json!({"dataTo": [entry]})))
    };
    let each = to(
        json!({"match": {"regexp": "^(user|pass)"}, "rewrite": [{"regexp": {"source": "^", "target": "app/"}}]}),
    );
    assert_eq!(
        places(&each.unwrap()),
        ["vault app/password", "vault app/user"]
    );
    let bundle = to(json!({"remoteKey": "all", "match": {"regexp": "user"}})).unwrap();
    assert_eq!(places(&bundle), ["vault all"]);
    let one = to(json!({"rewrite": [{"regexp": {"source": ".*", "target": "x"}}]})).unwrap_err();
    assert!(
        one.to_string().starts_with("dataTo[0].rewrite[0]: "),
        "{one}"
    );
    let unlisted = to(json!({"storeRef": {"name": "aws"}})).unwrap_err();
    assert_eq!(unlisted, PushError::Unlisted(0));
}

#[test]
fn an_entry_of_data_counts_more_than_all_matching_keys_and_two_of_a_kind_are_an_error() {
    let both = push(json!({
        "dataTo": [{"storeRef": {"name": "vault"}, "match": {"regexp": "^user$"}}],
        "data": [entry("password", "user")],
    }));
    assert_eq!(
        planned(&both).unwrap().writes[0].value,
        Fetched::Bytes(text("hunter2"))
    );
    let twice = push(json!({"data": [entry("password", "x"), entry("user", "x")]}));
    assert_eq!(
        planned(&twice).unwrap_err().to_string(),
        "data[0] and data[1] both write `x`"
    );
}

#[test]
fn what_is_not_there_is_named_and_no_value_shows() {
    let error = planned(&push(json!({"data": [entry("nope", "x")]}))).unwrap_err();
    assert_eq!(error.to_string(), "data[0]: the source has no key `nope`");
    let error = planned(&push(json!({"secretStoreRefs": [{"name": "gone"}]}))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "SecretStore `gone` is not there, or not ready"
    );
    let wrong = json!({"match": {"secretKey": "user", "remoteRef": {"remoteKey": "r"}}, "metadata": {"kind": "hunter2"}});
    let error = planned(&push(json!({"data": [wrong]}))).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

#[test]
fn settings_are_read_from_their_envelope() {
    let metadata = json!({"apiVersion": "kubernetes.external-secrets.io/v1alpha1", "kind": "PushSecretMetadata", "spec": {"tags": {"a": "b"}}});
    assert_eq!(
        options::read(Some(&metadata)),
        Ok(json!({"tags": {"a": "b"}}))
    );
    assert_eq!(options::read(None), Ok(Value::Null));
    let mut unknown = metadata.clone();
    unknown["sepc"] = json!({});
    assert_eq!(
        options::read(Some(&unknown)),
        Err(OptionsError::Field("sepc".to_owned()))
    );
}

fn recorded(mut push: PushSecret) -> PushSecret {
    let plan = planned(&push).unwrap();
    let mut recorded = Recorded::of(&push);
    for write in &plan.writes {
        recorded.written(write);
    }
    push.status = after(&push, &Outcome::Synced, &recorded, Timestamp::UNIX_EPOCH);
    push
}

#[test]
fn what_is_asked_for_no_more_is_taken_back_where_that_is_said() {
    let spec = |policy: &str, data: Value| push(json!({"deletionPolicy": policy, "data": data}));
    let both = recorded(spec(
        "Delete",
        json!([entry("user", "u"), entry("password", "p")]),
    ));
    assert_eq!(planned(&both).unwrap().removals, []);
    let mut less = both.clone();
    less.spec.data.pop();
    let removals = planned(&less).unwrap().removals;
    assert_eq!(
        (&*removals[0].store, &*removals[0].place),
        ("SecretStore/vault", "p")
    );
    less.spec.deletion_policy = PushDeletionPolicy::None;
    assert_eq!(planned(&less).unwrap().removals, []);

    let gone = plan(
        &both,
        None,
        &[store("vault", &[])],
        &Answers::default(),
        &mut Simple,
    )
    .unwrap();
    assert_eq!((gone.writes.len(), gone.removals.len()), (0, 2));
    assert_eq!(all_removals(&both).len(), 2);

    let mut record = Recorded::of(&both);
    for removal in all_removals(&both) {
        record.removed(&removal);
    }
    assert!(record.stores().is_empty());
}

#[test]
fn the_interval_and_changes_decide_when_stores_are_written() {
    let at = |text: &str| -> Timestamp { text.parse().unwrap() };
    let mut push = push(json!({"data": [entry("user", "u")]}));
    assert_eq!(decide(&push, at("2026-06-01T12:00:00Z")), Refresh::Now);
    push.status = after(
        &push,
        &Outcome::Synced,
        &Recorded::of(&push),
        at("2026-06-01T12:00:00Z"),
    );
    let due = at("2026-06-01T13:00:00Z");
    assert_eq!(
        decide(&push, at("2026-06-01T12:30:00Z")),
        Refresh::Wait(due)
    );
    assert_eq!(decide(&push, due), Refresh::Now);
    assert_eq!(decide(&push, at("2026-06-01T11:00:00Z")), Refresh::Now);
    push.metadata.generation = Some(2);
    assert_eq!(decide(&push, at("2026-06-01T12:30:00Z")), Refresh::Now);
    push.metadata.generation = Some(1);
    push.spec.refresh_interval = Some("0".parse().unwrap());
    assert_eq!(decide(&push, due), Refresh::Never);
}

#[test]
fn a_failure_keeps_what_stands_in_the_stores() {
    let before = recorded(push(json!({"data": [entry("user", "u")]})));
    let failed = Outcome::Failed {
        message: "SecretStore `vault`: permission denied".to_owned(),
        transient: false,
    };
    let now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
    let status = after(&before, &failed, &Recorded::of(&before), now).unwrap();
    let old = before.status.unwrap();
    assert_eq!(status.synced_push_secrets, old.synced_push_secrets);
    assert_eq!(status.refresh_time, old.refresh_time);
    let types: Vec<_> = status
        .conditions
        .iter()
        .map(|c| (&*c.type_, &*c.reason))
        .collect();
    assert_eq!(types, [("Ready", "Errored"), ("Stalled", "Errored")]);
}
