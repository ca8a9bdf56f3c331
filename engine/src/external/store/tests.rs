#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use serde_json::{Value, json};

use super::*;

fn store(conditions: Value) -> StoreSpec {
    serde_json::from_value(json!({"provider": {"fake": {"data": []}}, "conditions": conditions}))
        .unwrap()
}

fn labels(labels: &[(&str, &str)]) -> BTreeMap<String, String> {
    labels
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn admitted(conditions: Value, namespace: &str, with: &[(&str, &str)]) -> bool {
    may_use(&store(conditions), namespace, &labels(with)).unwrap()
}

#[test]
fn any_condition_that_fits_admits_a_namespace() {
    assert!(admitted(json!([]), "any", &[]));
    let conditions = json!([
        {"namespaces": ["a"], "namespaceRegexes": ["^team-"]},
        {"namespaceSelector": {"matchLabels": {"env": "prod"}}},
    ]);
    for (namespace, with, expected) in [
        ("a", &[][..], true),
        ("team-x", &[], true),
        ("my-team-x", &[], false),
        ("b", &[("env", "prod")], true),
        ("b", &[("env", "dev")], false),
    ] {
        assert_eq!(
            admitted(conditions.clone(), namespace, with),
            expected,
            "{namespace}"
        );
    }
    assert!(!admitted(json!([{}]), "any", &[]));
}

#[test]
fn an_expression_that_is_none_admits_nobody() {
    let broken = store(json!([{"namespaces": ["a"], "namespaceRegexes": ["("]}]));
    assert!(may_use(&broken, "a", &BTreeMap::new()).is_err());
}

#[test]
fn selectors_mean_what_they_mean_in_kubernetes() {
    let select = |expression: Value, with: &[(&str, &str)]| {
        let selector = serde_json::from_value(json!({"matchExpressions": [expression]})).unwrap();
        selects(&selector, &labels(with))
    };
    let prod = &[("env", "prod")][..];
    let requirement =
        |operator: &str| json!({"key": "env", "operator": operator, "values": ["prod", "test"]});
    assert!(select(requirement("In"), prod) && !select(requirement("In"), &[]));
    assert!(!select(requirement("NotIn"), prod) && select(requirement("NotIn"), &[]));
    assert!(select(requirement("Exists"), prod) && !select(requirement("Exists"), &[]));
    assert!(!select(requirement("DoesNotExist"), prod) && select(requirement("DoesNotExist"), &[]));
    assert!(!select(requirement("Near"), prod));
}

#[test]
fn a_store_for_another_controller_is_left_to_it() {
    let policy = Policy::default();
    assert!(is_ours(None, &policy) && is_ours(Some("default"), &policy));
    assert!(!is_ours(Some("other"), &policy));
    let named = Policy {
        class: "mine".to_owned(),
        ..Policy::default()
    };
    assert!(
        is_ours(None, &named) && is_ours(Some("mine"), &named) && !is_ours(Some("default"), &named)
    );
}

#[test]
fn the_status_of_a_store_says_what_the_check_found() {
    let now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
    let valid = Checked::Valid(Capabilities::ReadWrite);
    let status = after(None, Some(1), &valid, now).unwrap();
    assert_eq!(
        (&*status.conditions[0].status, &*status.conditions[0].reason),
        ("True", "Valid")
    );
    assert!(is_usable(Some(&status)) && is_usable(None));
    assert_eq!(after(Some(&status), Some(1), &valid, now), None);
    let failed = Checked::Failed {
        message: "permission denied".to_owned(),
        transient: false,
    };
    let status = after(Some(&status), Some(1), &failed, now).unwrap();
    let types: Vec<_> = status
        .conditions
        .iter()
        .map(|c| (&*c.type_, &*c.status))
        .collect();
    assert_eq!(types, [("Ready", "False"), ("Stalled", "True")]);
    assert_eq!(status.conditions[0].reason, "InvalidProviderConfig");
    assert_eq!(status.capabilities, Some(Capabilities::ReadWrite));
    assert!(!is_usable(Some(&status)));
    let unknown = after(
        None,
        Some(1),
        &Checked::Unknown(Capabilities::ReadOnly),
        now,
    )
    .unwrap();
    assert_eq!(
        (
            &*unknown.conditions[0].status,
            &*unknown.conditions[0].reason
        ),
        ("True", "ValidationUnknown")
    );
    let other = Checked::NotServed {
        provider: "akeyless".to_owned(),
    };
    let unserved = after(None, Some(1), &other, now).unwrap();
    assert!(
        unserved.conditions[0]
            .message
            .starts_with("provider not supported: `akeyless`")
    );
}
