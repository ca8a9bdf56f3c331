#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::yaml::{Document, Stream};

fn tree(yaml: &str) -> MetaTree {
    let stream = Stream::parse(yaml).unwrap();
    MetaTree::of_node(stream.documents()[0].root().unwrap()).unwrap()
}

fn read(yaml: &str) -> Result<Metadata, MetadataError> {
    Metadata::read(&tree(yaml))
}

/// Metadata with some more lines.
fn with(lines: &str) -> String {
    format!("lastmodified: '2024-01-02T03:04:05Z'\nage: [{{recipient: age1a, enc: x}}]\n{lines}")
}

fn keys(metadata: &Metadata) -> Vec<String> {
    metadata
        .keys()
        .map(|wrapped| wrapped.key.to_string())
        .collect()
}

fn field_names(tree: &MetaTree) -> Vec<&str> {
    match tree {
        MetaTree::Map(entries) => entries.iter().map(|(name, _)| name.as_str()).collect(),
        _ => panic!("{tree:?}"),
    }
}

/// The fixture was written by sops 3.13.3 from one in which keys of all kinds had been put by hand, in
/// another order and with other spellings.
#[test]
fn all_kinds_of_keys_are_written_as_the_peer_writes_them() {
    let written = tree(include_str!(
        "../../../tests/fixtures/sops/metadata/all-kinds.yaml"
    ));
    let metadata = Metadata::read(&written).unwrap();
    let kinds: Vec<_> = metadata
        .keys()
        .map(|wrapped| wrapped.key.type_name())
        .collect();
    assert_eq!(
        kinds,
        [
            "kms", "kms", "gcp_kms", "hckms", "azure_kv", "hc_vault", "pgp", "age", "age"
        ]
    );
    assert_eq!(Metadata::read(&metadata.write()).unwrap(), metadata);
    assert_eq!(texts(&metadata.write()), texts(&written));
}

#[test]
fn key_groups_are_written_as_the_peer_writes_them() {
    let written = tree(include_str!(
        "../../../tests/fixtures/sops/metadata/groups.yaml"
    ));
    let metadata = Metadata::read(&written).unwrap();
    assert_eq!(metadata.groups.len(), 3);
    assert_eq!(metadata.required_groups(), 2);
    assert_eq!(texts(&metadata.write()), texts(&written));
}

/// Files of all ages: python's 1.13, lists that are `[]` or null, struct order, new order.
#[test]
fn files_of_all_versions_are_read() {
    for (text, keys) in [
        (
            include_str!("../../../tests/fixtures/sops/metadata/1.13.yaml"),
            4,
        ),
        (
            include_str!("../../../tests/fixtures/sops/metadata/3.7.yaml"),
            1,
        ),
        (
            include_str!("../../../tests/fixtures/sops/metadata/3.12.yaml"),
            1,
        ),
    ] {
        let metadata = read(text).unwrap();
        assert_eq!(metadata.keys().count(), keys, "{text}");
        assert!(metadata.mac.is_some(), "{text}");
    }
}

#[test]
fn numbers_and_truth_values_may_be_texts_as_in_dotenv() {
    let metadata = read(&with(
        "mac_only_encrypted: 'true'\nshamir_threshold: '2'\nversion: 3.13",
    ))
    .unwrap();
    assert!(metadata.mac_only_encrypted);
    assert_eq!(metadata.shamir_threshold, Some(2));
    assert_eq!(metadata.version, "3.13");
    let typed = MetaTree::Map(vec![
        ("lastmodified".into(), "2024-01-02T03:04:05Z".into()),
        ("mac_only_encrypted".into(), MetaTree::Bool(true)),
        ("shamir_threshold".into(), MetaTree::Int(2)),
        (
            "age".into(),
            MetaTree::List(vec![MetaTree::Map(vec![(
                "recipient".into(),
                MetaTree::Int(7),
            )])]),
        ),
    ]);
    let metadata = Metadata::read(&typed).unwrap();
    assert_eq!(
        (metadata.shamir_threshold, metadata.mac_only_encrypted),
        (Some(2), true)
    );
    assert_eq!(keys(&metadata), ["7"]);
}

