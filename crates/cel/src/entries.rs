//! The entries of a map, in key order.

use std::cmp::Ordering;

use crate::value::{Key, Value};

/// Entries, in key order.
#[derive(Clone, Debug, Default)]
pub struct Entries<'a>(Vec<(Key<'a>, Value<'a>)>);

impl<'a> Entries<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &Key<'_>) -> Option<&Value<'a>> {
        self.position(|other| other.order(key)).ok().map(|index| &self.0[index].1)
    }

    /// The value of a key that is text.
    pub fn get_text(&self, key: &str) -> Option<&Value<'a>> {
        let order = |other: &Key<'a>| match other {
            Key::String(text) => (**text).cmp(key),
            _ => Ordering::Less,
        };
        self.position(order).ok().map(|index| &self.0[index].1)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: Key<'a>, value: Value<'a>) {
        match self.position(|other| other.order(&key)) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (key, value)),
        }
    }

    /// Takes a key and its value out.
    pub fn remove(&mut self, key: &Key<'a>) {
        if let Ok(index) = self.position(|other| other.order(key)) {
            self.0.remove(index);
        }
    }

    /// Keys and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Key<'a>, &Value<'a>)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    fn position(&self, order: impl Fn(&Key<'a>) -> Ordering) -> Result<usize, usize> {
        self.0.binary_search_by(|(key, _)| order(key))
    }
}

impl<'a> FromIterator<(Key<'a>, Value<'a>)> for Entries<'a> {
    fn from_iter<I: IntoIterator<Item = (Key<'a>, Value<'a>)>>(entries: I) -> Self {
        let mut sorted = Self::default();
        for (key, value) in entries {
            sorted.insert(key, value);
        }
        sorted
    }
}
