//! Walking a template.

use std::borrow::Cow;

use crate::ast::{Branch, Definition, Definitions, Node};
use crate::error::{Failure, Limit, RenderError, RenderProblem};
use crate::limits::{Ambient, Context, Limits};
use crate::printf;
use crate::source::Offset;
use crate::text::Sink;
use crate::value::Value;

mod call;
mod evaluate;

/// Values print, and templates recur, by recursion. A level of a template costs several frames.
const RECURSION: usize = 400;

pub(crate) struct Options {
    /// A key that is not there is an error.
    pub(crate) missing_key_error: bool,
}

/// Renders the definition called `name` over `data`.
pub(crate) fn render(
    definitions: &Definitions,
    name: &str,
    data: &Value,
    options: &Options,
    limits: &Limits,
    ambient: &mut Ambient<'_>,
) -> Result<Sink, RenderError> {
    let mut execution = Execution {
        definitions,
        options,
        context: Context::new(limits, ambient),
        output: Sink::new(limits.output_bytes, Limit::Output),
        recursion: 0,
        calls: 0,
        found_nil: false,
    };
    let Some((name, definition)) = definitions.get_key_value(name) else {
        let location = crate::error::Location {
            template: name.into(),
            line: 1,
            column: 1,
        };
        let problem = RenderProblem::Refused("there is no template of this name".into());
        return Err(RenderError {
            location,
            executing: name.to_owned(),
            problem,
        });
    };
    execution.definition(name, definition, data.clone())?;
    Ok(execution.output)
}

/// One rendering.
struct Execution<'a, 'b, 'c> {
    definitions: &'a Definitions,
    options: &'a Options,
    context: Context<'b, 'c>,
    output: Sink,
    /// How deep the walk is, in nodes and pipelines.
    recursion: usize,
    /// How deep it is in templates.
    calls: usize,
    /// Whether the field looked up last is there with nothing in it, which Go tells from no such field.
    found_nil: bool,
}

/// Where and why it stops.
type Stopped = (Offset, RenderProblem);
type Result<T, E = Stopped> = std::result::Result<T, E>;

/// What a template sees: `.` and its variables, the innermost last.
struct Scope {
    dot: Value,
    /// Whether `.` is an element that `range` goes through.
    in_range: bool,
    variables: Vec<(String, Value)>,
}

impl Scope {
    fn variable(&self, name: &str) -> Value {
        let mut found = self.variables.iter().rev();
        // The parser knows the variables: one that is not there cannot be asked for.
        found
            .find(|(known, _)| known == name)
            .map_or(Value::Nil, |(_, value)| value.clone())
    }

    fn declare(&mut self, name: &str, value: Value) {
        self.variables.push((name.to_owned(), value));
    }

    /// Whether there is such a variable: one that is assigned to need not be declared for the parser.
    fn assign(&mut self, name: &str, value: Value) -> bool {
        let mut known = self.variables.iter_mut().rev();
        let place = known.find(|(known, _)| known == name);
        place.map(|(_, place)| *place = value).is_some()
    }
}

/// How a list of nodes ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
}

