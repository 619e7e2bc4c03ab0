//! Messages that keep the fields that they do not know.

use std::ops::{Deref, DerefMut};

use prost::bytes::{Buf, BufMut, Bytes};
use prost::encoding::{DecodeContext, WireType, bytes, fixed32, fixed64, skip_field, uint64};
use prost::{DecodeError, Message};

/// What an [`Open`] message knows.
pub(crate) trait KnownFields {
    /// The numbers of all fields that are known.
    const TAGS: &[u32];
}

/// A message with fields `T`. It is encoded with all fields that it was decoded from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Open<T> {
    known: T,
    /// The other fields as they stand on the wire.
    unknown: Vec<u8>,
}

impl<T> From<T> for Open<T> {
    fn from(known: T) -> Self {
        Self { known, unknown: Vec::new() }
    }
}

impl<T> Open<T> {
    /// The fields that are known.
    pub(crate) fn into_known(self) -> T {
        self.known
    }
}

impl<T> Deref for Open<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.known
    }
}

impl<T> DerefMut for Open<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.known
    }
}

impl<T: Message + Default + KnownFields> Message for Open<T> {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        self.known.encode_raw(buffer);
        buffer.put_slice(&self.unknown);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        if T::TAGS.contains(&tag) {
            self.known.merge_field(tag, wire_type, buffer, context)
        } else {
            keep(tag, wire_type, &mut self.unknown, buffer, context)
        }
    }

    fn encoded_len(&self) -> usize {
        self.known.encoded_len() + self.unknown.len()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Appends a field to `kept`. Groups are left out: they are deprecated, and this protocol has none.
fn keep(
    tag: u32,
    wire_type: WireType,
    kept: &mut Vec<u8>,
    buffer: &mut impl Buf,
    context: DecodeContext,
) -> Result<(), DecodeError> {
    match wire_type {
        WireType::Varint => {
            let mut value = 0;
            uint64::merge(wire_type, &mut value, buffer, context)?;
            uint64::encode(tag, &value, kept);
        }
        WireType::SixtyFourBit => {
            let mut value = 0;
            fixed64::merge(wire_type, &mut value, buffer, context)?;
            fixed64::encode(tag, &value, kept);
        }
        WireType::ThirtyTwoBit => {
            let mut value = 0;
            fixed32::merge(wire_type, &mut value, buffer, context)?;
            fixed32::encode(tag, &value, kept);
        }
        WireType::LengthDelimited => {
            let mut value = Bytes::new();
            bytes::merge(wire_type, &mut value, buffer, context)?;
            bytes::encode(tag, &value, kept);
        }
        WireType::StartGroup | WireType::EndGroup => skip_field(wire_type, tag, buffer, context)?,
    }
    Ok(())
}
