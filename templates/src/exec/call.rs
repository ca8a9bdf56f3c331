//! Calls of functions and methods.

use super::evaluate::validate;
use super::{Execution, Result, Scope, refused};
use crate::ast::Operand;
use crate::error::{Failure, RenderProblem};
use crate::functions::{self, AND, OR};
use crate::signature::{Function, Type};
use crate::source::Offset;
use crate::value::Value;

impl Execution<'_, '_, '_> {
    pub(super) fn function(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        name: &str,
        operands: &[Operand],
        piped: Option<Value>,
    ) -> Result<Value> {
        if name == AND || name == OR {
            return self.short_circuit(scope, at, name, operands, piped);
        }
        let Some(function) = functions::find(name) else {
            return Err(refused(at, format!("{name:?} is not a defined function")));
        };
        self.invoke(scope, at, name, function, None, operands, piped)
    }

    #[expect(clippy::too_many_arguments, reason = "a call is all of these")]
    pub(super) fn method(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        name: &str,
        method: &Function,
        receiver: Value,
        operands: &[Operand],
        piped: Option<Value>,
    ) -> Result<Value> {
        self.invoke(scope, at, name, method, Some(receiver), operands, piped)
    }

    /// `and` and `or`: the first operand that decides, or the last one.
    fn short_circuit(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        name: &str,
        operands: &[Operand],
        piped: Option<Value>,
    ) -> Result<Value> {
        if operands.is_empty() && piped.is_none() {
            return Err(refused(
                at,
                format!("wrong number of args for {name}: want at least 1 got 0"),
            ));
        }
        let mut value = Value::Nil;
        for operand in operands {
            value = self.argument(scope, operand, Type::Any)?;
            if value.truth() == (name == OR) {
                return Ok(value);
            }
        }
        Ok(piped.unwrap_or(value))
    }

    #[expect(clippy::too_many_arguments, reason = "a call is all of these")]
    fn invoke(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        name: &str,
        function: &Function,
        receiver: Option<Value>,
        operands: &[Operand],
        piped: Option<Value>,
    ) -> Result<Value> {
        let own = usize::from(receiver.is_some());
        check_count(at, name, function, own, operands.len(), piped.is_some())?;
        let wanted = |index: usize| {
            let parameter = function.parameters.get(index).copied();
            parameter.or(function.rest).unwrap_or(Type::Any)
        };
        let mut arguments: Vec<Value> = receiver.into_iter().collect();
        for operand in operands {
            let wanted = wanted(arguments.len());
            arguments.push(self.argument(scope, operand, wanted)?);
        }
        if let Some(value) = piped {
            let wanted = wanted(arguments.len());
            arguments.push(validate(at, value, wanted)?);
        }
        function
            .call(&mut self.context, arguments)
            .map_err(|failure| match failure {
                Failure::Said(cause) => (
                    at,
                    RenderProblem::Function {
                        function: name.to_owned(),
                        cause,
                    },
                ),
                Failure::Limit(limit) => (at, limit.into()),
            })
    }
}

fn check_count(
    at: Offset,
    name: &str,
    function: &Function,
    own: usize,
    given: usize,
    piped: bool,
) -> Result<()> {
    let given = given + usize::from(piped);
    let wanted = function.parameters.len() - own;
    let (right, least) = match function.rest {
        Some(_) => (given >= wanted, "at least "),
        None => (given == wanted, ""),
    };
    if right {
        return Ok(());
    }
    let message = format!("wrong number of args for {name}: want {least}{wanted} got {given}");
    Err(refused(at, message))
}
