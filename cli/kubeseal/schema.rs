//! The fields that `kubeseal` knows, in the order in which it prints them as JSON.
//!
//! The order is that of the fields of the Go types: `metav1.ObjectMeta`, `v1.Secret` and the
//! peer's `SealedSecret`.

/// What a value must be.
#[derive(Debug)]
pub(super) enum Shape {
    /// A text. Numbers and booleans become text: `name: 5` and `name: "5"` are the same.
    Text,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A point in time, RFC 3339.
    Time,
    /// Text in base64, which alone may stand for binary data.
    Base64,
    /// Any names, one shape.
    Map(&'static Shape),
    /// A list of one shape.
    List(&'static Shape),
    /// These fields.
    Struct(&'static [Field]),
    /// A text that may be null.
    TextOrNull,
    /// Text, and nothing at all of anything else: the peer reads `encryptedData` so.
    LenientTexts,
    /// Anything, as it is.
    Any,
}

/// One field of a structure.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) omit: Omit,
}

/// When a field is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Omit {
    /// When it is absent, null, zero, or has nothing in it.
    Empty,
    /// When it is absent or null.
    Absent,
    /// Never: it is printed empty.
    Never,
}

const fn field(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        omit: Omit::Empty,
    }
}

const fn optional(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        omit: Omit::Absent,
    }
}

const fn required(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        omit: Omit::Never,
    }
}

/// `v1.Secret`
pub(super) const SECRET: &[Field] = &[
    field("kind", Shape::Text),
    field("apiVersion", Shape::Text),
    required("metadata", Shape::Struct(OBJECT_META)),
    optional("immutable", Shape::Boolean),
    field("data", Shape::Map(&Shape::Base64)),
    field("stringData", Shape::Map(&Shape::Text)),
    field("type", Shape::Text),
];

/// `SealedSecret`
pub(super) const SEALED_SECRET: &[Field] = &[
    field("kind", Shape::Text),
    field("apiVersion", Shape::Text),
    required("metadata", Shape::Struct(OBJECT_META)),
    required("spec", Shape::Struct(SPEC)),
    optional("status", Shape::Struct(STATUS)),
];

const SPEC: &[Field] = &[
    required("template", Shape::Struct(TEMPLATE)),
    field("data", Shape::Base64),
    required("encryptedData", Shape::LenientTexts),
];

const TEMPLATE: &[Field] = &[
    required("metadata", Shape::Struct(OBJECT_META)),
    field("type", Shape::Text),
    optional("immutable", Shape::Boolean),
    field("data", Shape::Map(&Shape::TextOrNull)),
];

const STATUS: &[Field] = &[
    field("observedGeneration", Shape::Integer),
    field("conditions", Shape::List(&Shape::Struct(CONDITION))),
];

const CONDITION: &[Field] = &[
    required("type", Shape::Text),
    required("status", Shape::Text),
    required("lastUpdateTime", Shape::Time),
    required("lastTransitionTime", Shape::Time),
    field("reason", Shape::Text),
    field("message", Shape::Text),
];

const OBJECT_META: &[Field] = &[
    field("name", Shape::Text),
    field("generateName", Shape::Text),
    field("namespace", Shape::Text),
    field("selfLink", Shape::Text),
    field("uid", Shape::Text),
    field("resourceVersion", Shape::Text),
    field("generation", Shape::Integer),
    field("creationTimestamp", Shape::Time),
    field("deletionTimestamp", Shape::Time),
    optional("deletionGracePeriodSeconds", Shape::Integer),
    field("labels", Shape::Map(&Shape::Text)),
    field("annotations", Shape::Map(&Shape::Text)),
    field(
        "ownerReferences",
        Shape::List(&Shape::Struct(OWNER_REFERENCE)),
    ),
    field("finalizers", Shape::List(&Shape::Text)),
    field("managedFields", Shape::List(&Shape::Struct(MANAGED_FIELDS))),
];

const OWNER_REFERENCE: &[Field] = &[
    required("apiVersion", Shape::Text),
    required("kind", Shape::Text),
    required("name", Shape::Text),
    required("uid", Shape::Text),
    optional("controller", Shape::Boolean),
    optional("blockOwnerDeletion", Shape::Boolean),
];

const MANAGED_FIELDS: &[Field] = &[
    field("manager", Shape::Text),
    field("operation", Shape::Text),
    field("apiVersion", Shape::Text),
    field("time", Shape::Time),
    field("fieldsType", Shape::Text),
    optional("fieldsV1", Shape::Any),
    field("subresource", Shape::Text),
];
