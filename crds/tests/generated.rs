//! `deploy/crds/` is what the types say.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};

/// `kubectl apply` keeps a copy of the object in an annotation, and annotations have this limit.
const LONGEST: usize = 256 * 1024;

#[test]
fn the_crds_in_deploy_are_generated_from_the_types() {
    let sealed = vec![signet_crds::sealed_secret::crd()];
    // Those of ExternalSecrets are apart: a cluster may have the peer's, and not all want them.
    for (folder, crds) in [
        ("", sealed),
        ("external-secrets/", signet_crds::external::crds()),
    ] {
        let mut names = Vec::new();
        for crd in crds {
            let name = format!("{}_{}.yaml", crd.spec.group, crd.spec.names.plural);
            let text = format!("# Generated from crds/src; do not edit.\n{}", yaml(&crd));
            expect(&format!("{folder}{name}"), &text);
            names.push(name);
        }
        names.sort();
        let header = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:";
        let list = names.join("\n  - ");
        let text = format!("{header}\n  - {list}\n");
        expect(&format!("{folder}kustomization.yaml"), &text);
        names.push("kustomization.yaml".to_owned());
        for found in fs::read_dir(self::folder().join(folder)).unwrap() {
            let found = found.unwrap();
            let name = found.file_name().into_string().unwrap();
            assert!(
                names.contains(&name) || found.path().is_dir(),
                "{folder}{name} is not a file of a resource"
            );
        }
    }
}

#[test]
fn every_crd_is_small_enough_for_client_side_apply() {
    for crd in crds() {
        let name = crd.metadata.name.clone().unwrap();
        for size in [yaml(&crd).len(), serde_json::to_vec(&crd).unwrap().len()] {
            assert!(size < LONGEST, "{name} has {size} bytes");
        }
    }
}

/// A default in a list makes tools that compare manifests see a change for ever
/// (external-secrets#6798).
#[test]
fn no_default_stands_inside_the_items_of_a_list() {
    for (name, schema) in schemas() {
        each(&schema, &name, false, &mut |schema, path, in_list| {
            assert!(
                !in_list || schema.get("default").is_none(),
                "{path} has a default"
            );
        });
    }
}

#[test]
fn what_every_schema_says_is_structural() {
    for (name, schema) in schemas() {
        each(&schema, &name, false, &mut |schema, path, _| {
            let typed = schema.get("type").is_some_and(Value::is_string);
            let open = schema.get("x-kubernetes-preserve-unknown-fields") == Some(&json!(true));
            let int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&json!(true));
            assert!(typed || open || int_or_string, "{path} has no type");
            for keyword in ["oneOf", "allOf", "not", "$ref", "const"] {
                assert!(schema.get(keyword).is_none(), "{path} has {keyword}");
            }
            assert!(
                int_or_string || schema.get("anyOf").is_none(),
                "{path} has anyOf"
            );
        });
    }
}

#[test]
fn every_field_has_a_description_of_its_own() {
    for (name, schema) in schemas() {
        for part in ["spec", "status"] {
            let properties = schema["properties"][part]["properties"].as_object();
            for (field, schema) in properties.into_iter().flatten() {
                let text = schema["description"].as_str();
                assert!(
                    text.is_some_and(|text| !text.is_empty()),
                    "{name}.{part}.{field}"
                );
            }
        }
    }
}

/// Calls back with every schema below one, its path, and whether it stands in a list.
fn each(schema: &Value, path: &str, in_list: bool, see: &mut impl FnMut(&Value, &str, bool)) {
    see(schema, path, in_list);
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        each(below, &format!("{path}.{name}"), in_list, see);
    }
    if let Some(items) = schema.get("items") {
        each(items, &format!("{path}[]"), true, see);
    }
    if let Some(values) = schema.get("additionalProperties").filter(|s| s.is_object()) {
        each(values, &format!("{path}{{}}"), in_list, see);
    }
}

fn schemas() -> Vec<(String, Value)> {
    let mut schemas = Vec::new();
    for crd in crds() {
        for version in crd.spec.versions {
            let name = format!("{}/{}", crd.spec.names.plural, version.name);
            let schema = version.schema.unwrap().open_api_v3_schema.unwrap();
            schemas.push((name, serde_json::to_value(schema).unwrap()));
        }
    }
    schemas
}

fn crds() -> Vec<CustomResourceDefinition> {
    let sealed = signet_crds::sealed_secret::crd();
    let mut crds = signet_crds::external::crds();
    crds.push(sealed);
    crds
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/crds")
}

fn expect(name: &str, text: &str) {
    let path = folder().join(name);
    if env::var_os("SIGNET_UPDATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "{} is stale: run `SIGNET_UPDATE=1 cargo test -p signet-crds`",
        path.display()
    );
}

fn yaml(resource: &impl serde::Serialize) -> String {
    let mut value = serde_json::to_value(resource).unwrap();
    drop_empty_lists(&mut value);
    value.sort_all_objects();
    let options = serde_saphyr::ser_options! { compact_list_indent: true };
    serde_saphyr::to_string_with_options(&value, options).unwrap()
}

/// `shortNames: []` and the like say nothing.
fn drop_empty_lists(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| field != &Value::Array(Vec::new()));
            fields.values_mut().for_each(drop_empty_lists);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_empty_lists),
        _ => {}
    }
}
