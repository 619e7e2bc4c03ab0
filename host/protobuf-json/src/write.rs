//! Bytes of the wire → JSON text: every byte is read once, and nothing is built in between.

use std::fmt;
use std::io::Write as _;

use crate::entries::{Entries, Field, Fields, Malformed, entries};

/// Objects and lists inside one another that JSON text may have; what modules read with ends there too.
const DEPTH: usize = 127;

/// How much of a key a path shows: as much as the longest key of a label or an annotation has.
const LONGEST_KEY: usize = 317;

/// A value that JSON cannot express, and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// The field path, in the API server's format.
    pub path: String,
    /// What is wrong.
    pub message: &'static str,
}

impl NotJson {
    fn in_field(mut self, key: &[u8]) -> Self {
        let key = String::from_utf8_lossy(&key[..key.len().min(LONGEST_KEY)]);
        self.prepend(if key.contains(['.', '[']) { format!("[{key}]") } else { key.into_owned() });
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

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.path, self.message)
    }
}

impl std::error::Error for NotJson {}

impl From<&'static str> for NotJson {
    fn from(message: &'static str) -> Self {
        Self { path: String::new(), message }
    }
}

impl From<Malformed> for NotJson {
    fn from(Malformed(message): Malformed) -> Self {
        message.into()
    }
}

/// The text of an object: keys sorted, whole numbers without fraction or exponent. The field at the path `without` is
/// left out unread; an empty path is no field's.
///
/// A `Struct` has no integers, so integers beyond 2^53 were rounded by the sender. They are printed as rounded. Of
/// entries with one key the last counts.
pub(crate) fn object(map: &Entries, without: &[&str]) -> Result<String, NotJson> {
    let mut writer = Writer::with_capacity(map.encoded_len());
    writer.object(map.iter(), without)?;
    writer.finish()
}

/// The text of a list.
pub(crate) fn list(list: &Entries) -> Result<String, NotJson> {
    let mut writer = Writer::with_capacity(list.encoded_len());
    writer.list(list.iter())?;
    writer.finish()
}

/// The text of an encoded value.
pub(crate) fn value(value: &[u8]) -> Result<String, NotJson> {
    let mut writer = Writer::with_capacity(value.len());
    writer.value(value, &[])?;
    writer.finish()
}

#[derive(Default)]
struct Writer<'a> {
    text: Vec<u8>,
    /// Entries of the objects being written, from the outermost to the innermost.
    entries: Vec<Entry<'a>>,
    /// How many objects and lists are being written.
    depth: usize,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Entry<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
}

impl<'a> Writer<'a> {
    /// Text is about as long as what it is made of, mostly shorter.
    fn with_capacity(capacity: usize) -> Self {
        Self { text: Vec::with_capacity(capacity), ..Self::default() }
    }

    /// The text, in no more memory than it needs.
    fn finish(self) -> Result<String, NotJson> {
        let text = String::from_utf8(self.text).map_err(|_| NOT_UTF8)?;
        Ok(if text.capacity() - text.len() > text.len() / 8 { text.as_str().to_owned() } else { text })
    }

    fn value(&mut self, value: &'a [u8], without: &[&str]) -> Result<(), NotJson> {
        match kind(value)? {
            None | Some((1, Field::Varint(_))) => self.text.extend_from_slice(b"null"),
            Some((2, Field::Fixed64(bytes))) => return self.number(f64::from_le_bytes(bytes)),
            Some((3, Field::Bytes(text))) => return self.string(text),
            Some((4, Field::Varint(0))) => self.text.extend_from_slice(b"false"),
            Some((4, Field::Varint(_))) => self.text.extend_from_slice(b"true"),
            Some((5, Field::Bytes(map))) => return self.object(entries(map), without),
            Some((6, Field::Bytes(list))) => return self.list(entries(list)),
            Some(_) => return Err(Malformed::WIRE_TYPE.into()),
        }
        Ok(())
    }

    fn object(
        &mut self,
        map: impl Iterator<Item = Result<&'a [u8], Malformed>>,
        without: &[&str],
    ) -> Result<(), NotJson> {
        self.enter()?;
        let first = self.entries.len();
        for bytes in map {
            self.entries.push(entry(bytes?)?);
        }
        // A stable sort, so that of entries with one key the last stays last.
        self.entries[first..].sort_by(|one, other| one.key.cmp(other.key));
        let end = self.entries.len();
        self.text.push(b'{');
        let begin = self.text.len();
        for index in first..end {
            let Entry { key, value } = self.entries[index];
            let without = match without {
                [name, deeper @ ..] if name.as_bytes() == key => {
                    if deeper.is_empty() {
                        continue;
                    }
                    deeper
                }
                _ => &[],
            };
            let before = self.text.len();
            if before > begin {
                self.text.push(b',');
            }
            self.string(key)?;
            self.text.push(b':');
            self.value(value, without).map_err(|error| error.in_field(key))?;
            if index + 1 < end && self.entries[index + 1].key == key {
                self.text.truncate(before);
            }
        }
        self.text.push(b'}');
        self.entries.truncate(first);
        self.depth -= 1;
        Ok(())
    }

