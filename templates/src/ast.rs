//! What a template says.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::parse::number::Constant;
use crate::source::{Offset, Source};
use crate::value::Text;

/// One template: the text itself, or what `define` and `block` make of a part of it.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) source: Arc<Source>,
    pub(crate) body: Arc<Vec<Node>>,
}

/// Templates by their names, which call each other.
pub(crate) type Definitions = BTreeMap<String, Definition>;

#[derive(Debug)]
pub(crate) enum Node {
    Text(Offset, Text),
    Action(Pipeline),
    Break,
    Continue,
    If(Branch),
    With(Branch),
    Range(Branch),
    Template {
        at: Offset,
        name: String,
        argument: Option<Pipeline>,
    },
}

#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) pipeline: Pipeline,
    pub(crate) body: Vec<Node>,
    pub(crate) otherwise: Option<Vec<Node>>,
}

/// `$a, $b := command | command`
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) at: Offset,
    pub(crate) variables: Vec<String>,
    /// With `=` instead of `:=`.
    pub(crate) assigns: bool,
    pub(crate) commands: Vec<Command>,
}

/// `word operand operand`: never empty.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) word: Operand,
    pub(crate) operands: Vec<Operand>,
}

#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) at: Offset,
    pub(crate) kind: OperandKind,
}

#[derive(Debug)]
pub(crate) enum OperandKind {
    Dot,
    Nil,
    Bool(bool),
    Number(Constant),
    Text(Text),
    Function(String),
    /// `.a.b`: never empty.
    Field(Vec<String>),
    /// `$x.a.b`
    Variable(String, Vec<String>),
    /// `(…).a.b`: never empty.
    Chain(Box<Operand>, Vec<String>),
    Pipeline(Box<Pipeline>),
}

/// Whether it would print nothing but spaces: such a definition gives way to another one.
pub(crate) fn is_blank(body: &[Node]) -> bool {
    body.iter()
        .all(|node| matches!(node, Node::Text(_, text) if text.iter().all(u8::is_ascii_whitespace)))
}
