//! Converts protobuf's `Struct` to JSON text and back, without another tree in between.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use pbjson_types::value::Kind;
use pbjson_types::{ListValue, Struct, Value};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A value that JSON cannot express, and its path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotJson {
    /// The field path, in the API server's format.
    pub(super) path: String,
    /// What is wrong.
    pub(super) message: &'static str,
}

impl NotJson {
    fn in_field(mut self, key: &str) -> Self {
        self.prepend(if key.contains(['.', '[']) { format!("[{key}]") } else { key.to_owned() });
        self
    }

    fn at_index(mut self, index: usize) -> Self {
        self.prepend(format!("[{index}]"));
        self
    }

    fn prepend(&mut self, step: String) {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{step}{separator}{}", self.path);
    }
}

/// The JSON text of an object: keys sorted, whole numbers without fraction or exponent.
///
/// A `Struct` has no integers, so integers beyond 2^53 were rounded by the sender. They are printed as rounded.
///
/// # Errors
/// When a number is not finite.
pub(super) fn write_object(object: &Struct) -> Result<String, NotJson> {
    let mut writer = Writer::default();
    writer.object(object)?;
    Ok(writer.text)
}

/// The JSON text of any value, like [`write_object`].
///
/// # Errors
/// When a number is not finite.
pub(super) fn write_value(value: &Value) -> Result<String, NotJson> {
    let mut writer = Writer::default();
    writer.value(value)?;
    Ok(writer.text)
}

#[derive(Default)]
struct Writer<'a> {
    text: String,
    /// The fields of the objects that are being written, from the outermost to the innermost.
    fields: Vec<(&'a String, &'a Value)>,
}

impl<'a> Writer<'a> {
    fn value(&mut self, value: &'a Value) -> Result<(), NotJson> {
        match &value.kind {
            None | Some(Kind::NullValue(_)) => self.text.push_str("null"),
            Some(Kind::BoolValue(true)) => self.text.push_str("true"),
            Some(Kind::BoolValue(false)) => self.text.push_str("false"),
            Some(Kind::StringValue(text)) => self.string(text),
            Some(Kind::NumberValue(number)) => return self.number(*number),
            Some(Kind::ListValue(list)) => return self.list(list),
            Some(Kind::StructValue(object)) => return self.object(object),
        }
        Ok(())
    }

    fn object(&mut self, object: &'a Struct) -> Result<(), NotJson> {
        let first = self.fields.len();
        self.fields.extend(&object.fields);
        self.fields[first..].sort_unstable_by_key(|(key, _)| *key);
        let end = self.fields.len();
        self.text.push('{');
        for index in first..end {
            if index > first {
                self.text.push(',');
            }
            let (key, value) = self.fields[index];
            self.string(key);
            self.text.push(':');
            self.value(value).map_err(|error| error.in_field(key))?;
        }
        self.text.push('}');
        self.fields.truncate(first);
        Ok(())
    }

    fn list(&mut self, list: &'a ListValue) -> Result<(), NotJson> {
        self.text.push('[');
        for (index, value) in list.values.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.value(value).map_err(|error| error.at_index(index))?;
        }
        self.text.push(']');
        Ok(())
    }

    /// Rust prints fractions with the fewest digits that read back as the same number, and never an exponent.
    fn number(&mut self, number: f64) -> Result<(), NotJson> {
        const BEYOND_I64: f64 = 9_223_372_036_854_775_808.0;
        if !number.is_finite() {
            return Err(NotJson { path: String::new(), message: "the number is not finite; JSON has no such number" });
        }
        // Writing to a String cannot fail.
        let _ = if number.fract() != 0.0 {
            write!(self.text, "{number}")
        } else if number.abs() < BEYOND_I64 {
            write!(self.text, "{}", number as i64) // which has no negative zero
        } else {
            write!(self.text, "{number:.0}")
        };
        Ok(())
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        while let Some(index) = rest.bytes().position(must_be_escaped) {
            self.text.push_str(&rest[..index]);
            let _ = match rest.as_bytes()[index] {
                b'"' => self.text.write_str("\\\""),
                b'\\' => self.text.write_str("\\\\"),
                b'\n' => self.text.write_str("\\n"),
                b'\t' => self.text.write_str("\\t"),
                b'\r' => self.text.write_str("\\r"),
                byte => write!(self.text, "\\u{byte:04x}"),
            };
            rest = &rest[index + 1..];
        }
        self.text.push_str(rest);
        self.text.push('"');
    }
}

