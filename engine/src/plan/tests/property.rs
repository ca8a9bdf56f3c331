//! What holds for every Secret that may be there.

use proptest::prelude::*;

use super::*;
use crate::testing::annotate;

const MANAGED: &str = "sealedsecrets.bitnami.com/managed";
const PATCH: &str = "sealedsecrets.bitnami.com/patch";

#[derive(Clone, Debug)]
struct Scene {
    controller: Option<&'static str>,
    managed: Option<&'static str>,
    patch: Option<&'static str>,
    in_status: bool,
    immutable: bool,
    type_: &'static str,
    recreate: bool,
    value: &'static str,
}

impl Scene {
    fn secret(&self) -> Secret {
        let flags = [(MANAGED, self.managed), (PATCH, self.patch)];
        let annotations: Value = flags
            .into_iter()
            .filter_map(|(k, v)| Some((k.to_owned(), json!(v?))))
            .collect();
        let owners: Vec<_> = self.controller.into_iter().map(owner).collect();
        let metadata = json!({
            "annotations": annotations, "labels": { "theirs": "x" }, "ownerReferences": owners,
        });
        Secret {
            immutable: self.immutable.then_some(true),
            type_: Some(self.type_.to_owned()),
            ..secret(&metadata, &[("a", self.value), ("theirs", "x")])
        }
    }

    fn sealed(&self) -> SealedSecret {
        static BASE: std::sync::OnceLock<SealedSecret> = std::sync::OnceLock::new();
        let mut sealed = BASE.get_or_init(|| sealed(&[("a", "1")])).clone();
        if self.recreate {
            sealed = annotate(&sealed, "signet.dev/recreate-immutable", "true");
        }
        if self.in_status {
            let applied = json!({
                "digest": "", "secretUid": "secret-1", "secretResourceVersion": "100",
            });
            sealed = edit(&sealed, "/status", json!({ "applied": applied }));
        }
        sealed
    }

    fn is_ours_to_write(&self) -> bool {
        self.controller == Some("sealed-1")
            || self.managed == Some("true")
            || self.patch == Some("true")
    }
}

prop_compose! {
    fn scene()(
        controller in prop::option::of(prop::sample::select(vec!["sealed-1", "sealed-0", "other"])),
        managed in prop::option::of(prop::sample::select(vec!["true", "false"])),
        patch in prop::option::of(prop::sample::select(vec!["true", "false"])),
        in_status in any::<bool>(),
        immutable in any::<bool>(),
        type_ in prop::sample::select(vec!["Opaque", "kubernetes.io/tls"]),
        recreate in any::<bool>(),
        value in prop::sample::select(vec!["1", "2"]),
    ) -> Scene {
        Scene { controller, managed, patch, in_status, immutable, type_, recreate, value }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_secret_is_written_only_when_it_is_ours_or_its_owner_says_so(scene in scene()) {
        match act(&scene.sealed(), Some(&scene.secret())) {
            Action::Create(_) => prop_assert!(false, "created over an existing Secret"),
            Action::Replace(_) => prop_assert!(scene.is_ours_to_write()),
            Action::Recreate { .. } => prop_assert!(scene.is_ours_to_write() && scene.recreate),
            Action::Keep | Action::LeaveDrift | Action::Refuse(_) => {}
        }
    }

    #[test]
    fn one_write_is_enough_and_the_second_round_is_quiet(scene in scene()) {
        let mut cluster = Cluster::new(scene.sealed(), Some(scene.secret()));
        let first = cluster.reconcile();
        let second = cluster.reconcile();
        prop_assert!(first.secret_writes <= 1);
        prop_assert_eq!((second.secret_writes, second.status_writes), (0, 0));
        prop_assert_eq!(second.events, vec![]);
    }

    #[test]
    fn items_of_others_in_a_patched_secret_are_never_lost(scene in scene()) {
        prop_assume!(scene.patch == Some("true"));
        let mut cluster = Cluster::new(scene.sealed(), Some(scene.secret()));
        cluster.reconcile();
        let left = texts(cluster.secret.as_ref().unwrap());
        prop_assert!(left.contains(&("theirs".to_owned(), "x".to_owned())));
    }
}
