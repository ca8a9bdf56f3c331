//! Killed again and again while it works, it loses nothing and makes nothing twice.

use std::collections::BTreeMap;
use std::time::Duration;

use kube::api::ListParams;
use signet_kit::namespace::text;
use signet_kit::{Namespace, Sealer};

use crate::stage::{Stage, keys};

const ROUNDS: u64 = 10;
const EDITS_A_ROUND: u64 = 25;
const NAMES: u64 = 40;

/// `SplitMix64`: enough to choose by, and the same sequence for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

/// The seed of `SIGNET_SEED`, else another one each time; it is printed, so that a failure can be
/// looked into.
fn seed() -> u64 {
    let given = std::env::var("SIGNET_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| jiff::Timestamp::now().as_millisecond().unsigned_abs())
}

/// One round of load. Tells what each name should hold in the end; `None` when it is deleted.
async fn load(
    sealer: &Sealer,
    namespace: &Namespace,
    dice: &mut Dice,
    round: u64,
    wanted: &mut BTreeMap<String, Option<String>>,
) {
    for edit in 0..EDITS_A_ROUND {
        let name = format!("s-{}", dice.roll(NAMES));
        match dice.roll(8) {
            // Somebody deletes a Secret, or spoils it.
            0 => drop(namespace.delete_secret(&name).await),
            1 => drop(
                namespace
                    .patch_secret(&name, serde_json::json!({"stringData": {"foo": "spoiled"}}))
                    .await,
            ),
            2 => {
                if wanted.get(&name).is_some_and(Option::is_some) {
                    namespace.delete_sealed(&name).await.unwrap();
                    wanted.insert(name, None);
                }
            }
            _ => {
                let value = format!("{round}-{edit}");
                let sealed = namespace.sealed(&name).seal(sealer, "foo", &value);
                namespace.apply(&sealed).await;
                wanted.insert(name, Some(value));
            }
        }
        tokio::time::sleep(Duration::from_millis(dice.roll(15))).await;
    }
}

#[tokio::test]
async fn ten_kills_under_load_lose_nothing_and_double_nothing() {
    let seed = seed();
    #[expect(clippy::print_stdout, reason = "shown when the test fails")]
    {
        println!("SIGNET_SEED={seed}");
    }
    let mut stage = Stage::own_with_collector(&[]).await;
    let namespace = stage.namespace("chaos").await;
    let mut wanted = BTreeMap::new();
    let (mut edits, mut moments) = (Dice(seed), Dice(seed ^ 0xffff));
    let system = Namespace::existing(&stage.plane, "kube-system")
        .await
        .unwrap();
    for round in 0..ROUNDS {
        // The controller is killed somewhere between its start and the end of the load.
        let killed = async {
            tokio::time::sleep(Duration::from_millis(moments.roll(700))).await;
            stage.controller.launch_again().unwrap();
        };
        tokio::join!(
            killed,
            load(&stage.sealer, &namespace, &mut edits, round, &mut wanted)
        );
    }
    stage.controller.wait_ready().await.unwrap();

    for (name, value) in &wanted {
        if let Some(value) = value {
            namespace.expect_data(name, &[("foo", value)]).await;
            namespace.expect_synced(name, "True").await;
        } else {
            assert!(
                namespace.status(name).await.is_null(),
                "SealedSecret {name} is back"
            );
            namespace.expect_no_secret(name).await;
        }
    }
    let secrets = namespace
        .secrets()
        .list(&ListParams::default())
        .await
        .unwrap()
        .items;
    for secret in &secrets {
        let name = secret.metadata.name.clone().unwrap();
        assert!(
            wanted.contains_key(&name),
            "Secret {name} belongs to nobody"
        );
        let owners = secret
            .metadata
            .owner_references
            .as_ref()
            .map_or(0, Vec::len);
        assert_eq!(owners, 1, "{name} has {owners} owners");
    }
    // Once more from the start: what is right needs no write.
    let versions = async || {
        let secrets = namespace
            .secrets()
            .list(&ListParams::default())
            .await
            .unwrap()
            .items;
        secrets
            .into_iter()
            .map(|secret| (text(&secret), secret.metadata.resource_version))
            .collect::<Vec<_>>()
    };
    let before = versions().await;
    stage.controller.restart().await.unwrap();
    namespace
        .apply(&namespace.sealed("last").seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("last", "True").await;
    let after: Vec<_> = versions()
        .await
        .into_iter()
        .filter(|(data, _)| data.get("foo").is_none_or(|foo| foo != "bar"))
        .collect();
    assert_eq!(after, before);
    assert_eq!(keys(&system).await.len(), 1, "a key was made twice");
}