fn must_be_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Reads the JSON text of an object.
///
/// # Errors
/// When it is not JSON, not an object, or has a whole number that protobuf would round.
pub(super) fn read_object(text: &str) -> serde_json::Result<Struct> {
    let value = read_value(text)?;
    match value.kind {
        Some(Kind::StructValue(object)) => Ok(object),
        _ => Err(serde_json::Error::custom("not an object")),
    }
}

/// Reads the JSON text of any value.
///
/// # Errors
/// When it is not JSON, or has a whole number that protobuf would round.
pub(super) fn read_value(text: &str) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reader.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads any value. The protobuf crate's own reader makes null a value without a kind, which Go refuses.
struct Reader;

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Kind::NullValue(0).into())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Kind::BoolValue(value).into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Kind::NumberValue(value).into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        exact(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        exact(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.visit_string(value.to_owned())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Kind::StringValue(value).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Reader)? {
            values.push(value);
        }
        Ok(Kind::ListValue(ListValue { values }).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = HashMap::new();
        while let Some(key) = entries.next_key()? {
            fields.insert(key, entries.next_value_seed(Reader)?);
        }
        Ok(Kind::StructValue(Struct { fields }).into())
    }
}

/// The number as protobuf has it. It is an error when it would be rounded, since the composed object would be wrong.
fn exact<E: Error>(value: i128) -> Result<Value, E> {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "the loss is what is looked for")]
    let (rounded, back) = (value as f64, value as f64 as i128);
    if back == value {
        Ok(Kind::NumberValue(rounded).into())
    } else {
        Err(E::custom(format_args!("{value} would be rounded to {rounded} on the wire; use a string, or at most 2^53")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> Value {
        Kind::NumberValue(value).into()
    }

    fn object(fields: &[(&str, Value)]) -> Value {
        let fields = fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        Kind::StructValue(Struct { fields }).into()
    }

    fn list(values: &[Value]) -> Value {
        Kind::ListValue(ListValue { values: values.to_vec() }).into()
    }

    #[test]
    fn numbers() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (3.0, "3"),
            (-7.0, "-7"),
            (0.9, "0.9"),
            (1e-7, "0.0000001"),
            (2f64.powi(31), "2147483648"),
            (2f64.powi(53) + 2.0, "9007199254740994"),
            (2f64.powi(63), "9223372036854775808"),
            (1e21, "1000000000000000000000"),
        ] {
            assert_eq!(write_value(&number(value)).as_deref(), Ok(expected));
            assert_eq!(read_value(expected).unwrap(), number(value + 0.0), "{expected}");
        }
    }

    #[test]
    fn text() {
        for text in ["", "plain", "\"\\\n\t\r\u{1}\u{1f}\u{7f}", "schön 🛩 \u{2028}", "/", "\u{0}"] {
            let value = Value::from(text.to_owned());
            let written = write_value(&value).unwrap();
            assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text, "{written}");
            assert_eq!(read_value(&written).unwrap(), value);
        }
    }

    #[test]
    fn shapes() {
        let value = object(&[
            ("b", list(&[])),
            ("a", object(&[("z", number(1.0)), ("y", Kind::NullValue(0).into())])),
            ("", object(&[])),
            ("c", list(&[true.into(), false.into(), Value { kind: None }])),
        ]);
        assert_eq!(write_value(&value).as_deref(), Ok(r#"{"":{},"a":{"y":null,"z":1},"b":[],"c":[true,false,null]}"#));
    }

    #[test]
    fn what_json_cannot_spell() {
        let refused = |value: &Value| write_value(value).map_err(|error| error.path).unwrap_err();
        assert_eq!(refused(&number(f64::NAN)), "");
        assert_eq!(refused(&object(&[("spec", list(&[number(1.0), number(f64::INFINITY)]))])), "spec[1]");
        let annotations = object(&[("example.org/key", object(&[("x", number(f64::NEG_INFINITY))]))]);
        assert_eq!(refused(&object(&[("metadata", annotations)])), "metadata[example.org/key].x");
    }

    #[test]
    fn what_protobuf_cannot_carry() {
        for (text, expected) in [
            (
                "9007199254740993",
                "9007199254740993 would be rounded to 9007199254740992 on the wire; use a string, or at most 2^53 at line 1 column 16",
            ),
            (
                "[-9007199254740993]",
                "-9007199254740993 would be rounded to -9007199254740992 on the wire; use a string, or at most 2^53 at line 1 column 18",
            ),
            ("{", "EOF while parsing an object at line 1 column 1"),
            ("1 2", "trailing characters at line 1 column 3"),
        ] {
            assert_eq!(read_value(text).unwrap_err().to_string(), expected);
        }
        assert_eq!(read_object("[]").unwrap_err().to_string(), "not an object");
    }
}
