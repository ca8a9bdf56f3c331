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
//! The peer writes a block as a plain ciphertext and a comment in a list as an item. Both are read, and
//! a ciphertext that stood so stands so again.

mod expand;
mod site;

use std::collections::HashSet;

use zeroize::Zeroizing;

use super::{
    Yaml,
    layout::{self, Placed, Site},
    metadata,
};
use crate::{
    lines,
    sops::{
        body::Written,
        error::{Warning, WriteError},
        metadata::MetaTree,
        outline::{Outcome, Step},
    },
    splice::{self, Splice},
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
    outcomes: &[Outcome],
    metadata: Option<&MetaTree>,
) -> Result<Written, WriteError> {
    let mut writer = Writer {
        source: yaml.stream.text(),
        layout: Layout::of(yaml),
        splices: Vec::with_capacity(outcomes.len() + 1),
        warnings: Vec::new(),
    };
    if !outcomes.is_empty() {
        // The file was walked before there were outcomes: what can be wrong with it was found then.
        let steps = layout::of(&yaml.stream).unwrap_or_default();
        writer.leaves(&steps, outcomes)?;
    }
    metadata::put(&yaml.stream, metadata, writer.layout, &mut writer.splices);
    let text = Zeroizing::new(splice::apply(writer.source, writer.splices)?);
    Ok(Written {
        bytes: Zeroizing::new(yaml.text.encode(&text)),
        warnings: writer.warnings,
    })
}

struct Writer<'s> {
    source: &'s str,
    layout: Layout,
    splices: Vec<Splice>,
    warnings: Vec<Warning>,
}

impl<'s> Writer<'s> {
    fn leaves(&mut self, steps: &[Placed<'s>], outcomes: &[Outcome]) -> Result<(), WriteError> {
        let mut outcomes = outcomes.iter();
        let mut index = 0;
        // Where the key stands whose value comes next.
        let mut key = None;
        while let Some(placed) = steps.get(index) {
            if let Site::Alias(alias) = placed.site {
                let end = index + alias_length(&steps[index..], alias);
                self.alias(alias, key, &steps[index..end], &mut outcomes);
                index = end;
                continue;
            }
            index += 1;
            match placed.step {
                Step::Key(_) => key = Some(placed.start()),
                Step::Value(_) | Step::Comment { .. } => {
                    let Some(outcome) = outcomes.next() else {
                        break;
                    };
                    match (outcome, placed.site) {
                        (Outcome::Keep, Site::Node(node)) => self.keep_without_line_break(node),
                        (outcome, Site::Node(node)) => self.node(node, key, outcome)?,
                        (outcome, Site::Comment(comment)) => self.comment(comment, outcome),
                        (_, Site::None | Site::Alias(_)) => {}
                    }
                    if matches!(placed.step, Step::Value(_)) {
                        key = None;
                    }
                }
                Step::End => {
                    if let Site::Node(node) = placed.site {
                        self.keep_empty_list(node);
                    }
                    key = None;
                }
                Step::Document | Step::List | Step::Map | Step::Null => key = None,
            }
        }
        Ok(())
    }

    /// A list whose items were comments that the peer wrote as such is empty, and not null.
    fn keep_empty_list(&mut self, node: Node<'s>) {
        let Some(last) = node.items().last() else {
            return;
        };
        let start = node.range().start;
        let comments: HashSet<usize> = self
            .splices
            .iter()
            .rev()
            .take_while(|splice| splice.range.start >= start)
            .filter(|splice| splice.text.starts_with('#'))
            .map(|splice| splice.range.start)
            .collect();
        let dash = |item: crate::yaml::Item<'_>| item.range().start;
        if comments.contains(&dash(last)) && node.items().all(|item| comments.contains(&dash(item)))
        {
            let column = lines::column(self.source, dash(last)).max(1);
            let text = format!("{}{:column$}[]", self.layout.line_break, "");
            let end = lines::end(self.source, node.range().end);
            self.splices.push(Splice::insert(end, text));
        }
    }

    fn comment(&mut self, comment: &crate::yaml::Comment, outcome: &Outcome) {
        let range = comment.range.clone();
        let text = match outcome {
            Outcome::Keep => return,
            // Only comments in lists were ever bare: the others have nothing to be bare of.
            Outcome::Encrypted { text, bare: true } => format!("- {text}"),
            Outcome::Encrypted { text, bare: false } => format!("#{text}"),
            Outcome::Plain(value) => {
                format!("#{}", String::from_utf8_lossy(value.plaintext().expose()))
            }
        };
        self.splices.push(Splice::new(range, text));
    }

    /// An alias stays if nothing that is seen through it changes.
    fn alias<'o>(
        &mut self,
        alias: Node<'s>,
        key: Option<usize>,
        steps: &[Placed<'s>],
        outcomes: &mut impl Iterator<Item = &'o Outcome>,
    ) {
        let is_leaf =
            |placed: &&Placed<'_>| matches!(placed.step, Step::Value(_) | Step::Comment { .. });
        let leaves = steps.iter().filter(is_leaf).count();
        let outcomes: Vec<&Outcome> = outcomes.take(leaves).collect();
        if outcomes.iter().all(|each| matches!(each, Outcome::Keep)) {
            return;
        }
        self.warnings.push(Warning::AliasExpanded {
            at: alias.position(),
        });
        let text = expand::text(self.source, self.layout, alias, key, steps, &outcomes);
        // A block goes below its key: the space before the alias goes too.
        let mut range = alias.full_range();
        if text.starts_with(['\n', '\r']) {
            range.start = self.source[..range.start]
                .trim_end_matches([' ', '\t'])
                .len();
        }
        self.splices.push(Splice::new(range, text));
    }
}

/// How many steps the peer sees through an alias.
fn alias_length(steps: &[Placed<'_>], alias: Node<'_>) -> usize {
    let same = |placed: &&Placed<'_>| matches!(placed.site, Site::Alias(other) if other.range() == alias.range());
    steps.iter().take_while(same).count().max(1)
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
