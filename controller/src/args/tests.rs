#![allow(clippy::unwrap_used, clippy::expect_used)]
use std::time::Duration;

use super::{watch::Scope, *};

fn parse(flags: &[&str]) -> Result<Args, clap::Error> {
    Args::parse_from(std::iter::once("controller").chain(flags.iter().copied()))
}

#[test]
fn the_defaults_are_those_of_the_peer() {
    let args = parse(&[]).unwrap();
    assert_eq!(args.keys.key_prefix, "sealed-secrets-key");
    assert_eq!(args.keys.key_size, 4096);
    assert_eq!(args.keys.key_ttl, Duration::from_hours(87_600));
    assert_eq!(args.keys.key_renew_period, Duration::from_hours(720));
    assert_eq!(args.keys.key_order_priority, KeyOrder::CertNotBefore);
    assert_eq!(args.http.listen_addr.port(), 8080);
    assert_eq!(args.http.listen_metrics_addr.port(), 8081);
    assert!(args.watch.update_status && !args.watch.old_gc_behavior && !args.watch.skip_recreate);
    assert_eq!(args.watch.scope("kube-system"), Scope::All);
}

#[test]
fn every_flag_of_the_peer_is_accepted_as_flag_equals_value() {
    for flag in [
        "--key-prefix=k",
        "--key-size=2048",
        "--key-ttl=1h",
        "--my-cn=x",
        "--key-renew-period=0",
        "--rotate-period=1h",
        "--key-order-priority=SecretCreationTimestamp",
        "--key-cutoff-time=",
        "--accept-deprecated-v1-data=false",
        "--all-namespaces=false",
        "--additional-namespaces=a,b",
        "--label-selector=a=b",
        "--rate-limit=2",
        "--rate-limit-burst=2",
        "--privatekey-annotations=a=b",
        "--privatekey-labels=a=b",
        "--old-gc-behavior",
        "--update-status=false",
        "--watch-for-secrets",
        "--skip-recreate=true",
        "--log-info-stdout=false",
        "--log-level=DEBUG",
        "--log-level=info",
        "--log-format=json",
        "--max-unseal-retries=5",
        "--kubeclient-qps=-1",
        "--kubeclient-burst=10",
        "--listen-addr=:8080",
        "--listen-metrics-addr=:8081",
        "--read-timeout=2m",
        "--write-timeout=2m0s",
        "--metrics-omit-secret-labels",
        "--version",
    ] {
        if let Err(error) = parse(&[flag]) {
            panic!("{flag}: {error}");
        }
    }
}

#[test]
fn a_value_may_stand_in_the_next_argument_but_not_that_of_a_boolean() {
    assert_eq!(
        parse(&["--key-prefix", "other"]).unwrap().keys.key_prefix,
        "other"
    );
    assert!(
        parse(&["--update-status", "false"])
            .unwrap()
            .watch
            .update_status
    );
}

#[test]
fn the_last_of_a_repeated_flag_wins() {
    assert_eq!(
        parse(&["--key-size=2048", "--key-size=3072"])
            .unwrap()
            .keys
            .key_size,
        3072
    );
}

#[test]
fn issue_1386_a_malformed_label_of_future_keys_stops_the_start() {
    let error = parse(&["--privatekey-annotations=owner"]).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(
        error.to_string().contains("`owner` is not a pair"),
        "{error}"
    );
}

#[test]
fn values_that_no_run_could_use_stop_the_start() {
    for flags in [
        &["--key-size=512"][..],
        &["--key-ttl=0"],
        &["--key-renew-period=soon"],
        &["--key-cutoff-time=yesterday"],
        &["--key-prefix=Bad_Prefix"],
        &["--listen-addr=8080"],
        &["--log-level=LOUD"],
        &["--update-status=maybe"],
        &["--workers=0"],
        &["--tls-cert=cert.pem"],
        &["--leader-elect-renew-deadline=20s"],
        &["--leader-elect-retry-period=11s"],
        &["--no-such-flag"],
        &[
            "--require-existing-key",
            "--key-cutoff-time=Mon, 02 Jan 2006 15:04:05 +0000",
        ],
        &["--certificate-config-map=a/b/c"],
        &["--certificate-config-map=Not_A_Name"],
        &["--default-labels=sealedsecrets.bitnami.com/sealed-secrets-key=active"],
    ] {
        let error = parse(flags).expect_err(flags[0]);
        assert_eq!(error.exit_code(), 2, "{flags:?}");
    }
}

#[test]
fn issue_233_a_named_namespace_restricts_the_watch_to_it_and_the_own_one() {
    let scope = |flags: &[&str]| parse(flags).unwrap().watch.scope("own");
    assert_eq!(
        scope(&["--all-namespaces=false"]),
        Scope::Only(["own".into()].into())
    );
    assert_eq!(
        scope(&["--additional-namespaces=team-b,,team-a"]),
        Scope::Only(["own".into(), "team-a".into(), "team-b".into()].into())
    );
}

#[test]
fn leader_election_is_left_to_where_it_runs_unless_said() {
    assert_eq!(parse(&[]).unwrap().leader.leader_elect, None);
    assert_eq!(
        parse(&["--leader-elect=false"])
            .unwrap()
            .leader
            .leader_elect,
        Some(false)
    );
    assert_eq!(
        parse(&["--leader-elect"]).unwrap().leader.leader_elect,
        Some(true)
    );
}

#[test]
fn every_flag_has_the_variable_that_the_peer_gives_it() {
    let command = Args::command().mut_args(as_the_peer);
    let variable = |flag: &str| {
        let arg = command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(flag))
            .unwrap();
        arg.get_env().unwrap().to_str().unwrap().to_owned()
    };
    assert_eq!(
        variable("key-renew-period"),
        "SEALED_SECRETS_KEY_RENEW_PERIOD"
    );
    assert_eq!(variable("my-cn"), "SEALED_SECRETS_MY_CN");
    assert_eq!(variable("namespace"), "POD_NAMESPACE");
    let version = command
        .get_arguments()
        .find(|arg| arg.get_long() == Some("version"))
        .unwrap();
    assert_eq!(version.get_env(), None);
}
