//! Secrets that mean something to the cluster.

use super::*;

const LABEL: &str = "sealedsecrets.bitnami.com/sealed-secrets-key";

fn with_template(template: Value) -> SealedSecret {
    edit(&sealed(&[("a", "1")]), "/spec/template", template)
}

#[test]
fn a_secret_that_would_join_the_sealing_keys_is_refused_wherever_it_is() {
    for value in ["active", "compromised", ""] {
        let template = json!({ "metadata": { "labels": { LABEL: value } } });
        let sealed = with_template(template);
        let refusal = Action::Refuse(Refusal::SealingKey("demo".to_owned()));
        assert_eq!(act(&sealed, None), refusal);
        let existing = secret(&owned(&json!({})), &[("a", "0")]);
        assert_eq!(act(&sealed, Some(&existing)), refusal);
    }
}

#[test]
fn the_name_of_the_key_without_a_label_is_refused_in_the_namespace_of_keys_alone() {
    let planned = |place: (&str, &str)| {
        let sealed = sealed(&[("a", "1")]);
        let policy = Policy {
            unlabelled_key: Some((place.0.to_owned(), place.1.to_owned())),
            ..Policy::default()
        };
        plan(&sealed, &open(&sealed).unwrap(), None, &policy).action
    };
    assert!(matches!(
        planned(("team-a", "demo")),
        Action::Refuse(Refusal::SealingKey(_))
    ));
    assert!(matches!(planned(("team-b", "demo")), Action::Create(_)));
    assert!(matches!(planned(("team-a", "other")), Action::Create(_)));
}

#[test]
fn a_refused_sealing_key_is_the_objects_own_fault() {
    let template = json!({ "metadata": { "labels": { LABEL: "active" } } });
    let mut cluster = Cluster::new(with_template(template), None);
    let report = cluster.reconcile();
    assert_eq!(report.secret_writes, 0);
    let status = cluster.sealed.status.unwrap();
    assert_eq!(status.conditions[0].reason, "Invalid");
    assert!(status.conditions[0].message.contains(LABEL));
    assert_eq!(status.conditions[2].type_, "Stalled");
}

fn token(items: &[(&str, &str)]) -> Secret {
    Secret {
        type_: Some("kubernetes.io/service-account-token".to_owned()),
        ..secret(&owned(&json!({})), items)
    }
}

#[test]
fn what_kubernetes_adds_to_the_token_of_a_service_account_is_not_fought_over() {
    let sealed = with_template(json!({ "type": "kubernetes.io/service-account-token" }));
    let added = [("ca.crt", "x"), ("namespace", "team-a"), ("token", "t")];
    let filled = token(&[&[("a", "1")], &added[..]].concat());
    assert_eq!(act(&sealed, Some(&filled)), Action::Keep);

    let drifted = token(&[&[("a", "0"), ("b", "2")], &added[..]].concat());
    let written = replaced(&sealed, &drifted);
    assert_eq!(
        texts(&written),
        data(&[&[("a", "1")], &added[..]].concat()),
        "other items are still ours"
    );
}

#[test]
fn other_types_have_no_items_of_the_server() {
    let filled = secret(&owned(&json!({})), &[("a", "1"), ("token", "t")]);
    let written = replaced(&sealed(&[("a", "1")]), &filled);
    assert_eq!(texts(&written), data(&[("a", "1")]));
}
