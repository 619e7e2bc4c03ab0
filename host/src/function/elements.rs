//! Counts the elements of an encoded request.
//!
//! A list element or a map entry takes hundreds of bytes in memory once it is decoded, but two on the wire when it is empty.
//! Objects stay the bytes that came, so they are not looked into.

use std::collections::VecDeque;

use axum::body::Bytes;
use prost::DecodeError;
use prost::bytes::Buf;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

/// The most elements that a request may have.
pub(super) const MOST: usize = 100_000;

/// Fields of a message that have elements: their numbers, and what they are.
type Fields = &'static [(u32, Field)];

enum Field {
    /// A message.
    One(Fields),
    /// A list of messages, or a map, which is a list of messages with a key and a value.
    Many(Fields),
    /// A list of numbers, each of which takes a byte at least.
    Numbers,
}

const META: Fields = &[(2, Field::Numbers)];
const RESOURCE: Fields = &[(2, Field::Many(&[]))];
const STATE: Fields = &[(1, Field::One(RESOURCE)), (2, Field::Many(&[(VALUE, Field::One(RESOURCE))]))];
const RESOURCES: Fields = &[(1, Field::Many(RESOURCE))];
const RESOURCES_BY_NAME: Fields = &[(VALUE, Field::One(RESOURCES))];
const CREDENTIALS: Fields = &[(1, Field::One(&[(1, Field::Many(&[]))]))];
const REQUEST: Fields = &[
    (1, Field::One(META)),
    (2, Field::One(STATE)),
    (3, Field::One(STATE)),
    (6, Field::Many(RESOURCES_BY_NAME)),
    (7, Field::Many(&[(VALUE, Field::One(CREDENTIALS))])),
    (8, Field::Many(RESOURCES_BY_NAME)),
    (9, Field::Many(&[])),
];
/// The number of the value in an entry of a map.
const VALUE: u32 = 2;

/// Whether a RunFunctionRequest has at most [`MOST`] elements. It begins after `skipped` bytes of the pieces. About a text that
/// is no request, the decoder says what is wrong.
pub(super) fn are_few(pieces: &[Bytes], skipped: usize) -> bool {
    let mut rest = Pieces::new(pieces);
    if rest.remaining() < skipped {
        return true;
    }
    rest.advance(skipped);
    let mut count = 0;
    !matches!(look_into(&mut rest, 0, REQUEST, &mut count), Err(Stop::TooMany))
}

/// Why counting ended early.
enum Stop {
    TooMany,
    Malformed,
}

impl From<DecodeError> for Stop {
    fn from(_: DecodeError) -> Self {
        Self::Malformed
    }
}

/// Counts the elements of a message, after which `left` bytes are left.
fn look_into(rest: &mut Pieces, left: usize, fields: Fields, count: &mut usize) -> Result<(), Stop> {
    while rest.remaining() > left {
        let (number, wire_type) = decode_key(rest)?;
        let field = fields.iter().find_map(|(known, field)| (*known == number).then_some(field));
        let Some(field) = field else {
            skip_field(wire_type, number, rest, DecodeContext::default())?;
            continue;
        };
        if wire_type != WireType::LengthDelimited {
            *count += 1;
            skip_field(wire_type, number, rest, DecodeContext::default())?;
        } else {
            let length = usize::try_from(decode_varint(rest)?).map_err(|_| Stop::Malformed)?;
            let end = rest.remaining().checked_sub(length).filter(|end| *end >= left).ok_or(Stop::Malformed)?;
            match field {
                Field::Numbers => {
                    *count = count.saturating_add(length);
                    rest.advance(length);
                }
                Field::One(fields) => look_into(rest, end, fields, count)?,
                Field::Many(fields) => {
                    *count += 1;
                    look_into(rest, end, fields, count)?;
                }
            }
        }
        if *count > MOST {
            return Err(Stop::TooMany);
        }
    }
    Ok(())
}

/// Bytes in pieces, none of which is empty.
struct Pieces {
    pieces: VecDeque<Bytes>,
    length: usize,
}

impl Pieces {
    fn new(pieces: &[Bytes]) -> Self {
        let pieces: VecDeque<_> = pieces.iter().filter(|piece| !piece.is_empty()).cloned().collect();
        Self { length: pieces.iter().map(Bytes::len).sum(), pieces }
    }
}

impl Buf for Pieces {
    fn remaining(&self) -> usize {
        self.length
    }

    fn chunk(&self) -> &[u8] {
        self.pieces.front().map_or(&[], |piece| piece)
    }

    fn advance(&mut self, count: usize) {
        self.length -= count;
        let mut left = count;
        while let Some(piece) = self.pieces.front_mut() {
            let here = piece.len().min(left);
            piece.advance(here);
            left -= here;
            if !piece.is_empty() {
                break;
            }
            self.pieces.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use prost::Message as _;

    use super::super::messages::{RequestMeta, Resource, ResourceFields, Resources, RunFunctionRequest, State};
    use super::*;

    /// Whether the request has few elements, however its bytes are cut into pieces.
    fn check(request: &RunFunctionRequest, few: bool) {
        let bytes = Bytes::from([&b"12345"[..], &request.encode_to_vec()].concat());
        for size in [bytes.len(), 7, 16 << 10] {
            let pieces: Vec<_> = bytes.chunks(size).map(Bytes::copy_from_slice).collect();
            assert_eq!(are_few(&pieces, 5), few, "{} bytes in pieces of {size}", bytes.len());
        }
    }

    #[test]
    fn elements() {
        let items = |count| Resources { items: vec![Resource::default(); count] };
        let required = |count| RunFunctionRequest {
            required_resources: BTreeMap::from([("all".to_owned(), items(count))]),
            ..RunFunctionRequest::default()
        };
        check(&RunFunctionRequest::default(), true);
        check(&required(MOST - 1), true);
        check(&required(MOST), false);
        let extra = |count| RunFunctionRequest {
            extra_resources: BTreeMap::from([("all".to_owned(), items(count))]),
            ..RunFunctionRequest::default()
        };
        check(&extra(MOST), false);
        let details = |count: usize| {
            let connection_details = (0..count).map(|index| (index.to_string(), Vec::new())).collect();
            Resource::from(ResourceFields { connection_details, ..ResourceFields::default() })
        };
        let observed = |state| RunFunctionRequest { observed: Some(state), ..RunFunctionRequest::default() };
        check(&observed(State { composite: Some(details(MOST)), ..State::default() }), true);
        check(&observed(State { composite: Some(details(MOST + 1)), ..State::default() }), false);
        let resources = (0..MOST).map(|index| (index.to_string(), details(1))).collect();
        check(&observed(State { resources, ..State::default() }), false);
        let meta = |count| RequestMeta { capabilities: vec![1; count], ..RequestMeta::default() };
        check(&RunFunctionRequest { meta: Some(meta(MOST)), ..RunFunctionRequest::default() }, true);
        check(&RunFunctionRequest { meta: Some(meta(MOST + 1)), ..RunFunctionRequest::default() }, false);
    }

    #[test]
    fn what_is_no_request() {
        for bytes in [&b""[..], b"123", b"12345", b"12345\x12\xff", b"12345\x12\x05\x0a", b"12345\xff\xff\xff"] {
            assert!(are_few(&[Bytes::from_static(bytes)], 5), "{bytes:?}");
        }
    }
}
