//! The names of types, and the messages of `google.protobuf` that expressions can construct.

use crate::error::RunError;
use crate::time::{Duration, Timestamp};
use crate::types::Type;
use crate::value::{Entries, Value};

/// A message type that expressions can construct.
pub(crate) struct Message {
    name: &'static str,
    kind: MessageKind,
}

#[derive(Clone, Copy)]
enum MessageKind {
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
    Message { name: "google.protobuf.BoolValue", kind: MessageKind::Wrapper(Primitive::Bool) },
    Message { name: "google.protobuf.BytesValue", kind: MessageKind::Wrapper(Primitive::Bytes) },
    Message { name: "google.protobuf.DoubleValue", kind: MessageKind::Wrapper(Primitive::Double) },
    Message { name: "google.protobuf.Duration", kind: MessageKind::Duration },
    Message { name: "google.protobuf.Empty", kind: MessageKind::Empty },
    Message { name: "google.protobuf.FloatValue", kind: MessageKind::Wrapper(Primitive::Double) },
    Message { name: "google.protobuf.Int32Value", kind: MessageKind::Wrapper(Primitive::Int) },
    Message { name: "google.protobuf.Int64Value", kind: MessageKind::Wrapper(Primitive::Int) },
    Message { name: "google.protobuf.ListValue", kind: MessageKind::List },
    Message { name: "google.protobuf.StringValue", kind: MessageKind::Wrapper(Primitive::String) },
    Message { name: "google.protobuf.Struct", kind: MessageKind::Struct },
    Message { name: "google.protobuf.Timestamp", kind: MessageKind::Timestamp },
    Message { name: "google.protobuf.UInt32Value", kind: MessageKind::Wrapper(Primitive::Uint) },
    Message { name: "google.protobuf.UInt64Value", kind: MessageKind::Wrapper(Primitive::Uint) },
    Message { name: "google.protobuf.Value", kind: MessageKind::Value },
];

pub(crate) fn lookup(name: &str) -> Option<&'static Message> {
    MESSAGES.iter().find(|message| message.name == name)
}

/// The type with this name, as in `type(x) == name`.
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
            MessageKind::Wrapper(primitive) => Type::Wrapper(primitive.ty().into()),
            MessageKind::Timestamp => Type::Timestamp,
            MessageKind::Duration => Type::Duration,
            MessageKind::Empty => Type::object(self.name),
            MessageKind::Struct => Type::map(Type::String, Type::Dyn),
            MessageKind::List => Type::list(Type::Dyn),
            MessageKind::Value => Type::Dyn,
        }
    }

    /// The type of the field with this name, if there is one.
    pub(crate) fn field(&self, name: &str) -> Option<Type> {
        match (self.kind, name) {
            (MessageKind::Wrapper(primitive), "value") => Some(primitive.ty()),
            (MessageKind::Timestamp | MessageKind::Duration, "seconds" | "nanos") => Some(Type::Int),
            (MessageKind::Struct, "fields") => Some(Type::map(Type::String, Type::Dyn)),
            (MessageKind::List, "values") => Some(Type::list(Type::Dyn)),
            (MessageKind::Value, "null_value") => Some(Type::Null),
            (MessageKind::Value, "number_value") => Some(Type::Double),
            (MessageKind::Value, "string_value") => Some(Type::String),
            (MessageKind::Value, "bool_value") => Some(Type::Bool),
            (MessageKind::Value, "struct_value") => Some(Type::map(Type::String, Type::Dyn)),
            (MessageKind::Value, "list_value") => Some(Type::list(Type::Dyn)),
            _ => None,
        }
    }

    /// The value of a message with these fields.
    pub(crate) fn make<'a>(&self, fields: &[(&str, Value<'a>)]) -> Result<Value<'a>, RunError> {
        let get = |name: &str| fields.iter().rev().find(|field| field.0 == name).map(|field| field.1.clone());
        let int = |name: &str| if let Some(Value::Int(int)) = get(name) { i128::from(int) } else { 0 };
        let nanos = || int("seconds") * 1_000_000_000 + int("nanos");
        let range = || RunError::failed(format!("{} out of range", self.name));
        Ok(match self.kind {
            MessageKind::Wrapper(primitive) => get("value").unwrap_or_else(|| primitive.zero()),
            MessageKind::Timestamp => {
                Timestamp::from_seconds(0).and_then(|it| it.add(nanos())).map(Value::Timestamp).ok_or_else(range)?
            }
            MessageKind::Duration => Value::Duration(Duration(i64::try_from(nanos()).map_err(|_| range())?)),
            MessageKind::Empty => Value::Message(self.name),
            MessageKind::Struct => get("fields").unwrap_or_else(|| Value::map(Entries::default())),
            MessageKind::List => get("values").unwrap_or_else(|| Value::list(Vec::new())),
            MessageKind::Value => fields.last().map_or(Value::Null, |field| field.1.clone()),
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
