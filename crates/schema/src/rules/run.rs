//! Evaluates the rules for an object, within a cost limit for each call and one for all calls.

use cel::{Program, Reason, RunError, Value as Cel};
use serde_json::Value;

use super::rule::{Rule, Rules};
use crate::correlate::{Pair, old_item};
use crate::error::{self, FieldError, Kind};
use crate::go;
use crate::node::{Node, Type};
use crate::path::Place;

/// The cost limit of one call (`PerCallLimit`).
const CALL_LIMIT: u64 = 1_000_000;
/// The cost limit of all calls for an object (`RuntimeCELCostBudget`).
const BUDGET: u64 = 10_000_000;
/// The most calls for an object. Some expressions cost nothing.
const MOST_CALLS: usize = 500_000;
/// The longest result of a message expression, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// The results of the rules for an object.
#[derive(Default)]
pub(crate) struct RuleResults {
    pub(crate) errors: Vec<FieldError>,
    /// Errors of values that an update does not change.
    pub(crate) warnings: Vec<String>,
}

/// Evaluates all rules, in the order of field names, until the budget is spent.
pub(crate) fn run(object: &Value, node: &Node, old: Option<&Value>) -> RuleResults {
    let mut runner = Runner { left: BUDGET, calls: 0, results: RuleResults::default() };
    let pair = old.map(|old| Pair { old, new: object, node });
    let ratchet = Ratchet { current: pair, nearest: None };
    match runner.visit(object, old, node, &Place::ROOT, ratchet) {
        Ok(()) | Err(BudgetSpent) => runner.results,
    }
}

/// The old and new value at the current place, and at the nearest place above that has an old value.
#[derive(Clone, Copy)]
struct Ratchet<'a> {
    current: Option<Pair<'a>>,
    nearest: Option<Pair<'a>>,
}

impl Ratchet<'_> {
    fn key(self, name: &str) -> Self {
        match self.current {
            None => self,
            Some(_) if self.nearest.is_none() && matches!(name, "apiVersion" | "kind") => {
                Self { current: None, nearest: None }
            }
            Some(pair) => Self { current: pair.key(name), nearest: Some(pair) },
        }
    }

    fn index(self, index: usize) -> Self {
        self.current.map_or(self, |pair| Self { current: pair.index(index), nearest: Some(pair) })
    }

    fn is_unchanged(&self) -> bool {
        self.current.or(self.nearest).is_some_and(|pair| pair.unchanged())
    }
}

/// The budget is spent, so no more rules are evaluated.
struct BudgetSpent;

struct Runner {
    left: u64,
    calls: usize,
    results: RuleResults,
}

