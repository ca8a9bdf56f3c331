//! Outline and outcomes to a tree.

use signet_keys::sops::Value;

use super::{Branch, ListItem, Tree, TreeComment, TreeItem, TreeValue};
use crate::sops::outline::{Leaf, Outcome, Outline, Step};

impl Tree {
    /// The content of a file whose leaves become what `outcomes` says; without outcomes, as it is.
    pub(crate) fn of(outline: &Outline<'_>, outcomes: &[Outcome]) -> Self {
        let mut builder = Builder::default();
        let mut outcomes = outcomes.iter();
        for step in &outline.steps {
            builder.step(step, &mut outcomes);
        }
        builder.tree
    }
}

#[derive(Default)]
struct Builder {
    tree: Tree,
    open: Vec<Open>,
}

/// A collection that is not complete, and the key that its value will have.
enum Open {
    Map { branch: Branch, key: Option<String> },
    List(Vec<ListItem>),
}

impl Builder {
    fn step<'o>(&mut self, step: &Step<'_>, outcomes: &mut impl Iterator<Item = &'o Outcome>) {
        match step {
            Step::Document | Step::Map => self.open.push(Open::Map {
                branch: Branch::default(),
                key: None,
            }),
            Step::List => self.open.push(Open::List(Vec::new())),
            Step::Key(name) => {
                if let Some(Open::Map { key, .. }) = self.open.last_mut() {
                    *key = Some(name.clone().into_owned());
                }
            }
            Step::End => self.close(),
            Step::Null => self.value(TreeValue::Null),
            Step::Value(leaf) => {
                let value = match outcomes.next() {
                    Some(Outcome::Plain(value)) => value.clone(),
                    Some(Outcome::Encrypted { text, .. }) => Value::text(text.as_bytes()),
                    Some(Outcome::Keep) | None => match leaf {
                        Leaf::Text(text) => Value::text(text.as_bytes()),
                        Leaf::Typed(value) => value.clone(),
                    },
                };
                if value.kind() == signet_keys::sops::Kind::Comment {
                    self.comment(value, false);
                } else {
                    self.value(TreeValue::Scalar(value));
                }
            }
            Step::Comment { text, inline } => {
                let (text, inline) = match outcomes.next() {
                    // The peer forgets where a comment stood when it decrypts it.
                    Some(Outcome::Plain(value)) => (value.clone(), false),
                    Some(Outcome::Encrypted { text, .. }) => {
                        (Value::comment(text.as_bytes()), *inline)
                    }
                    Some(Outcome::Keep) | None => (Value::comment(text.as_bytes()), *inline),
                };
                self.comment(text, inline);
            }
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Map { branch, .. }) if self.open.is_empty() => {
                self.tree.documents.push(branch);
            }
            Some(Open::Map { branch, .. }) => self.value(TreeValue::Map(branch)),
            Some(Open::List(items)) => self.value(TreeValue::List(items)),
            None => {}
        }
    }

    fn value(&mut self, value: TreeValue) {
        match self.open.last_mut() {
            Some(Open::Map { branch, key }) => {
                if let Some(key) = key.take() {
                    branch.items.push(TreeItem::Entry { key, value });
                }
            }
            Some(Open::List(items)) => items.push(ListItem::Value(value)),
            None => {}
        }
    }

    fn comment(&mut self, text: Value, inline: bool) {
        let comment = TreeComment { text, inline };
        match self.open.last_mut() {
            Some(Open::Map { branch, .. }) => branch.items.push(TreeItem::Comment(comment)),
            Some(Open::List(items)) => items.push(ListItem::Comment(comment)),
            None => {}
        }
    }
}
