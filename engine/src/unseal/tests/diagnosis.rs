use super::*;

const NAMESPACE_WIDE: &str = "sealedsecrets.bitnami.com/namespace-wide";
const CLUSTER_WIDE: &str = "sealedsecrets.bitnami.com/cluster-wide";

fn message(sealed: &SealedSecret) -> String {
    open(sealed).unwrap_err().to_string()
}

#[test]
fn issue_450_and_322_a_missing_scope_annotation_is_named() {
    let sealed = object(&[("pw", seal(&old_key(), Scope::NamespaceWide, HERE, "1"))]);
    assert_eq!(
        message(&sealed),
        "no key could decrypt secret (pw): sealed for namespace-wide scope; the annotation \
         sealedsecrets.bitnami.com/namespace-wide: \"true\" is missing"
    );
    assert!(open(&annotate(&sealed, NAMESPACE_WIDE, "true")).is_ok());
}

#[test]
fn an_annotation_too_much_is_named() {
    let strict = annotate(&sealed(&[("pw", "1")]), NAMESPACE_WIDE, "true");
    assert!(message(&strict).ends_with(
        "sealed for strict scope; the annotation sealedsecrets.bitnami.com/namespace-wide must go"
    ));
    let narrower = object(&[("pw", seal(&new_key(), Scope::NamespaceWide, HERE, "1"))]);
    let narrower = annotate(&narrower, CLUSTER_WIDE, "true");
    assert!(message(&narrower).ends_with(
        "the annotation sealedsecrets.bitnami.com/namespace-wide: \"true\" is missing, and \
         sealedsecrets.bitnami.com/cluster-wide must go"
    ));
}

#[test]
fn an_object_that_was_renamed_is_told_its_old_name() {
    let sealed = object(&[("pw", seal(&new_key(), Scope::Strict, ("team-b", "db"), "1"))]);
    let template = json!({ "metadata": { "name": "db", "namespace": "team-b" } });
    let sealed = edit(&sealed, "/spec/template", template);
    assert!(
        message(&sealed).contains("sealed for team-b/db in strict scope; seal it again"),
        "{}",
        message(&sealed)
    );
}

#[test]
fn an_object_that_moved_is_told_its_old_namespace() {
    let sealed = object(&[(
        "pw",
        seal(&new_key(), Scope::NamespaceWide, ("team-b", "db"), "1"),
    )]);
    let sealed = edit(
        &sealed,
        "/spec/template",
        json!({ "metadata": { "namespace": "team-b" } }),
    );
    let sealed = annotate(&sealed, NAMESPACE_WIDE, "true");
    assert!(message(&sealed).contains("sealed for team-b in namespace-wide scope"));
}

#[test]
fn a_place_that_the_object_does_not_name_is_not_found_out() {
    let sealed = object(&[("pw", seal(&new_key(), Scope::Strict, ("team-b", "db"), "1"))]);
    assert!(!message(&sealed).contains("team-b"));
    assert!(message(&sealed).ends_with("scope that it was sealed for"));
}

#[test]
fn all_items_that_fail_for_one_reason_are_told_together() {
    let wide = |value| seal(&new_key(), Scope::ClusterWide, HERE, value);
    let foreign = seal(&foreign_key(), Scope::ClusterWide, HERE, "3");
    let sealed = object(&[("a", wide("1")), ("b", wide("2")), ("c", foreign)]);
    let error = open(&sealed).unwrap_err();
    let keys: Vec<_> = error
        .problems()
        .iter()
        .map(|problem| problem.keys.join(" "))
        .collect();
    assert_eq!(keys, ["a b", "c"]);
    assert!(
        error.problems()[0]
            .to_string()
            .contains("cluster-wide: \"true\" is missing")
    );
}
