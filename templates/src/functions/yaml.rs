//! YAML to values and back, as `sigs.k8s.io/yaml` reads and writes it.

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{Text, Value};

mod order;
mod read;
mod resolve;
mod scalar;
mod write;

pub(super) fn table() -> Table {
    vec![
        ("fromYaml", Function::new(from_yaml)),
        ("toYaml", Function::new(to_yaml)),
    ]
}

fn from_yaml(context: &mut Context<'_, '_>, text: Text) -> Result<Value, Failure> {
    read::read(context, &text)
}

/// Without the line end of the last line. What YAML cannot say is the empty text.
fn to_yaml(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    match write::write(context, &value) {
        Err(Failure::Said(_)) => Ok(Text::default()),
        written => written,
    }
}
