//! Aliases replaced by what they stand for, comments and all, as the peer walks them.

use std::collections::HashMap;

use super::{Placed, Site, anchored};
use crate::{
    limits::{MAX_ALIASED_NODES, MAX_NESTING},
    sops::{error::ReadError, outline::Step},
    tree::NodeId,
    yaml::{Kind, Node},
};

/// Appends the steps of one document to `out`.
pub(super) fn expand<'s>(
    steps: Vec<Placed<'s>>,
    out: &mut Vec<Placed<'s>>,
) -> Result<(), ReadError> {
    let mut complete: HashMap<NodeId, (usize, usize)> = HashMap::new();
    let mut open: Vec<(Option<NodeId>, usize)> = Vec::new();
    let mut copied = 0;
    for placed in steps {
        match placed.step {
            Step::Document | Step::Map | Step::List => {
                open.push((anchored(&placed.site), out.len()));
            }
            Step::Value(_) | Step::Null => {
                if let Site::Alias(alias) = placed.site {
                    copied += copy(alias, &complete, open.len(), out)?;
                    if copied > MAX_ALIASED_NODES {
                        return Err(refused(alias, "the aliases stand for too many values"));
                    }
                    continue;
                }
                if let Some(id) = anchored(&placed.site) {
                    complete.insert(id, (out.len(), out.len() + 1));
                }
            }
            Step::End => {
                if let Some((Some(id), start)) = open.pop() {
                    complete.insert(id, (start, out.len() + 1));
                }
            }
            Step::Key(_) | Step::Comment { .. } => {}
        }
        out.push(placed);
    }
    Ok(())
}

fn copy<'s>(
    alias: Node<'s>,
    complete: &HashMap<NodeId, (usize, usize)>,
    depth: usize,
    out: &mut Vec<Placed<'s>>,
) -> Result<usize, ReadError> {
    let Kind::Alias(target) = alias.kind() else {
        return Ok(0);
    };
    let Some((start, end)) = complete.get(&target.id()).copied() else {
        return Err(refused(alias, "the alias stands inside of its own anchor"));
    };
    if end - start > MAX_ALIASED_NODES {
        return Err(refused(alias, "the alias stands for too many values"));
    }
    let mut deepest = depth;
    let mut nested = depth;
    for index in start..end {
        match out[index].step {
            Step::Map | Step::List => {
                nested += 1;
                deepest = deepest.max(nested);
            }
            Step::End => nested -= 1,
            _ => {}
        }
        let copy = Placed {
            step: out[index].step.clone(),
            site: Site::Alias(alias),
            at: out[index].at,
        };
        out.push(copy);
    }
    if deepest > MAX_NESTING {
        return Err(refused(alias, "nested too deeply through aliases"));
    }
    Ok(end - start)
}

fn refused(alias: Node<'_>, what: &'static str) -> ReadError {
    ReadError::Alias {
        at: alias.position(),
        what,
    }
}
