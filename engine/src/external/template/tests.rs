#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use serde_json::{Value, json};

use super::*;
use crate::external::testing::{Simple, external, text};

fn items() -> BTreeMap<String, Plaintext> {
    [("user", "ada"), ("password", "p/w")]
        .map(|(key, value)| (key.to_owned(), text(value)))
        .into()
}

fn sources() -> Answers {
    let source = |kind| Source {
        kind,
        name: "tpl".to_owned(),
    };
    let map = [
        ("conf", "u={{ .user }}"),
        (
            "pairs",
            "k-{{ .user }}: {{ .password }}\nport: 5432\nflag: yes\nratio: 1.50\n",
        ),
    ];
    let map: BTreeMap<_, _> = map.map(|(key, value)| (key.to_owned(), text(value))).into();
    let mut answers = Answers::default();
    answers
        .sources
        .insert(source(SourceKind::ConfigMap), Ok(map.clone()));
    answers.sources.insert(source(SourceKind::Secret), Ok(map));
    answers
}

fn shaped(template: Value) -> Result<Shaped, String> {
    let external = external(json!({"target": {"template": template}}));
    shape(&external, items(), &sources(), &mut Simple).map_err(|error| error.to_string())
}

fn data(shaped: &Shaped) -> BTreeMap<&str, &str> {
    let text = |value: &'_ Plaintext| -> &'static str {
        String::from_utf8(value.expose().to_vec()).unwrap().leak()
    };
    shaped
        .data
        .iter()
        .map(|(key, value)| (key.as_str(), text(value)))
        .collect()
}

#[test]
fn without_a_template_the_items_are_the_data() {
    let out = shape(&external(json!({})), items(), &sources(), &mut Simple).unwrap();
    assert_eq!(out.data, items());
    let bare = shaped(json!({"type": "kubernetes.io/basic-auth", "metadata": {"labels": {"a": "{{ .user }}"}, "finalizers": ["x/y"]}})).unwrap();
    assert_eq!(bare.data, items());
    assert_eq!(bare.type_.as_deref(), Some("kubernetes.io/basic-auth"));
    assert_eq!(bare.labels["a"], "ada");
    assert_eq!(bare.finalizers, ["x/y"]);
}

#[test]
fn templates_stand_in_place_of_the_items_or_beside_them() {
    let uri = json!({"uri": "{{ .user }}:{{ .password }}"});
    let replaced = shaped(json!({"data": uri})).unwrap();
    assert_eq!(data(&replaced), [("uri", "ada:p/w")].into());
    let beside =
        shaped(json!({"mergePolicy": "Merge", "data": {"uri": "u", "user": "other"}})).unwrap();
    assert_eq!(
        data(&beside),
        [("password", "p/w"), ("uri", "u"), ("user", "other")].into()
    );
}

#[test]
fn templates_come_from_other_objects_and_literals() {
    for kind in ["configMap", "secret"] {
        let item = json!([{"key": "conf"}, {"key": "pairs", "templateAs": "KeysAndValues"}]);
        let out =
            shaped(json!({"templateFrom": [{kind: {"name": "tpl", "items": item}}]})).unwrap();
        let expected = [
            ("conf", "u=ada"),
            ("k-ada", "p/w"),
            ("flag", "true"),
            ("port", "5432"),
            ("ratio", "1.50"),
        ];
        assert_eq!(data(&out), expected.into(), "{kind}");
    }
    let literal = json!({"templateFrom": [{"literal": "{{ .user }}: x"}, {"literal": "b: aHVudGVyMg==", "valuesDecodingStrategy": "Base64"}], "data": {"ada": "wins"}});
    assert_eq!(
        data(&shaped(literal).unwrap()),
        [("ada", "wins"), ("b", "hunter2")].into()
    );
}

