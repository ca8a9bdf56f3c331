#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use serde_json::{Map, Value, json};
use signet_crds::external::constants::{annotation, event, label};

use super::*;
use crate::external::testing::{Simple, answers, external, gone, items, secret};
use crate::external::{hash, needs, status};

fn app(target: Value) -> ExternalSecret {
    external(json!({"target": target, "data": [{"secretKey": "user", "remoteRef": {"key": "u"}}]}))
}

fn planned(external: &ExternalSecret, observed: Option<&Secret>) -> Plan {
    let answers = answers(&[("u", "ada")]);
    plan(
        external,
        &answers,
        observed,
        &Policy::default(),
        &mut Simple,
    )
}

/// What the cluster has after the first plan was carried out.
fn written(external: &ExternalSecret) -> Secret {
    let Action::Create(made) = planned(external, None).action else {
        panic!("nothing is created");
    };
    in_cluster(made.expose(), external)
}

/// The API server adds who wrote what.
fn in_cluster(made: &Secret, external: &ExternalSecret) -> Secret {
    let mut secret = made.clone();
    let keys = |names: Vec<&String>| -> Value {
        let named = names.iter().map(|name| (format!("f:{name}"), json!({})));
        named.collect::<Map<_, _>>().into()
    };
    let metadata = &made.metadata;
    let fields = json!({
        "f:data": keys(made.data.iter().flat_map(|data| data.keys()).collect()),
        "f:metadata": {
            "f:labels": keys(metadata.labels.iter().flat_map(|labels| labels.keys()).collect()),
            "f:annotations": keys(metadata.annotations.iter().flat_map(|all| all.keys()).collect()),
        },
    });
    let manager = hash::field_manager(external.metadata.name.as_deref().unwrap());
    let entry = json!([{
        "manager": manager, "operation": "Update", "apiVersion": "v1",
        "fieldsType": "FieldsV1", "fieldsV1": fields,
    }]);
    secret.metadata.managed_fields = serde_json::from_value(entry).unwrap();
    secret.metadata.uid = Some("s".to_owned());
    secret.metadata.resource_version = Some("7".to_owned());
    secret
}

fn with_item(mut secret: Secret, key: &str, value: &str) -> Secret {
    let data = secret.data.get_or_insert_default();
    data.insert(key.to_owned(), ByteString(value.into()));
    secret
}

fn updated(plan: &Plan) -> Secret {
    match &plan.action {
        Action::Update(manifest) => manifest.expose().clone(),
        other => panic!("{other:?}: {:?}", plan.outcome),
    }
}

fn keys(secret: &Secret) -> Vec<String> {
    items(secret).into_keys().collect()
}

fn failure(plan: &Plan) -> &Failure {
    assert_eq!(plan.action, Action::Keep);
    match &plan.outcome {
        Outcome::Failed(failure) => failure,
        other => panic!("{other:?}"),
    }
}

fn message(plan: &Plan) -> String {
    failure(plan).to_string()
}

fn label<'s>(secret: &'s Secret, name: &str) -> Option<&'s str> {
    secret
        .metadata
        .labels
        .as_ref()?
        .get(name)
        .map(String::as_str)
}

#[test]
fn a_secret_carries_the_marks_that_the_peer_knows() {
    let external = app(json!({}));
    let secret = written(&external);
    assert_eq!(
        items(&secret),
        [("user".to_owned(), "ada".to_owned())].into()
    );
    assert_eq!(label(&secret, label::MANAGED), Some("true"));
    let creator = hash::of_creator("team", "app");
    assert_eq!(label(&secret, label::CREATED_BY), Some(&*creator));
    let annotations = secret.metadata.annotations.as_ref().unwrap();
    let data = BTreeMap::from([("user".to_owned(), b"ada")]);
    assert_eq!(annotations[annotation::DATA_HASH], hash::of_data(&data));
    let owner = &secret.metadata.owner_references.as_ref().unwrap()[0];
    assert_eq!(
        (owner.controller, &*owner.kind),
        (Some(true), "ExternalSecret")
    );
    assert_eq!(planned(&external, None).events[0].reason, event::CREATED);
}

