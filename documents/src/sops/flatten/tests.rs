#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;

fn map(entries: &[(&str, MetaTree)]) -> MetaTree {
    let entries = entries
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    MetaTree::Map(entries.collect())
}

fn read(keys: &[&str]) -> Result<MetaTree, FlattenError> {
    unflatten(keys.iter().map(|key| (*key, "v".to_owned())))
}

#[test]
fn keys_are_paths_of_map_and_list_steps() {
    let group = map(&[(
        "age",
        MetaTree::List(vec![map(&[("recipient", "age1".into())])]),
    )]);
    let tree = map(&[
        (
            "key_groups",
            MetaTree::List(vec![map(&[("age", MetaTree::List(Vec::new()))]), group]),
        ),
        ("mac_only_encrypted", MetaTree::Bool(true)),
        ("shamir_threshold", MetaTree::Int(2)),
    ]);
    let flat = flatten(&tree);
    let flat: Vec<(&str, &str)> = flat
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        flat,
        [
            ("key_groups__list_1__map_age__list_0__map_recipient", "age1"),
            ("mac_only_encrypted", "true"),
            ("shamir_threshold", "2"),
        ]
    );
}

#[test]
fn the_eleventh_item_stands_behind_the_tenth() {
    let items = MetaTree::List(vec!["x".into(); 12]);
    let keys: Vec<String> = flatten(&map(&[("l", items)]))
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys[2], "l__list_2");
    assert_eq!(keys[10], "l__list_10");
}

#[test]
fn keys_in_any_order_give_the_tree_in_alphabetical_order() {
    let tree = read(&["pgp__list_1__map_fp", "mac", "pgp__list_0__map_fp"]).unwrap();
    let fp = map(&[("fp", "v".into())]);
    let expected = map(&[
        ("mac", "v".into()),
        ("pgp", MetaTree::List(vec![fp.clone(), fp])),
    ]);
    assert_eq!(tree, expected);
}

#[test]
fn what_is_no_tree_is_named() {
    let path = |text: &str| text.to_owned();
    for (keys, error) in [
        (&["a__list_1"][..], FlattenError::Gap { path: path("a") }),
        (&["a", "a__map_b"], FlattenError::Mixed { path: path("a") }),
        (
            &["x__map_a__map_b", "x__map_a__list_0"],
            FlattenError::Mixed {
                path: path("x__map_a"),
            },
        ),
        (&["a", "a"], FlattenError::Duplicate { key: path("a") }),
        (
            &["a__list_x"],
            FlattenError::NotANumber {
                key: path("a__list_x"),
            },
        ),
    ] {
        assert_eq!(read(keys), Err(error), "{keys:?}");
    }
    let deep = "a".to_owned() + &"__map_".repeat(100_000);
    assert_eq!(read(&[&deep]), Err(FlattenError::TooDeep));
}

fn tree() -> impl Strategy<Value = MetaTree> {
    let leaf = "[a-z\n]{0,6}".prop_map(MetaTree::Text);
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(MetaTree::List),
            // One underscore between letters: two would be those of a mark.
            prop::collection::btree_map("[a-z]{1,3}(_[a-z]{1,3})?", inner, 1..4)
                .prop_map(|map| MetaTree::Map(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_tree_that_is_flattened_comes_back(tree in tree()) {
        let tree = map(&[("top", tree)]);
        let flat = flatten(&tree);
        let entries = flat.iter().map(|(key, value)| (key.as_str(), value.clone()));
        prop_assert_eq!(unflatten(entries).unwrap(), tree);
    }

    #[test]
    fn any_keys_are_read_or_refused(keys in prop::collection::vec("([a-c]|__map_|__list_|[0-2]){0,6}", 0..6)) {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let _ = read(&keys);
    }
}