    fn list(&mut self, list: impl Iterator<Item = Result<&'a [u8], Malformed>>) -> Result<(), NotJson> {
        self.enter()?;
        self.text.push(b'[');
        for (index, value) in list.enumerate() {
            if index > 0 {
                self.text.push(b',');
            }
            self.value(value?, &[]).map_err(|error| error.at_index(index))?;
        }
        self.text.push(b']');
        self.depth -= 1;
        Ok(())
    }

    fn enter(&mut self) -> Result<(), NotJson> {
        self.depth += 1;
        if self.depth > DEPTH { Err("objects and lists are nested deeper than 127 levels".into()) } else { Ok(()) }
    }

    /// Rust prints fractions with the fewest digits that read back as the same number, and never an exponent.
    fn number(&mut self, number: f64) -> Result<(), NotJson> {
        const BEYOND_I64: f64 = 9_223_372_036_854_775_808.0;
        if !number.is_finite() {
            return Err("the number is not finite; JSON has no such number".into());
        }
        // Writing to a vector cannot fail.
        let _ = if number.fract() != 0.0 {
            write!(self.text, "{number}")
        } else if number.abs() < BEYOND_I64 {
            write!(self.text, "{}", number as i64) // which has no negative zero
        } else {
            write!(self.text, "{number:.0}")
        };
        Ok(())
    }

    fn string(&mut self, text: &[u8]) -> Result<(), NotJson> {
        self.text.push(b'"');
        let mut rest = text;
        loop {
            let plain = plain(rest);
            let (written, escaped) = rest.split_at(plain);
            self.text.extend_from_slice(written);
            let [byte, after @ ..] = escaped else { break };
            if *byte >= 0x80 {
                // The rest of a text that is not ASCII is checked at once.
                let escaped = std::str::from_utf8(rest).map_err(|_| NOT_UTF8)?;
                self.foreign(&escaped.as_bytes()[plain..]);
                break;
            }
            self.escape(*byte);
            rest = after;
        }
        self.text.push(b'"');
        Ok(())
    }

    /// Text that is known to be UTF-8.
    fn foreign(&mut self, mut text: &[u8]) {
        while let Some(index) = text.iter().position(|&byte| must_be_escaped(byte)) {
            self.text.extend_from_slice(&text[..index]);
            self.escape(text[index]);
            text = &text[index + 1..];
        }
        self.text.extend_from_slice(text);
    }

    fn escape(&mut self, byte: u8) {
        let _ = match byte {
            b'"' => self.text.write_all(b"\\\""),
            b'\\' => self.text.write_all(b"\\\\"),
            b'\n' => self.text.write_all(b"\\n"),
            b'\t' => self.text.write_all(b"\\t"),
            b'\r' => self.text.write_all(b"\\r"),
            byte => write!(self.text, "\\u{byte:04x}"),
        };
    }
}

const NOT_UTF8: &str = "the text is not UTF-8";

/// The one field of a value that says what it is.
pub(crate) fn kind(value: &[u8]) -> Result<Option<(u32, Field<'_>)>, NotJson> {
    let mut found = None;
    for field in Fields(value) {
        let field = field?;
        if (1..=6).contains(&field.0) && found.replace(field).is_some() {
            return Err("the protobuf message has two values for one field".into());
        }
    }
    Ok(found)
}

/// An entry of a map. Key and value are absent when they are empty.
pub(crate) fn entry(bytes: &[u8]) -> Result<Entry<'_>, NotJson> {
    let (mut key, mut value) = (None, None);
    for field in Fields(bytes) {
        let twice = match field? {
            (1, Field::Bytes(bytes)) => key.replace(bytes).is_some(),
            (2, Field::Bytes(bytes)) => value.replace(bytes).is_some(),
            (1 | 2, _) => return Err(Malformed::WIRE_TYPE.into()),
            _ => false,
        };
        if twice {
            return Err("the protobuf message has two values for one field".into());
        }
    }
    Ok(Entry { key: key.unwrap_or_default(), value: value.unwrap_or_default() })
}

fn must_be_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// How many bytes at the beginning are ASCII and stand for themselves in JSON. Eight are looked at in one go.
fn plain(text: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // Has a byte below `n`: the high bit of a byte is set by the subtraction, where it was not set before. Bytes that
    // are not ASCII count anyway, so it does not matter that a borrow may reach the bytes above.
    let below = |word: u64, n: u8| word.wrapping_sub(ONES * u64::from(n)) & !word & HIGH;
    let (words, _) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * u64::from(b'"'));
        let backslash = word ^ (ONES * u64::from(b'\\'));
        let found = (word & HIGH) | below(word, b' ') | below(quote, 1) | below(backslash, 1);
        if found != 0 {
            return 8 * index + found.trailing_zeros() as usize / 8;
        }
    }
    let done = 8 * words.len();
    let rest = text[done..].iter().position(|&byte| byte >= 0x80 || must_be_escaped(byte));
    rest.map_or(text.len(), |index| done + index)
}
