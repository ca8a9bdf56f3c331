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
    assert!(message(&sealed).ends_with(
        "an item opens only with the key, namespace, name and scope that it was sealed for: put these \
         right, restore the key if it is lost, or seal the value again"
    ));
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

#[test]
fn a_key_that_opened_an_item_before_and_is_gone_is_named() {
    let sealed = object(&[
        ("lost", seal(&foreign_key(), Scope::Strict, HERE, "1")),
        (
            "other",
            seal(&foreign_key(), Scope::Strict, ("team-b", "db"), "2"),
        ),
    ]);
    let lost = foreign_key().fingerprint();
    let hints = Hints::from(BTreeMap::from([
        ("lost".to_owned(), lost),
        ("other".to_owned(), new_key().fingerprint()),
    ]));
    let told = format!(
        "no key could decrypt secret (lost): {lost} opened it before and is not among the sealing keys any \
         more: restore it (`signet keys restore`), or seal the value again"
    );
    for ring in [ring(), KeyRing::default()] {
        let error = unseal(&sealed, &ring, &hints, &Policy::default()).unwrap_err();
        let lines = error.to_string();
        assert!(lines.lines().any(|line| line == told), "{lines}");
        assert!(!error.brief().contains("SHA256"), "{}", error.brief());
    }
    let error = unseal(&sealed, &ring(), &hints, &Policy::default()).unwrap_err();
    assert!(
        !error
            .to_string()
            .contains(&new_key().fingerprint().to_string())
    );
}
