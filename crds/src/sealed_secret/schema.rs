//! Schemas that cannot be derived: as loose as the resource that clusters already have, since what
//! was admitted yesterday has to be admitted tomorrow.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use schemars::{Schema, SchemaGenerator, json_schema};

pub(super) fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string" })
}

pub(super) fn boolean(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "boolean" })
}

pub(super) fn byte(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "byte" })
}

pub(super) fn encrypted_data(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": { "type": "string" },
        "x-kubernetes-preserve-unknown-fields": true,
    })
}

/// The values are nullable: without that the API server drops `key: null` before anyone sees it.
pub(super) fn template_data(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "nullable": true,
        "additionalProperties": { "type": "string", "nullable": true },
    })
}

pub(super) fn template_metadata(_: &mut SchemaGenerator) -> Schema {
    let texts = json_schema!({ "type": "object", "additionalProperties": { "type": "string" } });
    json_schema!({
        "type": "object",
        "nullable": true,
        "properties": {
            "annotations": texts,
            "finalizers": { "type": "array", "items": { "type": "string" } },
            "labels": texts,
            "name": { "type": "string" },
            "namespace": { "type": "string" },
        },
        "x-kubernetes-preserve-unknown-fields": true,
    })
}

/// Takes out what says nothing: names of Rust types, and lists of required fields that are empty.
pub(super) fn tidy(schema: &mut JSONSchemaProps) {
    schema.title = None;
    schema.required = schema
        .required
        .take()
        .filter(|required| !required.is_empty());
    for property in schema
        .properties
        .iter_mut()
        .flat_map(|properties| properties.values_mut())
    {
        tidy(property);
    }
    if let Some(JSONSchemaPropsOrBool::Schema(values)) = &mut schema.additional_properties {
        tidy(values);
    }
    if let Some(JSONSchemaPropsOrArray::Schema(items)) = &mut schema.items {
        tidy(items);
    }
}