#[test]
fn results_go_into_labels_and_annotations() {
    let out = shaped(json!({
        "metadata": {"labels": {"tier": "{{ .user }}"}},
        "templateFrom": [
            {"target": "Labels", "literal": "tier: lost\nteam: {{ .user }}"},
            {"target": "annotations", "literal": "note: {{ .user }}"},
        ],
    }))
    .unwrap();
    assert_eq!((&*out.labels["tier"], &*out.labels["team"]), ("ada", "ada"));
    assert_eq!(out.annotations["note"], "ada");
    let elsewhere = shaped(json!({"templateFrom": [{"target": "spec.x", "literal": "a: b"}]}));
    assert!(
        elsewhere
            .unwrap_err()
            .contains("`spec.x` is no place in a Secret")
    );
}

#[test]
fn what_is_not_there_or_not_a_mapping_is_named() {
    let from = |from: Value| shaped(json!({"templateFrom": [from]})).unwrap_err();
    let absent = json!({"configMap": {"name": "nope", "items": []}});
    assert_eq!(
        from(absent),
        "target.template.templateFrom[0]: there is no ConfigMap `nope` in the namespace"
    );
    let item = json!({"configMap": {"name": "tpl", "items": [{"key": "nope"}]}});
    assert!(from(item).contains("ConfigMap `tpl` has no item `nope`"));
    for (literal, expected) in [
        ("[a]", "no YAML mapping"),
        ("a: [b]", "the value of `a` is not a text"),
        ("a: 'b", "no valid YAML"),
        ("a: b\n---\na: c", "no YAML mapping"),
        ("a/b: c", "cannot be a key"),
    ] {
        let error = from(json!({"literal": literal}));
        assert!(error.contains(expected), "{literal}: {error}");
    }
    assert_eq!(
        shaped(json!({"templateFrom": [{"literal": ""}]}))
            .unwrap()
            .data
            .len(),
        0
    );
}

#[test]
fn issue_4332_a_key_that_is_no_name_is_told_how_to_write() {
    let external =
        external(json!({"target": {"template": {"data": {"x": "{{ .tls.crt }}{{ .other }}"}}}}));
    let items = [
        ("tls.crt".to_owned(), text("c")),
        ("a-b".to_owned(), text("d")),
    ]
    .into();
    let error = shape(&external, items, &Answers::default(), &mut Broken).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("write `{{ index . \"tls.crt\" }}` for the key `tls.crt`"),
        "{message}"
    );
}

struct Broken;

impl Press for Broken {
    fn render(
        &mut self,
        _: &str,
        _: &str,
        _: &BTreeMap<String, Plaintext>,
    ) -> Result<Plaintext, TemplateError> {
        Err(TemplateError::new("map has no entry for key `tls`"))
    }
}

#[test]
fn issue_1885_what_argo_cd_tracks_by_is_not_copied() {
    let mut external = external(json!({}));
    let texts = |texts: &[&str]| {
        Some(
            texts
                .iter()
                .map(|name| ((*name).to_owned(), "v".to_owned()))
                .collect(),
        )
    };
    external.metadata.labels = texts(&[
        "app.kubernetes.io/instance",
        "argocd.argoproj.io/instance",
        "app.kubernetes.io/name",
        "team",
    ]);
    external.metadata.annotations = texts(&[
        "argocd.argoproj.io/tracking-id",
        "kubectl.kubernetes.io/last-applied-configuration",
        "signet.dev/adopt",
        "note",
        "external-secrets.io/force-sync",
    ]);
    let out = shape(&external, items(), &Answers::default(), &mut Simple).unwrap();
    assert_eq!(
        out.labels.keys().collect::<Vec<_>>(),
        ["app.kubernetes.io/name", "team"]
    );
    assert_eq!(
        out.annotations.keys().collect::<Vec<_>>(),
        ["external-secrets.io/force-sync", "note"]
    );
}

#[test]
fn no_error_shows_a_value() {
    for literal in [
        "{{ .password }}: [",
        "a: [{{ .password }}]",
        "a: '{{ .password }}",
    ] {
        let error = shaped(json!({"templateFrom": [{"literal": literal}]})).unwrap_err();
        assert!(!error.contains("p/w"), "{error}");
    }
}
