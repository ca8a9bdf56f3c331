//! Tokens to syntax tree.

use std::mem;
use std::sync::Arc;

use crate::ast::{Branch, Definition, Definitions, Node, is_blank};
use crate::error::{ParseError, ParseProblem};
use crate::lex::{Keyword, Kind, LexError, Lexer, Token};
use crate::source::{Offset, Source};

pub(crate) mod number;
mod pipeline;
mod unquote;

/// How deep blocks and parentheses nest. The tree is walked by recursion.
const DEPTH: usize = 100;

/// Reads a text with the templates that it defines into `definitions`, itself under its own name.
pub(crate) fn parse(
    source: &Arc<Source>,
    left: &str,
    right: &str,
) -> Result<Definitions, ParseError> {
    let parser = Parser {
        source,
        lexer: Lexer::new(&source.text, left, right),
        ahead: Vec::new(),
        variables: vec!["$".to_owned()],
        ranges: 0,
        depth: 0,
        definitions: Definitions::new(),
    };
    parser.file().map_err(|(at, problem)| ParseError {
        location: source.locate(at),
        problem,
    })
}

type Result<T, E = LexError> = std::result::Result<T, E>;

struct Parser<'a> {
    source: &'a Arc<Source>,
    lexer: Lexer<'a>,
    /// Tokens that were looked at, the next one last.
    ahead: Vec<Token<'a>>,
    variables: Vec<String>,
    /// How many loops there are around.
    ranges: usize,
    depth: usize,
    definitions: Definitions,
}

/// What ended a list of nodes.
enum Stop {
    End,
    /// `{{else}}`, or the beginning of `{{else if …}}`.
    Else(Offset),
}

impl<'a> Parser<'a> {
    fn file(mut self) -> Result<Definitions> {
        let mut body = Vec::new();
        loop {
            let token = self.next()?;
            match token.kind {
                Kind::End => break,
                Kind::Left => {
                    let word = self.next_word()?;
                    if word.kind == Kind::Keyword(Keyword::Define) {
                        self.define()?;
                        continue;
                    }
                    self.back(word);
                }
                _ => {}
            }
            self.back(token);
            match self.node()? {
                Ok(node) => body.push(node),
                Err(stop) => return Err(stray(&stop, token.at)),
            }
        }
        let name = self.source.name.to_string();
        self.add(name, body, Offset(0))?;
        Ok(self.definitions)
    }

    /// A definition replaces a blank one and is not replaced by a blank one.
    fn add(&mut self, name: String, body: Vec<Node>, at: Offset) -> Result<()> {
        if let Some(there) = self.definitions.get(&name) {
            let blank = is_blank(&body);
            if !blank && !is_blank(&there.body) {
                let message = format!("multiple definition of template {name:?}");
                return Err((at, ParseProblem::Syntax(message.into())));
            }
            if blank && !is_blank(&there.body) {
                return Ok(());
            }
        }
        let definition = Definition {
            source: Arc::clone(self.source),
            body: Arc::new(body),
        };
        self.definitions.insert(name, definition);
        Ok(())
    }

    fn define(&mut self) -> Result<()> {
        let token = self.next_word()?;
        let name = template_name(token, "define clause")?;
        self.expect(Kind::Right, "define clause")?;
        let body = self.apart(|parser| parser.closed_list("define clause"))?;
        self.add(name, body, token.at)
    }

