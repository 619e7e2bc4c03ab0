//! Evaluation. The cost is counted as in `cel-go`.
//!
//! Upstream, each step has an observer that adds the cost of the step after it has run, even when it failed. Therefore an
//! error does not return early here where upstream continues. Steps that have no observer upstream cost nothing here:
//! constants, and a variable that is an index or a branch of `?:`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::RunError;
use crate::fuel::{ALLOCATION, CALL, ELEMENT, ERROR, Fuel, Limits, STEP};
use crate::libraries::amounts::Amounts;
use crate::libraries::call::{self, Call, Evaluated};
use crate::libraries::signature::Cost;
use crate::libraries::{cost, operators};
use crate::plan::steps::{Attribute, CallStep, ComprehensionStep, Item, KeyStep, Plan, Qualifier, Root, Step};
use crate::regex::Caches;
use crate::value::key::Key;
use crate::value::{Entries, List, Map, Value, equal, number};

pub(crate) struct Evaluation<'p, 'a> {
    plan: &'p Plan,
    slots: Vec<Option<Evaluated<'a>>>,
    pub(crate) cost: u64,
    budget: u64,
    amounts: Amounts,
    caches: Caches,
    pub(crate) fuel: Fuel,
}

impl<'p: 'a, 'a> Evaluation<'p, 'a> {
    pub(crate) fn new(plan: &'p Plan, bindings: &[(&str, Value<'a>)], limits: Limits) -> Self {
        let mut slots: Vec<Option<Evaluated<'a>>> = Vec::with_capacity(plan.starts.len());
        for variable in &plan.variables {
            slots.push(bindings.iter().find(|binding| binding.0 == *variable).map(|binding| Ok(binding.1.clone())));
        }
        slots.resize_with(plan.starts.len(), || None);
        Self {
            plan,
            slots,
            cost: 0,
            budget: limits.cost,
            amounts: Amounts::default(),
            caches: Caches::default(),
            fuel: Fuel::new(limits.work),
        }
    }

    pub(crate) fn run(&mut self) -> Evaluated<'a> {
        self.step(&self.plan.root)
    }

    fn charge(&mut self, cost: u64) -> Result<(), RunError> {
        self.cost = self.cost.saturating_add(cost);
        self.fuel.pay(cost);
        if self.cost > self.budget { Err(RunError::cost_exceeded()) } else { Ok(()) }
    }

    /// The outcome of a step, after its cost has been added. For an error that ends the evaluation no cost is added.
    fn charged(&mut self, outcome: Evaluated<'a>, cost: u64) -> Evaluated<'a> {
        if outcome.as_ref().is_err_and(RunError::is_final) {
            return outcome;
        }
        self.charge(cost)?;
        outcome
    }

    /// Spends the work of making an error, of which the evaluation may absorb any number.
    fn absorb(&mut self, error: RunError) -> Result<(), RunError> {
        if error.is_final() { Err(error) } else { self.fuel.spend(ERROR + error.message.len() / 8) }
    }

    fn step(&mut self, step: &'p Step) -> Evaluated<'a> {
        self.fuel.spend(STEP)?;
        match step {
            Step::Constant(value) => Ok(value.clone()),
            Step::Precomputed(value, cost) => self.charged(Ok(value.clone()), *cost),
            Step::Attribute(attribute) => {
                let found = self.resolve(attribute);
                match (&attribute.root, attribute.test) {
                    (Root::Choice(_), false) => found,
                    // The presence test subtracts the cost of an attribute, though a choice had no cost.
                    (Root::Choice(_), true) => {
                        self.cost = self.cost.saturating_sub(1);
                        found
                    }
                    (_, true) => found,
                    (_, false) => self.charged(found, 1),
                }
            }
            Step::And(sides) => self.logic(sides, false),
            Step::Or(sides) => self.logic(sides, true),
            Step::OptionalOr { sides, value } => match self.step(&sides[0])? {
                Value::Optional(None) => self.step(&sides[1]),
                Value::Optional(Some(inner)) if *value => Ok(inner.as_ref().clone()),
                other => Ok(other),
            },
            Step::NotStrictlyFalse(argument) => {
                let found = self.step(argument);
                match self.charged(found, 1) {
                    Err(error) => self.absorb(error).map(|()| Value::Bool(true)),
                    Ok(Value::Bool(false)) => Ok(Value::Bool(false)),
                    Ok(_) => Ok(Value::Bool(true)),
                }
            }
            Step::Call(call) => self.call(call),
            Step::Member(argument, members) => self.member(argument, members),
            Step::List(items) => {
                let made = self.list(items);
                self.charged(made, 10)
            }
            Step::Map(entries) => {
                let made = self.map(entries);
                self.charged(made, 30)
            }
            Step::Message(message, fields) => {
                let made = self.fields(fields).and_then(|values| message.make(&values));
                self.charged(made, 40)
            }
            Step::Append { slot, item, cost } => {
                let value = self.step(item);
                let value = self.charged(value, *cost);
                if value.as_ref().is_err_and(RunError::is_final) {
                    return value;
                }
                self.append(*slot, value)
            }
            Step::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    /// `&&` and `||`: when one side decides the result, an error of the other side does not matter.
    #[inline(never)]
    fn logic(&mut self, sides: &'p [Step; 2], decides: bool) -> Evaluated<'a> {
        let mut failed = None;
        for side in sides {
            match self.step(side) {
                Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
                Ok(Value::Bool(_)) => {}
                Ok(_) => failed = failed.or_else(|| Some(RunError::no_overload())),
                Err(error) => {
                    self.absorb(error.clone())?;
                    failed = failed.or(Some(error));
                }
            }
        }
        failed.map_or(Ok(Value::Bool(!decides)), Err)
    }

    #[inline(never)]
    fn call(&mut self, call: &'p CallStep) -> Evaluated<'a> {
        self.fuel.spend(CALL)?;
        let mut values: [Value<'a>; 4] = [Value::Null, Value::Null, Value::Null, Value::Null];
        let count = call.arguments.len().min(values.len());
        let mut failed = None;
        for (index, argument) in call.arguments.iter().take(count).enumerate() {
            match self.step(argument) {
                Ok(value) => values[index] = value,
                Err(error) if error.is_final() => return Err(error),
                // Upstream uses the error as a list when it computes the cost of the call, and panics.
                Err(_) if self_compared(call.cost) == Some(index) => {
                    let what = "interface conversion: *types.Err is not traits.Lister: missing method Add";
                    return Err(RunError::internal(what));
                }
                Err(error) => {
                    failed = failed.or(Some(error));
                    if call.stops && index + 1 < count {
                        return failed.map_or_else(|| Err(RunError::no_overload()), Err);
                    }
                }
            }
        }
        let values = &mut values[..count];
        let result = match failed {
            Some(error) => Err(error),
            None if !call.guard.is_empty() && !call.guard.iter().any(|overload| overload.takes(values)) => {
                Err(call::no_overload(call.function.name, values))
            }
            None => {
                let left = self.budget.saturating_sub(self.cost);
                if let (Some(slot), Some((first, rest))) = (call.accumulator, values.split_first_mut()) {
                    // Nothing else refers to the map then, so that it need not be copied.
                    self.slots[slot] = None;
                    let map = std::mem::replace(first, Value::Null);
                    return self.insert(call, map, rest);
                }
                (call.function.run)(&mut Call {
                    function: call.function.name,
                    values,
                    regex: call.regex.as_deref(),
                    caches: &mut self.caches,
                    amounts: &mut self.amounts,
                    fuel: &mut self.fuel,
                    left,
                })
            }
        };
        let cost = cost::of_call(call.cost, values, result.as_ref().ok(), &mut self.fuel)?;
        self.charged(result, cost)
    }

    /// Adds entries to the accumulator of a comprehension.
    fn insert(&mut self, call: &'p CallStep, map: Value<'a>, added: &[Value<'a>]) -> Evaluated<'a> {
        let result = operators::insert(call.function.name, map, added, &mut self.fuel);
        self.charged(result, 1)
    }

    #[inline(never)]
    fn member(&mut self, argument: &'p Step, members: &BTreeSet<Key<'static>>) -> Evaluated<'a> {
        let value = self.step(argument)?;
        match Key::of(&value) {
            Some(key) => {
                self.fuel.spend(ALLOCATION + key.bytes())?;
                Ok(Value::Bool(members_contain(members, &key)))
            }
            None if equal::is_unhashable(&value) => Err(equal::unhashable(&value)),
            None => Ok(Value::Bool(false)),
        }
    }

    /// The value of an item; `None` if it is optional and has no value.
    fn item(&mut self, item: &'p Item) -> Result<Option<Value<'a>>, RunError> {
        match self.step(&item.step)? {
            Value::Optional(inner) if item.optional => Ok(inner.map(|inner| inner.as_ref().clone())),
            _ if item.optional => Err(RunError::failed("cannot initialize optional entry from non-optional value")),
            value => Ok(Some(value)),
        }
    }

    #[inline(never)]
    fn fields(&mut self, fields: &'p [(String, Item)]) -> Result<Vec<(&'p str, Value<'a>)>, RunError> {
        let mut values = Vec::with_capacity(fields.len());
        for (name, item) in fields {
            values.extend(self.item(item)?.map(|value| (name.as_str(), value)));
        }
        Ok(values)
    }

    #[inline(never)]
    fn list(&mut self, items: &'p [Item]) -> Evaluated<'a> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.extend(self.item(item)?);
        }
        self.fuel.spend(ALLOCATION + ELEMENT * values.len())?;
        Ok(Value::list(values))
    }

    #[inline(never)]
    fn map(&mut self, entries: &'p [(Step, Item)]) -> Evaluated<'a> {
        let mut map = Entries::default();
        for (key, item) in entries {
            let key = self.step(key)?;
            let value = self.item(item)?;
            self.fuel.spend(2 * ALLOCATION)?;
            let key = Key::of(&key).ok_or_else(|| RunError::failed(format!("unsupported key type: {}", key.ty())))?;
            match value {
                Some(value) => self.fuel.spend(map.set(key, value))?,
                None => map.remove(&key),
            }
        }
        Ok(Value::map(map))
    }

    /// `@result + [value]`, without a copy of the list when nothing else refers to it.
    #[inline(never)]
    fn append(&mut self, slot: usize, value: Evaluated<'a>) -> Evaluated<'a> {
        let list = self.read(slot)?;
        let value = value?;
        self.slots[slot] = None;
        let Value::List(List::Values(mut values)) = list else { return Err(RunError::no_overload()) };
        Arc::make_mut(&mut values).push(value);
        Ok(Value::List(List::Values(values)))
    }

    #[inline(never)]
    fn read(&mut self, slot: usize) -> Evaluated<'a> {
        match (&self.slots[slot], &self.plan.starts[slot]) {
            (Some(Err(error)), _) => {
                self.fuel.scan(error.message.len())?;
                Err(error.clone())
            }
            (Some(value), _) => value.clone(),
            (None, Some(start)) => {
                let value = self.step(start);
                if value.as_ref().is_err_and(RunError::is_final) {
                    return value;
                }
                self.slots[slot].insert(value).clone()
            }
            (None, None) => {
                let name = self.plan.variables.get(slot).copied().unwrap_or_default();
                Err(RunError::failed(format!("no such attribute(s): {name}")))
            }
        }
    }

    #[inline(never)]
    fn comprehension(&mut self, comprehension: &'p ComprehensionStep) -> Evaluated<'a> {
        let range = self.step(&comprehension.range)?;
        self.slots[comprehension.accumulator] = None;
        match (&range, comprehension.second) {
            (Value::List(list), second) => {
                for index in 0..list.len() {
                    let Some(element) = list.get(index) else { break };
                    let element = self.read_part(element);
                    let going = match second {
                        Some(second) => {
                            let index = Value::Int(i64::try_from(index).unwrap_or(i64::MAX));
                            self.turn(comprehension, Ok(index), Some((second, element)))?
                        }
                        None => self.turn(comprehension, element, None)?,
                    };
                    if !going {
                        break;
                    }
                }
            }
            (Value::Map(map), second) => {
                for key in map.keys() {
                    let pair = match second {
                        Some(second) => map.find(&key).map(|value| (second, value)),
                        None => None,
                    };
                    if !self.turn(comprehension, Ok(key.value()), pair)? {
                        break;
                    }
                }
            }
            (other, None) => {
                return Err(RunError::failed(format!("got '{}', expected iterable type", other.go_name())));
            }
            (other, Some(_)) => {
                return Err(RunError::failed(format!("unsupported comprehension range type: {}", other.go_name())));
            }
        }
        self.step(&comprehension.result)
    }

    /// One iteration of a comprehension. Returns whether to continue.
    #[inline(never)]
    fn turn(
        &mut self,
        comprehension: &'p ComprehensionStep,
        first: Evaluated<'a>,
        second: Option<(usize, Evaluated<'a>)>,
    ) -> Result<bool, RunError> {
        self.fuel.spend(STEP)?;
        self.slots[comprehension.variable] = Some(first);
        if let Some((slot, value)) = second {
            self.slots[slot] = Some(value);
        }
        match self.step(&comprehension.condition) {
            Ok(Value::Bool(false)) => return Ok(false),
            Err(error) => self.absorb(error)?,
            Ok(_) => {}
        }
        let value = self.step(&comprehension.step);
        if let Err(error) = &value
            && error.is_final()
        {
            return Err(error.clone());
        }
        self.slots[comprehension.accumulator] = Some(value);
        Ok(true)
    }

    #[inline(never)]
    fn resolve(&mut self, attribute: &'p Attribute) -> Evaluated<'a> {
        if let Some((value, walked)) = self.walk(attribute) {
            (0..walked).try_for_each(|_| self.charge(1))?;
            return self.go_on(attribute, walked, value, false);
        }
        let value = match &attribute.root {
            Root::Slot(slot) => self.read(*slot)?,
            Root::Operand(step) => self.step(step)?,
            Root::Choice(choice) => match self.step(&choice.0)? {
                Value::Bool(true) => self.resolve(&choice.1)?,
                Value::Bool(false) => self.resolve(&choice.2)?,
                _ => return Err(RunError::no_overload()),
            },
        };
        match value {
            _ if attribute.qualifiers.is_empty() => Ok(value),
            Value::Optional(None) => Ok(if attribute.test { Value::Bool(false) } else { value }),
            Value::Optional(Some(inner)) => self.go_on(attribute, 0, inner.as_ref().clone(), true),
            value => self.go_on(attribute, 0, value, false),
        }
    }

    /// Follows the first qualifiers of a variable, as long as they are names of entries that exist. Returns the value and
    /// the number of qualifiers. The values in between are not cloned.
    fn walk(&self, attribute: &'p Attribute) -> Option<(Value<'a>, usize)> {
        let Root::Slot(slot) = attribute.root else { return None };
        let mut value = self.slots[slot].as_ref()?.as_ref().ok()?;
        let mut walked = 0;
        let untested = attribute.qualifiers.len().saturating_sub(usize::from(attribute.test));
        for qualifier in attribute.qualifiers.iter().take(untested) {
            let (KeyStep::Constant(Value::String(key)), false) = (&qualifier.key, qualifier.optional) else { break };
            let Value::Map(Map::Values(entries) | Map::Domains(entries)) = value else { break };
            let Some(next) = entries.get_text(key) else { break };
            (value, walked) = (next, walked + 1);
        }
        (walked > 0).then(|| (value.clone(), walked))
    }

    /// Follows the qualifiers of an attribute from `value`, without the first `done` of them.
    #[inline(never)]
    fn go_on(&mut self, attribute: &'p Attribute, done: usize, value: Value<'a>, optional: bool) -> Evaluated<'a> {
        let (mut value, mut optional) = (value, optional);
        self.fuel.spend(STEP * attribute.qualifiers.len())?;
        let last = attribute.qualifiers.len() - 1;
        for (index, qualifier) in attribute.qualifiers.iter().enumerate().skip(done) {
            optional |= qualifier.optional;
            let test = attribute.test && index == last;
            let found = self.qualify(&value, qualifier, optional || test);
            match found {
                Ok(Some(found)) => {
                    self.charge(1)?;
                    value = if test { Value::Bool(true) } else { found };
                }
                Ok(None) if test => {
                    if !optional {
                        self.charge(1)?;
                    }
                    return Ok(Value::Bool(false));
                }
                Ok(None) => return Ok(Value::Optional(None)),
                Err(error) => {
                    if !optional {
                        self.charge(1)?;
                    }
                    return Err(error);
                }
            }
        }
        Ok(if optional && !attribute.test { Value::some(value) } else { value })
    }

    fn find(&mut self, map: &Map<'a>, key: &Key<'a>) -> Result<Option<Evaluated<'a>>, RunError> {
        map.prepare(key, &mut self.fuel)?;
        Ok(map.find(key))
    }

    /// A part of a list or map. Bytes of a document have been decoded.
    fn read_part(&mut self, part: Evaluated<'a>) -> Evaluated<'a> {
        if let Ok(Value::Bytes(bytes)) = &part {
            self.fuel.spend(5 * bytes.len())?;
        }
        part
    }

    /// The value that a qualifier selects; `None` if there is none and `may_miss` allows it.
    #[inline(never)]
    fn qualify(
        &mut self,
        value: &Value<'a>,
        qualifier: &'p Qualifier,
        may_miss: bool,
    ) -> Result<Option<Value<'a>>, RunError> {
        let computed;
        let key = match &qualifier.key {
            KeyStep::Constant(Value::String(key))
                if matches!(value, Value::Map(Map::Values(_) | Map::Document(..))) =>
            {
                let Value::Map(map) = value else { return Ok(None) };
                return match map.get_text(key) {
                    Some(found) => self.read_part(found).map(Some),
                    None if may_miss => Ok(None),
                    None => Err(RunError::failed(format!("no such key: {}", &**key))),
                };
            }
            KeyStep::Constant(key) => key,
            KeyStep::Attribute(attribute) => {
                computed = self.resolve(attribute)?;
                &computed
            }
            KeyStep::Computed(step) => {
                computed = self.step(step)?;
                &computed
            }
        };
        let key = Key::of(key).ok_or_else(|| RunError::failed(format!("invalid qualifier type: {}", key.go_name())))?;
        match value {
            Value::Map(map) => match self.find(map, &key)? {
                Some(found) => self.read_part(found).map(Some),
                None if may_miss => Ok(None),
                None => Err(RunError::failed(format!("no such key: {}", key.spelled()))),
            },
            Value::List(list) => {
                let index = match &key {
                    Key::Int(index) => Some(*index),
                    Key::Uint(index) => i64::try_from(*index).ok(),
                    Key::Double(bits) => number::exact_int(f64::from_bits(*bits)),
                    Key::Bool(_) | Key::String(_) => None,
                };
                let unsupported =
                    || RunError::failed(format!("unsupported index type '{}' in list", key.clone().value().ty()));
                let index = index.ok_or_else(unsupported)?;
                match usize::try_from(index).ok().and_then(|index| list.get(index)) {
                    Some(found) => self.read_part(found).map(Some),
                    None if may_miss => Ok(None),
                    None => Err(RunError::failed(format!("index out of bounds: {index}"))),
                }
            }
            _ if may_miss => Ok(None),
            _ => Err(RunError::failed(format!("no such key: {}", key.spelled()))),
        }
    }
}

/// The index of the argument whose elements a call compares with one another, by its cost.
fn self_compared(cost: Cost) -> Option<usize> {
    match cost {
        Cost::SelfCompare => Some(0),
        Cost::SelfCompareKeys => Some(1),
        _ => None,
    }
}

fn members_contain<'k>(members: &BTreeSet<Key<'k>>, key: &Key<'k>) -> bool {
    members.contains(key)
}
