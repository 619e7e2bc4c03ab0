//! A collection that stays bytes until somebody looks into it.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use prost::bytes::{BufMut, Bytes};

use crate::entries::Entries;
use crate::write::NotJson;

/// What entries can be decoded to.
pub(crate) trait Collection: Default {
    /// Decodes one entry and adds it.
    fn add(&mut self, entry: Bytes) -> Result<(), prost::DecodeError>;

    /// Puts all entries on the wire, with keys and lengths.
    fn encode(&self, buffer: &mut impl BufMut);

    /// How long they are on the wire.
    fn encoded_len(&self) -> usize;

    /// The JSON text of entries.
    fn text(entries: &Entries) -> Result<String, NotJson>;
}

/// A collection `T` that stays bytes until somebody looks into it, and again until somebody changes it.
///
/// To look into it decodes one level: what is inside an entry stays bytes. What cannot be decoded is then not there;
/// JSON text is refused, and says what is wrong.
#[derive(Clone)]
pub struct Lazy<T> {
    /// What came. Empty once it was changed.
    came: Entries,
    /// The same, decoded.
    seen: OnceLock<Box<T>>,
    /// What it was changed to.
    changed: Option<Box<T>>,
}

#[expect(private_bounds, reason = "only this crate says what entries can be decoded to")]
impl<T: Collection> Lazy<T> {
    /// Entries that are encoded already, with keys and lengths.
    pub(crate) fn encoded(run: Vec<u8>) -> Self {
        Self { came: Entries::encoded(run), ..Self::default() }
    }

    /// Adds an entry as it comes off the wire.
    pub(crate) fn push(&mut self, entry: Bytes) {
        if let Some(changed) = self.changed.take() {
            self.came = encoded(&*changed);
        }
        self.seen = OnceLock::new();
        self.came.push(entry);
    }

    pub(crate) fn encode(&self, buffer: &mut impl BufMut) {
        match &self.changed {
            Some(changed) => changed.encode(buffer),
            None => self.came.encode(buffer),
        }
    }

    pub(crate) fn encoded_len(&self) -> usize {
        self.changed.as_ref().map_or_else(|| self.came.encoded_len(), |changed| changed.encoded_len())
    }

    /// The result of `read` for the entries as they stand on the wire.
    pub(crate) fn on_the_wire<R>(&self, read: impl FnOnce(&Entries) -> R) -> R {
        match &self.changed {
            Some(changed) => read(&encoded(&**changed)),
            None => read(&self.came),
        }
    }
}

fn encoded<T: Collection>(collection: &T) -> Entries {
    let mut run = Vec::with_capacity(collection.encoded_len());
    collection.encode(&mut run);
    Entries::encoded(run)
}

fn decoded<T: Collection>(entries: &Entries) -> Box<T> {
    let mut collection = Box::<T>::default();
    for entry in entries.owned() {
        let _ = collection.add(entry); // what cannot be decoded is not there
    }
    collection
}

impl<T: Collection> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.changed {
            Some(changed) => changed,
            None => self.seen.get_or_init(|| decoded(&self.came)),
        }
    }
}

impl<T: Collection> DerefMut for Lazy<T> {
    fn deref_mut(&mut self) -> &mut T {
        let Self { came, seen, changed } = self;
        changed.get_or_insert_with(|| {
            let came = std::mem::take(came);
            seen.take().unwrap_or_else(|| decoded(&came))
        })
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self { came: Entries::default(), seen: OnceLock::new(), changed: None }
    }
}

impl<T> From<T> for Lazy<T> {
    fn from(collection: T) -> Self {
        Self { changed: Some(Box::new(collection)), ..Self::default() }
    }
}

impl<A, T: FromIterator<A>> FromIterator<A> for Lazy<T> {
    fn from_iter<I: IntoIterator<Item = A>>(items: I) -> Self {
        T::from_iter(items).into()
    }
}

impl<'a, T: Collection> IntoIterator for &'a Lazy<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

impl<T: Collection + IntoIterator> IntoIterator for Lazy<T> {
    type Item = T::Item;
    type IntoIter = T::IntoIter;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut *self).into_iter()
    }
}

/// Equal JSON texts: the order of keys on the wire says nothing.
impl<T: Collection> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        self.on_the_wire(T::text) == other.on_the_wire(T::text)
    }
}

impl<T: Collection> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on_the_wire(T::text) {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}