impl Runner {
    fn visit(
        &mut self,
        value: &Value,
        old: Option<&Value>,
        node: &Node,
        at: &Place<'_>,
        ratchet: Ratchet<'_>,
    ) -> Result<(), BudgetSpent> {
        if value.is_null() || !node.has_rules {
            return Ok(());
        }
        let old = old.filter(|old| !old.is_null());
        if let Some(rules) = &node.rules {
            self.evaluate(value, old, node, rules, at, ratchet)?;
        }
        match value {
            Value::Array(items) => {
                let Some(inside) = node.items.as_deref() else { return Ok(()) };
                let old = old.and_then(Value::as_array);
                for (index, item) in items.iter().enumerate() {
                    let old = old.and_then(|old| old_item(node, old, item));
                    self.visit(item, old, inside, &at.index(index), ratchet.index(index))?;
                }
            }
            Value::Object(fields) => {
                let old = |name: &str| old.and_then(|old| old.get(name));
                for (name, value) in fields {
                    if let Some(inside) = node.additional.schema() {
                        self.visit(value, old(name), inside, &at.key(name), ratchet.key(name))?;
                    }
                }
                for (name, value) in fields {
                    if let Some(inside) = node.properties.get(name) {
                        self.visit(value, old(name), inside, &at.field(name), ratchet.key(name))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn evaluate(
        &mut self,
        value: &Value,
        old: Option<&Value>,
        node: &Node,
        rules: &Rules,
        at: &Place<'_>,
        ratchet: Ratchet<'_>,
    ) -> Result<(), BudgetSpent> {
        let name = type_name(node);
        let invalid = |detail: String| FieldError::at(at, Kind::Invalid, Some(Value::from(name)), detail);
        if self.left == 0 {
            error::add(&mut self.results.errors, invalid(OUT_OF_BUDGET.to_owned()));
            return Err(BudgetSpent);
        }
        for rule in &rules.rules {
            if rule.uses_old_self && old.is_none() && !rule.optional_old_self {
                continue;
            }
            let call = Call { value, old, rules, optional: rule.optional_old_self };
            let (outcome, cost) = call.run(&rule.program);
            self.calls += 1;
            let Some(left) = self.left.checked_sub(cost).filter(|_| self.calls <= MOST_CALLS) else {
                error::add(&mut self.results.errors, invalid(OUT_OF_BUDGET.to_owned()));
                return Err(BudgetSpent);
            };
            self.left = left;
            let shown = &rule.shown;
            match outcome {
                Ok(Cel::Bool(true)) => {}
                Err(error) if error.reason == Reason::CostExceeded => {
                    let detail = format!(
                        "'{error}': no further validation rules will be run due to call cost exceeds limit for rule: {shown}"
                    );
                    error::add(&mut self.results.errors, invalid(detail));
                    return Err(BudgetSpent);
                }
                Err(error) if error.message.starts_with("no such overload") => {
                    let detail = format!(
                        "'{error}': call arguments did not match a supported operator, function or macro signature for rule: {shown}"
                    );
                    error::add(&mut self.results.errors, invalid(detail));
                }
                Err(error) => {
                    error::add(&mut self.results.errors, invalid(format!("{error} evaluating rule: {shown}")))
                }
                Ok(_) => self.violated(rule, &call, node, at, ratchet)?,
            }
        }
        Ok(())
    }

    /// Reports that a rule is violated.
    fn violated(
        &mut self,
        rule: &Rule,
        call: &Call<'_>,
        node: &Node,
        at: &Place<'_>,
        ratchet: Ratchet<'_>,
    ) -> Result<(), BudgetSpent> {
        let message = rule.message.clone().unwrap_or_else(|| format!("failed rule: {}", rule.shown));
        let (detail, spent) = match &rule.message_program {
            None => (message, false),
            // In Kubernetes, `oldSelf` is never optional here.
            Some(program) => match self.message(&Call { optional: false, ..*call }, program) {
                MessageOutcome::Text(text) => (text, false),
                MessageOutcome::Nothing => (message, false),
                MessageOutcome::BudgetSpent(why) => (why, true),
            },
        };
        let compound = node.is(Type::Object) || node.is(Type::Array);
        let value = if compound { None } else { Some(error::short(call.value)) };
        let (kind, value) =
            if spent { (Kind::Invalid, Some(Value::from(type_name(node)))) } else { (rule.kind, value) };
        // For duplicates the API server prints no detail.
        let detail = if kind == Kind::Duplicate { String::new() } else { detail };
        let mut error = FieldError::at(at, kind, value, detail);
        if let Some(field) = &rule.field {
            let dot = if field.shown.starts_with('[') && at.is_root() { "" } else { "." };
            error.field =
                if at.is_root() { field.shown.clone() } else { format!("{}{dot}{}", error.field, field.shown) };
            error.path.extend(field.segments.iter().cloned());
        }
        if !rule.uses_old_self && ratchet.is_unchanged() {
            self.results.warnings.push(error.to_string());
        } else {
            error::add(&mut self.results.errors, error);
        }
        if spent { Err(BudgetSpent) } else { Ok(()) }
    }

    fn message(&mut self, call: &Call<'_>, program: &Program) -> MessageOutcome {
        let (outcome, cost) = call.run(program);
        let Some(left) = self.left.checked_sub(cost) else {
            let detail = "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
            return MessageOutcome::BudgetSpent(detail.to_owned());
        };
        match outcome {
            Err(error) if error.reason == Reason::CostExceeded => MessageOutcome::BudgetSpent(format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {}",
                go::quote(program.source())
            )),
            outcome => {
                self.left = left;
                let text = outcome.ok().and_then(|value| value.as_str().map(|text| text.trim().to_owned()));
                let fits = |text: &String| !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
                text.filter(fits).map_or(MessageOutcome::Nothing, MessageOutcome::Text)
            }
        }
    }
}

/// The type of the value, which is shown when a rule cannot be evaluated; empty for int-or-string.
fn type_name(node: &Node) -> &'static str {
    match node.types.as_slice() {
        [only] => only.name(),
        _ => "",
    }
}

/// The outcome of a message expression.
enum MessageOutcome {
    Text(String),
    /// The result cannot be used, so the message of the rule is used.
    Nothing,
    BudgetSpent(String),
}

const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// The values for which an expression is evaluated.
#[derive(Clone, Copy)]
struct Call<'a> {
    value: &'a Value,
    old: Option<&'a Value>,
    rules: &'a Rules,
    optional: bool,
}

impl<'a> Call<'a> {
    /// The outcome and the cost.
    ///
    /// A value that does not fit its schema is an error only when the expression uses it: `self.a || true` is true for any
    /// `self`. So the variable is left out, and the error of the missing variable is replaced.
    fn run(&self, program: &'a Program) -> (Result<Cel<'a>, RunError>, u64) {
        let declared = &self.rules.declared;
        let old = match (self.old, self.optional) {
            // `oldSelf.hasValue()` is true even if the old value does not fit its schema.
            (Some(old), true) => Ok(Some(Cel::some(declared.read(old).unwrap_or(Cel::Unknown(old))))),
            (None, true) => Ok(Some(Cel::Optional(None))),
            (old, false) => old.map(|old| declared.read(old)).transpose(),
        };
        let values = [("self", declared.read(self.value).map(Some)), ("oldSelf", old)];
        let (mut bindings, mut unfit) = (Vec::new(), Vec::new());
        for (name, value) in values {
            match value {
                Ok(value) => bindings.extend(value.map(|value| (name, value))),
                Err(error) => unfit.push((format!("no such attribute(s): {name}"), error)),
            }
        }
        let run = program.run(&bindings, CALL_LIMIT);
        let outcome = run.outcome.map_err(|error| {
            let left_out = unfit.into_iter().find(|(message, _)| *message == error.message);
            left_out.map_or(error, |(_, unfit)| unfit)
        });
        (outcome, run.cost)
    }
}
