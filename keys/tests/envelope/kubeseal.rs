//! Items that the real kubeseal and controller packages 0.40.0 have sealed.

use serde::Deserialize;
use signet_keys::sealed::{self, Label, OpenError, Scope};

use crate::fixtures;

#[derive(Deserialize)]
struct Vector {
    key: String,
    scope: String,
    namespace: String,
    name: String,
    content: String,
    /// Base64; null for the content that is made by rule.
    value: Option<String>,
    item: String,
}

impl Vector {
    fn value(&self) -> Vec<u8> {
        match &self.value {
            Some(value) => sealed::decode(value).unwrap(),
            None => (0..=255).cycle().take(64 * 1024).collect(),
        }
    }

    fn scope(&self) -> Scope {
        self.scope.parse().unwrap()
    }
}

fn vectors() -> Vec<Vector> {
    let vectors: Vec<Vector> =
        serde_json::from_slice(&fixtures::read("kubeseal-0.40.0/vectors.json")).unwrap();
    assert_eq!(vectors.len(), 41);
    vectors
}

#[test]
fn every_item_of_kubeseal_opens_to_its_value() {
    for vector in vectors() {
        let label = Label::new(vector.scope(), &vector.namespace, &vector.name);
        let item = sealed::decode(&vector.item).unwrap();
        for key in fixtures::on_every_backend(&vector.key) {
            let value = sealed::open(&key, &label, &item).unwrap();
            let Vector {
                key: name,
                scope,
                content,
                ..
            } = &vector;
            let backend = key.public_key().backend();
            assert!(
                value.expose() == vector.value(),
                "{name} {scope} {content} {backend:?}"
            );
        }
    }
}

#[test]
fn an_item_of_kubeseal_opens_under_no_other_label() {
    for vector in vectors().iter().filter(|vector| vector.key == "rsa-2048") {
        let item = sealed::decode(&vector.item).unwrap();
        let own = Label::new(vector.scope(), &vector.namespace, &vector.name);
        let labels = Scope::ALL.into_iter().flat_map(|scope| {
            [("team-a", "db"), ("team-a", "db2"), ("team-b", "db")]
                .map(|(namespace, name)| Label::new(scope, namespace, name))
        });
        let key = fixtures::private_key(&vector.key);
        for label in labels.filter(|label| *label != own) {
            let opened = sealed::open(&key, &label, &item);
            assert_eq!(opened, Err(OpenError::Undecryptable), "{label:?}");
        }
    }
}

/// The older form of the resource is one envelope over the JSON of the whole Secret.
#[test]
fn the_whole_secret_of_spec_data_opens() {
    let text = fixtures::read("controller-0.40.0/spec-data.base64");
    let item = sealed::decode(std::str::from_utf8(&text).unwrap()).unwrap();
    let label = Label::new(Scope::Strict, "team-a", "db");
    for key in fixtures::on_every_backend("rsa-2048") {
        let json = sealed::open(&key, &label, &item).unwrap();
        let secret: serde_json::Value = serde_json::from_slice(json.expose()).unwrap();
        assert_eq!(secret["metadata"]["name"], "db");
        assert_eq!(secret["data"]["password"], sealed::encode(b"hunter2"));
    }
}
