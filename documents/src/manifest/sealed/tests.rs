#![allow(clippy::unwrap_used)]

use serde_json::json;
use signet_keys::{Plaintext, sealed::Scope};

use super::{
    ItemError, SealError, SealShape, SecretError, Target, items, seal, seal_document, set_item,
    unset_item,
};
use crate::{manifest::resources, splice, yaml::Stream};

/// Stands for the encryption: shows that the value arrived, and where it was sealed for.
fn mark(target: &Target, key: &str, value: &Plaintext) -> Result<String, String> {
    let namespace = target.namespace.as_deref().unwrap_or_default();
    if value.expose() == b"refuse" {
        return Err("refused".to_owned());
    }
    let text: Vec<u8> = value.expose().iter().rev().copied().collect();
    Ok(format!(
        "Ag{}/{namespace}/{}/{key}/{}",
        target.scope,
        target.name,
        String::from_utf8_lossy(&text)
    ))
}

fn sealed_with(text: &str, shape: &SealShape<'_>) -> Result<String, SealError<String>> {
    let stream = Stream::parse(text).unwrap();
    seal_document(&stream.documents()[0], shape, mark)
}

fn sealed(text: &str) -> String {
    sealed_with(text, &SealShape::default()).unwrap()
}

#[test]
fn comments_order_and_layout_are_kept() {
    let secret = "\
# the database
---
apiVersion: v1
# a Secret
kind: Secret
metadata:
  # its name
  name: db # short
  namespace: prod
  labels:
    app: db # the app

type: Opaque # usual
# what nobody may see
data: # base64
  # the user
  user: cm9vdA== # root

  # the password
  \"password\": |
    aHVudGVy
    Mg==
immutable: true
";
    let expected = "\
# the database
---
apiVersion: bitnami.com/v1alpha1
# a Secret
kind: SealedSecret
metadata:
  # its name
  name: db # short
  namespace: prod
spec:
  # what nobody may see
  encryptedData: # base64
    # the user
    user: Agstrict/prod/db/user/toor # root

    # the password
    \"password\": Agstrict/prod/db/password/2retnuh
  template:
    metadata:
      labels:
        app: db # the app
      name: db
      namespace: prod

    type: Opaque # usual
    immutable: true
";
    assert_eq!(sealed(secret), expected);
}

#[test]
fn issue_104_string_data_overrides_data() {
    let text = sealed(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: y-\ndata:\n  # old\n  a: MQ==\n  b: Mg==\nstringData:\n  # new\n  c: '3'\n  # newer\n  a: \"2\"\n",
    );
    let expected = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: x\n  namespace: y-\nspec:\n  encryptedData:\n    # newer\n    a: \"Agstrict/y-/x/a/2\"\n    b: Agstrict/y-/x/b/2\n    # new\n    c: 'Agstrict/y-/x/c/3'\n  template:\n    metadata:\n      name: x\n      namespace: y-\n";
    assert_eq!(text, expected);
}

#[test]
fn issue_114_474_documents_keep_their_order_and_other_kinds_their_text() {
    let text = "# one\nkind: Secret\nmetadata: {name: a}\nstringData:\n  k: v\n---\n# other\nkind: ConfigMap\ndata: {k:   v}\n--- # two\napiVersion: v1\nkind: Secret\nmetadata:\n  name: b\nstringData:\n  k: w\n";
    let stream = Stream::parse(text).unwrap();
    let splices = resources(&stream)
        .filter(|resource| resource.kind() == Some("Secret"))
        .map(|resource| {
            seal(resource.node, &SealShape::default(), mark)
                .unwrap()
                .splice
        })
        .collect();
    let text = splice::apply(text, splices).unwrap();
    let kinds: Vec<_> = Stream::parse(&text)
        .unwrap()
        .documents()
        .iter()
        .map(|document| {
            let root = document.root().unwrap();
            root.get("kind").unwrap().text().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["SealedSecret", "ConfigMap", "SealedSecret"]);
    assert!(text.starts_with("# one\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n"));
    assert!(
        text.contains("---\n# other\nkind: ConfigMap\ndata: {k:   v}\n--- # two\n"),
        "{text}"
    );
}

#[test]
fn what_the_server_sets_and_what_repeats_the_values_is_left_out() {
    let text = sealed(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"data\":{\"a\":\"aHVudGVyMg==\"}}\n    # mine\n    team: x\n  creationTimestamp: \"2020-01-01T00:00:00Z\"\n  name: x\n  namespace: z\n  uid: 1-2-3\n  resourceVersion: \"4\"\n  ownerReferences:\n  - name: p\n  managedFields: []\ndata:\n  a: aHVudGVyMg==\nstatus: {}\n",
    );
    let expected = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: x\n  namespace: z\nspec:\n  encryptedData:\n    a: Agstrict/z/x/a/2retnuh\n  template:\n    metadata:\n      annotations:\n        # mine\n        team: x\n      name: x\n      namespace: z\n";
    assert_eq!(text, expected);
}

#[test]
fn the_scope_comes_from_the_annotations_or_from_the_caller() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: z\n  annotations:\n    sealedsecrets.bitnami.com/namespace-wide: \"true\"\nstringData:\n  a: b\n";
    let text = sealed(secret);
    assert!(text.contains("a: Agnamespace-wide/z/x/a/b\n"));
    assert_eq!(
        text.matches("namespace-wide: \"true\"").count(),
        2,
        "{text}"
    );
    let shape = SealShape {
        scope: Some(Scope::ClusterWide),
        ..SealShape::default()
    };
    let text = sealed_with(secret, &shape).unwrap();
    assert!(text.contains("a: Agcluster-wide/z/x/a/b\n"));
    assert!(!text.contains("/namespace-wide:"), "{text}");
    assert_eq!(text.matches("/cluster-wide: \"true\"").count(), 2, "{text}");
}

