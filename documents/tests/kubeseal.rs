//! A Secret becomes what the real kubeseal makes of it: `oracle/seal` wrote that down.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::{fs, path::Path};

use serde_json::Value;
use signet_documents::{
    manifest::sealed::{SealShape, seal},
    yaml::Stream,
};

#[test]
fn a_secret_becomes_what_kubeseal_makes_of_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kubeseal");
    let mut compared = 0;
    for file in fs::read_dir(folder).expect("the fixtures") {
        let path = file.expect("a fixture").path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a Secret");
        let expected = fs::read_to_string(path.with_extension("json")).expect("its answer");
        let expected: Value = serde_json::from_str(&expected).expect("JSON");
        let stream = Stream::parse(&text).expect("YAML");
        let secret = stream.documents()[0].root().expect("a Secret");
        // What the caller decides as kubeseal does: without a namespace, `default` is meant, but
        // for the cluster-wide scope.
        let shape = SealShape::default();
        let sealed = seal(secret, &shape, |_, _, _| {
            Ok::<_, String>("sealed".to_owned())
        });
        let sealed = sealed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(sealed.value, expected, "{}", path.display());
        let written = sealed.splice.text;
        let again = Stream::parse(&written).expect("what is written can be read");
        let root = again.documents()[0].root().expect("an object");
        let again = signet_documents::value::to_json(root).expect("JSON");
        assert_eq!(again, expected, "{}:\n{written}", path.display());
        compared += 1;
    }
    assert!(compared >= 13);
}
