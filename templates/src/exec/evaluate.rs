//! Pipelines, operands and fields.

use super::{Execution, Result, Scope, refused};
use crate::ast::{Command, Operand, OperandKind, Pipeline};
use crate::error::RenderProblem;
use crate::functions::methods;
use crate::parse::number::Constant;
use crate::signature::Type;
use crate::source::Offset;
use crate::value::Value;

impl Execution<'_, '_, '_> {
    /// The value of a pipeline, which its variables take too.
    pub(super) fn pipeline(&mut self, scope: &mut Scope, pipeline: &Pipeline) -> Result<Value> {
        self.step(pipeline.at)?;
        let value = self.deeper(pipeline.at, |this| {
            let mut value = None;
            for command in &pipeline.commands {
                value = Some(this.command(scope, command, value)?);
            }
            Ok(value.unwrap_or_default())
        })?;
        for name in &pipeline.variables {
            if pipeline.assigns {
                if !scope.assign(name, value.clone()) {
                    return Err(refused(pipeline.at, format!("undefined variable: {name}")));
                }
            } else {
                scope.declare(name, value.clone());
            }
        }
        Ok(value)
    }

    /// `piped` is the value of the command before it: its last argument.
    fn command(
        &mut self,
        scope: &mut Scope,
        command: &Command,
        piped: Option<Value>,
    ) -> Result<Value> {
        let Command { word, operands } = command;
        let at = word.at;
        match &word.kind {
            OperandKind::Function(name) => return self.function(scope, at, name, operands, piped),
            OperandKind::Field(names) => {
                let dot = dot(scope, at, names)?;
                return self.fields(scope, at, dot, names, operands, piped);
            }
            OperandKind::Chain(inner, names) => {
                if matches!(inner.kind, OperandKind::Nil) {
                    return Err(refused(at, "indirection through explicit nil"));
                }
                let value = self.operand(scope, inner)?;
                return self.fields(scope, at, value, names, operands, piped);
            }
            OperandKind::Variable(name, names) if !names.is_empty() => {
                let value = scope.variable(name);
                return self.fields(scope, at, value, names, operands, piped);
            }
            _ => {}
        }
        if !operands.is_empty() || piped.is_some() {
            return Err(refused(at, "can't give argument to non-function"));
        }
        match &word.kind {
            OperandKind::Nil => Err(refused(at, "nil is not a command")),
            _ => self.operand(scope, word),
        }
    }

    /// The value of an operand where any type will do.
    pub(super) fn operand(&mut self, scope: &mut Scope, operand: &Operand) -> Result<Value> {
        let at = operand.at;
        match &operand.kind {
            OperandKind::Dot => Ok(scope.dot.clone()),
            OperandKind::Nil => Ok(Value::Nil),
            OperandKind::Bool(value) => Ok(Value::Bool(*value)),
            OperandKind::Number(constant) => ideal(at, *constant),
            OperandKind::Text(text) => Ok(Value::Text(text.clone())),
            OperandKind::Function(name) => self.function(scope, at, name, &[], None),
            OperandKind::Field(names) => {
                let dot = dot(scope, at, names)?;
                self.fields(scope, at, dot, names, &[], None)
            }
            OperandKind::Variable(name, names) => {
                let value = scope.variable(name);
                self.fields(scope, at, value, names, &[], None)
            }
            OperandKind::Chain(inner, names) => {
                let value = self.operand(scope, inner)?;
                self.fields(scope, at, value, names, &[], None)
            }
            OperandKind::Pipeline(pipeline) => self.pipeline(scope, pipeline),
        }
    }

    /// The value of an operand for a parameter. Constants take its type, other values must have it.
    pub(super) fn argument(
        &mut self,
        scope: &mut Scope,
        operand: &Operand,
        wanted: Type,
    ) -> Result<Value> {
        let at = operand.at;
        let expected = |kind: &str| refused(at, format!("expected {kind}; found another constant"));
        match (&operand.kind, wanted) {
            (OperandKind::Nil, _) => {
                let message = || refused(at, format!("cannot assign nil to {}", wanted.name()));
                wanted.zero().ok_or_else(message)
            }
            (OperandKind::Bool(_) | OperandKind::Number(_) | OperandKind::Text(_), Type::Any)
            | (OperandKind::Bool(_), Type::Bool)
            | (OperandKind::Text(_), Type::Text) => self.operand(scope, operand),
            (OperandKind::Number(constant), Type::Int) => constant
                .int
                .map(Value::int)
                .ok_or_else(|| expected("integer")),
            (OperandKind::Number(constant), Type::Unsigned) => {
                let unsigned = constant.int.filter(|int| *int >= 0);
                unsigned
                    .map(Value::int)
                    .ok_or_else(|| expected("unsigned integer"))
            }
            (OperandKind::Number(constant), Type::Float) => Ok(Value::Float(constant.float)),
            (OperandKind::Bool(_) | OperandKind::Number(_) | OperandKind::Text(_), _) => {
                Err(expected(wanted.name()))
            }
            _ => {
                self.found_nil = false;
                let value = self.operand(scope, operand)?;
                let computed = matches!(
                    operand.kind,
                    OperandKind::Pipeline(_) | OperandKind::Function(_)
                );
                if self.found_nil && !computed && wanted != Type::Any {
                    let expected = wanted.name();
                    let message =
                        format!("wrong type for value; expected {expected}; got interface {{}}");
                    return Err(refused(at, message));
                }
                validate(at, value, wanted)
            }
        }
    }

    /// `.a.b.c` of a value; the arguments are for the last of them, should it be a method.
    fn fields(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        receiver: Value,
        names: &[String],
        operands: &[Operand],
        piped: Option<Value>,
    ) -> Result<Value> {
        let Some((last, before)) = names.split_last() else {
            return Ok(receiver);
        };
        let mut receiver = receiver;
        for name in before {
            receiver = self.field(scope, at, receiver, name, &[], None)?;
            if self.found_nil {
                let message = format!("nil pointer evaluating interface {{}}.{last}");
                return Err(refused(at, message));
            }
        }
        self.field(scope, at, receiver, last, operands, piped)
    }

    fn field(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        receiver: Value,
        name: &str,
        operands: &[Operand],
        piped: Option<Value>,
    ) -> Result<Value> {
        self.found_nil = false;
        if let Value::Nil = receiver {
            if self.options.missing_key_error {
                let problem = format!("nil data; no entry for key {name:?}");
                return Err(refused(at, problem));
            }
            return Ok(Value::Nil);
        }
        if let Some(method) = methods::find(&receiver, name) {
            return self.method(scope, at, name, method, receiver, operands, piped);
        }
        if !operands.is_empty() || piped.is_some() {
            return Err(refused(
                at,
                format!("{name} is not a method but has arguments"),
            ));
        }
        match &receiver {
            Value::Map(map) => match map.get(name.as_bytes()) {
                Some(value) => {
                    self.found_nil = matches!(value, Value::Nil);
                    Ok(value)
                }
                None if self.options.missing_key_error => {
                    Err((at, RenderProblem::MissingKey(name.to_owned())))
                }
                None => Ok(Value::Nil),
            },
            Value::Certificate(certificate) if name == "Cert" => {
                Ok(Value::Text(certificate.cert.clone()))
            }
            Value::Certificate(certificate) if name == "Key" => {
                Ok(Value::Text(certificate.key.clone()))
            }
            other => {
                let kind = other.type_name();
                Err(refused(
                    at,
                    format!("can't evaluate field {name} in type {kind}"),
                ))
            }
        }
    }
}

