//! The domains of a device: one that is missing is empty.

use std::any::Any;

use cel_peer::ExecutionError;
use cel_peer::common::traits::{Container, Indexer, Iterable, Sizer, Zeroer};
use cel_peer::common::types::{CelMap, MAP_TYPE, Type};
use cel_peer::common::value::{CowVal, Val};

#[derive(Clone, Debug)]
pub struct Domains {
    pub known: CelMap<'static>,
    pub empty: CelMap<'static>,
}

impl Indexer for Domains {
    fn get<'b, 'v>(&'b self, key: &dyn Val) -> Result<CowVal<'b, 'v>, ExecutionError>
    where
        Self: 'v,
    {
        match self.known.get(key) {
            Err(ExecutionError::NoSuchKey(_)) => Ok(CowVal::Borrowed(&self.empty)),
            found => found,
        }
    }

    fn steal<'v>(self: Box<Self>, key: &dyn Val) -> Result<Box<dyn Val + 'v>, ExecutionError>
    where
        Self: 'v,
    {
        self.get(key).map(|value| value.as_ref().clone_as_boxed())
    }
}

impl Val for Domains {
    fn get_type(&self) -> &Type {
        &MAP_TYPE
    }

    fn cel_type() -> &'static Type {
        &MAP_TYPE
    }

    fn as_container(&self) -> Option<&dyn Container> {
        Some(&self.known)
    }

    fn as_indexer<'b, 'v>(&'b self) -> Option<&'b (dyn Indexer + 'v)>
    where
        Self: 'v,
    {
        Some(self)
    }

    fn into_indexer<'v>(self: Box<Self>) -> Option<Box<dyn Indexer + 'v>>
    where
        Self: 'v,
    {
        Some(self)
    }

    fn as_iterable<'b, 'v>(&'b self) -> Option<&'b (dyn Iterable + 'v)>
    where
        Self: 'v,
    {
        Some(&self.known)
    }

    fn as_sizer(&self) -> Option<&dyn Sizer> {
        Some(&self.known)
    }

    fn as_zeroer(&self) -> Option<&dyn Zeroer> {
        Some(&self.known)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn equals(&self, other: &dyn Val) -> bool {
        match other.as_any().and_then(|any| any.downcast_ref::<Self>()) {
            Some(other) => self.known.equals(&other.known),
            None => self.known.equals(other),
        }
    }

    fn clone_as_boxed<'v>(&self) -> Box<dyn Val + 'v>
    where
        Self: 'v,
    {
        Box::new(self.clone())
    }
}