#[test]
fn what_is_not_set_is_not_written() {
    let metadata = read(&with("kms: []\ngcp_kms: null\npgp:\nshamir_threshold: 0\nmac_only_encrypted: false\nunencrypted_suffix: ''\nattention: x\n<<: {}")).unwrap();
    assert_eq!(metadata.selector, None);
    assert_eq!(
        metadata.effective_selector(),
        SelectorSpec::UnencryptedSuffix("_unencrypted".into())
    );
    assert_eq!(
        field_names(&metadata.write()),
        ["age", "lastmodified", "mac", "version"]
    );
}

#[test]
fn lists_at_the_top_win_over_groups() {
    let both = with("key_groups: [{age: [{recipient: age1b, enc: y}]}, {pgp: []}]");
    assert_eq!(keys(&read(&both).unwrap()), ["age1a"]);
    let groups = both.replace("age: [{recipient: age1a, enc: x}]\n", "age: []\n");
    let metadata = read(&groups).unwrap();
    assert_eq!(
        (keys(&metadata), metadata.groups.len()),
        (vec!["age1b".to_owned()], 2)
    );
}

#[test]
fn a_mapping_stands_for_a_list_of_one_and_upper_case_for_lower() {
    let metadata =
        read("LastModified: 2024-01-02T03:04:05Z\nage: {recipient: age1a, ENC: x}").unwrap();
    assert_eq!(metadata.groups[0].keys[0].enc, "x");
}

#[test]
fn times_keep_their_offset_and_lose_parts_of_seconds() {
    let metadata = read(&with(
        "pgp: [{fp: AB, enc: x, created_at: 2024-01-02T03:04:05.678+02:00}]",
    ))
    .unwrap();
    let created = metadata.groups[0].keys[0].created_at.as_deref();
    assert_eq!(created, Some("2024-01-02T03:04:05+02:00"));
}

#[test]
fn errors_name_the_field_and_no_value() {
    let error = |lines: &str| read(&with(lines)).unwrap_err().to_string();
    for (lines, field) in [
        ("pgp: [{fp: hunter2}]", "sops.pgp[0].created_at"),
        (
            "pgp: [{fp: A, created_at: 2024-01-02T03:04:05Z}, {created_at: hunter2}]",
            "sops.pgp[1].created_at",
        ),
        ("pgp: hunter2", "sops.pgp"),
        ("kms: [hunter2]", "sops.kms[0]"),
        ("kms: [{arn: [hunter2]}]", "sops.kms[0].arn"),
        ("kms: [{context: hunter2}]", "sops.kms[0].context"),
        ("kms: [{context: {a: []}}]", "sops.kms[0].context.a"),
        ("shamir_threshold: hunter2", "sops.shamir_threshold"),
        ("shamir_threshold: -1", "sops.shamir_threshold"),
        ("mac_only_encrypted: hunter2", "sops.mac_only_encrypted"),
        ("mac: {}", "sops.mac"),
    ] {
        let error = error(lines);
        assert!(
            error.contains(&format!("`{field}`")) && !error.contains("hunter2"),
            "{lines}: {error}"
        );
    }
    assert_eq!(
        read("age: []\nlastmodified: 2024-01-02T03:04:05Z"),
        Err(MetadataError::NoKeys)
    );
    assert!(matches!(read("age: [{}]"), Err(MetadataError::Time { .. })));
    assert!(matches!(
        Metadata::read(&MetaTree::List(vec![])),
        Err(MetadataError::Type { .. })
    ));
}

#[test]
fn a_file_has_one_selector() {
    let spec = read(&with("encrypted_regex: ^a")).unwrap().selector;
    assert_eq!(spec, Some(SelectorSpec::EncryptedRegex("^a".into())));
    let error = read(&with("encrypted_regex: ^a\nunencrypted_comment_regex: b")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the metadata has both `encrypted_regex` and `unencrypted_comment_regex`: a file has one selector"
    );
    for field in SelectorSpec::FIELDS {
        let metadata = read(&with(&format!("{field}: x"))).unwrap();
        assert_eq!(metadata.write().get(field), Some(&"x".into()));
    }
}

