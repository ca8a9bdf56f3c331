//! Templates as their users see them.

use std::fmt;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::ast::{Definitions, is_blank};
use crate::error::{ParseError, RenderError};
use crate::exec;
use crate::limits::{Ambient, Limits};
use crate::parse;
use crate::source::Source;
use crate::value::Value;

/// How templates are read and what they do about missing keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Begins an action: `{{`.
    pub left_delimiter: String,
    /// Ends an action: `}}`.
    pub right_delimiter: String,
    /// A key that is not there is an error (Go's `missingkey=error`) and not `<no value>`.
    pub missing_key_error: bool,
}

impl Default for Options {
    /// As for the templates of an ExternalSecret: a missing key is an error.
    fn default() -> Self {
        Self {
            left_delimiter: "{{".to_owned(),
            right_delimiter: "}}".to_owned(),
            missing_key_error: true,
        }
    }
}

/// A template, with those that it defines.
#[derive(Debug, Clone)]
pub struct Template {
    name: String,
    set: Set,
}

impl Template {
    /// Reads a template. Errors name it by `name`.
    pub fn parse(name: &str, text: &str, options: &Options) -> Result<Self, ParseError> {
        let mut set = Set::new(options);
        set.parse(name, text)?;
        Ok(Self {
            name: name.to_owned(),
            set,
        })
    }

    /// Renders it over `data`, which it sees as `.`.
    pub fn render(
        &self,
        data: &Value,
        limits: &Limits,
        ambient: &mut Ambient<'_>,
    ) -> Result<Rendered, RenderError> {
        self.set.render(&self.name, data, limits, ambient)
    }
}

/// Templates that call each other by name.
#[derive(Debug, Clone)]
pub struct Set {
    options: Options,
    definitions: Definitions,
}

impl Set {
    /// No template yet. An empty delimiter is the usual one.
    pub fn new(options: &Options) -> Self {
        let mut options = options.clone();
        let usual = Options::default();
        if options.left_delimiter.is_empty() {
            options.left_delimiter = usual.left_delimiter;
        }
        if options.right_delimiter.is_empty() {
            options.right_delimiter = usual.right_delimiter;
        }
        Self {
            options,
            definitions: Definitions::new(),
        }
    }

    /// Adds a template and those that it defines. One of the same name is replaced, unless the new one is
    /// blank.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<(), ParseError> {
        let source = Arc::new(Source {
            name: name.into(),
            text: text.to_owned(),
        });
        let Options {
            left_delimiter,
            right_delimiter,
            ..
        } = &self.options;
        for (name, definition) in parse::parse(&source, left_delimiter, right_delimiter)? {
            if !self.definitions.contains_key(&name) || !is_blank(&definition.body) {
                self.definitions.insert(name, definition);
            }
        }
        Ok(())
    }

    /// Renders the template of that name over `data`.
    pub fn render(
        &self,
        name: &str,
        data: &Value,
        limits: &Limits,
        ambient: &mut Ambient<'_>,
    ) -> Result<Rendered, RenderError> {
        let options = exec::Options {
            missing_key_error: self.options.missing_key_error,
        };
        let sink = exec::render(&self.definitions, name, data, &options, limits, ambient)?;
        Ok(Rendered(sink.into_bytes()))
    }
}

/// What a template gave: plaintext, wiped when dropped. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Rendered(Zeroizing<Vec<u8>>);

impl Rendered {
    /// The bytes: nearly always text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes, which still are wiped when dropped.
    pub fn into_bytes(self) -> Zeroizing<Vec<u8>> {
        self.0
    }
}

impl fmt::Debug for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rendered(<redacted>)")
    }
}
