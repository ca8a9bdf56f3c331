#![allow(clippy::unwrap_used)]

use serde_json::json;
use zeroize::Zeroizing;

use super::*;
use crate::files::Input;

const FILE: &str = "\
# two of ours
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: x, namespace: b, creationTimestamp: \"2026-01-01T00:00:00Z\"}
spec:
    encryptedData:
        b: OLD   # the second
        a: \"OLD\"
    template:
        data: {url: \"{{ .a }}\"}
---
kind: SealedSecret
apiVersion: bitnami.com/v1alpha1
metadata: {name: y, namespace: b}
spec: {encryptedData: {c: OLD}}
";

fn re_encrypted(answers: &[Value], options: &Options) -> Result<String, ReEncryptError> {
    let input = Input::File("sealed.yaml".into());
    let bytes = Zeroizing::new(FILE.as_bytes().to_vec());
    let manifest = Manifest::parse(&input, bytes).unwrap();
    let mut sealed = read_all(&manifest)?;
    for ((_, document), answer) in sealed.iter_mut().zip(answers) {
        take_ciphertext(document, answer)?;
    }
    in_place(options, &manifest, &sealed)
}

fn answer(items: &Value) -> Value {
    json!({"spec": {"encryptedData": items, "template": {"metadata": {"name": "other"}}}})
}

fn answers() -> [Value; 2] {
    [
        answer(&json!({"b": "NEWb", "a": "NEWa"})),
        answer(&json!({"c": "NEWc"})),
    ]
}

#[test]
fn only_the_ciphertext_of_a_file_changes() {
    let text = re_encrypted(&answers(), &Options::default()).unwrap();
    let expected = FILE
        .replace("b: OLD", "b: NEWb")
        .replace("a: \"OLD\"", "a: \"NEWa\"")
        .replace("c: OLD", "c: NEWc");
    assert_eq!(text, expected);
}

#[test]
fn d2_another_form_keeps_the_template_too() {
    let options = Options {
        secret_file: "sealed.yaml".to_owned(),
        format: Some("json".to_owned()),
        ..Options::default()
    };
    // The name of the file decides over -o, so it stays as it is.
    assert!(
        re_encrypted(&answers(), &options)
            .unwrap()
            .starts_with("# two")
    );
    let options = Options {
        secret_file: "sealed".to_owned(),
        ..options
    };
    let text = re_encrypted(&answers(), &options).unwrap();
    let mut objects = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let first = objects.next().unwrap().unwrap();
    assert_eq!(first["spec"]["template"]["data"]["url"], "{{ .a }}");
    assert_eq!(first["spec"]["encryptedData"]["a"], "NEWa");
    assert_eq!(first["metadata"], json!({"name": "x", "namespace": "b"}));
    assert!(objects.next().is_some());
}

#[test]
fn an_answer_with_other_items_is_refused() {
    for items in [json!({"a": "NEW"}), json!({"a": 1, "b": 2}), json!(null)] {
        let answers = [answer(&items)];
        assert!(matches!(
            re_encrypted(&answers, &Options::default()),
            Err(ReEncryptError::Answer)
        ));
    }
}
