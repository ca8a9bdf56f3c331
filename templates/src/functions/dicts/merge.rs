//! Maps into a map, and the maps inside them.

use super::{Table, put};
use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::signature::{Function, Rest};
use crate::value::{Elements, Map, Value};

pub(super) fn table() -> Table {
    vec![
        ("merge", Function::new(merge)),
        ("mergeOverwrite", Function::new(merge_overwrite)),
        ("mustMerge", Function::new(merge)),
        ("mustMergeOverwrite", Function::new(merge_overwrite)),
    ]
}

/// What is there and not empty stays.
fn merge(context: &mut Context<'_, '_>, into: Map, from: Rest<Map>) -> Result<Map, Failure> {
    all(context, into, &from.0, false)
}

/// What comes later wins.
fn merge_overwrite(
    context: &mut Context<'_, '_>,
    into: Map,
    from: Rest<Map>,
) -> Result<Map, Failure> {
    all(context, into, &from.0, true)
}

fn all(
    context: &mut Context<'_, '_>,
    into: Map,
    from: &[Map],
    overwrite: bool,
) -> Result<Map, Failure> {
    for from in from {
        one(context, &into, from, overwrite, context.depth())?;
    }
    Ok(into)
}

fn one(
    context: &mut Context<'_, '_>,
    into: &Map,
    from: &Map,
    overwrite: bool,
    depth: usize,
) -> Result<(), Failure> {
    let depth = depth.checked_sub(1).ok_or(Limit::Depth)?;
    for (key, value) in from.entries() {
        context.spend_steps(1)?;
        let there = into.get(&key);
        if let (Some(Value::Map(inner)), Value::Map(from)) = (&there, &value)
            && inner.elements() == Elements::Any
            && from.elements() == Elements::Any
        {
            one(context, inner, from, overwrite, depth)?;
            if inner.is_empty() && !from.is_empty() {
                put(context, into, key, value)?;
            }
            continue;
        }
        let keeps = matches!(value, Value::Nil) || there.as_ref().is_some_and(Value::truth);
        if overwrite || !keeps {
            put(context, into, key, value)?;
        }
    }
    Ok(())
}
