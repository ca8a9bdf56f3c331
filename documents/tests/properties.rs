//! Properties that hold for any document and any edit.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod generate;

use generate::{Edit, Tree, apply_to_value, document, edit, garbled, tree};
use proptest::prelude::*;
use serde_json::Value;
use signet_documents::{
    edit::{EditError, Editor},
    emit::kubernetes_yaml,
    manifest::{
        resources,
        sealed::{SealShape, items, seal, set_item, unset_item},
    },
    splice::{Splice, apply},
    value::to_json,
    yaml::{Document, Node, Stream},
};

fn value_of(text: &str) -> Value {
    let stream = Stream::parse(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let root = stream.documents()[0].root().expect("a root");
    to_json(root).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

fn splices(stream: &Stream, edits: &[Edit]) -> Result<Vec<Splice>, EditError> {
    let document = &stream.documents()[0];
    let root = document.root().expect("a root");
    let mut editor = Editor::new(document);
    for edit in edits {
        make(&mut editor, root, edit)?;
    }
    editor.into_splices()
}

fn make<'a>(editor: &mut Editor<'a>, root: Node<'a>, edit: &Edit) -> Result<(), EditError> {
    match edit {
        Edit::Set(path, value) => editor.set(root, &strs(path), value),
        Edit::Remove(path) => editor.remove(root, &strs(path)),
    }
}

fn strs(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_written_is_read_back(tree in tree()) {
        let value = Value::from(&tree);
        let text = kubernetes_yaml(&value);
        prop_assert_eq!(value_of(&text), value, "{}", text);
    }

    #[test]
    fn a_generated_document_says_what_it_was_made_of((tree, text) in document()) {
        prop_assert_eq!(value_of(&text), Value::from(&tree), "{}", text);
    }

    #[test]
    fn an_edit_changes_what_it_names_and_keeps_all_other_bytes(
        (tree, text) in document(),
        edits in edit(),
    ) {
        let stream = Stream::parse(&text).expect("a generated document");
        let mut expected = Value::from(&tree);
        let Some(edits) = apply_to_value(&mut expected, edits) else { return Ok(()) };
        let splices = splices(&stream, &edits).expect("an edit without aliases");
        let new = apply(&text, splices.clone()).expect("no overlap");
        prop_assert_eq!(value_of(&new), expected, "{}\n--->\n{}", text, new);
        prop_assert!(is_outside_of(&splices, &text, &new), "{}\n--->\n{}", text, new);
    }

    #[test]
    fn an_edit_and_its_inverse_give_back_the_value((tree, text) in document(), edits in edit()) {
        let before = Value::from(&tree);
        let mut after = before.clone();
        let Some(edits) = apply_to_value(&mut after, edits) else { return Ok(()) };
        let [edit] = edits.as_slice() else { return Ok(()) };
        let Some(inverse) = edit.inverse(&before) else { return Ok(()) };
        let stream = Stream::parse(&text).expect("a generated document");
        let there = splices(&stream, &edits).and_then(|splices| Ok(apply(&text, splices)?));
        let there = there.expect("an edit without aliases");
        let stream = Stream::parse(&there).expect("an edited document");
        let back = splices(&stream, &[inverse]).and_then(|splices| Ok(apply(&there, splices)?));
        let back = back.expect("an edit without aliases");
        prop_assert_eq!(value_of(&back), before, "{}\n--->\n{}\n--->\n{}", text, there, back);
    }

    #[test]
    fn any_text_is_read_edited_and_sealed_or_refused(text in garbled()) {
        exercise(&text);
    }

    #[test]
    fn any_characters_are_read_edited_and_sealed_or_refused(text in "[a{}\\[\\]:,\\-?|>&*!#'\" \n\t\r1~é\\\\%@]{0,40}") {
        exercise(&text);
    }
}

/// Whether the bytes around the splices are those of the old text.
fn is_outside_of(splices: &[Splice], old: &str, new: &str) -> bool {
    let first = splices.iter().map(|splice| splice.range.start).min();
    let last = splices.iter().map(|splice| splice.range.end).max();
    let (Some(first), Some(last)) = (first, last) else {
        return old == new;
    };
    new.starts_with(&old[..first]) && new.ends_with(&old[last..])
}

/// Reads, walks, converts, edits and seals whatever the text is.
fn exercise(text: &str) {
    let Ok(stream) = Stream::parse(text) else {
        return;
    };
    let mut end = 0;
    for document in stream.documents() {
        assert_eq!(
            document.range().start,
            end,
            "documents leave no gap: {text:?}"
        );
        end = document.range().end;
        let content = document.content_range();
        assert!(
            content.start >= document.range().start && content.end <= end,
            "{text:?}"
        );
        for comment in document.comments() {
            assert!(text[comment.range.clone()].starts_with('#'), "{text:?}");
        }
        if let Some(root) = document.root() {
            walk(root, text, 0);
            if let Ok(before) = to_json(root) {
                for (path, value) in [(&["a"][..], Value::from("x")), (&["b", "c"], Value::Null)] {
                    edit_and_look(document, path, Some(&value), &before);
                    edit_and_look(document, path, None, &before);
                }
            }
        }
    }
    if !stream.documents().is_empty() {
        assert_eq!(end, text.len(), "{text:?}");
    }
    for (index, resource) in resources(&stream).enumerate() {
        let encrypt = |_: &_, _: &str, _: &_| Ok::<_, EditError>("AgA=".to_owned());
        if let Ok(sealed) = seal(resource.node, &SealShape::default(), encrypt) {
            let new = apply(text, vec![sealed.splice]).expect("one splice");
            assert_eq!(
                object(&new, index).as_ref(),
                Some(&sealed.value),
                "{text}\n--->\n{new}"
            );
        }
        if items(resource.node).is_ok() && to_json(resource.node).is_ok() {
            let set = set_item(resource.node, "k", "AgA=");
            let unset = unset_item(resource.node, "k");
            for (splices, expected) in [(set, Some("AgA=")), (unset, None)] {
                let Ok(splices) = splices else { continue };
                let new = apply(text, splices).expect("one edit does not overlap");
                let object = object(&new, index).expect("an object");
                let item = &object["spec"]["encryptedData"]["k"];
                assert_eq!(item.as_str(), expected, "{text}\n--->\n{new}");
            }
        }
    }
}

/// Sets or removes the entry at a path, and looks whether that and nothing else has happened.
fn edit_and_look(document: &Document, path: &[&str], value: Option<&Value>, before: &Value) {
    let root = document.root().expect("a root");
    let mut editor = Editor::new(document);
    let made = match value {
        Some(value) => editor.set(root, path, value),
        None => editor.remove(root, path),
    };
    let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
    let edit = match value {
        Some(value) => Edit::Set(path, value.clone()),
        None => Edit::Remove(path),
    };
    let mut expected = if before.is_null() {
        Value::Object(serde_json::Map::new())
    } else {
        before.clone()
    };
    if made.is_err() || apply_to_value(&mut expected, vec![edit]).is_none() {
        return;
    }
    let new = editor.apply().expect("one edit does not overlap");
    let start = document.range().start;
    let stream = Stream::parse(&new).unwrap_or_else(|error| panic!("{error}: {document:?}\n{new}"));
    let after = stream
        .documents()
        .iter()
        .find(|each| each.range().start == start);
    let after = after.and_then(Document::root).map(to_json);
    let old = document.source();
    assert_eq!(after, Some(Ok(expected)), "{old}\n--->\n{new}");
}

/// The resource at an index of a text, as JSON.
fn object(text: &str, index: usize) -> Option<Value> {
    let stream = Stream::parse(text).ok()?;
    to_json(resources(&stream).nth(index)?.node).ok()
}

/// All ranges lie in the text, and children in their parents.
fn walk(node: Node<'_>, text: &str, depth: usize) {
    let range = node.full_range();
    assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
    assert!(depth < 1000);
    let _ = (
        node.text(),
        node.as_str(),
        node.is_null(),
        node.position(),
        node.anchor(),
    );
    if matches!(node.kind(), signet_documents::yaml::Kind::Alias(_)) {
        return;
    }
    for entry in node.entries() {
        assert!(text.get(entry.range()).is_some(), "{text:?}");
        let _ = (entry.leading_comments(), entry.trailing_comment());
        walk(entry.key, text, depth + 1);
        walk(entry.value, text, depth + 1);
    }
    for item in node.items() {
        assert!(text.get(item.range()).is_some(), "{text:?}");
        let _ = (item.leading_comments(), item.trailing_comment());
        walk(item.node, text, depth + 1);
    }
}

#[test]
fn a_tree_is_what_the_generator_says() {
    let tree = Tree::Mapping(vec![("a".to_owned(), Tree::Text("1".to_owned()))]);
    assert_eq!(Value::from(&tree), serde_json::json!({"a": "1"}));
}