    /// Parses a body that knows nothing of the variables and loops around it.
    fn apart<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let variables = mem::replace(&mut self.variables, vec!["$".to_owned()]);
        let ranges = mem::take(&mut self.ranges);
        let parsed = parse(self)?;
        self.variables = variables;
        self.ranges = ranges;
        Ok(parsed)
    }

    /// Nodes up to an `{{end}}`, with no `{{else}}` among them.
    fn closed_list(&mut self, context: &str) -> Result<Vec<Node>> {
        let (body, stop) = self.list()?;
        match stop {
            Stop::End => Ok(body),
            Stop::Else(at) => Err(syntax(at, format!("unexpected {{{{else}}}} in {context}"))),
        }
    }

    fn list(&mut self) -> Result<(Vec<Node>, Stop)> {
        let mut nodes = Vec::new();
        loop {
            let token = self.next_word()?;
            if token.kind == Kind::End {
                return Err(syntax(token.at, "unexpected EOF"));
            }
            self.back(token);
            match self.node()? {
                Ok(node) => nodes.push(node),
                Err(stop) => return Ok((nodes, stop)),
            }
        }
    }

    fn node(&mut self) -> Result<Result<Node, Stop>> {
        let token = self.next_word()?;
        match token.kind {
            Kind::Text => Ok(Ok(Node::Text(token.at, token.text.into()))),
            Kind::Left => self.nested(Self::action),
            _ => Err(unexpected(token, "input")),
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            let at = self.next()?.at;
            return Err((at, ParseProblem::TooDeep));
        }
        self.depth += 1;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    fn action(&mut self) -> Result<Result<Node, Stop>> {
        let token = self.next_word()?;
        let Kind::Keyword(word) = token.kind else {
            self.back(token);
            return Ok(Ok(Node::Action(self.pipeline("command", Kind::Right)?)));
        };
        Ok(Ok(match word {
            Keyword::Block => self.block()?,
            Keyword::Break => {
                self.in_loop(token, "break")?;
                Node::Break
            }
            Keyword::Continue => {
                self.in_loop(token, "continue")?;
                Node::Continue
            }
            Keyword::If => Node::If(self.branch("if")?),
            Keyword::With => Node::With(self.branch("with")?),
            Keyword::Range => Node::Range(self.branch("range")?),
            Keyword::Template => self.template()?,
            Keyword::Define => return Err(unexpected(token, "command")),
            Keyword::Else => return self.otherwise(token).map(Err),
            Keyword::End => {
                self.expect(Kind::Right, "end")?;
                return Ok(Err(Stop::End));
            }
        }))
    }

    fn in_loop(&mut self, token: Token<'a>, word: &str) -> Result<()> {
        let next = self.next_word()?;
        if next.kind != Kind::Right {
            return Err(unexpected(next, &format!("{{{{{word}}}}}")));
        }
        if self.ranges == 0 {
            return Err(syntax(
                token.at,
                format!("{{{{{word}}}}} outside {{{{range}}}}"),
            ));
        }
        Ok(())
    }

    /// The `if` or `with` after `else` is left for whoever began the branch.
    fn otherwise(&mut self, token: Token<'a>) -> Result<Stop> {
        let next = self.next_word()?;
        match next.kind {
            Kind::Keyword(Keyword::If | Keyword::With) => self.back(next),
            Kind::Right => {}
            _ => return Err(unexpected(next, "else")),
        }
        Ok(Stop::Else(token.at))
    }

    fn branch(&mut self, context: &str) -> Result<Branch> {
        let outside = self.variables.len();
        let pipeline = self.pipeline(context, Kind::Right)?;
        let loops = usize::from(context == "range");
        self.ranges += loops;
        let (body, stop) = self.list()?;
        self.ranges -= loops;
        let otherwise = match stop {
            Stop::End => None,
            Stop::Else(_) => Some(self.else_branch(context)?),
        };
        self.variables.truncate(outside);
        Ok(Branch {
            pipeline,
            body,
            otherwise,
        })
    }

    fn else_branch(&mut self, context: &str) -> Result<Vec<Node>> {
        let token = self.next()?;
        match (context, token.kind) {
            ("if", Kind::Keyword(Keyword::If)) => {
                Ok(vec![Node::If(self.nested(|parser| parser.branch("if"))?)])
            }
            ("with", Kind::Keyword(Keyword::With)) => Ok(vec![Node::With(
                self.nested(|parser| parser.branch("with"))?,
            )]),
            _ => {
                self.back(token);
                let (body, stop) = self.list()?;
                match stop {
                    Stop::End => Ok(body),
                    Stop::Else(at) => Err(syntax(at, "expected end; found {{else}}")),
                }
            }
        }
    }

    fn block(&mut self) -> Result<Node> {
        let token = self.next_word()?;
        let name = template_name(token, "block clause")?;
        let argument = Some(self.pipeline("block clause", Kind::Right)?);
        let body = self.apart(|parser| parser.closed_list("block clause"))?;
        self.add(name.clone(), body, token.at)?;
        Ok(Node::Template {
            at: token.at,
            name,
            argument,
        })
    }

    fn template(&mut self) -> Result<Node> {
        let token = self.next_word()?;
        let name = template_name(token, "template clause")?;
        let next = self.next_word()?;
        let argument = if next.kind == Kind::Right {
            None
        } else {
            self.back(next);
            Some(self.pipeline("template clause", Kind::Right)?)
        };
        Ok(Node::Template {
            at: token.at,
            name,
            argument,
        })
    }

    fn next(&mut self) -> Result<Token<'a>> {
        match self.ahead.pop() {
            Some(token) => Ok(token),
            None => self.lexer.next(),
        }
    }

    fn next_word(&mut self) -> Result<Token<'a>> {
        loop {
            let token = self.next()?;
            if token.kind != Kind::Space {
                return Ok(token);
            }
        }
    }

    fn back(&mut self, token: Token<'a>) {
        self.ahead.push(token);
    }

    fn peek(&mut self) -> Result<Token<'a>> {
        let token = self.next()?;
        self.back(token);
        Ok(token)
    }

    fn expect(&mut self, kind: Kind, context: &str) -> Result<()> {
        let token = self.next_word()?;
        if token.kind == kind {
            return Ok(());
        }
        Err(unexpected(token, context))
    }
}

fn stray(stop: &Stop, at: Offset) -> LexError {
    match stop {
        Stop::End => syntax(at, "unexpected {{end}}"),
        Stop::Else(at) => syntax(*at, "unexpected {{else}}"),
    }
}

fn template_name(token: Token<'_>, context: &str) -> Result<String> {
    let name = match token.kind {
        Kind::Quoted => unquote::quoted(token.text),
        Kind::Raw => Some(unquote::raw(token.text)),
        _ => return Err(unexpected(token, context)),
    };
    let name = name.and_then(|name| String::from_utf8(name).ok());
    name.ok_or_else(|| syntax(token.at, "invalid syntax of a quoted string"))
}

fn syntax(at: Offset, message: impl Into<std::borrow::Cow<'static, str>>) -> LexError {
    (at, ParseProblem::Syntax(message.into()))
}

/// The token is of the template, not of its data; long ones are cut.
fn unexpected(token: Token<'_>, context: &str) -> LexError {
    let text: String = token.text.chars().take(20).collect();
    match token.kind {
        Kind::End => syntax(token.at, "unexpected EOF"),
        _ => syntax(token.at, format!("unexpected {text:?} in {context}")),
    }
}

#[cfg(test)]
mod tests;
