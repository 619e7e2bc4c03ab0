//! Decodes metadata by its fixed type: unknown fields are reported and removed, and a wrong type ends the decoding.

use serde_json::{Map, Value};

use crate::error::{self, FieldError, Hint, Kind};
use crate::go;
use crate::path::Place;

/// The type of a field of metadata.
enum Shape {
    Text,
    Int,
    Flag,
    Time,
    TextMap,
    Texts,
    Objects(&'static str, Fields),
    /// Any object.
    Raw,
}

type Fields = &'static [(&'static str, Shape)];

/// `metav1.ObjectMeta`.
const OBJECT_META: Fields = &[
    ("annotations", Shape::TextMap),
    ("creationTimestamp", Shape::Time),
    ("deletionGracePeriodSeconds", Shape::Int),
    ("deletionTimestamp", Shape::Time),
    ("finalizers", Shape::Texts),
    ("generateName", Shape::Text),
    ("generation", Shape::Int),
    ("labels", Shape::TextMap),
    ("managedFields", Shape::Objects("ManagedFieldsEntry", MANAGED_FIELDS)),
    ("name", Shape::Text),
    ("namespace", Shape::Text),
    ("ownerReferences", Shape::Objects("OwnerReference", OWNER_REFERENCE)),
    ("resourceVersion", Shape::Text),
    ("selfLink", Shape::Text),
    ("uid", Shape::Text),
];

const OWNER_REFERENCE: Fields = &[
    ("apiVersion", Shape::Text),
    ("blockOwnerDeletion", Shape::Flag),
    ("controller", Shape::Flag),
    ("kind", Shape::Text),
    ("name", Shape::Text),
    ("uid", Shape::Text),
];

const MANAGED_FIELDS: Fields = &[
    ("apiVersion", Shape::Text),
    ("fieldsType", Shape::Text),
    ("fieldsV1", Shape::Raw),
    ("manager", Shape::Text),
    ("operation", Shape::Text),
    ("subresource", Shape::Text),
    ("time", Shape::Time),
];

/// Decodes the metadata at `at` in place. Returns an error for each unknown field.
///
/// # Errors
/// The first value of a wrong type, in Go's words.
pub(crate) fn decode(metadata: &mut Value, at: &Place<'_>) -> Result<Vec<FieldError>, Box<FieldError>> {
    let mut decoder = Decoder { unknown: Vec::new() };
    match metadata {
        // Null decodes as nothing at all.
        Value::Null => *metadata = Value::Object(Map::new()),
        Value::Object(fields) => decoder.fields(fields, OBJECT_META, "ObjectMeta", "", at)?,
        other => {
            let detail = format!("json: cannot unmarshal {} into Go value of type v1.ObjectMeta", kind(other));
            return Err(FieldError::at(at, Kind::Malformed, Some(other.clone()), detail).into());
        }
    }
    Ok(FieldError::sorted(decoder.unknown))
}

/// Whether one field of metadata can be decoded.
pub(crate) fn decodes(name: &str, value: &Value) -> bool {
    let mut metadata = Value::Object([(name.to_owned(), value.clone())].into_iter().collect());
    decode(&mut metadata, &Place::ROOT).is_ok()
}

struct Decoder {
    unknown: Vec<FieldError>,
}

impl Decoder {
    fn fields(
        &mut self,
        fields: &mut Map<String, Value>,
        known: Fields,
        owner: &str,
        path: &str,
        at: &Place<'_>,
    ) -> Result<(), Box<FieldError>> {
        let names: Vec<String> = fields.keys().cloned().collect();
        for name in names {
            let here = at.field(&name);
            let Some((_, shape)) = known.iter().find(|(known, _)| *known == name) else {
                let hint = Hint::for_unknown(known.iter().map(|(name, _)| *name), &name, self.unknown.len());
                let error = FieldError { hint, ..FieldError::at(&here, Kind::UnknownField, None, "") };
                error::add(&mut self.unknown, error);
                fields.remove(&name);
                continue;
            };
            let Some(value) = fields.get_mut(&name) else { continue };
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self.value(value, shape, owner, &path, &here)?;
            if is_zero(value) {
                fields.remove(&name);
            }
        }
        Ok(())
    }

    fn value(
        &mut self,
        value: &mut Value,
        shape: &Shape,
        owner: &str,
        path: &str,
        at: &Place<'_>,
    ) -> Result<(), Box<FieldError>> {
        let wrong = |value: &Value, wanted: &str, at: &Place<'_>| {
            let detail =
                format!("json: cannot unmarshal {} into Go struct field {owner}.{path} of type {wanted}", kind(value));
            let hint = (wanted == "string").then(|| Hint::for_unquoted(value)).flatten();
            Err(FieldError { hint, ..FieldError::at(at, Kind::Malformed, Some(value.clone()), detail) }.into())
        };
        match (shape, &mut *value) {
            (_, Value::Null)
            | (Shape::Text | Shape::Time, Value::String(_))
            | (Shape::Flag, Value::Bool(_))
            | (Shape::Raw, Value::Object(_)) => Ok(()),
            (Shape::Int, Value::Number(number)) if go::float(number).is_none() => Ok(()),
            (Shape::TextMap, Value::Object(fields)) => {
                for (name, value) in fields {
                    match value {
                        Value::String(_) => {}
                        Value::Null => *value = Value::from(""),
                        value => return wrong(value, "string", &at.key(name)),
                    }
                }
                Ok(())
            }
            (Shape::Texts, Value::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    match item {
                        Value::String(_) => {}
                        Value::Null => *item = Value::from(""),
                        item => return wrong(item, "string", &at.index(index)),
                    }
                }
                Ok(())
            }
            (Shape::Objects(owner, known), Value::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let here = at.index(index);
                    match item {
                        Value::Object(fields) => self.fields(fields, known, owner, path, &here)?,
                        Value::Null => *item = Value::Object(Map::new()),
                        item => return wrong(item, &format!("v1.{owner}"), &here),
                    }
                }
                Ok(())
            }
            (shape, value) => wrong(value, shape.go_type(), at),
        }
    }
}

impl Shape {
    fn go_type(&self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Int => "int64",
            Self::Flag => "bool",
            Self::Time => "v1.Time",
            Self::TextMap => "map[string]string",
            Self::Texts => "[]string",
            Self::Objects("OwnerReference", _) => "[]v1.OwnerReference",
            Self::Objects(..) => "[]v1.ManagedFieldsEntry",
            Self::Raw => "v1.FieldsV1",
        }
    }
}

/// Whether the value is left out when metadata is encoded.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::Bool(_) => false,
    }
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Number(number) => match go::float(number) {
            Some(_) => format!("number {number}"),
            None => "number".to_owned(),
        },
        Value::String(_) => "string".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}