#[test]
fn what_is_as_described_is_not_written() {
    for policy in ["Owner", "Orphan", "CreateOrMerge"] {
        let external = app(json!({"creationPolicy": policy}));
        let plan = planned(&external, Some(&written(&external)));
        assert_eq!(plan.action, Action::Keep, "{policy}");
        assert_eq!(plan.outcome, Outcome::Synced(Synced::default()), "{policy}");
        assert!(plan.events.is_empty(), "{policy}");
    }
}

#[test]
fn an_owner_of_the_older_version_is_the_same_owner() {
    let external = app(json!({}));
    let mut secret = written(&external);
    let owner = &mut secret.metadata.owner_references.as_mut().unwrap()[0];
    owner.api_version = "external-secrets.io/v1beta1".to_owned();
    assert_eq!(planned(&external, Some(&secret)).action, Action::Keep);
}

#[test]
fn a_secret_that_nobody_of_us_made_is_not_replaced_unless_it_says_so() {
    for creation in ["Owner", "Orphan"] {
        let external = app(json!({"creationPolicy": creation}));
        let foreign = secret(json!({}), &[("token", "t")]);
        let plan = planned(&external, Some(&foreign));
        let remedy = "annotate the Secret with signet.dev/adopt: \"true\"";
        assert!(message(&plan).contains(remedy));
        assert_eq!(failure(&plan).reason(), "Conflict");

        let given = json!({"annotations": {"signet.dev/adopt": "true"}});
        let taken = updated(&planned(&external, Some(&secret(given, &[("token", "t")]))));
        assert_eq!(keys(&taken), ["user"]);
        let as_the_peer = Policy {
            takes_over: true,
            ..Policy::default()
        };
        let answers = answers(&[("u", "ada")]);
        let plan = super::plan(
            &external,
            &answers,
            Some(&foreign),
            &as_the_peer,
            &mut Simple,
        );
        assert_eq!(keys(&updated(&plan)), ["user"]);
        let ours = secret(
            json!({"labels": {label::MANAGED: "true"}}),
            &[("token", "t")],
        );
        assert_eq!(keys(&updated(&planned(&external, Some(&ours)))), ["user"]);
        let empty = secret(json!({}), &[]);
        assert_eq!(keys(&updated(&planned(&external, Some(&empty)))), ["user"]);
    }
}

#[test]
fn a_secret_of_another_external_secret_is_refused_under_every_policy() {
    let owned_by = |version: &str, kind: &str| json!([{"apiVersion": version, "kind": kind, "name": "other", "uid": "o", "controller": true}]);
    let owner = owned_by("external-secrets.io/v1", "ExternalSecret");
    let theirs = secret(json!({"ownerReferences": owner}), &[("token", "t")]);
    for policy in ["Owner", "Orphan", "Merge", "CreateOrMerge"] {
        let plan = planned(&app(json!({"creationPolicy": policy})), Some(&theirs));
        assert!(message(&plan).starts_with("target is owned by another ExternalSecret"));
    }
    let owner = owned_by("apps/v1", "Deployment");
    let marked = json!({"ownerReferences": owner, "labels": {label::MANAGED: "true"}});
    let controlled = secret(marked, &[]);
    let plan = planned(&app(json!({})), Some(&controlled));
    assert!(message(&plan).starts_with("failed to take ownership of target secret"));
    let merge = app(json!({"creationPolicy": "Merge"}));
    assert_eq!(
        keys(&updated(&planned(&merge, Some(&controlled)))),
        ["user"]
    );
}

#[test]
fn issue_5856_merging_keeps_what_others_wrote() {
    for policy in ["Merge", "CreateOrMerge"] {
        let external = app(json!({"creationPolicy": policy}));
        let theirs = secret(json!({"labels": {"theirs": "x"}}), &[("host", "h")]);
        let merged = updated(&planned(&external, Some(&theirs)));
        assert_eq!(keys(&merged), ["host", "user"]);
        assert_eq!(label(&merged, "theirs"), Some("x"));
        assert_eq!(label(&merged, label::CREATED_BY), None);
        assert!(merged.metadata.owner_references.is_none());
        assert_eq!(merged.metadata.resource_version.as_deref(), Some("7"));
    }
}

