//! The rows of tables, and tables for documentation.

use serde_json::Value;

use crate::data::Data;

/// A row of a table: how one value is derived from inputs of type `I`.
///
/// Inputs may borrow. The table for `Inputs<'a>` is then an associated constant: `const RULES: &'a [Rule<Self>]`.
#[derive(Debug)]
pub struct Rule<I> {
    /// The rule in words.
    pub stated: Stated,
    source: Source<I>,
    /// Whether explanations leave the value out.
    pub(super) hidden: bool,
}

/// What an explanation shows instead of a hidden value.
pub const HIDDEN: &str = "(hidden)";

#[derive(Debug)]
enum Source<I> {
    Derived(fn(&I) -> Option<Value>),
    Constant(Data),
}

/// A rule in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The path of the value in the object of the table. Empty for the object itself. A path that ends in `[]` appends
    /// the value to a list, and a path that ends in `[..]` appends each item of the value.
    pub path: &'static str,
    /// The reason for the value, for people: lower case, no final period. In a table about an [`Element`], the word of
    /// the element in braces is replaced by its name.
    pub because: &'static str,
    /// The fields that it depends on: of the composite, or of the step input (`input.…`). Empty for constants. `[]` is
    /// replaced by the index of the element, and the word of the element in braces by its name.
    pub causes: &'static [&'static str],
}

/// Where the value of a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// It is set at a path.
    Field(&'static str),
    /// It is appended to the list at a path.
    Item(&'static str),
    /// Each of its items is appended to the list at a path.
    Items(&'static str),
}

/// A row with a function. If `value` returns `None`, the field is left out.
pub const fn rule<I>(
    path: &'static str,
    because: &'static str,
    causes: &'static [&'static str],
    value: fn(&I) -> Option<Value>,
) -> Rule<I> {
    Rule { stated: Stated { path, because, causes }, source: Source::Derived(value), hidden: false }
}

/// A row with a function that gives a token, or something with a token in it. The object has it, but no explanation does.
pub const fn secret<I>(
    path: &'static str,
    because: &'static str,
    causes: &'static [&'static str],
    value: fn(&I) -> Option<Value>,
) -> Rule<I> {
    Rule { stated: Stated { path, because, causes }, source: Source::Derived(value), hidden: true }
}

/// A row whose value is always the same.
pub const fn constant<I>(path: &'static str, because: &'static str, value: Data) -> Rule<I> {
    Rule { stated: Stated { path, because, causes: &[] }, source: Source::Constant(value), hidden: false }
}

impl<I> Rule<I> {
    /// The value for `inputs`, or `None` when the field is left out.
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

/// One of several parts of a composite that have the same table: a zone, a pool, a container. It contains, or borrows,
/// everything that the rules read, also from the whole composite.
pub trait Element {
    /// The word for such a part, in lower case, e.g. `zone`. In reasons and causes `{zone}` is replaced by the
    /// name.
    const WORD: &'static str;

    /// Its name, which differs from the names of the others.
    fn name(&self) -> &str;

    /// Its indexes in the lists of the composite: one for each `[]` in a cause, e.g. two for
    /// `spec.engines[].members[].image`.
    fn indexes(&self) -> &[usize] {
        &[]
    }
}

/// A table for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the table is about, e.g. `VLLMRuntime`.
    pub subject: &'static str,
    /// The word for the elements that have this table ([`Element`]). `None` when it is about one object.
    pub each: Option<&'static str>,
    /// Its rules, in order.
    pub rules: Vec<Stated>,
}

impl Table {
    /// A table about one object.
    pub fn of<I>(subject: &'static str, rules: &[Rule<I>]) -> Self {
        Self { subject, each: None, rules: rules.iter().map(|rule| rule.stated).collect() }
    }

    /// A table about elements.
    pub fn each<E: Element>(subject: &'static str, rules: &[Rule<E>]) -> Self {
        Self { each: Some(E::WORD), ..Self::of(subject, rules) }
    }

    /// Its heading, e.g. `Subnet, for each zone`.
    pub fn heading(&self) -> String {
        match self.each {
            Some(word) => format!("{}, for each {word}", self.subject),
            None => self.subject.to_owned(),
        }
    }
}
