//! A model, as the budget sees it.

use std::cmp::Ordering;
use std::sync::Arc;

use serde::Deserialize;

/// A model, as the budget sees it. Texts are shared with what it was read from, since every model looks at all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its namespace.
    pub namespace: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// When it was created, in UTC as the API server writes it. Empty when it is not stored yet.
    pub created: Arc<str>,
    /// The memory that it declares, in bytes.
    pub memory: i128,
    /// What it holds.
    pub holds: Arc<[Hold]>,
    /// The pool where it waits for memory. `None` when it does not.
    pub waits_for: Option<Arc<str>>,
}

/// Memory of a pool that a model holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The pool.
    pub pool: Arc<str>,
    /// How firmly.
    pub reservation: Reservation,
}

impl Model {
    /// Who comes first: the oldest; of equally old ones the first by namespace and name. What is not stored yet comes last.
    pub fn order(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }

    fn place(&self) -> (bool, &str, &str, &str) {
        (self.created.is_empty(), &self.created, &self.namespace, &self.name)
    }

    /// Whether it is the model of this namespace and name.
    pub fn is(&self, namespace: &str, name: &str) -> bool {
        *self.namespace == *namespace && *self.name == *name
    }

    /// How firmly it holds memory of this pool.
    pub fn holds_in(&self, pool: &str) -> Option<Reservation> {
        self.holds.iter().filter(|hold| *hold.pool == *pool).map(|hold| hold.reservation).max()
    }

    /// How firmly it holds memory of any pool. It counts once for all pools together.
    pub fn holds_any(&self) -> Option<Reservation> {
        self.holds.iter().map(|hold| hold.reservation).max()
    }
}

/// How firm a reservation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum Reservation {
    /// It fits beside the others that were seen so far. It may have to give way.
    Claimed,
    /// It gave way. The memory is free once the pods are gone.
    Withdrawn,
    /// It stays until the model sleeps.
    Confirmed,
}

impl Reservation {
    /// As the status has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "Claimed",
            Self::Withdrawn => "Withdrawn",
            Self::Confirmed => "Confirmed",
        }
    }
}
