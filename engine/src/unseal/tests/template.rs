use super::*;

fn with_template(items: &[(&str, &str)], template: serde_json::Value) -> SealedSecret {
    edit(&sealed(items), "/spec/template", template)
}

#[test]
fn the_template_shapes_the_secret() {
    let template = json!({
        "type": "kubernetes.io/basic-auth",
        "immutable": true,
        "metadata": {
            "name": "ignored",
            "labels": { "app": "demo" },
            "annotations": { "note": "x" },
            "finalizers": ["example.com/f"],
        },
        "data": { "username": "bob" },
    });
    let unsealed = open(&with_template(&[("password", "s3cret")], template)).unwrap();
    let manifest = unsealed.secret.manifest();
    let secret = manifest.expose();
    assert_eq!(secret.type_.as_deref(), Some("kubernetes.io/basic-auth"));
    assert_eq!(secret.immutable, Some(true));
    assert_eq!(secret.metadata.name.as_deref(), Some("demo"));
    assert_eq!(secret.metadata.labels.as_ref().unwrap()["app"], "demo");
    assert_eq!(secret.metadata.annotations.as_ref().unwrap()["note"], "x");
    assert_eq!(
        secret.metadata.finalizers.as_deref(),
        Some(&["example.com/f".to_owned()][..])
    );
    assert_eq!(text(&unsealed, "username").as_deref(), Some("bob"));
}

#[test]
fn issue_1445_template_data_is_text_and_a_field_that_does_not_exist_is_named() {
    let template = json!({ "data": { "x": "aGk=" }, "stringData": { "y": "1" }, "spec": {} });
    let unsealed = open(&with_template(&[], template)).unwrap();
    assert_eq!(text(&unsealed, "x").as_deref(), Some("aGk="));
    assert_eq!(text(&unsealed, "y"), None);
    let warnings: Vec<_> = unsealed.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "spec.template.spec is not a field and has no effect",
            "spec.template.stringData is not a field; use spec.template.data",
        ]
    );
}

#[test]
fn issue_1607_an_item_that_would_have_to_be_rendered_fails_by_name() {
    let template = json!({ "data": { "u": "bob", "c": "{{ .u }}" } });
    let error = open(&with_template(&[("pw", "1")], template)).unwrap_err();
    assert_eq!(
        error.brief(),
        "templates are not supported by this version (c)"
    );
}

#[test]
fn d20_a_sealed_item_wins_over_plain_text_and_the_author_is_told() {
    let template = json!({ "data": { "pw": "plain", "other": "text" } });
    let unsealed = open(&with_template(&[("pw", "s3cret")], template)).unwrap();
    assert_eq!(text(&unsealed, "pw").as_deref(), Some("s3cret"));
    assert_eq!(
        unsealed.warnings,
        [Warning::Shadowed(vec!["pw".to_owned()])]
    );
}

#[test]
fn d19_null_leaves_a_sealed_item_out() {
    let template = json!({ "data": { "pw": null, "absent": null } });
    let unsealed = open(&with_template(&[("pw", "1"), ("kept", "2")], template)).unwrap();
    assert_eq!(text(&unsealed, "pw"), None);
    assert_eq!(text(&unsealed, "kept").as_deref(), Some("2"));
    assert_eq!(unsealed.warnings, []);
}

#[test]
fn issue_2059_default_labels_reach_every_secret_and_the_template_wins() {
    let labels = [("velero.io/exclude", "true"), ("app", "default")];
    let default_labels = labels.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    let policy = Policy {
        default_labels,
        ..Policy::default()
    };
    let template = json!({ "metadata": { "labels": { "app": "demo" } } });
    let sealed = with_template(&[("pw", "1")], template);
    let unsealed = unseal(&sealed, &ring(), &Hints::default(), &policy).unwrap();
    assert_eq!(unsealed.secret.labels["velero.io/exclude"], "true");
    assert_eq!(unsealed.secret.labels["app"], "demo");
}

#[test]
fn a_secret_without_owner_is_made_on_request() {
    let annotation = "sealedsecrets.bitnami.com/skip-set-owner-references";
    for (value, owned) in [("true", false), ("false", true)] {
        let template = json!({ "metadata": { "annotations": { annotation: value } } });
        let unsealed = open(&with_template(&[("pw", "1")], template)).unwrap();
        assert_eq!(unsealed.secret.owner.is_some(), owned, "{value}");
    }
}

#[test]
fn an_annotation_that_is_neither_yes_nor_no_is_warned_of_when_it_comes() {
    let plain = sealed(&[("a", "1")]);
    let policy = Policy::default();
    for (value, warned) in [("yes", true), ("True", true), ("", true), ("false", false)] {
        let object = annotate(&plain, "signet.dev/suspend", value);
        let warnings = open(&object).unwrap().warnings;
        assert_eq!(warnings.len(), usize::from(warned), "{value}");
        let seen = crate::recognise::digest(&object, &policy);
        let news = seen != crate::recognise::digest(&plain, &policy);
        assert_eq!(news, warned, "{value}");
    }
    let object = annotate(&plain, "signet.dev/suspend", "yes");
    assert_eq!(
        open(&object).unwrap().warnings[0].to_string(),
        "the annotation signet.dev/suspend has no effect: its value is \"yes\" and not \"true\" or \"false\""
    );
}
