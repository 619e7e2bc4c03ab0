//! Values of documents, with the types of their schemas (`UnstructuredToVal` of `k8s.io/apiserver/pkg/cel/common`).

use serde_json::{Map as JsonObject, Value as Json};

use super::key::Key;
use super::text::Text;
use super::{List, Map, Value, base64};
use crate::declare::{Declared, ListKind, Shape, TextFormat};
use crate::error::RunError;
use crate::names;
use crate::time::{Duration, Timestamp};

/// Longer durations and times are not read, since they would be read again at each use. Kubernetes has no such limit.
const LONGEST_TIME: usize = 1_000;

type Read<'a> = Result<Value<'a>, RunError>;

impl Declared {
    /// The value of a part of a document. It borrows from the document.
    ///
    /// # Errors
    /// When the part does not fit its schema.
    pub fn read<'a>(&'a self, json: &'a Json) -> Result<Value<'a>, RunError> {
        let wrong = |what: &str| Err(RunError::failed(format!("invalid data, expected {what}")));
        let got = |what: &str| wrong(&format!("{what}, got {}", go_type(json)));
        if json.is_null() {
            let message = "invalid data, got null for schema with nullable=false";
            return if self.0.nullable { Ok(Value::Null) } else { Err(RunError::failed(message)) };
        }
        match (&self.0.shape, json) {
            (Shape::Bool, Json::Bool(value)) => Ok(Value::Bool(*value)),
            (Shape::Integer, Json::Number(number)) if number.is_i64() => Ok(Value::Int(number.as_i64().unwrap_or(0))),
            (Shape::Number, Json::Number(number)) => Ok(Value::Double(number.as_f64().unwrap_or(f64::NAN))),
            (Shape::Text(format), Json::String(text)) => read_text(*format, text),
            (Shape::IntOrString, Json::String(text)) => Ok(Value::text(text)),
            (Shape::IntOrString, Json::Number(number)) if number.is_i64() => {
                Ok(Value::Int(number.as_i64().unwrap_or(0)))
            }
            (Shape::List { .. }, Json::Array(elements)) => Ok(Value::List(List::Document(elements, self))),
            (Shape::Map { .. } | Shape::Object(_), Json::Object(object)) => Ok(Value::Map(Map::Document(object, self))),
            (Shape::Bool, _) => got("bool"),
            (Shape::Integer, _) => got("int"),
            (Shape::Number, _) => got("float"),
            (Shape::Text(_), _) => got("string"),
            (Shape::IntOrString, _) => wrong("XIntOrString value to be either a string or integer"),
            (Shape::List { .. }, _) => wrong("an array for the provided schema with type=array"),
            (Shape::Map { .. } | Shape::Object(_), _) => wrong("a map for the provided schema with type=object"),
            (Shape::Attribute | Shape::Quantity, _) => wrong("a value with a schema"),
        }
    }
}

/// The Go type of a part of a document after decoding.
fn go_type(json: &Json) -> &'static str {
    match json {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_i64() => "int64",
        Json::Number(_) => "float64",
        Json::String(_) => "string",
        Json::Array(_) => "[]interface {}",
        Json::Object(_) => "map[string]interface {}",
    }
}

fn read_text(format: TextFormat, text: &str) -> Read<'_> {
    let invalid = |what: &str| RunError::failed(format!("Invalid {what} {text}"));
    let time = if text.len() > LONGEST_TIME { "" } else { text };
    match format {
        TextFormat::Plain => Ok(Value::text(text)),
        TextFormat::Byte => {
            base64::decode(text).map(|it| Value::Bytes(it.into())).ok_or_else(|| invalid("byte formatted string"))
        }
        TextFormat::Duration => Duration::parse(time).map(Value::Duration).ok_or_else(|| invalid("duration")),
        TextFormat::Date => {
            Timestamp::parse_date(time).map(Value::Timestamp).ok_or_else(|| invalid("date formatted string"))
        }
        TextFormat::DateTime => {
            Timestamp::parse(time).map(Value::Timestamp).ok_or_else(|| invalid("date-time formatted string"))
        }
    }
}

/// An element of a list with the declared type `list`.
pub(crate) fn element<'a>(json: &'a Json, list: &'a Declared) -> Read<'a> {
    match &list.0.shape {
        Shape::List { items, .. } => items.read(json),
        _ => Err(RunError::no_overload()),
    }
}

pub(crate) fn list_kind(list: &Declared) -> &ListKind {
    match &list.0.shape {
        Shape::List { kind, .. } => kind,
        _ => &ListKind::Atomic,
    }
}

/// The value of an object's field, by the name that expressions use, or of a map's key.
pub(crate) fn property<'a>(
    object: &'a JsonObject<String, Json>,
    declared: &'a Declared,
    key: &str,
) -> Option<Read<'a>> {
    match &declared.0.shape {
        Shape::Map { values, .. } => object.get(key).map(|json| values.read(json)),
        Shape::Object(fields) => {
            let field =
                fields.get(key).or_else(|| fields.get(&format!("__{key}__")).filter(|_| names::is_reserved(key)))?;
            // A null field counts as missing.
            let json = object.get(&field.property).filter(|json| !json.is_null())?;
            Some(field.declared.read(json))
        }
        _ => None,
    }
}

/// The keys of a map, or the names of an object's fields that expressions can access.
pub(crate) fn keys<'a>(
    object: &'a JsonObject<String, Json>,
    declared: &'a Declared,
) -> Box<dyn Iterator<Item = Key<'a>> + 'a> {
    let text = |text: &'a String| Key::String(Text::borrowed(text));
    match &declared.0.shape {
        Shape::Object(fields) => {
            let present = fields.iter().filter(|(_, field)| object.contains_key(&field.property));
            Box::new(present.map(move |(name, _)| text(name)))
        }
        _ => Box::new(object.keys().map(text)),
    }
}
