//! Reads a typed value from JSON, in less code than `serde_json` needs: a struct is read from an object only, and not from a list
//! of its fields too, and an enum from a text only. What is read and what an error says is the same otherwise.

use serde::Deserializer;
use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

/// Reads a value of the type.
///
/// # Errors
/// When the JSON value is not of the type.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(Json(value))
}

/// A JSON value.
struct Json(Value);

/// The items of a list that are not read yet.
struct JsonItems(std::vec::IntoIter<Value>);

/// The fields of an object that are not read yet, and the value of the one that is.
struct JsonFields {
    fields: serde_json::map::IntoIter,
    value: Option<Value>,
}

impl Json {
    fn fields(self, expected: &dyn serde::de::Expected) -> Result<JsonFields, Error> {
        match self.0 {
            Value::Object(fields) => Ok(JsonFields { fields: fields.into_iter(), value: None }),
            other => Err(mistyped(&other, expected)),
        }
    }

    fn items(self, expected: &dyn serde::de::Expected) -> Result<JsonItems, Error> {
        match self.0 {
            Value::Array(items) => Ok(JsonItems(items.into_iter())),
            other => Err(mistyped(&other, expected)),
        }
    }

    fn text(self, expected: &dyn serde::de::Expected) -> Result<String, Error> {
        match self.0 {
            Value::String(text) => Ok(text),
            other => Err(mistyped(&other, expected)),
        }
    }
}

/// The error of a value of another type.
fn mistyped(value: &Value, expected: &dyn serde::de::Expected) -> Error {
    let unexpected = match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(flag) => Unexpected::Bool(*flag),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), ..) => Unexpected::Unsigned(number),
            (_, Some(number), _) => Unexpected::Signed(number),
            (.., number) => Unexpected::Float(number.unwrap_or_default()),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Error::invalid_type(unexpected, expected)
}

impl<'de> Deserializer<'de> for Json {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(JsonItems(items.into_iter())),
            Value::Object(fields) => visitor.visit_map(JsonFields { fields: fields.into_iter(), value: None }),
            scalar => scalar.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let fields = self.fields(&visitor)?;
        visitor.visit_map(fields)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let fields = self.fields(&visitor)?;
        visitor.visit_map(fields)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let items = self.items(&visitor)?;
        visitor.visit_seq(items)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.text(&visitor)?;
        visitor.visit_string(text)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let text: StringDeserializer<Error> = self.text(&visitor)?.into_deserializer();
        visitor.visit_enum(text)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

impl<'de> SeqAccess<'de> for JsonItems {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0.next().map(|value| seed.deserialize(Json(value))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

impl<'de> MapAccess<'de> for JsonFields {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, value)) = self.fields.next() else { return Ok(None) };
        self.value = Some(value);
        let key: StringDeserializer<Error> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Json(self.value.take().unwrap_or_default()))
    }
}