#[test]
fn issue_4167_items_that_were_ours_are_taken_out_and_it_is_told() {
    let external = app(json!({"creationPolicy": "CreateOrMerge"}));
    let before = with_item(written(&external), "host", "h");
    let mut renamed = external.clone();
    renamed.spec.data[0].secret_key = "login".to_owned();
    let plan = planned(&renamed, Some(&before));
    assert_eq!(keys(&updated(&plan)), ["host", "login"]);
    assert_eq!(
        plan.events[0].message,
        "secret updated; removed from it: user"
    );
}

#[test]
fn issue_2682_a_label_that_is_said_no_more_is_removed_for_names_of_any_length() {
    let metadata = json!({"labels": {"x": "1"}, "annotations": {"y": "2"}});
    for length in [3, 28, 40, 63, 100] {
        let mut external = app(json!({"name": "app", "template": {"metadata": metadata}}));
        external.metadata.name = Some("n".repeat(length));
        let before = written(&external);
        assert_eq!(label(&before, "x"), Some("1"));
        let metadata = &mut external.spec.target.template.as_mut().unwrap().metadata;
        metadata.labels.clear();
        metadata.annotations.clear();
        let after = updated(&planned(&external, Some(&before)));
        assert_eq!(label(&after, "x"), None, "{length}");
        assert!(
            !after.metadata.annotations.unwrap().contains_key("y"),
            "{length}"
        );
    }
}

#[test]
fn nothing_is_made_to_merge_into_and_nothing_at_all_without_a_target() {
    let plan = planned(&app(json!({"creationPolicy": "Merge"})), None);
    assert_eq!(
        (plan.action, plan.outcome),
        (Action::Keep, Outcome::NoTarget)
    );
    let plan = planned(&app(json!({"creationPolicy": "None"})), None);
    let synced = Outcome::Synced(Synced::default());
    assert_eq!((plan.action, plan.outcome), (Action::Keep, synced));
}

#[test]
fn when_nothing_is_left_the_deletion_policy_decides() {
    let nothing = gone(answers(&[]), "u");
    let plan = |target: Value, observed: Option<&Secret>| {
        plan(
            &app(target),
            &nothing,
            observed,
            &Policy::default(),
            &mut Simple,
        )
    };
    let delete = json!({"deletionPolicy": "Delete"});
    let owned = written(&app(json!({})));
    let deleted = plan(delete.clone(), Some(&owned));
    let expected = Action::Delete {
        uid: "s".to_owned(),
        resource_version: "7".to_owned(),
    };
    assert_eq!(
        (&deleted.action, &deleted.outcome),
        (&expected, &Outcome::Deleted)
    );
    assert_eq!(deleted.events[0].reason, event::DELETED);
    assert_eq!(plan(delete.clone(), None).outcome, Outcome::Deleted);

    let foreign = secret(json!({}), &[("token", "t")]);
    let refused = message(&plan(delete, Some(&foreign)));
    assert!(refused.contains("does not belong to this ExternalSecret"));

    let kept = message(&plan(json!({}), Some(&owned)));
    assert!(kept.contains("there is no such secret"));

    let merge = json!({"deletionPolicy": "Merge", "creationPolicy": "CreateOrMerge"});
    let shared = with_item(written(&app(merge.clone())), "host", "h");
    assert_eq!(keys(&updated(&plan(merge, Some(&shared)))), ["host"]);
}

#[test]
fn a_search_that_finds_nothing_leaves_the_secret_as_it_is() {
    let external = external(json!({"dataFrom": [{"find": {"name": {"regexp": "."}}}]}));
    let mut nothing = answers(&[]);
    let find = needs::of(&external).unwrap().finds.pop_first().unwrap();
    nothing.finds.insert(find, Ok(BTreeMap::new()));
    let owned = written(&app(json!({})));
    let plan = plan(
        &external,
        &nothing,
        Some(&owned),
        &Policy::default(),
        &mut Simple,
    );
    assert_eq!(
        (plan.action, plan.outcome),
        (Action::Keep, Outcome::Retained)
    );
}

