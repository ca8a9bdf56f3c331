//! What stands between two delimiters.

use super::number::Constant;
use super::{Parser, Result, syntax, unexpected, unquote};
use crate::ast::{Command, Operand, OperandKind, Pipeline};
use crate::error::ParseProblem;
use crate::functions;
use crate::lex::{Kind, Token};
use crate::source::Offset;

impl Parser<'_> {
    pub(super) fn pipeline(&mut self, context: &str, end: Kind) -> Result<Pipeline> {
        let first = self.next_word()?;
        self.back(first);
        let mut pipeline = Pipeline {
            at: first.at,
            variables: Vec::new(),
            assigns: false,
            commands: Vec::new(),
        };
        while self.declaration(&mut pipeline, context)? {}
        loop {
            let token = self.next_word()?;
            match token.kind {
                kind if kind == end => break,
                Kind::Bool
                | Kind::Rune
                | Kind::Dot
                | Kind::Field
                | Kind::Identifier
                | Kind::Number
                | Kind::Nil
                | Kind::Raw
                | Kind::Quoted
                | Kind::Variable
                | Kind::LeftParen => {
                    self.back(token);
                    pipeline.commands.push(self.command()?);
                }
                _ => return Err(unexpected(token, context)),
            }
        }
        check(&pipeline, first.at, context)?;
        Ok(pipeline)
    }

    /// `$x :=`, `$x =` or, in a `range`, the `$x,` before them. Whether another one follows.
    fn declaration(&mut self, pipeline: &mut Pipeline, context: &str) -> Result<bool> {
        let variable = self.next_word()?;
        if variable.kind != Kind::Variable {
            self.back(variable);
            return Ok(false);
        }
        let after = self.next()?;
        let next = if after.kind == Kind::Space {
            self.next_word()?
        } else {
            after
        };
        let declares = match next.kind {
            Kind::Assign | Kind::Declare => {
                pipeline.assigns = next.kind == Kind::Assign;
                true
            }
            Kind::Comma => false,
            _ => {
                self.back(next);
                if after.kind == Kind::Space {
                    self.back(after);
                }
                self.back(variable);
                return Ok(false);
            }
        };
        pipeline.variables.push(variable.text.to_owned());
        self.variables.push(variable.text.to_owned());
        if declares {
            return Ok(false);
        }
        if context != "range" || pipeline.variables.len() > 1 {
            return Err(syntax(
                next.at,
                format!("too many declarations in {context}"),
            ));
        }
        let follows = self.next_word()?;
        self.back(follows);
        match follows.kind {
            Kind::Variable | Kind::Right | Kind::RightParen => Ok(true),
            _ => Err(syntax(follows.at, "range can only initialize variables")),
        }
    }

    fn command(&mut self) -> Result<Command> {
        let mut operands = Vec::new();
        loop {
            let token = self.next_word()?;
            let at = token.at;
            self.back(token);
            operands.extend(self.operand()?);
            let token = self.next()?;
            match token.kind {
                Kind::Space => continue,
                Kind::Right | Kind::RightParen => self.back(token),
                Kind::Pipe => {}
                _ => return Err(unexpected(token, "operand")),
            }
            if operands.is_empty() {
                return Err(syntax(at, "empty command"));
            }
            let word = operands.remove(0);
            return Ok(Command { word, operands });
        }
    }

    fn operand(&mut self) -> Result<Option<Operand>> {
        let Some(Operand { at, kind }) = self.term()? else {
            return Ok(None);
        };
        let mut fields = Vec::new();
        while self.peek()?.kind == Kind::Field {
            fields.push(self.next()?.text[1..].to_owned());
        }
        if fields.is_empty() {
            return Ok(Some(Operand { at, kind }));
        }
        let kind = match kind {
            OperandKind::Field(mut names) => {
                names.append(&mut fields);
                OperandKind::Field(names)
            }
            OperandKind::Variable(name, mut names) => {
                names.append(&mut fields);
                OperandKind::Variable(name, names)
            }
            OperandKind::Bool(_)
            | OperandKind::Text(_)
            | OperandKind::Number(_)
            | OperandKind::Nil
            | OperandKind::Dot => return Err(syntax(at, "unexpected . after a constant")),
            kind => OperandKind::Chain(Box::new(Operand { at, kind }), fields),
        };
        Ok(Some(Operand { at, kind }))
    }

    fn term(&mut self) -> Result<Option<Operand>> {
        let token = self.next_word()?;
        let at = token.at;
        let kind = match token.kind {
            Kind::Identifier if functions::exists(token.text) => {
                OperandKind::Function(token.text.to_owned())
            }
            Kind::Identifier => {
                return Err((at, ParseProblem::UndefinedFunction(token.text.to_owned())));
            }
            Kind::Dot => OperandKind::Dot,
            Kind::Nil => OperandKind::Nil,
            Kind::Variable => {
                if !self.variables.iter().any(|name| name == token.text) {
                    return Err((at, ParseProblem::UndefinedVariable(token.text.to_owned())));
                }
                OperandKind::Variable(token.text.to_owned(), Vec::new())
            }
            Kind::Field => OperandKind::Field(vec![token.text[1..].to_owned()]),
            Kind::Bool => OperandKind::Bool(token.text == "true"),
            Kind::Rune | Kind::Number => OperandKind::Number(constant(token)?),
            Kind::LeftParen => {
                let inner =
                    |parser: &mut Self| parser.pipeline("parenthesized pipeline", Kind::RightParen);
                OperandKind::Pipeline(Box::new(self.nested(inner)?))
            }
            Kind::Raw => OperandKind::Text(unquote::raw(token.text).into()),
            Kind::Quoted => match unquote::quoted(token.text) {
                Some(text) => OperandKind::Text(text.into()),
                None => return Err(syntax(at, "invalid syntax of a quoted string")),
            },
            _ => {
                self.back(token);
                return Ok(None);
            }
        };
        Ok(Some(Operand { at, kind }))
    }
}

fn constant(token: Token<'_>) -> Result<Constant> {
    let constant = match token.kind {
        Kind::Rune => unquote::rune(token.text)
            .map(Constant::rune)
            .ok_or("malformed character constant"),
        _ => Constant::parse(token.text),
    };
    constant.map_err(|message| syntax(token.at, message))
}

/// Only the first command may be a value that cannot be called.
fn check(pipeline: &Pipeline, at: Offset, context: &str) -> Result<()> {
    if pipeline.commands.is_empty() {
        return Err(syntax(at, format!("missing value for {context}")));
    }
    for (stage, command) in pipeline.commands.iter().enumerate().skip(1) {
        if matches!(
            command.word.kind,
            OperandKind::Bool(_)
                | OperandKind::Dot
                | OperandKind::Nil
                | OperandKind::Number(_)
                | OperandKind::Text(_)
        ) {
            let message = format!("non executable command in pipeline stage {}", stage + 1);
            return Err(syntax(command.word.at, message));
        }
    }
    Ok(())
}
