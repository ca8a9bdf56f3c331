//! Functions as templates call them: their parameters are checked as Go checks them, by type.
//!
//! A function is written as a Rust function whose parameters say what it takes. [`Int`] and `i64` are
//! Go's `int` and `int64`, [`Rest`] takes all that is left:
//!
//! ```text
//! fn trunc(_: &mut Context, length: Int, text: Text) -> Result<Text, Failure>
//! ```

use std::vec;

use crate::error::Failure;
use crate::limits::Context;
use crate::value::{Certificate, Elements, IntegerKind, List, Map, Text, Time, Value, Version};

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Any,
    Bool,
    Certificate,
    /// `map[string]interface {}`
    Dict,
    Float,
    Int,
    /// `[]interface {}`
    List,
    Text,
    Time,
    /// `uint32`: of constants alone.
    Unsigned,
    Version,
}

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Any => "interface {}",
            Self::Bool => "bool",
            Self::Certificate => "sprig.certificate",
            Self::Dict => "map[string]interface {}",
            Self::Float => "float64",
            Self::Int => "int",
            Self::List => "[]interface {}",
            Self::Text => "string",
            Self::Time => "time.Time",
            Self::Unsigned => "uint32",
            Self::Version => "*semver.Version",
        }
    }

    /// What Go passes for nothing, where nothing can be passed.
    pub(crate) fn zero(self) -> Option<Value> {
        match self {
            Self::Any => Some(Value::Nil),
            Self::Dict => Some(Map::nil(Elements::Any).into()),
            Self::List => Some(List::nil(Elements::Any).into()),
            _ => None,
        }
    }

    /// Whether a value can be passed as it is.
    pub(crate) fn takes(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Any, _)
            | (Self::Bool, Value::Bool(_))
            | (Self::Certificate, Value::Certificate(_))
            | (Self::Float, Value::Float(_) | Value::Number(_))
            | (Self::Text, Value::Text(_))
            | (Self::Time, Value::Time(_))
            | (Self::Version, Value::Version(_)) => true,
            (Self::Int, Value::Integer(integer)) => integer.kind == IntegerKind::Int,
            (Self::Dict, Value::Map(map)) => map.elements() == Elements::Any,
            (Self::List, Value::List(list)) => list.elements() == Elements::Any,
            _ => false,
        }
    }
}

/// A function of templates.
pub(crate) struct Function {
    pub(crate) parameters: Vec<Type>,
    /// The type of any more arguments, if more are taken.
    pub(crate) rest: Option<Type>,
    run: Box<Run>,
}

type Run = dyn Fn(&mut Context<'_, '_>, Vec<Value>) -> Result<Value, Failure> + Send + Sync;

impl Function {
    pub(crate) fn new<A>(handler: impl Handler<A>) -> Self {
        handler.into_function()
    }

    /// Calls it with arguments that its parameters take.
    pub(crate) fn call(
        &self,
        context: &mut Context<'_, '_>,
        arguments: Vec<Value>,
    ) -> Result<Value, Failure> {
        let weight: usize = arguments.iter().map(Value::weight).sum();
        // A call that reads a megabyte is not one step.
        context.spend_steps(1 + weight / 256)?;
        let value = (self.run)(context, arguments)?;
        context.spend_memory(value.weight())?;
        Ok(value)
    }
}

/// Go's `int`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Int(pub(crate) i64);

impl Int {
    /// As a length; less than nothing is nothing.
    pub(crate) fn count(self) -> usize {
        usize::try_from(self.0).unwrap_or(0)
    }
}

/// Go's `uint32`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsigned(pub(crate) u32);

/// All arguments that are left.
pub(crate) struct Rest<T>(pub(crate) Vec<T>);

/// What can be a parameter.
pub(crate) trait Parameter: Sized {
    const TYPE: Type;
    const REST: bool = false;

    /// Takes it from the arguments. They were checked: `None` only for a fault of the caller.
    fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self>;
}

