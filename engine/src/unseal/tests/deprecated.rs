use super::*;

fn blob(inside: &serde_json::Value) -> SealedSecret {
    let data = seal(&old_key(), Scope::Strict, HERE, &inside.to_string());
    edit(&object(&[]), "/spec/data", json!(data))
}

fn inside() -> serde_json::Value {
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": "other", "namespace": "elsewhere", "labels": { "app": "demo" },
            "ownerReferences": [{ "apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "x" }],
        },
        "type": "example.com/t",
        "data": { "a": "MQ==", "b": "MQ==" },
        "stringData": { "b": "2" },
    })
}

#[test]
fn the_whole_in_one_ciphertext_is_read() {
    let sealed = blob(&inside());
    let unsealed = open(&sealed).unwrap();
    assert_eq!(text(&unsealed, "a").as_deref(), Some("1"));
    assert_eq!(unsealed.secret.name, "demo");
    assert_eq!(unsealed.secret.namespace.as_deref(), Some("team-a"));
    assert_eq!(unsealed.secret.effective_type(), "example.com/t");
    assert_eq!(unsealed.secret.labels["app"], "demo");
    assert_eq!(unsealed.secret.owner.unwrap().kind, "SealedSecret");
    assert_eq!(unsealed.opened_by[""], old_key().fingerprint());
}

#[test]
fn issue_104_string_data_inside_wins_over_data() {
    assert_eq!(
        text(&open(&blob(&inside())).unwrap(), "b").as_deref(),
        Some("2")
    );
}

#[test]
fn the_whole_is_refused_where_the_administrator_says_so() {
    let policy = Policy {
        accept_deprecated_v1_data: false,
        ..Policy::default()
    };
    let error = unseal(&blob(&inside()), &ring(), &Hints::default(), &policy).unwrap_err();
    assert_eq!(error.brief(), "the deprecated field data is not accepted");
    assert_eq!(error.attempts, 0);
}

#[test]
fn both_forms_at_once_are_refused() {
    let sealed = edit(&sealed(&[("a", "1")]), "/spec/data", json!("AgA="));
    let error = open(&sealed).unwrap_err();
    assert_eq!(
        error.brief(),
        "both encryptedData and the deprecated data are set"
    );
}

#[test]
fn plaintext_that_is_no_secret_is_not_shown() {
    let data = seal(&new_key(), Scope::Strict, HERE, r#"{"data": "hunter2"}"#);
    let error = open(&edit(&object(&[]), "/spec/data", json!(data))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the deprecated field data does not hold a Secret"
    );
}

#[test]
fn a_missing_scope_annotation_is_named_for_the_whole_too() {
    let data = seal(&new_key(), Scope::ClusterWide, HERE, &inside().to_string());
    let error = open(&edit(&object(&[]), "/spec/data", json!(data))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cluster-wide: \"true\" is missing"),
        "{error}"
    );
}