#[test]
fn a_split_needs_keys_in_each_group_and_a_threshold_between_two_and_the_groups() {
    let plan = |sizes: &[usize], threshold| Split::plan(sizes.iter().copied(), threshold);
    assert_eq!(plan(&[2], None), Ok(Split::Whole));
    assert_eq!(plan(&[2], Some(5)), Ok(Split::Whole));
    assert_eq!(
        plan(&[1, 1, 1], None),
        Ok(Split::Shares {
            groups: 3,
            threshold: 3
        })
    );
    assert_eq!(
        plan(&[1, 1, 1], Some(2)),
        Ok(Split::Shares {
            groups: 3,
            threshold: 2
        })
    );
    let error = |sizes: &[usize], threshold| {
        let error = plan(sizes, threshold).unwrap_err();
        (error.to_string(), error.hint())
    };
    // The peer's words, which its own tests look for.
    assert_eq!(error(&[0], None).0, "empty key group provided");
    assert_eq!(error(&[], None).0, "no key groups provided");
    assert!(error(&[1, 0, 1], Some(2)).1.contains("2nd of the 3 groups"));
    assert!(error(&[1, 1], Some(3)).1.contains("2 to 2"));
    assert!(error(&[1, 1], Some(1)).0.contains("at least 2"));
    assert!(error(&vec![1; 256], None).0.contains("255"));
}

#[test]
fn aliases_in_metadata_are_followed_and_bombs_are_refused() {
    let metadata =
        read("x: &x {recipient: age1a, enc: y}\nage: [*x]\nlastmodified: 2024-01-02T03:04:05Z")
            .unwrap();
    assert_eq!(keys(&metadata), ["age1a"]);
    let levels = ('b'..='k').map(|level| {
        let below = char::from(level as u8 - 1);
        let aliases = vec![format!("*{below}"); 10].join(", ");
        format!("{level}: &{level} [{aliases}]")
    });
    let levels = levels.collect::<Vec<_>>().join("\n");
    let bomb = Stream::parse(&format!("a: &a x\n{levels}")).unwrap();
    let root = bomb.documents()[0].root().unwrap();
    assert_eq!(MetaTree::of_node(root), Err(MetadataError::TooLarge));
}

/// Numbers and truth values as texts: YAML gives them so.
fn texts(tree: &MetaTree) -> MetaTree {
    match tree {
        MetaTree::Bool(value) => MetaTree::Text(value.to_string()),
        MetaTree::Int(number) => MetaTree::Text(number.to_string()),
        MetaTree::List(items) => MetaTree::List(items.iter().map(texts).collect()),
        MetaTree::Map(entries) => {
            let entries = entries.iter();
            MetaTree::Map(
                entries
                    .map(|(name, value)| (name.clone(), texts(value)))
                    .collect(),
            )
        }
        MetaTree::Null | MetaTree::Text(_) => tree.clone(),
    }
}

fn any_tree() -> impl Strategy<Value = MetaTree> {
    let scalar = prop_oneof![
        Just(MetaTree::Null),
        any::<bool>().prop_map(MetaTree::Bool),
        any::<i64>().prop_map(MetaTree::Int),
        "(age1a|2024-01-02T03:04:05Z|2|.{0,8})".prop_map(MetaTree::Text),
    ];
    let name = "(age|kms|pgp|azure_kv|key_groups|hc_vault|lastmodified|created_at|enc|context|arn|version|encrypted_regex|shamir_threshold|.{0,3})";
    scalar.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(MetaTree::List),
            prop::collection::vec((name, inner), 0..8).prop_map(MetaTree::Map),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let Ok(stream) = Stream::parse(&text) else { return Ok(()) };
        for root in stream.documents().iter().filter_map(Document::root) {
            let _ = MetaTree::of_node(root).map(|tree| Metadata::read(&tree));
        }
    }

    #[test]
    fn any_tree_is_read_or_refused_and_what_is_read_is_written_and_read_alike(tree in any_tree()) {
        let MetaTree::Map(mut entries) = tree else { return Ok(()) };
        entries.push(("lastmodified".into(), "2024-01-02T03:04:05Z".into()));
        if let Ok(metadata) = Metadata::read(&MetaTree::Map(entries))
            && (metadata.keys().count() > 0 || metadata.groups.len() > 1)
        {
            prop_assert_eq!(Metadata::read(&metadata.write()), Ok(metadata));
        }
    }
}