#[test]
fn name_and_namespace_can_be_given() {
    let shape = SealShape {
        name: Some("new"),
        namespace: Some("m"),
        ..SealShape::default()
    };
    let text = sealed_with(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x # old\nstringData:\n  a: b\n",
        &shape,
    )
    .unwrap();
    let expected = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: new # old\n  namespace: m\nspec:\n  encryptedData:\n    a: Agstrict/m/new/a/b\n  template:\n    metadata:\n      name: new\n      namespace: m\n";
    assert_eq!(text, expected);
}

#[test]
fn json_gives_json_with_two_spaces() {
    let text = sealed(
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"x\"},\"data\":{\"a\":\"MQ==\"}}\n",
    );
    let expected = "{\n  \"apiVersion\": \"bitnami.com/v1alpha1\",\n  \"kind\": \"SealedSecret\",\n  \"metadata\": {\n    \"name\": \"x\"\n  },\n  \"spec\": {\n    \"encryptedData\": {\n      \"a\": \"Agstrict//x/a/1\"\n    },\n    \"template\": {\n      \"metadata\": {\n        \"name\": \"x\"\n      }\n    }\n  }\n}\n";
    assert_eq!(text, expected);
}

#[test]
fn anchors_cost_the_layout_and_not_the_meaning() {
    let text = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: &n x\n  labels: {app: *n}\nstringData:\n  # which\n  a: *n\n";
    let stream = Stream::parse(text).unwrap();
    let root = stream.documents()[0].root().unwrap();
    let sealed = seal(root, &SealShape::default(), mark).unwrap();
    assert!(!sealed.layout_kept);
    assert_eq!(
        sealed.value["spec"]["template"]["metadata"]["labels"]["app"],
        "x"
    );
    assert_eq!(
        sealed.value["spec"]["encryptedData"]["a"],
        "Agstrict//x/a/x"
    );
}

#[test]
fn a_secret_in_a_list_is_sealed_in_its_place() {
    let text = "apiVersion: v1\nkind: List\nitems:\n# first\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: a\n  # what\n  stringData:\n    # this\n    k: v\n- kind: ConfigMap\n";
    let stream = Stream::parse(text).unwrap();
    let secret = resources(&stream).next().unwrap();
    assert_eq!(secret.name(), Some("a"));
    let sealed = seal(secret.node, &SealShape::default(), mark).unwrap();
    assert!(sealed.layout_kept);
    let expected = "apiVersion: v1\nkind: List\nitems:\n# first\n- apiVersion: bitnami.com/v1alpha1\n  kind: SealedSecret\n  metadata:\n    name: a\n  spec:\n    # what\n    encryptedData:\n      # this\n      k: Agstrict//a/k/v\n    template:\n      metadata:\n        name: a\n- kind: ConfigMap\n";
    assert_eq!(splice::apply(text, vec![sealed.splice]).unwrap(), expected);
}

