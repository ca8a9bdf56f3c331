//! Enums of which an object names one variant as its only property, such as `provider: { vault: … }`,
//! and which keep the properties that are not served here.

use serde_json::{Map, Value};
use thiserror::Error;

/// Why a mapping is not one of the variants.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OneOfError {
    /// None is there.
    #[error("exactly one of its properties must be set, and none is")]
    None,
    /// More than one is there.
    #[error("exactly one of its properties must be set, and there are {}", .0.join(", "))]
    Several(Vec<String>),
}

/// The only property of a mapping. Absent ones may be written as `null`.
pub fn only(fields: Map<String, Value>) -> Result<(String, Value), OneOfError> {
    let mut set: Vec<_> = fields
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect();
    match set.len() {
        0 => Err(OneOfError::None),
        1 => Ok(set.remove(0)),
        _ => Err(OneOfError::Several(
            set.into_iter().map(|(name, _)| name).collect(),
        )),
    }
}

/// Makes such an enum: variants with the name of their property, and the properties that are kept.
macro_rules! one_of {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$doc:meta])* $variant:ident($type:ty) = $property:literal, )+
        }
        kept: $kept:expr
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $( $(#[$doc])* $variant(Box<$type>), )+
            /// One that is not served here.
            Unsupported {
                /// Its property.
                name: String,
                /// What the property holds, as it was written.
                value: $crate::Sensitive<serde_json::Value>,
            },
        }

        impl $name {
            /// The property that it is written under.
            pub fn name(&self) -> &str {
                match self {
                    $( Self::$variant(_) => $property, )+
                    Self::Unsupported { name, .. } => name,
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(Some(1))?;
                match self {
                    $( Self::$variant(value) => map.serialize_entry($property, value)?, )+
                    Self::Unsupported { name, value } => map.serialize_entry(name, value)?,
                }
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;
                let fields = serde_json::Map::deserialize(deserializer)?;
                let (name, value) = $crate::external::one_of::only(fields).map_err(D::Error::custom)?;
                let wrong = |error| D::Error::custom(format_args!("{name}: {error}"));
                match &*name {
                    $( $property => serde_json::from_value(value).map(Self::$variant).map_err(wrong), )+
                    _ => Ok(Self::Unsupported { name, value: value.into() }),
                }
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut properties = serde_json::Map::new();
                for name in $kept {
                    properties.insert((*name).to_owned(), $crate::schema::any_object());
                }
                $( properties.insert(
                    $property.to_owned(),
                    <$type as schemars::JsonSchema>::json_schema(generator).into(),
                ); )+
                schemars::json_schema!({
                    "type": "object",
                    "properties": properties,
                    "minProperties": 1,
                    "maxProperties": 1,
                })
            }
        }
    };
}
pub(crate) use one_of;
