//! An encrypted file in the layout of `sops`: its ciphertexts as texts, and the metadata where the
//! format has it.

use signet_keys::Plaintext;
use signet_keys::sops::{Value, value::looks_encrypted};

use super::{EmitError, Layout, file};
use crate::sops::{
    FileFormat, Metadata,
    flatten::flatten,
    metadata::MetaTree,
    tree::{Branch, ListItem, Tree, TreeItem, TreeValue},
};

const METADATA: &str = "sops";

/// An encrypted file. `tree` is that of [`File::tree`](crate::sops::File::tree): values are their
/// ciphertexts.
///
/// # Errors
/// As for a file in the clear.
pub fn encrypted(
    tree: &Tree,
    metadata: &Metadata,
    format: FileFormat,
    layout: &Layout,
) -> Result<Plaintext, EmitError> {
    let metadata = metadata.write();
    let mut tree = tree.clone();
    for branch in &mut tree.documents {
        comments_as_items(branch);
        append(branch, &metadata, format);
    }
    let format = match format {
        // Bytes are encrypted as the value of a JSON object.
        FileFormat::Binary => FileFormat::Json,
        format => format,
    };
    file(&tree, format, layout)
}

fn append(branch: &mut Branch, metadata: &MetaTree, format: FileFormat) {
    let text = |text: String| TreeValue::Scalar(Value::text(text));
    match format {
        FileFormat::Yaml | FileFormat::Json | FileFormat::Binary => {
            branch
                .items
                .push(entry(METADATA.to_owned(), value(metadata)));
        }
        FileFormat::Dotenv => {
            let lines = flatten(metadata).into_iter();
            let lines = lines.map(|(key, value)| entry(format!("{METADATA}_{key}"), text(value)));
            branch.items.extend(lines);
        }
        FileFormat::Ini => {
            let keys = flatten(metadata).into_iter();
            let keys = keys.map(|(key, value)| entry(key, text(value.replace('\n', "\\n"))));
            let section = TreeValue::Map(Branch {
                items: keys.collect(),
            });
            branch.items.push(entry(METADATA.to_owned(), section));
        }
    }
}

fn entry(key: String, value: TreeValue) -> TreeItem {
    TreeItem::Entry { key, value }
}

fn value(tree: &MetaTree) -> TreeValue {
    match tree {
        MetaTree::Null => TreeValue::Null,
        MetaTree::Bool(value) => TreeValue::Scalar(Value::bool(*value)),
        MetaTree::Int(number) => TreeValue::Scalar(Value::int(*number)),
        MetaTree::Text(text) => TreeValue::Scalar(Value::text(text.as_bytes())),
        MetaTree::List(items) => TreeValue::List(
            items
                .iter()
                .map(|item| ListItem::Value(value(item)))
                .collect(),
        ),
        MetaTree::Map(entries) => TreeValue::Map(Branch {
            items: entries
                .iter()
                .map(|(key, tree)| entry(key.clone(), value(tree)))
                .collect(),
        }),
    }
}

/// The peer writes the encrypted comments of a list as items of it.
fn comments_as_items(branch: &mut Branch) {
    for item in &mut branch.items {
        if let TreeItem::Entry { value, .. } = item {
            inside(value);
        }
    }
}

fn inside(value: &mut TreeValue) {
    match value {
        TreeValue::Map(branch) => comments_as_items(branch),
        TreeValue::List(items) => {
            for item in items {
                match item {
                    ListItem::Value(value) => inside(value),
                    ListItem::Comment(comment) => {
                        let text = comment.text.plaintext().expose();
                        let text = std::str::from_utf8(text).unwrap_or_default();
                        if looks_encrypted(text) {
                            let text = Value::text(text);
                            *item = ListItem::Value(TreeValue::Scalar(text));
                        }
                    }
                }
            }
        }
        TreeValue::Null | TreeValue::Scalar(_) => {}
    }
}
