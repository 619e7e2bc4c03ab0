//! Access to the elements of lists and the entries of maps, for all their variants.

use std::sync::Arc;

use super::key::Key;
use super::{List, Map, Value, document};
use crate::declare::ListKind;
use crate::error::RunError;
use crate::fuel::Fuel;

impl<'a> List<'a> {
    /// The element at `index`. An element that does not fit its schema is an error.
    pub(crate) fn get(&self, index: usize) -> Option<Result<Value<'a>, RunError>> {
        match self {
            Self::Values(values) | Self::Keyed(values, _) => values.get(index).map(|value| match value {
                Value::Unfit(error) => Err((**error).clone()),
                value => Ok(value.clone()),
            }),
            Self::Document(elements, declared) => {
                elements.get(index).map(|element| document::element(element, declared))
            }
        }
    }

    /// The elements in order, for use in another list.
    pub(crate) fn as_they_are(&self) -> impl DoubleEndedIterator<Item = Value<'a>> + use<'a, '_> {
        (0..self.len()).filter_map(|index| match self {
            Self::Values(values) | Self::Keyed(values, _) => values.get(index).cloned(),
            Self::Document(..) => self.get(index).map(Value::as_it_is),
        })
    }

    /// The elements in order. An element that does not fit its schema is an error.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<Value<'a>, RunError>> + use<'a, '_> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The declared kind of the list: atomic, set or map.
    pub(crate) fn kind(&self) -> &'a ListKind {
        match self {
            Self::Values(_) => &ListKind::Atomic,
            Self::Document(_, declared) | Self::Keyed(_, declared) => document::list_kind(declared),
        }
    }
}

impl<'a> Map<'a> {
    /// Spends the work of looking a key up.
    ///
    /// # Errors
    /// When there is not enough fuel.
    pub(crate) fn prepare(&self, key: &Key<'_>, fuel: &mut Fuel) -> Result<(), RunError> {
        // A binary search compares the key with some others.
        let comparisons = self.len().checked_ilog2().unwrap_or(0) as usize + 1;
        fuel.spend(comparisons.saturating_mul(6 + key.bytes() / 2))
    }

    /// The value of a text key; `None` if there is none.
    pub(crate) fn get_text(&self, key: &str) -> Option<Result<Value<'a>, RunError>> {
        match self {
            Self::Values(entries) | Self::Domains(entries) => entries.get_text(key).cloned().map(Ok),
            Self::Document(object, declared) => document::property(object, declared, key),
        }
    }

    /// The value of a key, or of an equal number of another type; `None` if there is none.
    pub(crate) fn find(&self, key: &Key<'_>) -> Option<Result<Value<'a>, RunError>> {
        let found = match (self, key) {
            (Self::Document(..), Key::String(text)) => return self.get_text(text),
            (Self::Document(..), _) => return Some(Err(RunError::no_overload())),
            (Self::Values(_) | Self::Domains(_), _) => self.get(key).or_else(|| self.get_number(key)),
        };
        match (found, self) {
            (None, Self::Domains(_)) => Some(Ok(Value::Map(Map::Values(Arc::default())))),
            (found, _) => found.map(Ok),
        }
    }

    /// Whether the map has a key. Unlike [`find`](Self::find), it ignores the empty maps of missing domains.
    pub(crate) fn contains(&self, key: &Key<'_>) -> Result<bool, RunError> {
        match self {
            Self::Domains(_) => Ok(self.get(key).or_else(|| self.get_number(key)).is_some()),
            _ => self.find(key).transpose().map(|found| found.is_some()),
        }
    }

    fn get(&self, key: &Key<'_>) -> Option<Value<'a>> {
        match self {
            Self::Values(entries) | Self::Domains(entries) => entries.get(key).cloned(),
            Self::Document(..) => None,
        }
    }

    fn get_number(&self, key: &Key<'_>) -> Option<Value<'a>> {
        key.others().into_iter().flatten().find_map(|key| self.get(&key))
    }

    /// The keys, in order.
    pub(crate) fn keys(&self) -> Box<dyn Iterator<Item = Key<'a>> + 'a> {
        match self {
            Self::Values(entries) | Self::Domains(entries) => {
                let entries = entries.clone();
                Box::new((0..entries.len()).filter_map(move |index| entries.key_at(index).cloned()))
            }
            Self::Document(object, declared) => document::keys(object, declared),
        }
    }
}