/// The value that fields are looked up in. An element of a list that is nothing has no fields, unlike a
/// value that is not there.
fn dot(scope: &Scope, at: Offset, names: &[String]) -> Result<Value> {
    if let (true, Value::Nil, Some(name)) = (scope.in_range, &scope.dot, names.first()) {
        return Err(refused(
            at,
            format!("nil pointer evaluating interface {{}}.{name}"),
        ));
    }
    Ok(scope.dot.clone())
}

/// Whether a value may be passed as that type.
pub(super) fn validate(at: Offset, value: Value, wanted: Type) -> Result<Value> {
    if let Value::Nil = value {
        let message = || refused(at, format!("invalid value; expected {}", wanted.name()));
        return wanted.zero().ok_or_else(message);
    }
    if wanted.takes(&value) {
        return Ok(value);
    }
    let (expected, got) = (wanted.name(), value.type_name());
    Err(refused(
        at,
        format!("wrong type for value; expected {expected}; got {got}"),
    ))
}

/// The value of a constant where nothing says which type it should have.
fn ideal(at: Offset, constant: Constant) -> Result<Value> {
    match constant.int {
        _ if constant.is_float => Ok(Value::Float(constant.float)),
        Some(int) => Ok(Value::int(int)),
        None => Err(refused(at, "constant overflows int")),
    }
}
