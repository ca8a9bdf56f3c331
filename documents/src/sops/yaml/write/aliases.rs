//! Aliases of values that change.

use super::{Writer, expand};
use crate::{
    lines,
    sops::{
        error::Warning,
        outline::{Outcome, Step},
        yaml::layout::{Placement, Site},
    },
    splice::Splice,
    yaml::{Kind, Node},
};

/// How many steps the peer sees through an alias.
pub(super) fn length(sites: &[Placement<'_>], alias: Node<'_>) -> usize {
    let same = |placed: &&Placement<'_>| matches!(placed.site, Site::Alias(other) if other.range() == alias.range());
    sites.iter().take_while(same).count().max(1)
}

impl<'s> Writer<'s> {
    /// An alias stays if nothing changes, neither here nor where its anchor is: it would stand for
    /// ciphertexts of another place.
    pub(super) fn alias<'o>(
        &mut self,
        alias: Node<'s>,
        key: Option<usize>,
        steps: &[Step<'s>],
        outcomes: &mut impl Iterator<Item = &'o Outcome>,
    ) {
        let is_leaf = |step: &&Step<'_>| matches!(step, Step::Value(_) | Step::Comment { .. });
        let leaves = steps.iter().filter(is_leaf).count();
        let outcomes: Vec<&Outcome> = outcomes.take(leaves).collect();
        let changes = |outcome: &&&Outcome| !matches!(outcome, Outcome::Keep);
        let here = outcomes.iter().filter(changes).count();
        let there = match alias.kind() {
            Kind::Alias(target) => self.changed_in.get(&target.id()).copied(),
            _ => None,
        };
        let there = there.unwrap_or_default();
        if here == 0 && there == 0 {
            return;
        }
        self.changed += here;
        self.warn(alias, |at| Warning::AliasExpanded { at });
        if there > here {
            self.warn(alias, |at| Warning::AliasInClear { at });
        }
        let text = expand::text(self.source, self.layout, alias, key, steps, &outcomes);
        self.put(alias, &text);
    }

    /// Puts the first line of a text in the place of an alias, and the others below what else is on its
    /// line, a comment.
    fn put(&mut self, alias: Node<'s>, text: &str) {
        let (first, below) = text.split_at(text.find(['\n', '\r']).unwrap_or(text.len()));
        let mut range = alias.full_range();
        if first.is_empty() {
            // A block goes below its key: the space before the alias goes too.
            range.start = self.source[..range.start]
                .trim_end_matches([' ', '\t'])
                .len();
        }
        let line_end = lines::end(self.source, range.end);
        self.splices.push(Splice::new(range, first));
        if !below.is_empty() {
            self.splices.push(Splice::insert(line_end, below));
        }
    }
}