impl Execution<'_, '_, '_> {
    fn definition(
        &mut self,
        name: &str,
        definition: &Definition,
        dot: Value,
    ) -> Result<(), RenderError> {
        let variables = vec![("$".to_owned(), dot.clone())];
        let mut scope = Scope {
            dot,
            in_range: false,
            variables,
        };
        match self.list(&mut scope, &definition.body) {
            Ok(_) => Ok(()),
            Err(Halt::Here((at, problem))) => {
                let location = definition.source.locate(at);
                Err(RenderError {
                    location,
                    executing: name.to_owned(),
                    problem,
                })
            }
            Err(Halt::Inside(error)) => Err(*error),
        }
    }

    fn list(&mut self, scope: &mut Scope, nodes: &[Node]) -> Result<Flow, Halt> {
        for node in nodes {
            let flow = self.node(scope, node)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn node(&mut self, scope: &mut Scope, node: &Node) -> Result<Flow, Halt> {
        match node {
            Node::Text(at, text) => {
                self.step(*at)?;
                self.output
                    .push(text)
                    .map_err(|failure| stop(*at, failure))?;
            }
            Node::Action(pipeline) => {
                let value = self.pipeline(scope, pipeline)?;
                if pipeline.variables.is_empty() {
                    self.print(&value)
                        .map_err(|failure| stop(pipeline.at, failure))?;
                }
            }
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
            Node::If(branch) => return self.branch(scope, branch, false),
            Node::With(branch) => return self.branch(scope, branch, true),
            Node::Range(branch) => return self.range(scope, branch),
            Node::Template { at, name, argument } => {
                let definitions = self.definitions;
                let Some(definition) = definitions.get(name) else {
                    return Err(refused(*at, format!("template {name:?} not defined")).into());
                };
                let dot = match argument {
                    Some(pipeline) => self.pipeline(scope, pipeline)?,
                    None => Value::Nil,
                };
                self.call_definition(*at, name, definition, dot)?;
            }
        }
        Ok(Flow::Next)
    }

    fn print(&mut self, value: &Value) -> Result<(), Failure> {
        match value {
            Value::Nil => self.output.push("<no value>"),
            value => printf::print(&mut self.output, value, self.context.depth()),
        }
    }

    fn call_definition(
        &mut self,
        at: Offset,
        name: &str,
        definition: &Definition,
        dot: Value,
    ) -> Result<(), Halt> {
        if self.calls == self.context.depth() {
            return Err((at, Limit::Depth.into()).into());
        }
        self.calls += 1;
        let called = self.deeper(at, |this| {
            this.definition(name, definition, dot)
                .map_err(|error| Halt::Inside(Box::new(error)))
        });
        self.calls -= 1;
        called
    }

    fn branch(&mut self, scope: &mut Scope, branch: &Branch, with: bool) -> Result<Flow, Halt> {
        let outside = scope.variables.len();
        let value = self.pipeline(scope, &branch.pipeline)?;
        let truth = value.truth();
        let nodes = if truth {
            Some(&branch.body)
        } else {
            branch.otherwise.as_ref()
        };
        let flow = match nodes {
            None => Flow::Next,
            Some(nodes) if with && truth => {
                self.with_dot(scope, branch.pipeline.at, nodes, value, false)?
            }
            Some(nodes) => self.deeper(branch.pipeline.at, |this| this.list(scope, nodes))?,
        };
        scope.variables.truncate(outside);
        Ok(flow)
    }

    fn with_dot(
        &mut self,
        scope: &mut Scope,
        at: Offset,
        nodes: &[Node],
        dot: Value,
        in_range: bool,
    ) -> Result<Flow, Halt> {
        let outer = (std::mem::replace(&mut scope.dot, dot), scope.in_range);
        scope.in_range = in_range;
        let flow = self.deeper(at, |this| this.list(scope, nodes));
        (scope.dot, scope.in_range) = outer;
        flow
    }

    fn range(&mut self, scope: &mut Scope, branch: &Branch) -> Result<Flow, Halt> {
        let outside = scope.variables.len();
        let at = branch.pipeline.at;
        let value = self.pipeline(scope, &branch.pipeline)?;
        let mut ran = false;
        let inside = scope.variables.len();
        let two = branch.pipeline.variables.len() > 1;
        for (index, element) in elements(&value, two).map_err(|message| refused(at, message))? {
            ran = true;
            self.step(at)?;
            bind(scope, branch, outside, index, &element);
            let flow = self.with_dot(scope, at, &branch.body, element, true)?;
            scope.variables.truncate(inside);
            if flow == Flow::Break {
                break;
            }
        }
        let mut flow = Flow::Next;
        if let (false, Some(nodes)) = (ran, &branch.otherwise) {
            flow = self.deeper(at, |this| this.list(scope, nodes))?;
        }
        scope.variables.truncate(outside);
        Ok(flow)
    }

    /// Runs what recurs, as long as the stack is surely there.
    fn deeper<T, E: From<Stopped>>(
        &mut self,
        at: Offset,
        run: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.recursion == RECURSION {
            return Err((at, Limit::Depth.into()).into());
        }
        self.recursion += 1;
        let done = run(self);
        self.recursion -= 1;
        done
    }

    fn step(&mut self, at: Offset) -> Result<()> {
        self.context
            .spend_steps(1)
            .map_err(|failure| stop(at, failure))
    }
}

/// Stopped in this template, or in one that it called and that has said where.
enum Halt {
    Here(Stopped),
    Inside(Box<RenderError>),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Self::Here(stopped)
    }
}

fn refused(at: Offset, message: impl Into<Cow<'static, str>>) -> Stopped {
    (at, RenderProblem::Refused(message.into()))
}

fn stop(at: Offset, failure: Failure) -> Stopped {
    match failure {
        Failure::Said(words) => refused(at, words),
        Failure::Limit(limit) => (at, limit.into()),
    }
}

/// Gives the loop's variables their values; with one variable it is the element.
fn bind(scope: &mut Scope, branch: &Branch, outside: usize, index: Value, element: &Value) {
    let pipeline = &branch.pipeline;
    let values = match pipeline.variables.len() {
        0 => return,
        1 => vec![element.clone()],
        _ => vec![index, element.clone()],
    };
    for (number, (name, value)) in pipeline.variables.iter().zip(values).enumerate() {
        if pipeline.assigns {
            scope.assign(name, value);
        } else if let Some((_, place)) = scope.variables.get_mut(outside + number) {
            *place = value;
        }
    }
}

type Elements<'a> = Box<dyn Iterator<Item = (Value, Value)> + 'a>;

/// What `range` goes through, with the index or key of each.
fn elements(value: &Value, two: bool) -> Result<Elements<'_>, String> {
    Ok(match value {
        Value::Nil => Box::new(std::iter::empty()),
        Value::Integer(_) if two => {
            return Err("can't iterate over a number with more than one variable".to_owned());
        }
        Value::Integer(integer) => {
            let kind = integer.kind;
            Box::new((0..integer.value).map(move |i| (Value::Nil, Value::integer(kind, i))))
        }
        Value::List(list) => {
            let items = list.items().iter().cloned();
            Box::new(
                items
                    .enumerate()
                    .map(|(index, item)| (Value::count(index), item)),
            )
        }
        Value::Bytes(bytes) => {
            let items = bytes.iter().map(|byte| crate::value::byte_value(*byte));
            Box::new(
                items
                    .enumerate()
                    .map(|(index, item)| (Value::count(index), item)),
            )
        }
        Value::Map(map) => {
            let entries = map.entries().into_iter();
            Box::new(entries.map(|(key, value)| (Value::Text(key), value)))
        }
        other => return Err(format!("range can't iterate over {}", other.type_name())),
    })
}
