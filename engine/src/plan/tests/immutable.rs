use super::*;
use crate::testing::annotate;

const RECREATE: &str = "signet.dev/recreate-immutable";

fn frozen(data: &[(&str, &str)]) -> Secret {
    Secret {
        immutable: Some(true),
        ..secret(&owned(&json!({})), data)
    }
}

fn immutable(items: &[(&str, &str)]) -> SealedSecret {
    edit(
        &sealed(items),
        "/spec/template",
        json!({ "immutable": true }),
    )
}

#[test]
fn issue_574_and_1428_immutable_is_honoured_on_creation_and_later() {
    let Action::Create(manifest) = act(&immutable(&[("a", "1")]), None) else {
        panic!()
    };
    assert_eq!(manifest.expose().immutable, Some(true));
    let written = replaced(
        &immutable(&[("a", "1")]),
        &secret(&owned(&json!({})), &[("a", "1")]),
    );
    assert_eq!(written.immutable, Some(true));
}

#[test]
fn an_immutable_secret_that_would_change_is_refused_with_the_remedy() {
    let refusal = refused(&immutable(&[("a", "2")]), &frozen(&[("a", "1")]));
    let message = refusal.to_string();
    assert!(message.starts_with("Error updating team-a/demo: the target Secret is immutable"));
    assert!(message.contains(RECREATE));
}

#[test]
fn an_immutable_secret_that_stays_the_same_is_kept() {
    assert_eq!(
        act(&immutable(&[("a", "1")]), Some(&frozen(&[("a", "1")]))),
        Action::Keep
    );
    assert_eq!(
        act(&sealed(&[("a", "1")]), Some(&frozen(&[("a", "1")]))),
        Action::Keep
    );
}

#[test]
fn labels_of_an_immutable_secret_can_change() {
    let template = json!({ "immutable": true, "metadata": { "labels": { "new": "1" } } });
    let labelled = edit(&immutable(&[("a", "1")]), "/spec/template", template);
    let written = replaced(&labelled, &frozen(&[("a", "1")]));
    assert_eq!(written.metadata.labels.unwrap()["new"], "1");
}

#[test]
fn thawing_an_immutable_secret_is_refused() {
    let thawed = edit(
        &sealed(&[("a", "1")]),
        "/spec/template",
        json!({ "immutable": false }),
    );
    let refusal = refused(&thawed, &frozen(&[("a", "1")]));
    assert!(matches!(refusal, Refusal::Immutable { .. }));
}

#[test]
fn an_immutable_secret_is_made_again_on_request() {
    let sealed = annotate(&immutable(&[("a", "2")]), RECREATE, "true");
    let Action::Recreate {
        uid,
        resource_version,
        create,
    } = act(&sealed, Some(&frozen(&[("a", "1")])))
    else {
        panic!()
    };
    assert_eq!(
        (uid.as_str(), resource_version.as_str()),
        ("secret-1", "100")
    );
    let create = create.expose();
    assert_eq!(texts(create), data(&[("a", "2")]));
    assert_eq!(
        (&create.metadata.uid, &create.metadata.resource_version),
        (&None, &None)
    );
    assert_eq!(create.immutable, Some(true));
}

#[test]
fn the_request_does_not_reach_a_secret_of_somebody_else() {
    let sealed = annotate(&immutable(&[("a", "2")]), RECREATE, "true");
    let theirs = json!({ "annotations": { "sealedsecrets.bitnami.com/patch": "true" } });
    let theirs = Secret {
        immutable: Some(true),
        ..secret(&theirs, &[("a", "1")])
    };
    assert!(matches!(
        refused(&sealed, &theirs),
        Refusal::Immutable { .. }
    ));
}

#[test]
fn another_type_is_refused_or_made_again_on_request() {
    let typed = edit(
        &sealed(&[("a", "1")]),
        "/spec/template",
        json!({ "type": "example.com/t" }),
    );
    let observed = secret(&owned(&json!({})), &[("a", "1")]);
    let refusal = refused(&typed, &observed);
    assert!(
        refusal
            .to_string()
            .contains("has the type Opaque and would need example.com/t")
    );
    let Action::Recreate { create, .. } = act(&annotate(&typed, RECREATE, "true"), Some(&observed))
    else {
        panic!()
    };
    assert_eq!(create.expose().type_.as_deref(), Some("example.com/t"));
}