macro_rules! parameter {
    ($($rust:ty, $kind:ident, $pattern:pat => $value:expr;)*) => {$(
        impl Parameter for $rust {
            const TYPE: Type = Type::$kind;

            fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self> {
                match arguments.next()? {
                    $pattern => Some($value),
                    _ => None,
                }
            }
        }
    )*};
}

parameter! {
    bool, Bool, Value::Bool(value) => value;
    Certificate, Certificate, Value::Certificate(value) => value;
    List, List, Value::List(value) => value;
    Map, Dict, Value::Map(value) => value;
    Text, Text, Value::Text(value) => value;
    Time, Time, Value::Time(value) => value;
    Version, Version, Value::Version(value) => value;
}

impl Parameter for Value {
    const TYPE: Type = Type::Any;

    fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self> {
        arguments.next()
    }
}

impl Parameter for f64 {
    const TYPE: Type = Type::Float;

    fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self> {
        arguments.next()?.as_float()
    }
}

impl Parameter for Int {
    const TYPE: Type = Type::Int;

    fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self> {
        match arguments.next()? {
            Value::Integer(integer) => i64::try_from(integer.value).ok().map(Self),
            _ => None,
        }
    }
}

impl Parameter for Unsigned {
    const TYPE: Type = Type::Unsigned;

    fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self> {
        match arguments.next()? {
            Value::Integer(integer) => u32::try_from(integer.value).ok().map(Self),
            _ => None,
        }
    }
}

impl<T: Parameter> Parameter for Rest<T> {
    const TYPE: Type = T::TYPE;
    const REST: bool = true;

    fn take(arguments: &mut vec::IntoIter<Value>) -> Option<Self> {
        let mut taken = Vec::with_capacity(arguments.len());
        while arguments.len() > 0 {
            taken.push(T::take(arguments)?);
        }
        Some(Self(taken))
    }
}

/// What a function may return.
pub(crate) trait Returned {
    fn into_value(self) -> Value;
}

impl<T: Into<Value>> Returned for T {
    fn into_value(self) -> Value {
        self.into()
    }
}

impl From<Int> for Value {
    fn from(Int(value): Int) -> Self {
        Value::int(value)
    }
}

impl From<Time> for Value {
    fn from(value: Time) -> Self {
        Value::Time(value)
    }
}

impl From<Certificate> for Value {
    fn from(value: Certificate) -> Self {
        Value::Certificate(value)
    }
}

impl From<Version> for Value {
    fn from(value: Version) -> Self {
        Value::Version(value)
    }
}

/// A Rust function that can be one of templates; `A` are its parameters.
pub(crate) trait Handler<A> {
    fn into_function(self) -> Function;
}

macro_rules! handler {
    ($($parameter:ident)*) => {
        impl<F, R, $($parameter: Parameter,)*> Handler<($($parameter,)*)> for F
        where
            F: Fn(&mut Context<'_, '_>, $($parameter),*) -> Result<R, Failure> + Send + Sync + 'static,
            R: Returned,
        {
            #[allow(non_snake_case, unused_mut, unused_variables)]
            fn into_function(self) -> Function {
                let all: Vec<(Type, bool)> = vec![$(($parameter::TYPE, $parameter::REST)),*];
                let rest = all.last().filter(|(_, rest)| *rest).map(|(kind, _)| *kind);
                let parameters = all.iter().filter(|(_, rest)| !rest).map(|(kind, _)| *kind).collect();
                let run = move |context: &mut Context<'_, '_>, arguments: Vec<Value>| {
                    let mut arguments = arguments.into_iter();
                    $(
                        let Some($parameter) = $parameter::take(&mut arguments) else {
                            return Err(Failure::from("an argument is of another type"));
                        };
                    )*
                    self(context, $($parameter),*).map(Returned::into_value)
                };
                Function { parameters, rest, run: Box::new(run) }
            }
        }
    };
}

handler!();
handler!(A);
handler!(A B);
handler!(A B C);
handler!(A B C D);
handler!(A B C D E);
handler!(A B C D E G);
handler!(A B C D E G H);
