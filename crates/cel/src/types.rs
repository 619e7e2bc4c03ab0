//! The types of CEL.

use std::fmt;
use std::sync::Arc;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// The type of a device's attributes: like `Dyn`, but allowed as the type of a result.
    Any,
    /// A type that is only known during evaluation.
    Dyn,
    /// The type of an expression with a mistake, so that one mistake is reported only once.
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
    /// Points in time.
    Timestamp,
    /// Durations.
    Duration,
    /// Lists, with the type of their elements.
    List(Arc<Type>),
    /// Maps, with the types of keys and values.
    Map(Arc<(Type, Type)>),
    /// Optional values, with the type of their content.
    Optional(Arc<Type>),
    /// Types.
    Type(Option<Arc<Type>>),
    /// Objects, by the name of their type.
    Object(Arc<str>),
    /// Values of an opaque type, by its name (`net.IP`, `kubernetes.Quantity`).
    Opaque(&'static str),
    /// Wrappers of `google.protobuf`: a primitive type or null.
    Wrapper(Arc<Type>),
    /// A type variable, e.g. for the elements of `[]`.
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

    /// The name of the type without type parameters, as in messages about values.
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

    /// The type with the names that upstream uses for types of values. Some differ from those of its checker.
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

    /// Whether all values have the size 1.
    pub(crate) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool | Self::Double | Self::Duration | Self::Int | Self::Timestamp | Self::Uint => true,
            // Upstream, a wrapper type has the kind of the type that it wraps.
            Self::Wrapper(inner) | Self::Optional(inner) => inner.is_scalar(),
            _ => false,
        }
    }

    /// How deep types are nested in this type.
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
