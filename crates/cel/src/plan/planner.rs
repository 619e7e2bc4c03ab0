//! The planner: turns names into slots, computes constants, and compiles patterns.

use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

use super::steps::{Attribute, CallStep, ComprehensionStep, Item, KeyStep, Plan, Qualifier, Root, Step};
use crate::check::checked::{Callee, Checked, Reference};
use crate::check::messages;
use crate::check::scope::Scope;
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::libraries::amounts::Amounts;
use crate::libraries::call::Call;
use crate::libraries::cost;
use crate::libraries::signature::{Cost, Function};
use crate::regex::{Caches, Patterns, Regex};
use crate::syntax::ast::{Comprehension, Element, Id, Literal, NodeKind, RESULT, Tree};
use crate::value::key::Key;
use crate::value::text::Text;
use crate::value::{Entries, Value};

/// Functions that are called before evaluation when their argument is a constant.
const FOLDED: &[&str] = &["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"];

/// Functions whose second argument is a pattern.
const WITH_PATTERN: &[&str] = &["find", "findAll", "matches"];

pub(crate) fn plan(
    scope: &Scope,
    tree: &Tree,
    checked: &Checked,
    patterns: Patterns,
    root: Id,
) -> Result<Plan, RunError> {
    let variables: Vec<&'static str> = scope.variables().collect();
    let starts = variables.iter().map(|_| None).collect();
    let mut planner = Planner { tree, checked, variables, scopes: Vec::new(), starts, patterns };
    let root = planner.step(root)?;
    Ok(Plan { root, starts: planner.starts, variables: planner.variables })
}

struct Planner<'p> {
    tree: &'p Tree,
    checked: &'p Checked,
    variables: Vec<&'static str>,
    scopes: Vec<(&'p str, usize)>,
    starts: Vec<Option<Step>>,
    patterns: Patterns,
}

type Planned = Result<Step, RunError>;

