//! The names of types, and the few messages of `google.protobuf` that expressions can make.

use crate::error::RunError;
use crate::time::{Duration, Timestamp};
use crate::types::Type;
use crate::value::{Entries, Value};

/// A message that expressions can make.
pub(crate) struct Message {
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Wrapper(Primitive),
    Timestamp,
    Duration,
    Empty,
    Struct,
    List,
    Value,
}

#[derive(Clone, Copy)]
enum Primitive {
    Bool,
    Bytes,
    Double,
    Int,
    String,
    Uint,
}

const MESSAGES: &[Message] = &[
    Message { name: "google.protobuf.BoolValue", kind: Kind::Wrapper(Primitive::Bool) },
    Message { name: "google.protobuf.BytesValue", kind: Kind::Wrapper(Primitive::Bytes) },
    Message { name: "google.protobuf.DoubleValue", kind: Kind::Wrapper(Primitive::Double) },
    Message { name: "google.protobuf.Duration", kind: Kind::Duration },
    Message { name: "google.protobuf.Empty", kind: Kind::Empty },
    Message { name: "google.protobuf.FloatValue", kind: Kind::Wrapper(Primitive::Double) },
    Message { name: "google.protobuf.Int32Value", kind: Kind::Wrapper(Primitive::Int) },
    Message { name: "google.protobuf.Int64Value", kind: Kind::Wrapper(Primitive::Int) },
    Message { name: "google.protobuf.ListValue", kind: Kind::List },
    Message { name: "google.protobuf.StringValue", kind: Kind::Wrapper(Primitive::String) },
    Message { name: "google.protobuf.Struct", kind: Kind::Struct },
    Message { name: "google.protobuf.Timestamp", kind: Kind::Timestamp },
    Message { name: "google.protobuf.UInt32Value", kind: Kind::Wrapper(Primitive::Uint) },
    Message { name: "google.protobuf.UInt64Value", kind: Kind::Wrapper(Primitive::Uint) },
    Message { name: "google.protobuf.Value", kind: Kind::Value },
];

pub(crate) fn lookup(name: &str) -> Option<&'static Message> {
    MESSAGES.iter().find(|message| message.name == name)
}

/// The type that a name stands for in `type(x) == name`.
pub(crate) fn type_named(name: &str) -> Option<Type> {
    Some(match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "int" => Type::Int,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "null_type" => Type::Null,
        "optional_type" => Type::optional(Type::Dyn),
        "string" => Type::String,
        "type" => Type::Type(None),
        "uint" => Type::Uint,
        "net.IP" => Type::Opaque("net.IP"),
        "net.CIDR" => Type::Opaque("net.CIDR"),
        _ => lookup(name)?.ty(),
    })
}

impl Message {
    pub(crate) fn ty(&self) -> Type {
        match self.kind {
            Kind::Wrapper(primitive) => Type::Wrapper(primitive.ty().into()),
            Kind::Timestamp => Type::Timestamp,
            Kind::Duration => Type::Duration,
            Kind::Empty => Type::object(self.name),
            Kind::Struct => Type::map(Type::String, Type::Dyn),
            Kind::List => Type::list(Type::Dyn),
            Kind::Value => Type::Dyn,
        }
    }

    /// The type of a field, if there is one of this name.
    pub(crate) fn field(&self, name: &str) -> Option<Type> {
        match (self.kind, name) {
            (Kind::Wrapper(primitive), "value") => Some(primitive.ty()),
            (Kind::Timestamp | Kind::Duration, "seconds" | "nanos") => Some(Type::Int),
            (Kind::Struct, "fields") => Some(Type::map(Type::String, Type::Dyn)),
            (Kind::List, "values") => Some(Type::list(Type::Dyn)),
            (Kind::Value, "null_value") => Some(Type::Null),
            (Kind::Value, "number_value") => Some(Type::Double),
            (Kind::Value, "string_value") => Some(Type::String),
            (Kind::Value, "bool_value") => Some(Type::Bool),
            (Kind::Value, "struct_value") => Some(Type::map(Type::String, Type::Dyn)),
            (Kind::Value, "list_value") => Some(Type::list(Type::Dyn)),
            _ => None,
        }
    }

    /// The message with these fields, as the value that it stands for.
    pub(crate) fn make<'a>(&self, fields: &[(&str, Value<'a>)]) -> Result<Value<'a>, RunError> {
        let get = |name: &str| fields.iter().rev().find(|field| field.0 == name).map(|field| field.1.clone());
        let int = |name: &str| if let Some(Value::Int(int)) = get(name) { i128::from(int) } else { 0 };
        let nanos = || int("seconds") * 1_000_000_000 + int("nanos");
        let range = || RunError::failed(format!("{} out of range", self.name));
        Ok(match self.kind {
            Kind::Wrapper(primitive) => get("value").unwrap_or_else(|| primitive.zero()),
            Kind::Timestamp => {
                Timestamp::from_seconds(0).and_then(|it| it.add(nanos())).map(Value::Timestamp).ok_or_else(range)?
            }
            Kind::Duration => Value::Duration(Duration(i64::try_from(nanos()).map_err(|_| range())?)),
            Kind::Empty => Value::Message(self.name),
            Kind::Struct => get("fields").unwrap_or_else(|| Value::map(Entries::default())),
            Kind::List => get("values").unwrap_or_else(|| Value::list(Vec::new())),
            Kind::Value => fields.last().map_or(Value::Null, |field| field.1.clone()),
        })
    }
}

impl Primitive {
    fn ty(self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Bytes => Type::Bytes,
            Self::Double => Type::Double,
            Self::Int => Type::Int,
            Self::String => Type::String,
            Self::Uint => Type::Uint,
        }
    }

    fn zero(self) -> Value<'static> {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Bytes => Value::Bytes(Vec::new().into()),
            Self::Double => Value::Double(0.0),
            Self::Int => Value::Int(0),
            Self::String => Value::text(""),
            Self::Uint => Value::Uint(0),
        }
    }
}
