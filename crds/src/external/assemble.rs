//! CustomResourceDefinitions from what a type says and from its schemas.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceConversion, CustomResourceDefinition, CustomResourceDefinitionVersion,
    CustomResourceValidation, JSONSchemaProps,
};
use kube::core::CustomResourceExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::constants::label;
use crate::schema;

/// The schema of an object with this spec and status.
pub fn object<Spec: JsonSchema, Status: JsonSchema>(description: &str) -> Value {
    json!({
        "type": "object",
        "description": description,
        "required": ["spec"],
        "properties": {
            "spec": schema::of::<Spec>(),
            "status": schema::of::<Status>(),
        },
    })
}

/// The same for a spec that need not be there, as all of it has defaults.
pub fn object_without_spec<Spec: JsonSchema, Status: JsonSchema>(description: &str) -> Value {
    let mut schema = object::<Spec, Status>(description);
    schema["properties"]["spec"]["default"] = json!({});
    schema
}

/// The schema of an object with any spec.
pub fn opaque<Status: JsonSchema>(description: &str) -> Value {
    let mut spec = schema::any_object();
    spec["description"] = json!("Kept as it is.");
    json!({
        "type": "object",
        "description": description,
        "properties": { "spec": spec, "status": schema::of::<Status>() },
    })
}

/// The definition of a resource, served also as `v1beta1` if there is a schema for that.
pub fn crd<R: CustomResourceExt>(
    schema: &Value,
    v1beta1: Option<&Value>,
) -> CustomResourceDefinition {
    complete(R::crd(), schema, v1beta1)
}

/// Gives a definition what all of them have, and its schemas.
pub fn complete(
    mut crd: CustomResourceDefinition,
    schema: &Value,
    v1beta1: Option<&Value>,
) -> CustomResourceDefinition {
    crd.metadata.labels = Some(BTreeMap::from([(
        label::COMPONENT.to_owned(),
        label::COMPONENT_VALUE.to_owned(),
    )]));
    let names = &mut crd.spec.names;
    names.list_kind = Some(format!("{}List", names.kind));
    for version in &mut crd.spec.versions {
        version.schema = Some(validation(schema));
    }
    if let Some(older) = v1beta1 {
        let older = older_version(&crd.spec.versions[0], older);
        crd.spec.versions.push(older);
        crd.spec.conversion = Some(CustomResourceConversion {
            strategy: "None".to_owned(),
            ..CustomResourceConversion::default()
        });
    }
    crd
}

fn older_version(
    newer: &CustomResourceDefinitionVersion,
    schema: &Value,
) -> CustomResourceDefinitionVersion {
    CustomResourceDefinitionVersion {
        name: "v1beta1".to_owned(),
        storage: false,
        schema: Some(validation(schema)),
        deprecated: Some(true),
        selectable_fields: None,
        ..newer.clone()
    }
}

fn validation(schema: &Value) -> CustomResourceValidation {
    #[expect(
        clippy::expect_used,
        reason = "the schema follows from types, and tests make it"
    )]
    let schema = JSONSchemaProps::deserialize(schema).expect("the schema of a type is a schema");
    CustomResourceValidation {
        open_api_v3_schema: Some(schema),
    }
}
