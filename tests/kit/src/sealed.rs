//! SealedSecrets as tests write them, with no help of the program's own types.

use std::collections::BTreeMap;

use kube::api::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};
use signet_keys::sealed::Scope;

use crate::error::KitError;
use crate::sealer::Sealer;

/// The resource `sealedsecrets.bitnami.com/v1alpha1`.
pub fn resource() -> ApiResource {
    ApiResource::from_gvk_with_plural(
        &GroupVersionKind::gvk("bitnami.com", "v1alpha1", "SealedSecret"),
        "sealedsecrets",
    )
}

/// A SealedSecret that is being put together.
#[derive(Clone, Debug)]
pub struct SealedSecret {
    namespace: String,
    name: String,
    scope: Scope,
    items: BTreeMap<String, Value>,
    annotations: BTreeMap<String, String>,
    labels: BTreeMap<String, String>,
    template: Value,
    spec: BTreeMap<String, Value>,
}

impl SealedSecret {
    /// An empty one of strict scope.
    pub fn new(namespace: &str, name: &str) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
            scope: Scope::default(),
            items: BTreeMap::new(),
            annotations: BTreeMap::new(),
            labels: BTreeMap::new(),
            template: json!({"metadata": {"name": name, "namespace": namespace}}),
            spec: BTreeMap::new(),
        }
    }

    /// Sets the scope, and the annotation that says so. Items sealed before keep their label.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        if let Some(annotation) = scope.annotation() {
            self.annotations.insert(annotation.into(), "true".into());
        }
        self
    }

    /// Seals one item under the object's own label.
    pub fn item(
        mut self,
        sealer: &Sealer,
        key: &str,
        value: impl AsRef<[u8]>,
    ) -> Result<Self, KitError> {
        let text = sealer.seal(self.scope, &self.namespace, &self.name, value.as_ref())?;
        self.items.insert(key.into(), text.into());
        Ok(self)
    }

    /// The same for a test, which has nothing to say when it fails.
    ///
    /// # Panics
    /// When the value cannot be sealed.
    #[must_use]
    pub fn seal(self, sealer: &Sealer, key: &str, value: impl AsRef<[u8]>) -> Self {
        self.item(sealer, key, value)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Puts in an item as it is: sealed elsewhere, or not sealed at all.
    #[must_use]
    pub fn raw(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.items.insert(key.into(), value.into());
        self
    }

    /// Takes an item out.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.items.remove(key);
        self
    }

    /// The ciphertext of an item.
    pub fn ciphertext(&self, key: &str) -> Option<&str> {
        self.items.get(key).and_then(Value::as_str)
    }

    /// Annotates the SealedSecret.
    #[must_use]
    pub fn annotation(mut self, name: &str, value: &str) -> Self {
        self.annotations.insert(name.into(), value.into());
        self
    }

    /// Labels the SealedSecret.
    #[must_use]
    pub fn label(mut self, name: &str, value: &str) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Puts a value into the template by its JSON pointer, such as `/metadata/labels/app`.
    #[must_use]
    pub fn template(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        let steps = pointer
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~"));
        let slot = steps.fold(&mut self.template, |value, step| {
            if !value.is_object() {
                *value = json!({});
            }
            &mut value[step]
        });
        *slot = value.into();
        self
    }

    /// Puts a field into the spec.
    #[must_use]
    pub fn spec(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.spec.insert(field.into(), value.into());
        self
    }

    /// Renames the object; what is sealed keeps its label.
    #[must_use]
    pub fn renamed(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Moves the object; what is sealed keeps its label.
    #[must_use]
    pub fn moved(mut self, namespace: &str) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The object as JSON.
    pub fn to_json(&self) -> Value {
        let mut spec = json!({"encryptedData": self.items, "template": self.template});
        for (field, value) in &self.spec {
            spec[field] = value.clone();
        }
        json!({
            "apiVersion": "bitnami.com/v1alpha1",
            "kind": "SealedSecret",
            "metadata": {
                "name": self.name,
                "namespace": self.namespace,
                "annotations": self.annotations,
                "labels": self.labels,
            },
            "spec": spec,
        })
    }

    /// The object for a client.
    pub fn object(&self) -> DynamicObject {
        let mut object = DynamicObject::new(&self.name, &resource()).within(&self.namespace);
        let value = self.to_json();
        object.metadata.annotations = Some(self.annotations.clone());
        object.metadata.labels = Some(self.labels.clone());
        object.data = json!({"spec": value["spec"]});
        object
    }
}
