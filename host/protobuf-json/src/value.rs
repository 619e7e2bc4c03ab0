//! Objects, lists and all other values.

use std::collections::BTreeMap;

use prost::bytes::{Buf, BufMut, Bytes};
use prost::encoding::{DecodeContext, WireType, btree_map, bytes, message, skip_field, string};
use prost::{DecodeError, Message};
use serde::de::Error as _;

use crate::entries::{Entries, TAG};
use crate::find;
use crate::lazy::{Collection, Lazy};
use crate::read;
use crate::write::{self, NotJson};

/// A JSON object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// Its fields.
    pub fields: Lazy<BTreeMap<String, Value>>,
}

impl Struct {
    /// Its JSON text: keys sorted, whole numbers without fraction or exponent.
    ///
    /// A `Struct` has no integers, so integers beyond 2^53 were rounded by the sender. They are printed as rounded.
    ///
    /// # Errors
    /// When a number is not finite, objects are nested too deep, or what came is malformed.
    pub fn to_json(&self) -> Result<String, NotJson> {
        self.to_json_without(&[])
    }

    /// Its JSON text, like [`Self::to_json`], without the field at a path of keys, which is not even read.
    ///
    /// # Errors
    /// As for [`Self::to_json`].
    pub fn to_json_without(&self, path: &[&str]) -> Result<String, NotJson> {
        self.fields.on_the_wire(|entries| write::object(entries, path))
    }

    /// The text at a path of keys. `None` when there is no text, or none that can be read. Nothing is
    /// decoded for it.
    pub fn text(&self, path: &[&str]) -> Option<String> {
        self.fields.on_the_wire(|entries| find::text(entries.iter(), path).map(str::to_owned))
    }

    /// The object that a JSON text has. Where a key is there twice, readers take the last.
    ///
    /// # Errors
    /// When it is not JSON, not an object, or has a whole number that protobuf would round.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        read::object(text).map(|entries| Self { fields: Lazy::encoded(entries) })
    }
}

impl Message for Struct {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        self.fields.encode(buffer);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        let push = |entry| self.fields.push(entry);
        merge_entry("Struct", "fields", push, (tag, wire_type), buffer, context)
    }

    fn encoded_len(&self) -> usize {
        self.fields.encoded_len()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A JSON array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListValue {
    /// Its items.
    pub values: Lazy<Vec<Value>>,
}

impl Message for ListValue {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        self.values.encode(buffer);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        let push = |entry| self.values.push(entry);
        merge_entry("ListValue", "values", push, (tag, wire_type), buffer, context)
    }

    fn encoded_len(&self) -> usize {
        self.values.encoded_len()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Takes an entry as it is: a part of `buffer`, where that can give parts away. Memory is taken for bytes that are
/// there, whatever length was announced.
fn merge_entry(
    message: &'static str,
    field: &'static str,
    push: impl FnOnce(Bytes),
    (tag, wire_type): (u32, WireType),
    buffer: &mut impl Buf,
    context: DecodeContext,
) -> Result<(), DecodeError> {
    if tag != TAG {
        return skip_field(wire_type, tag, buffer, context);
    }
    let mut entry = Bytes::new();
    bytes::merge(wire_type, &mut entry, buffer, context).map_err(|mut error| {
        error.push(message, field);
        error
    })?;
    push(entry);
    Ok(())
}

/// Any JSON value.
#[derive(Clone, PartialEq, Message)]
pub struct Value {
    /// What it is. Nothing stands for null.
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6")]
    pub kind: Option<Kind>,
}

impl Value {
    /// Its JSON text, like [`Struct::to_json`].
    ///
    /// # Errors
    /// As for [`Struct::to_json`].
    pub fn to_json(&self) -> Result<String, NotJson> {
        write::value(&self.encode_to_vec())
    }

    /// The value that a JSON text has.
    ///
    /// # Errors
    /// When it is not JSON, or has a whole number that protobuf would round.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        Self::decode(Bytes::from(read::value(text)?)).map_err(serde_json::Error::custom)
    }
}

/// What a value is.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Kind {
    /// Null.
    #[prost(enumeration = "NullValue", tag = "1")]
    NullValue(i32),
    /// A number.
    #[prost(double, tag = "2")]
    NumberValue(f64),
    /// A text.
    #[prost(string, tag = "3")]
    StringValue(String),
    /// A truth value.
    #[prost(bool, tag = "4")]
    BoolValue(bool),
    /// An object.
    #[prost(message, tag = "5")]
    StructValue(Struct),
    /// An array.
    #[prost(message, tag = "6")]
    ListValue(ListValue),
}

/// The one value of null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum NullValue {
    /// Null.
    NullValue = 0,
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Self { kind: Some(kind) }
    }
}

impl FromIterator<(String, Value)> for Struct {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(fields: I) -> Self {
        Self { fields: fields.into_iter().collect() }
    }
}

impl FromIterator<Value> for ListValue {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

/// An entry of a map, which protobuf has as a message.
#[derive(Clone, PartialEq, Message)]
struct MapEntry {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(message, optional, tag = "2")]
    value: Option<Value>,
}

impl Collection for BTreeMap<String, Value> {
    fn add(&mut self, entry: Bytes) -> Result<(), DecodeError> {
        let MapEntry { key, value } = MapEntry::decode(entry)?;
        self.insert(key, value.unwrap_or_default());
        Ok(())
    }

    fn encode(&self, buffer: &mut impl BufMut) {
        btree_map::encode(
            string::encode,
            string::encoded_len,
            message::encode,
            message::encoded_len,
            TAG,
            self,
            buffer,
        );
    }

    fn encoded_len(&self) -> usize {
        btree_map::encoded_len(string::encoded_len, message::encoded_len, TAG, self)
    }

    fn text(entries: &Entries) -> Result<String, NotJson> {
        write::object(entries, &[])
    }
}

impl Collection for Vec<Value> {
    fn add(&mut self, entry: Bytes) -> Result<(), DecodeError> {
        self.push(Value::decode(entry)?);
        Ok(())
    }

    fn encode(&self, buffer: &mut impl BufMut) {
        message::encode_repeated(TAG, self, buffer);
    }

    fn encoded_len(&self) -> usize {
        message::encoded_len_repeated(TAG, self)
    }

    fn text(entries: &Entries) -> Result<String, NotJson> {
        write::list(entries)
    }
}