#[test]
fn a_bad_secret_is_named_by_key_and_line_and_never_by_value() {
    let head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n";
    for (rest, expected) in [
        (
            "data:\n  a: hunter2!\n",
            "line 6, column 6: `data.a` is not base64",
        ),
        (
            "data:\n  a: aHVudGVyMg\n",
            "line 6, column 6: `data.a` is not base64",
        ),
        (
            "data:\n  a: 12\n",
            "line 6, column 6: `data.a` is a number, not a string",
        ),
        (
            "stringData:\n  a: 007\n",
            "line 6, column 6: `stringData.a` is a number, not a string",
        ),
        (
            "stringData:\n  a: yes\n",
            "line 6, column 6: `stringData.a` is a boolean, not a string",
        ),
        (
            "stringData:\n  a: [hunter2]\n",
            "line 6, column 6: `stringData.a` is a list, not a string",
        ),
        (
            "stringData: hunter2\n",
            "line 5, column 13: `stringData` must be a mapping",
        ),
        (
            "stringData:\n  a: hunter2\n  a: hunter3\n",
            "line 7, column 3: the key `a` stands already at line 6, column 3",
        ),
        (
            "type: Opaque\n",
            "line 1, column 1: the Secret has neither data nor stringData",
        ),
        (
            "stringData:\n  a: refuse\n",
            "cannot seal the item `a`: refused",
        ),
    ] {
        let error = sealed_with(&format!("{head}{rest}"), &SealShape::default()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?}").contains("hunter"), "{error:?}");
    }
}

#[test]
fn a_number_that_is_read_as_written_is_taken_as_kubeseal_does() {
    let text =
        sealed("kind: Secret\nmetadata:\n  name: x\nstringData:\n  port: 5432\n  on: true\n");
    assert!(text.contains("port: Agstrict//x/port/2345\n"), "{text}");
}

#[test]
fn other_kinds_are_refused_by_name() {
    let error = sealed_with("kind: ConfigMap\ndata: {}\n", &SealShape::default()).unwrap_err();
    assert!(matches!(
        error,
        SealError::Secret(SecretError::NotASecret { ref kind, .. }) if kind == "ConfigMap"
    ));
}

const SEALED: &str = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: x\nspec:\n  # items\n  encryptedData:\n    # one\n    a: AgA= # a\n    b: AgB=\n  template: {}\n";

#[test]
fn an_item_is_set_and_nothing_else_moves() {
    let stream = Stream::parse(SEALED).unwrap();
    let root = stream.documents()[0].root().unwrap();
    assert_eq!(items(root).unwrap(), [("a", "AgA="), ("b", "AgB=")]);
    let set = |key: &str| splice::apply(SEALED, set_item(root, key, "AgC=").unwrap()).unwrap();
    assert_eq!(set("a"), SEALED.replace("AgA=", "AgC="));
    assert_eq!(
        set("c"),
        SEALED.replace("b: AgB=\n", "b: AgB=\n    c: AgC=\n")
    );
    let unset = |key: &str| splice::apply(SEALED, unset_item(root, key).unwrap()).unwrap();
    assert_eq!(
        unset("a"),
        SEALED.replace("    # one\n    a: AgA= # a\n", "")
    );
    assert!(matches!(
        unset_item(root, "z"),
        Err(ItemError::NoSuchItem { .. })
    ));
}

#[test]
fn an_item_is_set_where_there_are_none_yet() {
    let head = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n";
    for (rest, expected) in [
        (
            "spec:\n  encryptedData: {}\n",
            "spec:\n  encryptedData:\n    a: AgA=\n",
        ),
        (
            "spec:\n  encryptedData:\n",
            "spec:\n  encryptedData:\n    a: AgA=\n",
        ),
        (
            "spec:\n  template: {}\n",
            "spec:\n  template: {}\n  encryptedData:\n    a: AgA=\n",
        ),
        ("spec: {}\n", "spec:\n  encryptedData:\n    a: AgA=\n"),
        ("", "spec:\n  encryptedData:\n    a: AgA=\n"),
    ] {
        let text = format!("{head}{rest}");
        let stream = Stream::parse(&text).unwrap();
        let root = stream.documents()[0].root().unwrap();
        let text = splice::apply(&text, set_item(root, "a", "AgA=").unwrap()).unwrap();
        assert_eq!(text, format!("{head}{expected}"));
    }
}

#[test]
fn an_item_of_an_object_in_a_list_is_set_in_its_place() {
    let text = json!({
        "kind": "List",
        "apiVersion": "v1",
        "items": [{
            "apiVersion": "bitnami.com/v1alpha1",
            "kind": "SealedSecret",
            "spec": {"encryptedData": {"a": "AgA="}},
        }],
    });
    let text = serde_json::to_string_pretty(&text).unwrap();
    let stream = Stream::parse(&text).unwrap();
    let sealed = resources(&stream).next().unwrap().node;
    let new = splice::apply(&text, set_item(sealed, "a", "AgB=").unwrap()).unwrap();
    assert_eq!(new, text.replace("AgA=", "AgB="));
}