#[test]
fn issue_1049_what_is_missing_is_told_although_the_rest_is_there() {
    let external = external(json!({
        "target": {"deletionPolicy": "Merge"},
        "data": [
            {"secretKey": "user", "remoteRef": {"key": "u"}},
            {"secretKey": "password", "remoteRef": {"key": "nope"}},
        ],
    }));
    let answers = gone(answers(&[("u", "ada")]), "nope");
    let plan = plan(&external, &answers, None, &Policy::default(), &mut Simple);
    let Outcome::Synced(synced) = &plan.outcome else {
        panic!("{:?}", plan.outcome)
    };
    assert_eq!(synced.missing.len(), 1);
    let told = &plan.events[0];
    assert_eq!(told.reason, event::MISSING_PROVIDER_SECRET);
    assert!(
        told.message.contains("data[1] (key `password`)"),
        "{}",
        told.message
    );
}

#[test]
fn what_kubernetes_does_not_let_change_is_refused_before_it_is_tried() {
    let external = app(json!({"immutable": true}));
    let before = written(&external);
    assert_eq!(before.immutable, Some(true));
    assert_eq!(planned(&external, Some(&before)).action, Action::Keep);
    let other = with_item(before, "user", "other");
    let refused = message(&planned(&external, Some(&other)));
    assert!(refused.starts_with("could not update secret, target is immutable"));

    let typed = app(json!({"template": {"type": "kubernetes.io/tls"}}));
    let opaque = written(&app(json!({})));
    let refused = message(&planned(&typed, Some(&opaque)));
    assert!(refused.contains("has the type `Opaque`, which cannot become `kubernetes.io/tls`"));
}

#[test]
fn a_secret_that_is_being_deleted_is_waited_for() {
    let metadata = json!({
        "deletionTimestamp": "2026-01-01T00:00:00Z", "labels": {label::MANAGED: "true"},
    });
    let plan = planned(&app(json!({})), Some(&secret(metadata, &[("a", "b")])));
    assert_eq!(failure(&plan).remedy(), crate::outcome::Remedy::Retry);
}

#[test]
fn finalizers_are_added_and_never_taken_away() {
    let external = app(json!({"template": {"metadata": {"finalizers": ["a/b"]}}}));
    let mut before = written(&external);
    let finalizers = before.metadata.finalizers.as_mut().unwrap();
    assert_eq!(*finalizers, ["a/b"]);
    finalizers.push("c/d".to_owned());
    assert_eq!(planned(&external, Some(&before)).action, Action::Keep);
}

#[test]
fn a_secret_that_was_left_behind_under_another_name_is_known() {
    use crate::external::ownership::is_left_behind;
    let external = app(json!({"name": "new"}));
    let old = app(json!({"name": "old"}));
    let mut secret = written(&old).metadata;
    assert!(is_left_behind(&external, &secret));
    assert!(!is_left_behind(&old, &secret));
    secret.owner_references = None;
    assert!(!is_left_behind(&external, &secret));
}

#[test]
fn what_would_get_a_credential_of_the_cluster_is_refused() {
    let token = "kubernetes.io/service-account-token";
    let name = json!({"kubernetes.io/service-account.name": "admin"});
    for template in [
        json!({"type": "bootstrap.kubernetes.io/token"}),
        json!({"type": token, "metadata": {"annotations": name}}),
        json!({"type": token, "templateFrom": [{"target": "Annotations", "literal": "a: b"}]}),
    ] {
        let plan = planned(&app(json!({"template": template})), None);
        assert!(message(&plan).contains("credential of the cluster"));
    }
    let manifest = json!({"manifest": {"apiVersion": "v1", "kind": "ConfigMap"}});
    assert!(message(&planned(&app(manifest), None)).contains("this version makes Secrets only"));
}

#[test]
fn a_failure_is_told_once() {
    let mut external = app(json!({}));
    let empty = answers(&[]);
    let plan =
        |external: &ExternalSecret| plan(external, &empty, None, &Policy::default(), &mut Simple);
    let first = plan(&external);
    assert_eq!(first.events[0].reason, event::UPDATE_FAILED);
    external.status = status::after(&external, &first.outcome, jiff::Timestamp::UNIX_EPOCH);
    assert!(plan(&external).events.is_empty());
}
