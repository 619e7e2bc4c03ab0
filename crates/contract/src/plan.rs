//! Requests and answers of interface `plan` (`wit/plan.wit`).

use crate::compose::{Amount, NearMiss, PassedOver, Share};
use crate::preview::{Diagnostic, Source};
use crate::types::KindRef;

/// A change to what there is, or to what is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// An object wants another number.
    Scale {
        /// The namespace of the object. Empty when its kind has none.
        namespace: String,
        /// The name of the object.
        name: String,
        /// How many it wants then.
        number: u32,
    },
    /// What is in a place leaves it, and nothing new comes.
    Drain(Vec<String>),
    /// A place is no longer there.
    Lose(Vec<String>),
    /// There is more room in a place, or a place that is new.
    Add {
        /// The place, the outermost first.
        place: Vec<String>,
        /// The name of its class.
        class: String,
        /// How much more there is.
        number: u32,
    },
}

/// What to plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanRequest {
    /// The texts. Their roles do not matter.
    pub sources: Vec<Source>,
    /// The text of the platform's options. `None` for the defaults.
    pub input: Option<String>,
    /// The changes, in order.
    pub changes: Vec<Change>,
}

/// The place of one of what an object wants: a share for each of its parts.
pub type Seat = Vec<Share>;

/// One that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Where it is.
    pub before: Seat,
    /// Where it goes.
    pub after: Seat,
}

/// How many more of what an object wants fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headroom {
    /// How many more than there are after the changes.
    pub more: u32,
    /// Whether there may be more still, because only so many were tried.
    pub at_least: bool,
    /// What runs out first. `None` where nothing counted is missing.
    pub scarce: Option<NearMiss>,
    /// The class of that place. Empty when it has none.
    pub class: String,
    /// How many more fit with one more unit in that place.
    pub with_one_more: u32,
}

/// What becomes of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its kind.
    pub kind: KindRef,
    /// Its namespace. Empty when its kind has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// How many it wants after the changes.
    pub wanted: u32,
    /// How many have a place before the changes.
    pub before: u32,
    /// How many have a place after the changes.
    pub after: u32,
    /// Those that move.
    pub moves: Vec<Moved>,
    /// The places of those that are not there any more.
    pub gone: Vec<Seat>,
    /// The places of new ones.
    pub new: Vec<Seat>,
    /// How many of those that were there and are still wanted have no place.
    pub lost: u32,
    /// When some have no place after the changes: what is against every candidate.
    pub passed_over: Vec<PassedOver>,
    /// How many more fit after the changes.
    pub headroom: Headroom,
}

/// What there is of a class, and what of it is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stock {
    /// The name of the class.
    pub class: String,
    /// What there is before the changes.
    pub before: Amount,
    /// What of it is free before the changes.
    pub free_before: Amount,
    /// What there is after the changes.
    pub after: Amount,
    /// What of it is free after the changes.
    pub free_after: Amount,
}

/// A plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanResponse {
    /// The objects that want places, in the order in which they choose: that of the texts, as in the cascade of a preview.
    pub subjects: Vec<Planned>,
    /// The classes, by name.
    pub stock: Vec<Stock>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}
