//! Documents and edits for the property tests.

mod write;

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Value};

pub use write::document;

/// What a document says.
#[derive(Clone, Debug)]
pub enum Tree {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    Sequence(Vec<Tree>),
    Mapping(Vec<(String, Tree)>),
}

impl From<&Tree> for Value {
    fn from(tree: &Tree) -> Self {
        match tree {
            Tree::Null => Value::Null,
            Tree::Bool(value) => Value::Bool(*value),
            Tree::Number(value) => Value::from(*value),
            Tree::Text(text) => Value::String(text.clone()),
            Tree::Sequence(items) => Value::Array(items.iter().map(Value::from).collect()),
            Tree::Mapping(entries) => {
                let entries = entries.iter();
                Value::Object(
                    entries
                        .map(|(key, value)| (key.clone(), Value::from(value)))
                        .collect::<Map<_, _>>(),
                )
            }
        }
    }
}

/// Texts, among them all that need care: indicators, numbers, booleans, line breaks, spaces.
fn text() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "",
        "yes",
        "null",
        "~",
        "12",
        "0x1f",
        "1e3",
        "2001-01-01",
        "a: b",
        "a #b",
        "- a",
        "#a",
        "'",
        "\"",
        "it's",
        "{",
        "[a]",
        "a, b",
        "a: ",
        " a",
        "a ",
        "x\ny",
        "x\ny\n",
        "\nx\n\n",
        " x\n y\n",
        "x \ny",
        "é",
        "日本",
        "a\tb",
        "\\n",
        "%a",
        "@a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "? a",
        "---",
        "...",
        "a\r\nb",
        "<<",
        "=",
        "AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq==",
    ]);
    prop_oneof![
        3 => "[a-z]{1,8}",
        2 => odd.prop_map(str::to_owned),
        1 => "[ -~]{0,12}",
        1 => "[a-z ]{70,110}",
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(vec!["a", "b", "c", "d", "e"]).prop_map(str::to_owned),
        1 => select(vec!["tls.crt", ".docker", "a b", "yes", "1", "a: b", "é"]).prop_map(str::to_owned),
    ]
}

pub fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(Tree::Number),
        text().prop_map(Tree::Text),
        text().prop_map(Tree::Text),
    ];
    let inner = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..4).prop_map(Tree::Sequence),
            2 => mapping(inner),
        ]
    });
    mapping(inner)
}

fn mapping(value: impl Strategy<Value = Tree>) -> impl Strategy<Value = Tree> {
    vec((key(), value), 0..5).prop_map(|entries| {
        let mut kept: Vec<(String, Tree)> = Vec::new();
        for (key, value) in entries {
            if kept.iter().all(|(each, _)| *each != key) {
                kept.push((key, value));
            }
        }
        Tree::Mapping(kept)
    })
}

/// One edit of a document.
#[derive(Clone, Debug)]
pub enum Edit {
    Set(Vec<String>, Value),
    Remove(Vec<String>),
}

/// Edits that may or may not fit a document: see [`apply_to_value`].
pub fn edit() -> impl Strategy<Value = Vec<Edit>> {
    let path = || vec(key(), 1..4);
    let new = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
        2 => tree().prop_map(|tree| Value::from(&tree)),
    ];
    let one = prop_oneof![
        2 => (path(), new).prop_map(|(path, value)| Edit::Set(path, value)),
        1 => path().prop_map(Edit::Remove),
    ];
    vec(one, 1..4)
}

/// Makes those edits on a value that fit it and do not touch the same places; returns them.
pub fn apply_to_value(value: &mut Value, edits: Vec<Edit>) -> Option<Vec<Edit>> {
    let mut made: Vec<Edit> = Vec::new();
    for edit in edits {
        let related = made.iter().any(|other| {
            let (a, b) = (other.path(), edit.path());
            a.starts_with(b) || b.starts_with(a)
        });
        if !related && edit.apply(value).is_some() {
            made.push(edit);
        }
    }
    (!made.is_empty()).then_some(made)
}

impl Edit {
    fn path(&self) -> &[String] {
        match self {
            Self::Set(path, _) | Self::Remove(path) => path,
        }
    }

    fn apply(&self, value: &mut Value) -> Option<()> {
        let (last, parents) = self.path().split_last()?;
        if let Self::Remove(_) = self {
            let mut at = value;
            for key in parents {
                at = at.get_mut(key)?;
            }
            return at.as_object_mut()?.shift_remove(last).map(|_| ());
        }
        // Look before making parents.
        let mut at = &*value;
        for key in parents {
            match at.get(key) {
                Some(next) if next.is_object() => at = next,
                None | Some(Value::Null) => break,
                Some(_) => return None,
            }
        }
        let mut at = value;
        for key in parents {
            let next = at.as_object_mut()?.entry(key.as_str());
            at = next.or_insert_with(|| Value::Object(Map::new()));
            if at.is_null() {
                *at = Value::Object(Map::new());
            }
        }
        let Self::Set(_, new) = self else { return None };
        at.as_object_mut()?.insert(last.clone(), new.clone());
        Some(())
    }

    /// What undoes the edit, if one edit can: parents that were made stay.
    pub fn inverse(&self, before: &Value) -> Option<Edit> {
        let (last, parents) = self.path().split_last()?;
        let mut at = before;
        for key in parents {
            at = at.get(key)?;
        }
        let path = self.path().to_vec();
        match at.as_object()?.get(last) {
            Some(old) => Some(Edit::Set(path, old.clone())),
            None => Some(Edit::Remove(path)),
        }
    }
}

/// Valid documents with characters changed, put in and taken out.
pub fn garbled() -> impl Strategy<Value = String> {
    let seeds = select(vec![
        include_str!("seeds/secret.yaml"),
        include_str!("seeds/sealed.yaml"),
        include_str!("seeds/odd.yaml"),
        include_str!("seeds/list.json"),
    ]);
    let change = (
        any::<prop::sample::Index>(),
        0..4_usize,
        select(CHARACTERS.to_vec()),
    );
    let generated = document().prop_map(|(_, text)| text);
    let base = prop_oneof![3 => seeds.prop_map(str::to_owned), 1 => generated];
    (base, vec(change, 0..8)).prop_map(|(text, changes)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, cut, new) in changes {
            if chars.is_empty() {
                break;
            }
            let at = at.index(chars.len());
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, new.chars());
        }
        chars.into_iter().collect()
    })
}

const CHARACTERS: &[&str] = &[
    "",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    ":",
    ": ",
    "- ",
    "? ",
    "#",
    " # c\n",
    "'",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&a ",
    "*a",
    "!!str ",
    "!!int ",
    "|",
    "|+\n",
    ">-\n",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "<<: ",
    "é",
    "\u{2028}",
    "\u{feff}",
    "~",
    "0",
    "\\",
    "a: 1\n",
];
