//! Plaintext is nowhere but in the Secret.

use proptest::prelude::*;
use signet_crds::constants::annotation;

use super::*;
use crate::testing::{Cluster, foreign_key, secret};

const CANARY: &str = "canary-7c1e";

/// Everything that a round says to the world.
fn heard(cluster: &mut Cluster) -> String {
    let report = cluster.reconcile();
    let status = serde_json::to_string(&cluster.sealed.status).unwrap();
    let opened = unseal(
        &cluster.sealed,
        &cluster.ring,
        &Hints::default(),
        &cluster.policy,
    );
    let plan = opened.as_ref().ok().map(|unsealed| {
        crate::plan::plan(
            &cluster.sealed,
            unsealed,
            cluster.secret.as_ref(),
            &cluster.policy,
        )
    });
    let manifest = opened
        .as_ref()
        .ok()
        .map(|unsealed| unsealed.secret.manifest());
    let told = opened.as_ref().err().map(ToString::to_string);
    format!("{report:?} {status} {opened:?} {plan:?} {manifest:?} {told:?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_plaintext_is_in_errors_statuses_events_or_debug_output(
        noise in "[a-z]{0,8}",
        spoil in 0_usize..8,
        own in any::<bool>(),
    ) {
        let value = format!("{noise}{CANARY}{noise}");
        let mut object = sealed(&[("a", &value), ("b", &value)]);
        match spoil {
            0 => object = edit(&object, "/spec/encryptedData/b", json!(value)),
            1 => object = annotate(&object, annotation::CLUSTER_WIDE, "true"),
            2 => {
                let foreign = seal(&foreign_key(), Scope::Strict, HERE, &value);
                object = edit(&object, "/spec/encryptedData/b", json!(foreign));
            }
            3 => {
                let blob = seal(&new_key(), Scope::Strict, HERE, &value);
                object.spec.encrypted_data.clear();
                object = edit(&object, "/spec/data", json!(blob));
            }
            4 => object = edit(&object, "/spec/encryptedData/b", json!({ "oops": value })),
            5 => object = edit(&object, "/spec/template", json!({ "immutable": true })),
            _ => {}
        }
        let owner = json!([{
            "apiVersion": "bitnami.com/v1alpha1", "kind": "SealedSecret", "name": "demo",
            "uid": if own { "sealed-1" } else { "other" }, "controller": true,
        }]);
        let existing = secret(&json!({ "ownerReferences": owner }), &[("old", CANARY)]);
        let existing = (spoil != 6).then_some(existing);
        let mut cluster = Cluster::new(object, existing);
        for _ in 0..2 {
            let heard = heard(&mut cluster);
            prop_assert!(!heard.contains(CANARY), "{}", heard);
        }
    }
}
