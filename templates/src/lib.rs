//! Go's `text/template` with the Sprig functions, as the External Secrets Operator's engine v2 uses them
//! for the templates of Secrets.
//!
//! ```
//! use signet_templates::{Ambient, Limits, Options, Template, Value};
//!
//! let text = "postgres://{{ .user }}:{{ .password | urlquery }}@db/{{ .name | default \"app\" }}";
//! let template = Template::parse("uri", text, &Options::default())?;
//! let data = Value::strings([("user", "ada"), ("password", "p/w"), ("name", "")]);
//! let mut random = |_: &mut [u8]| {};
//! let mut ambient = Ambient {
//!     now: jiff::Timestamp::UNIX_EPOCH,
//!     zone: jiff::tz::TimeZone::UTC,
//!     random: &mut random,
//! };
//! let rendered = template.render(&data, &Limits::default(), &mut ambient)?;
//! assert_eq!(rendered.as_bytes(), b"postgres://ada:p%2Fw@db/app");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pure: no clock, environment, file or network. What a template may know of the world is in [`Ambient`],
//! what it may use up in [`Limits`]. Plaintext stays in [`Text`], [`Value`] and [`Rendered`], which print
//! nothing of it; no error carries an argument of a function.

mod ast;
mod compare;
mod error;
mod exec;
mod functions;
mod lex;
mod limits;
mod parse;
mod printf;
mod signature;
mod source;
mod template;
mod text;
mod value;

pub use error::{Limit, Location, ParseError, ParseProblem, RenderError, RenderProblem};
pub use functions::names as function_names;
pub use limits::{Ambient, Limits, Random};
pub use template::{Options, Rendered, Set, Template};
pub use value::{
    Certificate, Elements, Integer, IntegerKind, List, Map, Number, Text, Time, Value, Version,
};
