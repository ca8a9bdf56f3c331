//! Copies that share nothing that can change.

use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::value::{List, Map, Value};

pub(super) fn deep_copy(context: &mut Context<'_, '_>, value: Value) -> Result<Value, Failure> {
    copy(context, &value, context.depth())
}

fn copy(context: &mut Context<'_, '_>, value: &Value, depth: usize) -> Result<Value, Failure> {
    let depth = depth.checked_sub(1).ok_or(Limit::Depth)?;
    context.spend_steps(1)?;
    match value {
        Value::List(list) => {
            context.spend_memory(value.weight())?;
            let items = list.items().iter().map(|item| copy(context, item, depth));
            Ok(List::new(list.elements(), items.collect::<Result<_, _>>()?).into())
        }
        Value::Map(map) => {
            context.spend_memory(value.weight())?;
            let entries = map.entries().into_iter();
            let entries = entries.map(|(key, value)| Ok((key, copy(context, &value, depth)?)));
            Ok(Map::new(map.elements(), entries.collect::<Result<_, Failure>>()?).into())
        }
        // All others never change.
        value => Ok(value.clone()),
    }
}
