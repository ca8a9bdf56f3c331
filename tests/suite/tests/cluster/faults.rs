//! A cluster that refuses, forgets, hangs or is away.

use std::time::Duration;

use signet_kit::{
    ControlPlane, Controller, ControllerOptions, Fault, Namespace, PlaneOptions, Sealer,
    ServiceProxy,
};

use crate::stage::{keys, with};

/// A controller that sees the API server through a proxy with faults.
struct Scene {
    plane: ControlPlane,
    proxy: ServiceProxy,
    controller: Controller,
    sealer: Sealer,
    namespace: Namespace,
}

impl Scene {
    async fn start(flags: &[&str]) -> Self {
        let plane = ControlPlane::with_deployment(PlaneOptions::default())
            .await
            .unwrap();
        let proxy = ServiceProxy::start(&plane).unwrap();
        let controller = Controller::start(&plane, with(flags).through(&proxy.url()))
            .await
            .unwrap();
        let sealer = controller.sealer().await.unwrap();
        let namespace = Namespace::create(&plane, "faults").await.unwrap();
        Self {
            plane,
            proxy,
            controller,
            sealer,
            namespace,
        }
    }

    async fn apply(&self, name: &str, value: &str) {
        let sealed = self.namespace.sealed(name).seal(&self.sealer, "foo", value);
        self.namespace.apply(&sealed).await;
    }

    async fn expect(&self, name: &str, value: &str) {
        self.namespace.expect_data(name, &[("foo", value)]).await;
        self.namespace.expect_synced(name, "True").await;
    }
}

