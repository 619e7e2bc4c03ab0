//! The types of CEL, as its checker knows them.

use std::fmt;
use std::sync::Arc;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// What a device's attributes have: of some type that only evaluation tells, and a legal result.
    Any,
    /// Of some type that only evaluation tells.
    Dyn,
    /// What an expression with a mistake has, so that one mistake is reported once.
    Error,
    /// `null`.
    Null,
    /// `true` and `false`.
    Bool,
    /// 64-bit integers.
    Int,
    /// Unsigned 64-bit integers.
    Uint,
    /// IEEE 754 numbers of 64 bits.
    Double,
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// A point in time.
    Timestamp,
    /// A span of time.
    Duration,
    /// A list of what it holds.
    List(Arc<Type>),
    /// A map from keys to values.
    Map(Arc<(Type, Type)>),
    /// Something that may be missing.
    Optional(Arc<Type>),
    /// The type of a type.
    Type(Option<Arc<Type>>),
    /// An object with fields, or a Kubernetes type without (`kubernetes.Quantity`), by name.
    Object(Arc<str>),
    /// A type with a name and nothing else (`net.IP`).
    Opaque(&'static str),
    /// A `google.protobuf` wrapper of a primitive type, which may be null.
    Wrapper(Arc<Type>),
    /// Not known yet: the element type of `[]`.
    Variable(u32),
}

impl Type {
    /// The type of lists of `element`.
    pub fn list(element: Type) -> Self {
        Self::List(Arc::new(element))
    }

    /// The type of maps from `key` to `value`.
    pub fn map(key: Type, value: Type) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    /// The type of optional values.
    pub fn optional(inner: Type) -> Self {
        Self::Optional(Arc::new(inner))
    }

    /// The type of objects called `name`.
    pub fn object(name: &str) -> Self {
        Self::Object(name.into())
    }

    /// The name of the type, without what it is made of: what messages about values say.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::List(_) => "list".to_owned(),
            Self::Map(_) => "map".to_owned(),
            Self::Optional(_) => "optional_type".to_owned(),
            Self::Type(_) => "type".to_owned(),
            Self::Null => "null_type".to_owned(),
            Self::Timestamp => "google.protobuf.Timestamp".to_owned(),
            Self::Duration => "google.protobuf.Duration".to_owned(),
            Self::Any => "google.protobuf.Any".to_owned(),
            ty => ty.to_string(),
        }
    }

    /// The type with the names that upstream's values have for it, where they differ from those of its checker.
    pub(crate) fn spelled(&self) -> String {
        match self {
            Self::Timestamp | Self::Duration | Self::Null | Self::Any => self.name(),
            Self::List(element) => format!("list({})", element.spelled()),
            Self::Map(pair) => format!("map({}, {})", pair.0.spelled(), pair.1.spelled()),
            Self::Optional(inner) => format!("optional_type({})", inner.spelled()),
            ty => ty.to_string(),
        }
    }

    pub(crate) fn is_dynamic(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any)
    }

    pub(crate) fn is_dynamic_or_error(&self) -> bool {
        self.is_dynamic() || *self == Self::Error
    }

    /// Whether values have one size, whatever they are.
    pub(crate) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool | Self::Double | Self::Duration | Self::Int | Self::Timestamp | Self::Uint => true,
            // Upstream's wrapper types share the kind of what they wrap.
            Self::Wrapper(inner) | Self::Optional(inner) => inner.is_scalar(),
            _ => false,
        }
    }

    /// How many types are inside one another here.
    pub(crate) fn depth(&self) -> usize {
        1 + match self {
            Self::List(inner) | Self::Optional(inner) | Self::Type(Some(inner)) | Self::Wrapper(inner) => inner.depth(),
            Self::Map(pair) => pair.0.depth().max(pair.1.depth()),
            _ => 0,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Dyn => f.write_str("dyn"),
            Self::Error => f.write_str("!error!"),
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::Duration => f.write_str("duration"),
            Self::List(element) => write!(f, "list({element})"),
            Self::Map(pair) => write!(f, "map({}, {})", pair.0, pair.1),
            Self::Optional(inner) => write!(f, "optional_type({inner})"),
            Self::Type(None) => f.write_str("type"),
            Self::Type(Some(inner)) => write!(f, "type({inner})"),
            Self::Object(name) => f.write_str(name),
            Self::Opaque(name) => f.write_str(name),
            Self::Wrapper(inner) => write!(f, "wrapper({inner})"),
            Self::Variable(number) => write!(f, "_var{number}"),
        }
    }
}
