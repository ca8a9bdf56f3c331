//! `deploy/crds/` is what the types say.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{env, fs, path::Path};

use serde_json::Value;

#[test]
fn the_crd_in_deploy_is_generated_from_the_types() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/crds/bitnami.com_sealedsecrets.yaml");
    let expected = format!(
        "# Generated from crds/src/sealed_secret.rs; do not edit.\n{}",
        yaml(&signet_crds::sealed_secret::crd())
    );
    if env::var_os("SIGNET_UPDATE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
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
