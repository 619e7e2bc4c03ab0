//! The rows of tables, and tables in words.

use serde_json::Value;

use crate::data::Data;

/// How one value is derived from inputs of type `I`.
///
/// Inputs may borrow: a table over `Inputs<'a>` is an associated constant, `const RULES: &'a [Rule<Self>]`.
#[derive(Debug)]
pub struct Rule<I> {
    /// The rule in words.
    pub stated: Stated,
    source: Source<I>,
}

#[derive(Debug)]
enum Source<I> {
    Derived(fn(&I) -> Option<Value>),
    Constant(Data),
}

/// A rule in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Where the value goes, in the object that the table is about; empty for the object itself. A path that ends
    /// in `[]` appends the value to a list, one that ends in `[..]` appends each item of the value.
    pub path: &'static str,
    /// Why it is what it is, for people: lower case, no final period. In the table of an [`Element`] its word in
    /// braces stands for its name.
    pub because: &'static str,
    /// The fields of the composite, or of the step's input (`input.…`), that it depends on. Empty for constants.
    /// `[]` stands for the place of the element that the table is settled for.
    pub causes: &'static [&'static str],
}

/// Where the value of a row goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To a path.
    Field(&'static str),
    /// To the end of the list at a path.
    Item(&'static str),
    /// Each of its items to the end of the list at a path.
    Items(&'static str),
}

/// A row of a table. A `value` of `None` leaves the field out.
pub const fn rule<I>(
    path: &'static str,
    because: &'static str,
    causes: &'static [&'static str],
    value: fn(&I) -> Option<Value>,
) -> Rule<I> {
    Rule { stated: Stated { path, because, causes }, source: Source::Derived(value) }
}

/// A row whose value is always the same.
pub const fn constant<I>(path: &'static str, because: &'static str, value: Data) -> Rule<I> {
    Rule { stated: Stated { path, because, causes: &[] }, source: Source::Constant(value) }
}

impl<I> Rule<I> {
    /// The value for `inputs`, unless the field is left out.
    pub(super) fn value(&self, inputs: &I) -> Option<Value> {
        match &self.source {
            Source::Derived(value) => value(inputs),
            Source::Constant(data) => Some(data.to_value()),
        }
    }
}

impl Stated {
    pub(super) fn target(&self) -> Target {
        let item = self.path.strip_suffix("[]").map(Target::Item);
        let items = || self.path.strip_suffix("[..]").map(Target::Items);
        item.or_else(items).unwrap_or(Target::Field(self.path))
    }
}

/// One of several things that a table is settled for: a zone, a pool, a member, a container. It holds, or borrows,
/// what the rules read of it and of the whole composite.
pub trait Element {
    /// The word for one of them, in lower case, e.g. `zone`. In reasons `{zone}` stands for the name.
    const WORD: &'static str;

    /// Its name among the others.
    fn name(&self) -> &str;

    /// Its places in the composite's lists: one for each `[]` of a cause, such as the two of
    /// `spec.engines[].members[].image`.
    fn places(&self) -> &[usize] {
        &[]
    }
}

/// A table in words, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the table is about, e.g. `VLLMRuntime`.
    pub subject: &'static str,
    /// The word for what it is settled for, when there are several ([`Element`]).
    pub each: Option<&'static str>,
    /// Its rules, in order.
    pub rules: Vec<Stated>,
}

impl Table {
    /// The table in words.
    pub fn of<I>(subject: &'static str, rules: &[Rule<I>]) -> Self {
        Self { subject, each: None, rules: rules.iter().map(|rule| rule.stated).collect() }
    }

    /// A table of elements in words.
    pub fn each<E: Element>(subject: &'static str, rules: &[Rule<E>]) -> Self {
        Self { each: Some(E::WORD), ..Self::of(subject, rules) }
    }

    /// What it is about, as a heading: `Subnet, for each zone`.
    pub fn heading(&self) -> String {
        match self.each {
            Some(word) => format!("{}, for each {word}", self.subject),
            None => self.subject.to_owned(),
        }
    }
}
