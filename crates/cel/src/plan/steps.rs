//! The steps of an evaluation.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::check::messages::Message;
use crate::libraries::signature::{Cost, Function, Overload};
use crate::regex::Regex;
use crate::value::Value;
use crate::value::key::Key;

/// The plan of an expression.
pub(crate) struct Plan {
    pub(crate) root: Step,
    /// The initial values of slots: of accumulators. They are evaluated when the slot is first read.
    pub(crate) starts: Vec<Option<Step>>,
    /// The names of the first slots, which bindings fill.
    pub(crate) variables: Vec<&'static str>,
}

pub(crate) enum Step {
    Constant(Value<'static>),
    /// A call whose result is always the same, and its cost.
    Precomputed(Value<'static>, u64),
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
    /// `x in [1, 2]`, with a constant list of values that can be keys.
    Member(Box<Step>, BTreeSet<Key<'static>>),
    List(Vec<Item>),
    Map(Vec<(Step, Item)>),
    Message(&'static Message, Vec<(String, Item)>),
    /// `@result + [x]`, which appends to the list in place.
    Append {
        slot: usize,
        item: Box<Step>,
        cost: u64,
    },
    Comprehension(Box<ComprehensionStep>),
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
    /// The slot of the accumulator that the first argument reads, to which the call adds entries.
    pub(crate) accumulator: Option<usize>,
    /// The overloads that the arguments must match. Empty when type checking is enough.
    pub(crate) guard: Vec<&'static Overload>,
    /// Whether the evaluation of arguments stops at the first one that fails.
    pub(crate) stops: bool,
}

/// A value, and selections from it.
pub(crate) struct Attribute {
    pub(crate) root: Root,
    pub(crate) qualifiers: Vec<Qualifier>,
    /// Whether it is a test for the presence of the last qualifier (`has`).
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

pub(crate) struct ComprehensionStep {
    pub(crate) range: Step,
    pub(crate) accumulator: usize,
    pub(crate) variable: usize,
    pub(crate) second: Option<usize>,
    pub(crate) condition: Step,
    pub(crate) step: Step,
    pub(crate) result: Step,
}
