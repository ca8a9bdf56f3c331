//! JSON to values and back.

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{Text, Value};

mod read;
mod write;

pub(super) use read::parse;
use write::Style;

pub(super) fn table() -> Table {
    vec![
        ("fromJson", Function::new(from_json)),
        ("mustFromJson", Function::new(must_from_json)),
        ("mustToJson", Function::new(must_to_json)),
        ("mustToPrettyJson", Function::new(must_to_pretty_json)),
        ("mustToRawJson", Function::new(to_raw_json)),
        ("toJson", Function::new(to_json)),
        ("toPrettyJson", Function::new(to_pretty_json)),
        ("toRawJson", Function::new(to_raw_json)),
    ]
}

/// What is no JSON is nothing.
fn from_json(context: &mut Context<'_, '_>, text: Text) -> Result<Value, Failure> {
    match parse(context, &text) {
        Err(Failure::Said(_)) => Ok(Value::Nil),
        parsed => parsed,
    }
}

fn must_from_json(context: &mut Context<'_, '_>, text: Text) -> Result<Value, Failure> {
    parse(context, &text)
}

/// What JSON cannot say is the empty text.
fn to_json(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    lenient(must_to_json(context, value))
}

fn to_pretty_json(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    lenient(must_to_pretty_json(context, value))
}

fn lenient(written: Result<Text, Failure>) -> Result<Text, Failure> {
    match written {
        Err(Failure::Said(_)) => Ok(Text::default()),
        written => written,
    }
}

fn must_to_json(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    write::write(
        context,
        &value,
        Style {
            pretty: false,
            html: true,
        },
    )
}

/// As YAML is made of it: without escapes, and the order of keys does not matter.
pub(super) fn write_raw(context: &Context<'_, '_>, value: &Value) -> Result<Text, Failure> {
    write::write(
        context,
        value,
        Style {
            pretty: false,
            html: false,
        },
    )
}

fn must_to_pretty_json(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    write::write(
        context,
        &value,
        Style {
            pretty: true,
            html: true,
        },
    )
}

/// Without the escapes that make JSON safe inside of HTML.
fn to_raw_json(context: &mut Context<'_, '_>, value: Value) -> Result<Text, Failure> {
    write::write(
        context,
        &value,
        Style {
            pretty: false,
            html: false,
        },
    )
}
