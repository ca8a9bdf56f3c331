//! Outcomes to the text: ciphertext into the form of what it takes the place of, and back.
//!
//! ```text
//!  plain        k: text             k: ENC[…]
//!  quoted       k: "text"           k: "ENC[…]"         the quotes stay
//!  block        k: |                k: |-               header and indentation stay; what the header
//!                 text                ENC[…]            says of the last line breaks, the text says
//!  in flow      {k: text}           {k: 'ENC[…]'}       a ciphertext has brackets and commas
//!  comment      # text              #ENC[…]
//! ```
//!
//! The peer writes every ciphertext without quotes or header, and a comment in a list as an item. All of
//! it is read, and a ciphertext that stood so stands so again.

mod aliases;
mod expand;
mod lists;
mod site;

use std::collections::HashMap;

use zeroize::Zeroizing;

use super::{Yaml, layout::Site, metadata, spell};
use crate::{
    lines,
    position::Position,
    sops::{
        body::Written,
        error::{MOST_WARNINGS, Warning, WriteError},
        metadata::MetaTree,
        outline::{Outcome, Outline, Step},
    },
    splice::{self, Splice},
    tree::NodeId,
    yaml::Node,
};

/// How new text is laid out.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Spaces of a nesting level.
    pub(super) step: usize,
    pub(super) line_break: &'static str,
}

pub(super) fn write(
    yaml: &Yaml,
    outline: Option<&Outline<'_>>,
    outcomes: &[Outcome],
    metadata: Option<&MetaTree>,
) -> Result<Written, WriteError> {
    let mut writer = Writer {
        source: yaml.stream.text(),
        layout: Layout::of(yaml),
        splices: Vec::with_capacity(outcomes.len() + 1),
        warnings: Vec::new(),
        open: Vec::new(),
        changed: 0,
        changed_in: HashMap::new(),
    };
    if let Some(outline) = outline {
        writer.leaves(outline, outcomes)?;
    }
    metadata::put(&yaml.stream, metadata, writer.layout, &mut writer.splices);
    let text = Zeroizing::new(splice::apply(writer.source, writer.splices)?);
    Ok(Written {
        bytes: yaml.text.encode_owned(text),
        warnings: writer.warnings,
    })
}

struct Writer<'s> {
    source: &'s str,
    layout: Layout,
    splices: Vec<Splice>,
    warnings: Vec<Warning>,
    /// The documents, maps and lists around what comes next.
    open: Vec<Open<'s>>,
    /// How many leaves changed so far.
    changed: usize,
    /// How many changed in each node that has an anchor.
    changed_in: HashMap<NodeId, usize>,
}

/// A document, map or list.
struct Open<'s> {
    /// The node of a map or list.
    node: Option<Node<'s>>,
    is_list: bool,
    /// How many leaves had changed before it.
    changed: usize,
    /// How many of its comments are items now.
    comments_as_items: usize,
}

impl<'s> Writer<'s> {
    fn leaves(&mut self, outline: &Outline<'s>, outcomes: &[Outcome]) -> Result<(), WriteError> {
        let Outline { steps, sites, .. } = outline;
        let mut outcomes = outcomes.iter();
        let mut index = 0;
        // Where the key stands whose value comes next.
        let mut key = None;
        while let Some(placed) = sites.get(index) {
            let step = &steps[index];
            if let Site::Alias(alias) = placed.site {
                let end = index + aliases::length(&sites[index..], alias);
                self.alias(alias, key, &steps[index..end], &mut outcomes);
                index = end;
                continue;
            }
            index += 1;
            match step {
                Step::Key(_) => {
                    key = Some(placed.at);
                    if let Site::Node(node) = placed.site {
                        self.keep_without_line_break(node);
                    }
                }
                Step::Value(_) | Step::Comment { .. } => {
                    let Some(outcome) = outcomes.next() else {
                        break;
                    };
                    self.leaf(placed.site, key, outcome)?;
                    if matches!(step, Step::Value(_)) {
                        key = None;
                    }
                }
                Step::End => {
                    self.close();
                    key = None;
                }
                Step::Document | Step::List | Step::Map => {
                    self.open(placed.site, matches!(step, Step::List));
                    key = None;
                }
                Step::Null => key = None,
            }
        }
        Ok(())
    }

    fn open(&mut self, site: Site<'s>, is_list: bool) {
        self.open.push(Open {
            node: match site {
                Site::Node(node) => Some(node),
                _ => None,
            },
            is_list,
            changed: self.changed,
            comments_as_items: 0,
        });
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if let Some(node) = open.node {
            self.note(node, open.changed);
            self.keep_empty_list(node);
            if open.comments_as_items > 0 {
                self.drop_brackets(node);
            }
        }
    }

    fn leaf(
        &mut self,
        site: Site<'s>,
        key: Option<usize>,
        outcome: &Outcome,
    ) -> Result<(), WriteError> {
        let before = self.changed;
        self.changed += usize::from(!matches!(outcome, Outcome::Keep));
        match (outcome, site) {
            (Outcome::Keep, Site::Node(node)) => self.keep_without_line_break(node),
            (outcome, Site::Node(node)) => self.node(node, key, outcome)?,
            (outcome, Site::Comment(comment)) => self.comment(comment, outcome),
            (_, Site::None | Site::Alias(_)) => {}
        }
        if let Site::Node(node) = site {
            self.note(node, before);
        }
        Ok(())
    }

    /// Notes for its aliases how much of a node changed.
    fn note(&mut self, node: Node<'s>, before: usize) {
        if node.anchor().is_some() {
            self.changed_in.insert(node.id(), self.changed - before);
        }
    }

    fn comment(&mut self, comment: &crate::yaml::Comment, outcome: &Outcome) {
        let range = comment.range.clone();
        let text = match outcome {
            Outcome::Keep => return,
            // Only comments in lists were ever bare: the others have nothing to be bare of.
            Outcome::Encrypted { text, bare: true } if self.can_be_item(comment) => {
                if let Some(list) = self.open.last_mut() {
                    list.comments_as_items += 1;
                }
                format!("- {text}")
            }
            Outcome::Encrypted { text, .. } => format!("#{text}"),
            Outcome::Plain(value) => {
                let column = lines::column(self.source, range.start);
                let text = String::from_utf8_lossy(value.plaintext().expose());
                spell::comment(&text, column, self.layout.line_break)
            }
        };
        self.splices.push(Splice::new(range, text));
    }

    /// Beyond a number nobody reads them, and each costs a look for its line.
    fn warn(&mut self, node: Node<'_>, warning: fn(Position) -> Warning) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(warning(node.position()));
        }
    }
}

impl Layout {
    /// The habits of a file: by how many columns its first nested map is indented, else the peer's 4.
    fn of(yaml: &Yaml) -> Self {
        let documents = yaml.stream.documents().iter();
        let step = documents
            .filter_map(crate::yaml::Document::root)
            .find_map(crate::edit::indentation_step)
            .filter(|step| (1..=9).contains(step));
        Self {
            step: step.unwrap_or(4),
            line_break: lines::line_break(yaml.stream.text()),
        }
    }
}
