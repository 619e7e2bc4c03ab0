//! JSON text → bytes of the wire: values are written as they are read. What is inside a message comes before its
//! length is known, so lengths are put in between at the end.

use std::fmt;

use prost::encoding::{WireType, encode_varint, encoded_len_varint, key_len};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::entries::TAG;

/// The bytes of the value that a text has.
///
/// # Errors
/// When it is not JSON, or has a whole number that protobuf would round.
pub(crate) fn value(text: &str) -> serde_json::Result<Vec<u8>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut message = Draft::with_capacity(text.len());
    Read { message: &mut message, place: Place::Alone }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(message.finish())
}

/// The bytes of the entries of the object that a text has.
///
/// # Errors
/// When it is not JSON, not an object, or has a whole number that protobuf would round.
pub(crate) fn object(text: &str) -> serde_json::Result<Vec<u8>> {
    let mut value = value(text)?;
    if value.first() != Some(&key_of(KIND_STRUCT)) {
        return Err(Error::custom("not an object"));
    }
    let length = value[1..].iter().take_while(|&&byte| byte >= 0x80).count() + 1;
    value.drain(..1 + length);
    Ok(value)
}

const KIND_STRUCT: u32 = 5;
const KIND_LIST: u32 = 6;
const ENTRY_KEY: u32 = 1;
const ENTRY_VALUE: u32 = 2;

/// The key of a field whose length follows. All fields here have numbers below 16, so it is one byte.
const fn key_of(tag: u32) -> u8 {
    (tag as u8) << 3 | WireType::LengthDelimited as u8
}

/// A message, the inner messages of which have no lengths yet.
#[derive(Default)]
struct Draft {
    bytes: Vec<u8>,
    /// The lengths of inner messages, in the order in which they begin.
    lengths: Vec<Length>,
    /// How many bytes the known ones of them take.
    taken: usize,
    /// The key of the entry that is being read.
    key: String,
}

struct Length {
    /// Where it belongs in the bytes.
    at: usize,
    length: usize,
}

/// A message that is being written: its index among the lengths, and how many bytes the known lengths took before it.
struct Open {
    index: usize,
    taken: usize,
}

impl Draft {
    fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), ..Self::default() }
    }

    fn open(&mut self, tag: u32) -> Open {
        self.bytes.push(key_of(tag));
        self.lengths.push(Length { at: self.bytes.len(), length: 0 });
        Open { index: self.lengths.len() - 1, taken: self.taken }
    }

    fn close(&mut self, Open { index, taken }: Open) {
        let inner = self.taken - taken;
        if let Some(length) = self.lengths.get_mut(index) {
            length.length = self.bytes.len() - length.at + inner;
            self.taken += encoded_len_varint(length.length as u64);
        }
    }

    fn finish(self) -> Vec<u8> {
        let mut finished = Vec::with_capacity(self.bytes.len() + self.taken);
        let mut done = 0;
        for Length { at, length } in self.lengths {
            finished.extend_from_slice(&self.bytes[done..at]);
            encode_varint(length as u64, &mut finished);
            done = at;
        }
        finished.extend_from_slice(&self.bytes[done..]);
        finished
    }

    /// A field whose bytes are at hand.
    fn field(&mut self, tag: u32, bytes: &[u8]) {
        self.header(tag, bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    fn header(&mut self, tag: u32, length: usize) {
        self.bytes.push(key_of(tag));
        encode_varint(length as u64, &mut self.bytes);
    }

    /// Begins the entry of a map that has the current key, but for its value.
    fn begin_entry(&mut self) {
        if !self.key.is_empty() {
            let key = std::mem::take(&mut self.key);
            self.field(ENTRY_KEY, key.as_bytes());
            self.key = key;
        }
    }

    /// A value that is no message, as long as it is on the wire: what is around it has its lengths at once.
    fn scalar(&mut self, place: Place, length: usize) {
        match place {
            Place::Alone => {}
            Place::Item => self.header(TAG, length),
            Place::Entry => {
                let key = if self.key.is_empty() { 0 } else { length_of_field(self.key.len()) };
                self.header(TAG, key + length_of_field(length));
                self.begin_entry();
                self.header(ENTRY_VALUE, length);
            }
        }
    }

    /// A value that is a message itself, whose insides `write` writes.
    fn message<E>(&mut self, place: Place, kind: u32, write: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let around = match place {
            Place::Alone => [None, None],
            Place::Item => [Some(self.open(TAG)), None],
            Place::Entry => {
                let entry = self.open(TAG);
                self.begin_entry();
                [Some(self.open(ENTRY_VALUE)), Some(entry)]
            }
        };
        let inside = self.open(kind);
        write(self)?;
        self.close(inside);
        around.into_iter().flatten().for_each(|open| self.close(open));
        Ok(())
    }
}

/// How long a field is with its key and its length.
fn length_of_field(length: usize) -> usize {
    key_len(TAG) + encoded_len_varint(length as u64) + length
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum Place {
    Alone,
    /// In a list.
    Item,
    /// In a map, under the message's current key.
    Entry,
}

/// Reads any value.
struct Read<'m> {
    message: &'m mut Draft,
    place: Place,
}

impl Read<'_> {
    fn varint(self, tag: u32, value: u8) {
        self.message.scalar(self.place, 2);
        self.message.bytes.extend([(tag as u8) << 3 | WireType::Varint as u8, value]);
    }

    fn number(self, number: f64) {
        self.message.scalar(self.place, 9);
        self.message.bytes.push(2 << 3 | WireType::SixtyFourBit as u8);
        self.message.bytes.extend(number.to_le_bytes());
    }

    /// The number as protobuf has it. It is an error when it would be rounded, since the composed object would be wrong.
    fn exact<E: Error>(self, value: i128) -> Result<(), E> {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "the loss is what is looked for"
        )]
        let (rounded, back) = (value as f64, value as f64 as i128);
        if back != value {
            return Err(E::custom(format_args!(
                "{value} would be rounded to {rounded} on the wire; use a string, or at most 2^53"
            )));
        }
        self.number(rounded);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Read<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Read<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.varint(1, 0);
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.varint(4, value.into());
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.number(value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.exact(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.exact(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.message.scalar(self.place, length_of_field(value.len()));
        self.message.field(3, value.as_bytes());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.message.message(self.place, KIND_LIST, |message| {
            while items.next_element_seed(Read { message: &mut *message, place: Place::Item })?.is_some() {}
            Ok(())
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.message.message(self.place, KIND_STRUCT, |message| {
            while entries.next_key_seed(Key(&mut message.key))?.is_some() {
                entries.next_value_seed(Read { message: &mut *message, place: Place::Entry })?;
            }
            Ok(())
        })
    }
}

/// Reads a key into a text that is used again.
struct Key<'k>(&'k mut String);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        self.0.clear();
        self.0.push_str(key);
        Ok(())
    }
}
