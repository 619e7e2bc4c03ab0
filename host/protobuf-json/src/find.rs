//! Reads one text where it stands in the bytes of an object.

use crate::entries::{Field, Malformed, entries};
use crate::write::{entry, kind};

/// The text at a path of keys. Of entries with one key the last counts. What cannot be read is not there.
pub(crate) fn text<'a>(map: impl Iterator<Item = Result<&'a [u8], Malformed>>, path: &[&str]) -> Option<&'a str> {
    let (key, deeper) = path.split_first()?;
    let readable = map.map_while(Result::ok).filter_map(|bytes| entry(bytes).ok());
    let value = readable.filter(|entry| entry.key == key.as_bytes()).last()?.value;
    match kind(value).ok()?? {
        (3, Field::Bytes(found)) if deeper.is_empty() => std::str::from_utf8(found).ok(),
        (5, Field::Bytes(map)) => text(entries(map), deeper),
        _ => None,
    }
}