#[tokio::test]
async fn refused_writes_are_tried_again_until_they_succeed() {
    const CODES: [u16; 6] = [403, 404, 409, 429, 500, 503];
    let scene = Scene::start(&[]).await;
    let secrets = format!("/namespaces/{}/secrets", scene.namespace.name());
    for code in CODES {
        scene.apply(&format!("edited-{code}"), "before").await;
    }
    for code in CODES {
        scene.expect(&format!("edited-{code}"), "before").await;
    }

    let faults = scene.proxy.faults();
    for code in CODES {
        faults.inject(Fault::status(code).on("POST", &secrets).times(2));
        // By whichever verb it writes.
        let edited = format!("{secrets}/edited-{code}");
        faults.inject(Fault::status(code).on("PUT", &edited).times(2));
        faults.inject(Fault::status(code).on("PATCH", &edited).times(2));
        faults.inject(
            Fault::status(code)
                .at(&format!("/status-{code}/status"))
                .times(2),
        );
    }
    for code in CODES {
        for kind in ["created", "edited", "status"] {
            scene.apply(&format!("{kind}-{code}"), "after").await;
        }
    }
    for code in CODES {
        for kind in ["created", "edited", "status"] {
            scene.expect(&format!("{kind}-{code}"), "after").await;
        }
    }
    // An update is one verb or the other, so one of the two faults is left.
    assert!(faults.left() <= CODES.len(), "{faults:#?}");
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_not_done_twice() {
    let scene = Scene::start(&[]).await;
    let secrets = format!("/namespaces/{}/secrets", scene.namespace.name());
    scene
        .proxy
        .faults()
        .inject(Fault::answer_lost().on("POST", &secrets));
    scene
        .proxy
        .faults()
        .inject(Fault::answer_lost().at("/status"));
    scene.apply("test", "bar").await;
    scene.expect("test", "bar").await;
    assert!(scene.proxy.faults().are_spent());
    let owners = scene
        .namespace
        .secret("test")
        .await
        .unwrap()
        .metadata
        .owner_references
        .unwrap();
    assert_eq!(owners.len(), 1);
}

#[tokio::test]
async fn events_that_are_refused_hold_up_nothing() {
    let scene = Scene::start(&[]).await;
    scene
        .proxy
        .faults()
        .inject(Fault::status(403).on("POST", "/events").always());
    for number in 0..5 {
        scene.apply(&format!("s-{number}"), "bar").await;
    }
    for number in 0..5 {
        scene.expect(&format!("s-{number}"), "bar").await;
    }
}

#[tokio::test]
async fn one_request_without_an_answer_holds_up_only_its_own_object_and_that_not_for_ever() {
    let scene = Scene::start(&[]).await;
    let secrets = format!("/namespaces/{}/secrets", scene.namespace.name());
    scene
        .proxy
        .faults()
        .inject(Fault::silence().on("POST", &secrets));
    scene.apply("stuck", "bar").await;
    signet_kit::wait_until(
        "the request is out",
        async || scene.proxy.faults().are_spent(),
        |spent| *spent,
    )
    .await;
    scene.apply("other", "bar").await;
    scene.expect("other", "bar").await;
    scene.expect("stuck", "bar").await;
}

#[tokio::test]
async fn watches_that_end_or_expire_are_begun_again_and_nothing_is_missed() {
    let scene = Scene::start(&[]).await;
    scene.apply("old", "bar").await;
    scene.expect("old", "bar").await;
    for fault in [
        Fault::status(410),
        Fault::status(500),
        Fault::status(403),
        Fault::status(429),
        Fault::dropped(),
    ] {
        scene
            .proxy
            .faults()
            .inject(fault.on("GET", "watch=").times(3));
        scene.proxy.cut();
        // D14: this delete is seen by nobody.
        scene.namespace.delete_secret("old").await.unwrap();
        scene.apply("new", "bar").await;
        scene.expect("new", "bar").await;
        scene.expect("old", "bar").await;
        scene.proxy.faults().clear();
        scene.namespace.delete_sealed("new").await.unwrap();
        let _ = scene.namespace.delete_secret("new").await;
    }
}

#[tokio::test]
async fn an_outage_is_outlived_and_caught_up_with() {
    let mut scene = Scene::start(&[]).await;
    scene.apply("before", "bar").await;
    scene.expect("before", "bar").await;
    scene.plane.stop_apiserver();
    tokio::time::sleep(Duration::from_secs(3)).await;
    // Sealing goes on meanwhile, and checking a file.
    assert_eq!(scene.controller.get("/v1/cert.pem").await.unwrap().0, 200);
    assert_eq!(scene.controller.get("/healthz").await.unwrap().0, 200);
    assert!(scene.controller.exited().is_none());
    scene.plane.start_apiserver().await.unwrap();
    scene.apply("after", "bar").await;
    scene.expect("after", "bar").await;
    scene.namespace.delete_secret("before").await.unwrap();
    scene.expect("before", "bar").await;
    assert_eq!(
        scene.controller.certificate().await.unwrap(),
        scene.sealer.certificate().pem()
    );
}

#[tokio::test]
async fn it_starts_before_the_api_server_and_waits_for_it() {
    let plane = ControlPlane::with_deployment(PlaneOptions::default())
        .await
        .unwrap();
    let access = plane
        .service_account("kube-system", "sealed-secrets-controller")
        .await
        .unwrap();
    plane.stop_apiserver();
    let mut controller = Controller::spawn(&plane, ControllerOptions::default().access(access))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(controller.exited().is_none(), "{}", controller.log());
    plane.start_apiserver().await.unwrap();
    controller.wait_ready().await.unwrap();
}

#[tokio::test]
async fn a_first_key_that_cannot_be_written_is_tried_again_and_made_once() {
    let plane = ControlPlane::with_deployment(PlaneOptions::default())
        .await
        .unwrap();
    let proxy = ServiceProxy::start(&plane).unwrap();
    let secrets = "/namespaces/kube-system/secrets";
    proxy
        .faults()
        .inject(Fault::status(500).on("POST", secrets).times(2));
    proxy
        .faults()
        .inject(Fault::answer_lost().on("POST", secrets));
    let options = ControllerOptions::default().through(&proxy.url());
    let mut controller = Controller::spawn(&plane, options).await.unwrap();
    controller.wait_ready().await.unwrap();
    assert!(proxy.faults().are_spent());
    let system = Namespace::existing(&plane, "kube-system").await.unwrap();
    let kept = keys(&system).await;
    assert_eq!(kept.len(), 1, "the key whose answer was lost is the key");
    assert_eq!(
        controller.certificate().await.unwrap().as_bytes(),
        kept[0].data.as_ref().unwrap()["tls.crt"].0
    );
}

#[tokio::test]
async fn a_namespace_that_refuses_everything_does_not_stop_the_others() {
    let scene = Scene::start(&[]).await;
    let closed = Namespace::create(&scene.plane, "closed").await.unwrap();
    scene.proxy.faults().inject(
        Fault::status(403)
            .on("POST", &format!("/namespaces/{}/secrets", closed.name()))
            .always(),
    );
    for number in 0..30 {
        let sealed = closed
            .sealed(&format!("s-{number}"))
            .seal(&scene.sealer, "foo", "bar");
        closed.apply(&sealed).await;
    }
    scene.apply("open", "bar").await;
    scene.expect("open", "bar").await;
    let refused = closed.expect_synced("s-0", "False").await;
    assert!(
        refused.to_string().contains("injected fault 403"),
        "the cause is told: {refused:#}"
    );
    scene.proxy.faults().clear();
    for number in 0..30 {
        closed.expect_synced(&format!("s-{number}"), "True").await;
    }
}

#[tokio::test]
async fn a_failing_object_is_tried_again_for_as_long_as_it_exists() {
    let scene = Scene::start(&[]).await;
    let secrets = format!("/namespaces/{}/secrets", scene.namespace.name());
    scene
        .proxy
        .faults()
        .inject(Fault::status(500).on("POST", &secrets).always());
    scene.apply("test", "bar").await;
    let failed = scene.namespace.expect_synced("test", "False").await;
    assert!(
        failed.to_string().contains("injected fault 500"),
        "{failed:#}"
    );
    // The peer gives up after about 155 ms. Nothing but the clock can tell that the fault is over.
    tokio::time::sleep(Duration::from_secs(1)).await;
    scene.proxy.faults().clear();
    scene.expect("test", "bar").await;
}

#[tokio::test]
async fn d14_a_deletion_that_no_watch_has_seen_is_repaired() {
    let scene = Scene::start(&[]).await;
    scene.apply("test", "bar").await;
    scene.expect("test", "bar").await;
    scene
        .proxy
        .faults()
        .inject(Fault::status(500).on("GET", "watch=").always());
    scene.proxy.cut();
    scene.namespace.delete_secret("test").await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    scene.proxy.faults().clear();
    scene.expect("test", "bar").await;
}
