#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

const ARN: &str = "arn:aws:kms:us-east-1:656532927350:key/920aff2e-c5f1-4040-943a-047fa387b27e";
const ROLE: &str = "arn:aws:iam::927034868273:role/sops+dev";

fn one(kind: KeyType, text: &str) -> Result<MasterKey, NotationError> {
    MasterKey::one(kind, text, &KmsOptions::default())
}

fn list(kind: KeyType, text: &str) -> Vec<String> {
    let keys = MasterKey::list(kind, text, &KmsOptions::default()).unwrap();
    keys.iter().map(MasterKey::to_string).collect()
}

fn context(pairs: &[(&str, &str)]) -> KmsContext {
    let pairs = pairs.iter();
    pairs
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

#[test]
fn a_role_is_behind_a_plus_that_begins_another_arn() {
    let key = one(KeyType::Kms, &format!(" {ARN} + {ROLE} ")).unwrap();
    let MasterKey::Kms { arn, role, .. } = &key else {
        panic!("{key:?}");
    };
    assert_eq!((arn.as_str(), role.as_deref()), (ARN, Some(ROLE)));
    assert_eq!(key.to_string(), format!("{ARN}+{ROLE}"));
    let key = one(KeyType::Kms, "arn:aws:kms:eu:1:alias/a+b").unwrap();
    assert_eq!(key.to_string(), "arn:aws:kms:eu:1:alias/a+b");
}

/// The lines are those that sops 3.13.3 prints in `updatekeys`.
#[test]
fn a_key_of_aws_prints_its_role_context_and_profile() {
    let print = |pairs: &[(&str, &str)], profile: Option<&str>| {
        let options = KmsOptions {
            context: context(pairs),
            aws_profile: profile.map(str::to_owned),
        };
        MasterKey::kms(ARN, &options).unwrap().to_string()
    };
    assert_eq!(print(&[], None), ARN);
    assert_eq!(
        print(&[("b", "2"), ("a", "1")], None),
        format!("{ARN}|a:1,b:2")
    );
    assert_eq!(print(&[], Some("dev")), format!("{ARN}||dev"));
    assert_eq!(print(&[("a", "1")], Some("dev")), format!("{ARN}|a:1|dev"));
    assert_eq!(print(&[], Some("")), ARN);
}

#[test]
fn the_region_is_that_of_the_arn() {
    let region = |arn: &str| {
        let key = one(KeyType::Kms, arn).unwrap();
        key.aws_region().map(str::to_owned)
    };
    assert_eq!(region(ARN).as_deref(), Some("us-east-1"));
    assert_eq!(
        region("arn:aws-cn:kms:cn-north-1:1:alias/x").as_deref(),
        Some("cn-north-1")
    );
    assert_eq!(region("arn:aws:iam::1:role/x"), None);
    assert_eq!(region("arn:aws:kms:us-east-1:1:grant/x"), None);
    assert_eq!(region("key"), None);
}

#[test]
fn a_context_is_pairs_with_one_colon() {
    let parse = MasterKey::kms_context;
    assert_eq!(
        parse("Env:dev,Team:a b").unwrap(),
        context(&[("Env", "dev"), ("Team", "a b")])
    );
    assert_eq!(parse("").unwrap(), KmsContext::new());
    assert_eq!(parse("a:").unwrap(), context(&[("a", "")]));
    for wrong in ["a", "a:b:c", "a:b,", ","] {
        assert_eq!(parse(wrong), Err(NotationError::KmsContext), "{wrong}");
    }
}

#[test]
fn lists_have_commas_and_ignore_white_space_and_empty_places() {
    assert_eq!(list(KeyType::Pgp, "AB CD, 12 34!,\n"), ["ABCD", "1234!"]);
    assert_eq!(list(KeyType::Age, "age1a,\n  age1b ,,"), ["age1a", "age1b"]);
    assert_eq!(
        list(KeyType::HcKms, "tr-west-1:u1, , a:b:c"),
        ["tr-west-1:u1", "a:b:c"]
    );
    assert_eq!(list(KeyType::Kms, ""), [""; 0]);
    let resource = "projects/p/locations/global/keyRings/r/cryptoKeys/k";
    assert_eq!(
        list(KeyType::GcpKms, &format!("{resource},{resource} ")),
        [resource; 2]
    );
}

#[test]
fn a_key_of_azure_may_have_no_version_yet() {
    let parts = |url: &str| match one(KeyType::AzureKv, url) {
        Ok(MasterKey::AzureKv {
            vault_url,
            name,
            version,
        }) => Some((vault_url, name, version)),
        _ => None,
    };
    let vault = || "https://v.vault.azure.net".to_owned();
    let key = || "sops-key".to_owned();
    let url = |end: &str| format!(" https://v.vault.azure.net/keys/sops-key{end}");
    assert_eq!(
        parts(&url("/1a2b")),
        Some((vault(), key(), Some("1a2b".into())))
    );
    assert_eq!(parts(&url("")), Some((vault(), key(), None)));
    assert_eq!(parts(&url("/")), Some((vault(), key(), None)));
    assert_eq!(parts(&url("/1/2")), None);
    assert_eq!(parts("http://v/keys/k"), None);
    assert_eq!(parts("https://v/secrets/k"), None);
    assert_eq!(parts("https:///keys/k"), None);
    let print = |end| one(KeyType::AzureKv, &url(end)).unwrap().to_string();
    assert_eq!(print("/1"), "https://v.vault.azure.net/keys/sops-key/1");
    assert_eq!(print(""), "https://v.vault.azure.net/keys/sops-key/");
    assert!(one(KeyType::AzureKv, &url("")).unwrap().is_unresolved());
}

#[test]
fn a_key_of_vault_has_a_server_an_engine_and_a_name() {
    let parts = |uri: &str| match one(KeyType::HcVault, uri) {
        Ok(MasterKey::HcVault {
            vault_address,
            engine_path,
            key_name,
        }) => Ok((vault_address, engine_path, key_name)),
        Ok(key) => panic!("{key:?}"),
        Err(error) => Err(error),
    };
    let expected =
        |host: &str, engine: &str| Ok((host.to_owned(), engine.to_owned(), "dev".to_owned()));
    let host = "https://vault.example.com:8200";
    assert_eq!(
        parts(&format!("{host}/v1/sops/keys/dev")),
        expected(host, "sops")
    );
    assert_eq!(
        parts(&format!(" {host}/v1/a/b/keys/dev/ ")),
        expected(host, "a/b")
    );
    assert_eq!(
        parts("http://127.0.0.1:8200/v1/t/keys/dev"),
        expected("http://127.0.0.1:8200", "t")
    );
    assert!(matches!(
        parts(&format!("{host}/behind/v1/t/keys/dev")),
        Err(NotationError::VaultPrefix { .. })
    ));
    for wrong in [
        "vault.example.com/v1/t/keys/dev",
        "https://h/v1/keys/dev",
        "https://h/t/keys/dev",
        "https://h/v1/../keys/dev",
        "https://h/v1/t/keys/dev?x=1",
        "https:///v1/t/keys/dev",
        "https://h",
    ] {
        assert!(
            matches!(parts(wrong), Err(NotationError::VaultUri { .. })),
            "{wrong}"
        );
    }
    let key = one(KeyType::HcVault, &format!("{host}/v1/a/b/keys/dev")).unwrap();
    assert_eq!(key.to_string(), format!("{host}/v1/a/b/keys/dev"));
}

#[test]
fn errors_show_neither_private_keys_nor_passwords() {
    let error = one(KeyType::Age, "AGE-SECRET-KEY-1QQQ").unwrap_err();
    assert_eq!(error, NotationError::AgePrivate);
    assert!(error.hint().unwrap().contains("age-keygen -y"));
    assert!(
        !one(KeyType::Age, "hunter2")
            .unwrap_err()
            .to_string()
            .contains("hunter2")
    );
    let error = one(KeyType::HcVault, "https://me:hunter2@h/x").unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[test]
fn keys_are_equal_if_they_print_alike() {
    let plain = one(KeyType::Kms, ARN).unwrap();
    assert_eq!(plain, one(KeyType::Kms, &format!("{ARN} ")).unwrap());
    assert_ne!(plain, one(KeyType::Kms, &format!("{ARN}+{ROLE}")).unwrap());
    assert_ne!(
        one(KeyType::Pgp, "ab").unwrap(),
        one(KeyType::GcpKms, "ab").unwrap()
    );
}

#[test]
fn kinds_have_the_order_and_names_of_a_file() {
    let mut kinds = KeyType::ALL;
    kinds.sort();
    let names = kinds.map(KeyType::as_str);
    assert_eq!(
        names,
        [
            "kms", "gcp_kms", "hckms", "azure_kv", "hc_vault", "pgp", "age"
        ]
    );
    for kind in KeyType::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
}

#[test]
fn the_decryption_order_moves_kinds_and_keeps_keys_of_one_kind() {
    let key = |kind, text: &str| one(kind, text).unwrap();
    let keys = [
        key(KeyType::Kms, ARN),
        key(KeyType::Pgp, "1"),
        key(KeyType::Pgp, "2"),
        key(KeyType::Age, "age1a"),
    ];
    let sorted = |order: &DecryptionOrder| {
        let keys = order.sorted(&keys, |key| key);
        keys.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        sorted(&DecryptionOrder::default()),
        ["age1a", "1", "2", ARN]
    );
    let (file, unknown) = DecryptionOrder::parse("").unwrap();
    assert!(unknown.is_empty());
    assert_eq!(sorted(&file), [ARN, "1", "2", "age1a"]);
    let (order, unknown) = DecryptionOrder::parse("pgp, age,x").unwrap();
    assert_eq!(unknown, [" age", "x"]);
    assert_eq!(sorted(&order), ["1", "2", ARN, "age1a"]);
    let twice = DecryptionOrder::parse("age,pgp,age").unwrap_err();
    assert_eq!(twice, DuplicateKeyType("age".into()));
}

#[test]
fn only_age_entries_have_no_date() {
    let now: LastModified = "2026-01-31T12:00:00Z".parse().unwrap();
    let wrap = |kind, text: &str| WrappedKey::new(one(kind, text).unwrap(), "x".into(), &now);
    assert_eq!(wrap(KeyType::Age, "age1a").created_at, None);
    assert_eq!(
        wrap(KeyType::Pgp, "AB").created_at.as_deref(),
        Some("2026-01-31T12:00:00Z")
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), kind in 0..KeyType::ALL.len()) {
        let _ = MasterKey::list(KeyType::ALL[kind], &text, &KmsOptions::default());
        let _ = MasterKey::kms_context(&text);
        let _ = DecryptionOrder::parse(&text);
    }

    #[test]
    fn what_a_key_prints_is_read_as_the_same_key(
        kind in prop::sample::select(vec![
            (KeyType::Age, "age1[a-z0-9]{1,8}"),
            (KeyType::AzureKv, "https://[a-z.]{1,8}/keys/[a-z-]{1,8}/[a-z0-9]{0,8}"),
            (KeyType::GcpKms, "projects/[a-z/]{1,20}"),
            (KeyType::HcKms, "[a-z-]{1,8}:[a-z0-9-]{1,8}"),
            (KeyType::HcVault, "https?://[a-z.]{1,8}(:[0-9]{4})?/v1/[a-z]{1,4}(/[a-z]{1,4})?/keys/[a-z]{1,8}"),
            (KeyType::Kms, r"arn:aws:kms:[a-z]{2}:[0-9]{3}:key/[a-z]{1,8}(\+arn:aws:iam::[0-9]{3}:role/[a-z+]{1,8})?"),
            (KeyType::Pgp, "[0-9A-F]{8,40}!?"),
        ]).prop_flat_map(|(kind, pattern)| (Just(kind), pattern)),
    ) {
        let (kind, text) = kind;
        let key = one(kind, &text).unwrap();
        prop_assert_eq!(key.to_string(), &*text);
        prop_assert_eq!(key.key_type(), kind);
    }
}
