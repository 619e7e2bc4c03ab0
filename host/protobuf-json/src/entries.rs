//! The bytes of a map or a list, and the fields in them.

use prost::bytes::{BufMut, Bytes};
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint, key_len};

/// The field of both `Struct` and `ListValue` that has their entries.
pub(crate) const TAG: u32 = 1;

/// Entries up to this size are copied, so that many small ones cost no more memory than their bytes.
const SMALL: usize = 128;

// Wire types.
const VARINT: u32 = WireType::Varint as u32;
const SIXTY_FOUR_BIT: u32 = WireType::SixtyFourBit as u32;
const LENGTH_DELIMITED: u32 = WireType::LengthDelimited as u32;
const START_GROUP: u32 = WireType::StartGroup as u32;
const END_GROUP: u32 = WireType::EndGroup as u32;
const THIRTY_TWO_BIT: u32 = WireType::ThirtyTwoBit as u32;

/// Groups inside groups that are skipped; the field is deprecated, and nobody sends any.
const GROUPS: u32 = 100;

/// The entries of a map or a list as they stand on the wire, one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    /// One entry, without key and length: a part of the message that it came in.
    One(Bytes),
    /// Entries with their keys and lengths.
    Run(Vec<u8>),
}

impl Entries {
    /// Entries that are encoded already, with their keys and lengths.
    pub(crate) fn encoded(run: Vec<u8>) -> Self {
        if run.is_empty() { Self::default() } else { Self(vec![Piece::Run(run)]) }
    }

    /// Adds an entry at the end.
    pub(crate) fn push(&mut self, entry: Bytes) {
        if entry.len() > SMALL {
            self.0.push(Piece::One(entry));
            return;
        }
        if !matches!(self.0.last(), Some(Piece::Run(_))) {
            self.0.push(Piece::Run(Vec::new()));
        }
        if let Some(Piece::Run(run)) = self.0.last_mut() {
            put(&entry, run);
        }
    }

    /// How long they are on the wire.
    pub(crate) fn encoded_len(&self) -> usize {
        let len = |piece: &Piece| match piece {
            Piece::One(entry) => key_len(TAG) + encoded_len_varint(entry.len() as u64) + entry.len(),
            Piece::Run(run) => run.len(),
        };
        self.0.iter().map(len).sum()
    }

    /// Puts them on the wire.
    pub(crate) fn encode(&self, buffer: &mut impl BufMut) {
        for piece in &self.0 {
            match piece {
                Piece::One(entry) => put(entry, buffer),
                Piece::Run(run) => buffer.put_slice(run),
            }
        }
    }

    /// Each of them, without key and length.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<&[u8], Malformed>> {
        self.0.iter().flat_map(|piece| {
            let (one, run) = match piece {
                Piece::One(entry) => (Some(entry.as_ref()), &[] as &[u8]),
                Piece::Run(run) => (None, run.as_slice()),
            };
            one.map(Ok).into_iter().chain(entries(run))
        })
    }

    /// Each of them, like [`Self::iter`], but to be kept. What follows a malformed one is left out.
    pub(crate) fn owned(&self) -> impl Iterator<Item = Bytes> {
        self.0.iter().flat_map(|piece| {
            let (one, run) = match piece {
                Piece::One(entry) => (Some(entry.clone()), &[] as &[u8]),
                Piece::Run(run) => (None, run.as_slice()),
            };
            one.into_iter().chain(entries(run).map_while(Result::ok).map(Bytes::copy_from_slice))
        })
    }
}

fn put(entry: &[u8], buffer: &mut impl BufMut) {
    encode_key(TAG, WireType::LengthDelimited, buffer);
    encode_varint(entry.len() as u64, buffer);
    buffer.put_slice(entry);
}

/// The entries of an encoded map or list.
pub(crate) fn entries(message: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    Fields(message).filter_map(|field| match field {
        Ok((TAG, Field::Bytes(entry))) => Some(Ok(entry)),
        Ok((TAG, _)) => Some(Err(Malformed::WIRE_TYPE)),
        Ok(_) => None, // a field that is not known
        Err(error) => Some(Err(error)),
    })
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) &'static str);

impl Malformed {
    pub(crate) const WIRE_TYPE: Self = Self("the protobuf message has a field of the wrong type");
    const ENDS: Self = Self("the protobuf message ends in the middle of a field");
    const KEY: Self = Self("the protobuf message has a field with an invalid number or type");
    const VARINT: Self = Self("the protobuf message has a number of more than 64 bits");
    const GROUP: Self = Self("the protobuf message has a group that does not end, or not where it should");
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    /// What has no place in the messages here.
    Other,
}

/// The fields of a message, in the order in which they came. It ends after the first error.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, Field<'a>), Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    #[inline]
    fn field(&mut self) -> Result<(u32, Field<'a>), Malformed> {
        let (tag, wire_type) = self.key()?;
        let field = match wire_type {
            LENGTH_DELIMITED => {
                let length = self.varint()?;
                Field::Bytes(self.take(usize::try_from(length).map_err(|_| Malformed::ENDS)?)?)
            }
            VARINT => Field::Varint(self.varint()?),
            SIXTY_FOUR_BIT => Field::Fixed64(*self.take(8)?.first_chunk().ok_or(Malformed::ENDS)?),
            _ => {
                self.skip(tag, wire_type, GROUPS)?;
                Field::Other
            }
        };
        Ok((tag, field))
    }

    /// A field's number and wire type.
    #[inline]
    fn key(&mut self) -> Result<(u32, u32), Malformed> {
        let key = u32::try_from(self.varint()?).map_err(|_| Malformed::KEY)?;
        if key >> 3 == 0 { Err(Malformed::KEY) } else { Ok((key >> 3, key & 7)) }
    }

    /// Skips what follows a key. There may be so many groups in one another.
    fn skip(&mut self, tag: u32, wire_type: u32, groups: u32) -> Result<(), Malformed> {
        let length = match wire_type {
            VARINT => return self.varint().map(drop),
            SIXTY_FOUR_BIT => 8,
            LENGTH_DELIMITED => usize::try_from(self.varint()?).map_err(|_| Malformed::ENDS)?,
            START_GROUP => return self.skip_group(tag, groups).map_err(|_| Malformed::GROUP),
            END_GROUP => return Err(Malformed::GROUP),
            THIRTY_TWO_BIT => 4,
            _ => return Err(Malformed::KEY),
        };
        self.take(length).map(drop)
    }

    fn skip_group(&mut self, tag: u32, groups: u32) -> Result<(), Malformed> {
        let groups = groups.checked_sub(1).ok_or(Malformed::GROUP)?;
        loop {
            match self.key()? {
                (end, END_GROUP) => return if end == tag { Ok(()) } else { Err(Malformed::GROUP) },
                (inner, wire_type) => self.skip(inner, wire_type, groups)?,
            }
        }
    }

    #[inline]
    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Malformed::ENDS)?;
        self.0 = rest;
        Ok(taken)
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Malformed> {
        match *self.0 {
            [byte, ref rest @ ..] if byte < 0x80 => {
                self.0 = rest;
                Ok(byte.into())
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for (index, &byte) in self.0.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                // The tenth byte has room for one bit.
                if index == 9 && byte > 1 {
                    return Err(Malformed::VARINT);
                }
                self.0 = &self.0[index + 1..];
                return Ok(value);
            }
        }
        Err(if self.0.len() < 10 { Malformed::ENDS } else { Malformed::VARINT })
    }
}