impl<'p> Planner<'p> {
    fn step(&mut self, id: Id) -> Planned {
        match &self.checked.references[id as usize] {
            Reference::Variable(name) => return Ok(attribute(Root::Slot(self.slot(name)), Vec::new())),
            Reference::Type(ty) if !matches!(self.tree.kind(id), NodeKind::Message { .. }) => {
                return Ok(Step::Constant(Value::Type(ty.clone())));
            }
            Reference::CheckedOnly(name) => {
                return Err(RunError::failed(format!("reference to undefined type: {name}")));
            }
            _ => {}
        }
        match self.tree.kind(id) {
            NodeKind::Literal(literal) => Ok(Step::Constant(constant(literal))),
            NodeKind::Ident(name) => Err(RunError::failed(format!("no such attribute(s): {name}"))),
            NodeKind::Select { operand, field, test } => {
                let operand = self.step(*operand)?;
                let key = KeyStep::Constant(Value::String(Text::shared(field.as_str())));
                Ok(select(operand, Qualifier { key, optional: false }, *test))
            }
            NodeKind::Call { target, arguments, .. } => match &self.checked.references[id as usize] {
                Reference::Call(callee) => self.call(callee, *target, arguments),
                _ => Err(RunError::no_overload()),
            },
            NodeKind::List(elements) => self.list(elements),
            NodeKind::Map(entries) => {
                let mut steps = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.step(entry.key)?;
                    steps.push((key, Item { step: self.step(entry.value)?, optional: entry.optional }));
                }
                Ok(folded_map(&steps).map_or(Step::Map(steps), Step::Constant))
            }
            NodeKind::Message { name, fields } => {
                let message = messages::lookup(name.trim_start_matches('.')).ok_or_else(RunError::no_overload)?;
                let mut steps = Vec::with_capacity(fields.len());
                for field in fields {
                    steps.push((field.name.clone(), Item { step: self.step(field.value)?, optional: field.optional }));
                }
                Ok(Step::Message(message, steps))
            }
            NodeKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn slot(&self, name: &str) -> usize {
        let local = self.scopes.iter().rev().find(|scope| scope.0 == name).map(|scope| scope.1);
        local.or_else(|| self.variables.iter().position(|variable| *variable == name)).unwrap_or(0)
    }

    fn new_slot(&mut self, start: Option<Step>) -> usize {
        self.starts.push(start);
        self.starts.len() - 1
    }

    #[inline(never)]
    fn list(&mut self, elements: &[Element]) -> Planned {
        let mut items = Vec::with_capacity(elements.len());
        for element in elements {
            items.push(Item { step: self.step(element.value)?, optional: element.optional });
        }
        let constants: Option<Vec<Value<'static>>> = items
            .iter()
            .map(|item| match &item.step {
                Step::Constant(value) if !item.optional => Some(value.clone()),
                _ => None,
            })
            .collect();
        Ok(constants.map_or(Step::List(items), |values| Step::Constant(Value::list(values))))
    }

    #[inline(never)]
    fn call(&mut self, callee: &Callee, target: Option<Id>, arguments: &[Id]) -> Planned {
        let target = target.filter(|_| !callee.namespaced);
        let mut steps = Vec::with_capacity(arguments.len() + 1);
        for &argument in target.iter().chain(arguments) {
            steps.push(self.step(argument)?);
        }
        let name = callee.function.name;
        if matches!(name, "_[_]" | "_[?_]" | "_?._" | "_&&_" | "_||_" | "or" | "orValue")
            && let Ok([left, right]) = <[Step; 2]>::try_from(std::mem::take(&mut steps))
        {
            return Ok(match name {
                "_&&_" => Step::And(Box::new([left, right])),
                "_||_" => Step::Or(Box::new([left, right])),
                "or" | "orValue" => Step::OptionalOr { sides: Box::new([left, right]), value: name == "orValue" },
                _ => {
                    let key = match right {
                        Step::Constant(value) => KeyStep::Constant(value),
                        Step::Attribute(attribute) => KeyStep::Attribute(*attribute),
                        step => KeyStep::Computed(step),
                    };
                    select(left, Qualifier { key, optional: name != "_[_]" }, false)
                }
            });
        }
        if name == "_?_:_"
            && let Ok([condition, truthy, falsy]) = <[Step; 3]>::try_from(std::mem::take(&mut steps))
        {
            let choice = Box::new((condition, branch(truthy), branch(falsy)));
            return Ok(attribute(Root::Choice(choice), Vec::new()));
        }
        if name == "@not_strictly_false"
            && let Some(argument) = steps.pop()
        {
            return Ok(Step::NotStrictlyFalse(Box::new(argument)));
        }
        self.plain_call(callee, steps)
    }

    #[inline(never)]
    fn plain_call(&mut self, callee: &Callee, mut arguments: Vec<Step>) -> Planned {
        let Callee { function, candidates, .. } = callee;
        let cost = match candidates.as_slice() {
            [only] => function.overloads[*only].cost,
            [first, ..] => function.overloads[*first].cost.by_name(),
            [] => Cost::One,
        };
        if let (Cost::InList, [_, Step::Constant(Value::List(list))]) = (cost, arguments.as_slice()) {
            if list.is_empty() {
                return Ok(Step::Constant(Value::Bool(false)));
            }
            let elements: Option<Vec<Value<'static>>> = list.iter().map(Result::ok).collect();
            if let Some(members) = elements.and_then(|elements| members(&elements))
                && !arguments.is_empty()
            {
                return Ok(Step::Member(Box::new(arguments.swap_remove(0)), members));
            }
        }
        if FOLDED.contains(&function.name)
            && let [Step::Constant(value)] = arguments.as_slice()
        {
            return run(function, slice::from_ref(value)).map(Step::Constant);
        }
        if (function.name, candidates.len()) == ("semver", 1)
            && let [Step::Constant(text)] = arguments.as_slice()
        {
            let values = slice::from_ref(text);
            if let Ok(version) = run(function, values) {
                let cost = cost::of_call(cost, values, Some(&version), &mut Fuel::default())?;
                return Ok(Step::Precomputed(version, cost));
            }
        }
        if function.name == "_+_"
            && let [Step::Attribute(result), item] = arguments.as_slice()
            && let Root::Slot(slot) = result.root
            && result.qualifiers.is_empty()
            && self.scopes.contains(&(RESULT, slot))
        {
            // The cost is 1 for `@result`, 1 for the sum, and the cost of the list.
            let single = match item {
                Step::Constant(Value::List(list)) if list.len() == 1 => {
                    list.get(0).and_then(Result::ok).map(|value| (Step::Constant(value), 2))
                }
                Step::List(items) if items.len() == 1 && !items[0].optional => None,
                _ => return Ok(call(callee, cost, arguments, None)),
            };
            if let Some((item, cost)) = single {
                return Ok(Step::Append { slot, item: Box::new(item), cost });
            }
            if let Some(Step::List(mut items)) = arguments.pop()
                && let Some(item) = items.pop()
            {
                return Ok(Step::Append { slot, item: Box::new(item.step), cost: 12 });
            }
            return Err(RunError::no_overload());
        }
        let mut regex = None;
        if WITH_PATTERN.contains(&function.name)
            && let Some(Step::Constant(Value::String(pattern))) = arguments.get(1)
        {
            regex = Some(self.patterns.compile(pattern)?);
        }
        Ok(call(callee, cost, arguments, regex))
    }

    #[inline(never)]
    fn comprehension(&mut self, comprehension: &'p Comprehension) -> Planned {
        let start = self.step(comprehension.start)?;
        let range = self.step(comprehension.range)?;
        let accumulator = self.new_slot(Some(start));
        let variable = self.new_slot(None);
        let second = comprehension.second.as_ref().map(|_| self.new_slot(None));
        self.scopes.push((&comprehension.accumulator, accumulator));
        let outside = self.scopes.len();
        self.scopes.push((&comprehension.variable, variable));
        if let (Some(name), Some(slot)) = (&comprehension.second, second) {
            self.scopes.push((name, slot));
        }
        let condition = self.step(comprehension.condition)?;
        let step = self.step(comprehension.step)?;
        self.scopes.truncate(outside);
        let result = self.step(comprehension.result)?;
        self.scopes.truncate(outside - 1);
        Ok(Step::Comprehension(Box::new(ComprehensionStep {
            range,
            accumulator,
            variable,
            second,
            condition,
            step,
            result,
        })))
    }
}

/// Calls a function before evaluation.
fn run(function: &Function, values: &[Value<'static>]) -> Result<Value<'static>, RunError> {
    (function.run)(&mut Call {
        function: function.name,
        values,
        regex: None,
        caches: &mut Caches::default(),
        amounts: &mut Amounts::default(),
        fuel: &mut Fuel::default(),
        left: u64::MAX,
    })
}

fn call(callee: &Callee, cost: Cost, arguments: Vec<Step>, regex: Option<Arc<Regex>>) -> Step {
    let function = callee.function;
    // Upstream evaluates all of one or two arguments, even when the first one fails. It stops at the first failure when there
    // are more, when it has compiled the pattern, or when it selects the overload during evaluation.
    let named = function.name.starts_with(|first: char| first.is_ascii_alphabetic());
    let stops =
        arguments.len() > 2 || regex.is_some() || function.name == "format" || (named && callee.candidates.len() > 1);
    // `flatten` has no such check upstream.
    let guarded = named && function.name != "flatten" && callee.dynamic;
    let overloads = callee.candidates.iter().map(|index| &function.overloads[*index]);
    let guard = if guarded { overloads.collect() } else { Vec::new() };
    let accumulator = match arguments.first() {
        Some(Step::Attribute(attribute)) if function.name == "cel.@mapInsert" => match attribute.root {
            Root::Slot(slot) => Some(slot),
            _ => None,
        },
        _ => None,
    };
    Step::Call(Box::new(CallStep { function, cost, arguments, regex, accumulator, guard, stops }))
}

fn attribute(root: Root, qualifiers: Vec<Qualifier>) -> Step {
    Step::Attribute(Box::new(Attribute { root, qualifiers, test: false }))
}

/// The operand with a further qualifier. An operand that is not an attribute becomes the root of one.
fn select(operand: Step, qualifier: Qualifier, test: bool) -> Step {
    let mut attribute = match operand {
        Step::Attribute(attribute) if !attribute.test => *attribute,
        other => Attribute { root: Root::Operand(other), qualifiers: Vec::new(), test: false },
    };
    attribute.qualifiers.push(qualifier);
    attribute.test = test;
    Step::Attribute(Box::new(attribute))
}

fn branch(step: Step) -> Attribute {
    match step {
        Step::Attribute(attribute) => *attribute,
        other => Attribute { root: Root::Operand(other), qualifiers: Vec::new(), test: false },
    }
}

fn constant(literal: &Literal) -> Value<'static> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(text) => Value::String(Text::shared(text.as_str())),
        Literal::Bytes(bytes) => Value::Bytes(bytes.as_slice().into()),
    }
}

fn folded_map(steps: &[(Step, Item)]) -> Option<Value<'static>> {
    let mut entries = Entries::default();
    for (key, item) in steps {
        let (Step::Constant(key), Step::Constant(value), false) = (key, &item.step, item.optional) else { return None };
        entries.insert(Key::of(key)?, value.clone());
    }
    Some(Value::map(entries))
}

/// All keys that equal one of the values, if all values can be keys.
fn members(values: &[Value<'static>]) -> Option<BTreeSet<Key<'static>>> {
    let mut members = BTreeSet::new();
    for value in values {
        let key = Key::of(value)?;
        members.extend(key.equals().into_iter().flatten());
        members.insert(key);
    }
    Some(members)
}
