//! JSON on the wire by way of a tree, as prost's own types have it: what the function's codec is compared with.

use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct};
use serde_json::Value;

/// The bytes of an object. Its keys are sorted, as prost's own types have them.
///
/// # Panics
/// When it is no object.
pub fn wire(object: &Value) -> Vec<u8> {
    match kind(object) {
        Kind::StructValue(object) => object.encode_to_vec(),
        _ => panic!("no object: {object}"),
    }
}

/// The object that bytes have. None when they are no message, or JSON cannot spell a number in them.
pub fn object(wire: &[u8]) -> Option<Value> {
    json(Kind::StructValue(Struct::decode(wire).ok()?))
}

fn kind(value: &Value) -> Kind {
    let inner = |value| prost_types::Value { kind: Some(kind(value)) };
    match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(value) => Kind::BoolValue(*value),
        Value::Number(number) => Kind::NumberValue(number.as_f64().expect("a number of JSON")),
        Value::String(text) => Kind::StringValue(text.clone()),
        Value::Array(items) => Kind::ListValue(ListValue { values: items.iter().map(inner).collect() }),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), inner(value)));
            Kind::StructValue(Struct { fields: fields.collect() })
        }
    }
}

fn json(kind: Kind) -> Option<Value> {
    let inner = |value: prost_types::Value| value.kind.map_or(Some(Value::Null), json);
    Some(match kind {
        Kind::NullValue(_) => Value::Null,
        Kind::BoolValue(value) => value.into(),
        Kind::NumberValue(number) if !number.is_finite() => return None,
        Kind::NumberValue(number) => serde_json::from_str(&if number.fract() == 0.0 {
            format!("{:.0}", number + 0.0)
        } else {
            number.to_string()
        })
        .expect("a number of JSON"),
        Kind::StringValue(text) => text.into(),
        Kind::ListValue(list) => Value::Array(list.values.into_iter().map(inner).collect::<Option<_>>()?),
        Kind::StructValue(object) => {
            let fields = object.fields.into_iter().map(|(key, value)| Some((key, inner(value)?)));
            Value::Object(fields.collect::<Option<_>>()?)
        }
    })
}
