//! What can go wrong. No message carries a value of the data or an argument of a function.

use std::borrow::Cow;
use std::sync::Arc;

/// Where in which template something is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("template: {template}:{line}:{column}")]
pub struct Location {
    /// Name under which the text was parsed.
    pub template: Arc<str>,
    /// Line, from 1.
    pub line: usize,
    /// Byte in the line, from 1.
    pub column: usize,
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {problem}")]
pub struct ParseError {
    /// Where.
    pub location: Location,
    /// What.
    pub problem: ParseProblem,
}

/// What is wrong with the text of a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseProblem {
    /// A character that cannot follow what is before it, as in `.a-b`.
    #[error("bad character {0:?} in action")]
    BadCharacter(char),
    /// The text is against the grammar.
    #[error("{0}")]
    Syntax(Cow<'static, str>),
    /// A function that there is not.
    #[error("function {0:?} not defined")]
    UndefinedFunction(String),
    /// A variable that was not declared before.
    #[error("undefined variable {0:?}")]
    UndefinedVariable(String),
    /// Nested deeper than the parser goes.
    #[error("nested too deeply")]
    TooDeep,
}

impl ParseError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.problem {
            ParseProblem::BadCharacter('-' | '/') => {
                Some("a key that is no identifier is read with index: {{ index . \"a-b\" }}")
            }
            ParseProblem::UndefinedFunction(name) => match name.as_str() {
                "env" | "expandenv" | "getHostByName" => {
                    Some("templates reach neither the environment nor the network")
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Why a template gave no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: executing {executing:?}: {problem}")]
pub struct RenderError {
    /// Where.
    pub location: Location,
    /// Which template was running: the one rendered, or one that it calls.
    pub executing: String,
    /// What.
    pub problem: RenderProblem,
}

/// What stopped a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderProblem {
    /// A function failed.
    #[error("error calling {function}: {cause}")]
    Function {
        /// Its name.
        function: String,
        /// Why, without its arguments.
        cause: Cow<'static, str>,
    },
    /// There is no such key, and the options ask for an error then.
    #[error("map has no entry for key {0:?}")]
    MissingKey(String),
    /// Something else that Go's templates refuse too.
    #[error("{0}")]
    Refused(Cow<'static, str>),
    /// The template does more than it may.
    #[error(transparent)]
    Limit(#[from] Limit),
}

impl RenderError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.problem {
            RenderProblem::MissingKey(_) => Some(
                "a key with a dot in it is read with index: {{ index . \"a.b\" }}; \
                 {{ index . \"a\" | default \"b\" }} stands in for one that is not there",
            ),
            RenderProblem::Function { function, .. } if function == "fail" => Some(
                "the template itself asks for this error; its text may hold a value and is not shown",
            ),
            _ => None,
        }
    }
}

/// What a template may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Limit {
    /// Steps: time.
    #[error("the template runs for too long")]
    Steps,
    /// Bytes of the output.
    #[error("the output of the template is too large")]
    Output,
    /// Bytes of all values that the template makes.
    #[error("the template makes values that are too large")]
    Memory,
    /// Templates in templates, values in values.
    #[error("the template or a value of it is nested too deeply")]
    Depth,
    /// Password hashes and keys, which take long on purpose.
    #[error("the template derives too many keys or passwords")]
    Derivations,
}

/// How a function fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// With these words, which never are made of arguments.
    Said(Cow<'static, str>),
    /// By using up too much.
    Limit(Limit),
}

impl From<&'static str> for Failure {
    fn from(words: &'static str) -> Self {
        Self::Said(words.into())
    }
}

impl From<String> for Failure {
    fn from(words: String) -> Self {
        Self::Said(words.into())
    }
}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}
