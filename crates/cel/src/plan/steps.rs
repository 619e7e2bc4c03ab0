//! The steps of an evaluation.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::check::messages::Message;
use crate::libraries::signature::{Cost, Function, Overload};
use crate::regex::Regex;
use crate::value::Value;
use crate::value::key::Key;

/// A plan for an expression.
pub(crate) struct Plan {
    pub(crate) root: Step,
    /// For the slots of accumulators: how they begin. They are evaluated when first read.
    pub(crate) starts: Vec<Option<Step>>,
    /// The names of the slots that bindings fill; they come first.
    pub(crate) variables: Vec<&'static str>,
}

pub(crate) enum Step {
    Constant(Value<'static>),
    /// A call that always gives the same, and what it costs.
    Settled(Value<'static>, u64),
    Attribute(Box<Attribute>),
    And(Box<[Step; 2]>),
    Or(Box<[Step; 2]>),
    /// `a.or(b)` and `a.orValue(b)`.
    OptionalOr {
        sides: Box<[Step; 2]>,
        value: bool,
    },
    NotStrictlyFalse(Box<Step>),
    Call(Box<CallStep>),
    /// `x in [1, 2]`, with a constant list of what can be a key.
    Member(Box<Step>, BTreeSet<Key<'static>>),
    List(Vec<Item>),
    Map(Vec<(Step, Item)>),
    Message(&'static Message, Vec<(String, Item)>),
    /// `@result + [x]`, which appends in place.
    Append {
        slot: usize,
        item: Box<Step>,
        cost: u64,
    },
    Fold(Box<FoldStep>),
}

pub(crate) struct Item {
    pub(crate) step: Step,
    pub(crate) optional: bool,
}

pub(crate) struct CallStep {
    pub(crate) function: &'static Function,
    pub(crate) cost: Cost,
    pub(crate) arguments: Vec<Step>,
    pub(crate) regex: Option<Arc<Regex>>,
    /// The overloads that the values must be of, where types have not settled it.
    pub(crate) guard: Vec<&'static Overload>,
    /// Whether the first argument that fails keeps the others from being evaluated.
    pub(crate) stops: bool,
}

/// Something, and what is selected from it.
pub(crate) struct Attribute {
    pub(crate) root: Root,
    pub(crate) qualifiers: Vec<Qualifier>,
    /// Whether it is only asked if the last qualifier is there.
    pub(crate) test: bool,
}

pub(crate) enum Root {
    Slot(usize),
    Operand(Step),
    /// `condition ? truthy : falsy`.
    Choice(Box<(Step, Attribute, Attribute)>),
}

pub(crate) struct Qualifier {
    pub(crate) key: KeyStep,
    pub(crate) optional: bool,
}

pub(crate) enum KeyStep {
    Constant(Value<'static>),
    Attribute(Attribute),
    Computed(Step),
}

pub(crate) struct FoldStep {
    pub(crate) range: Step,
    pub(crate) accumulator: usize,
    pub(crate) variable: usize,
    pub(crate) second: Option<usize>,
    pub(crate) condition: Step,
    pub(crate) step: Step,
    pub(crate) result: Step,
}
