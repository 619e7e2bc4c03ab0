//! Asks the rules of an object, within a budget for each call and one for all of them.

use cel::{Program, Reason, RunError, Value as Cel};
use serde_json::Value;

use super::rule::{Rule, Rules};
use crate::correlate::{Pair, old_item};
use crate::error::{FieldError, Kind};
use crate::go;
use crate::node::{Node, Type};
use crate::path::Place;

/// The most one call may cost (`PerCallLimit`).
const CALL_LIMIT: u64 = 1_000_000;
/// The most all calls for an object may cost (`RuntimeCELCostBudget`).
const BUDGET: u64 = 10_000_000;
/// The longest message that an expression may make, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// What the rules say of an object.
#[derive(Default)]
pub(crate) struct Judgement {
    pub(crate) errors: Vec<FieldError>,
    /// What was wrong before and did not change.
    pub(crate) warnings: Vec<String>,
}

/// Asks all rules, in the order of the fields' names, until the budget is spent.
pub(crate) fn run(object: &Value, node: &Node, old: Option<&Value>) -> Judgement {
    let mut runner = Runner { left: BUDGET, judgement: Judgement::default() };
    let pair = old.map(|old| Pair { old, new: object, node });
    let ratchet = Ratchet { current: pair, nearest: None };
    match runner.visit(object, old, node, &Place::ROOT, ratchet) {
        Ok(()) | Err(Spent) => runner.judgement,
    }
}

/// The old value of the place, or of the nearest place above that has one.
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

    fn excuses(&self) -> bool {
        self.current.or(self.nearest).is_some_and(|pair| pair.unchanged())
    }
}

/// Nothing is asked any more.
struct Spent;

type Goes = Result<(), Spent>;

struct Runner {
    left: u64,
    judgement: Judgement,
}

impl Runner {
    fn visit(&mut self, value: &Value, old: Option<&Value>, node: &Node, at: &Place<'_>, ratchet: Ratchet<'_>) -> Goes {
        if value.is_null() || !node.has_rules {
            return Ok(());
        }
        let old = old.filter(|old| !old.is_null());
        if let Some(rules) = &node.rules {
            self.ask(value, old, node, rules, at, ratchet)?;
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

    fn ask(
        &mut self,
        value: &Value,
        old: Option<&Value>,
        node: &Node,
        rules: &Rules,
        at: &Place<'_>,
        ratchet: Ratchet<'_>,
    ) -> Goes {
        let name = type_name(node);
        let invalid = |detail: String| FieldError::at(at, Kind::Invalid, Some(Value::from(name)), detail);
        if self.left == 0 {
            self.judgement.errors.push(invalid(OUT_OF_BUDGET.to_owned()));
            return Err(Spent);
        }
        for rule in &rules.rules {
            if rule.uses_old_self && old.is_none() && !rule.optional_old_self {
                continue;
            }
            let call = Call { value, old, rules, optional: rule.optional_old_self };
            let (outcome, cost) = call.run(&rule.program);
            let Some(left) = self.left.checked_sub(cost) else {
                self.judgement.errors.push(invalid(OUT_OF_BUDGET.to_owned()));
                return Err(Spent);
            };
            self.left = left;
            let shown = &rule.shown;
            match outcome {
                Ok(Cel::Bool(true)) => {}
                Err(error) if error.reason == Reason::CostExceeded => {
                    let detail = format!(
                        "'{error}': no further validation rules will be run due to call cost exceeds limit for rule: {shown}"
                    );
                    self.judgement.errors.push(invalid(detail));
                    return Err(Spent);
                }
                Err(error) if error.message.starts_with("no such overload") => {
                    let detail = format!(
                        "'{error}': call arguments did not match a supported operator, function or macro signature for rule: {shown}"
                    );
                    self.judgement.errors.push(invalid(detail));
                }
                Err(error) => self.judgement.errors.push(invalid(format!("{error} evaluating rule: {shown}"))),
                Ok(_) => self.broken(rule, &call, node, at, ratchet)?,
            }
        }
        Ok(())
    }

    /// A rule is not met.
    fn broken(&mut self, rule: &Rule, call: &Call<'_>, node: &Node, at: &Place<'_>, ratchet: Ratchet<'_>) -> Goes {
        let told = rule.message.clone().unwrap_or_else(|| format!("failed rule: {}", rule.shown));
        let (detail, ended) = match &rule.message_program {
            None => (told, false),
            // Upstream never makes `oldSelf` optional here.
            Some(program) => match self.message(&Call { optional: false, ..*call }, program) {
                Made::Text(text) => (text, false),
                Made::Nothing => (told, false),
                Made::Spent(why) => (why, true),
            },
        };
        let compound = node.is(Type::Object) || node.is(Type::Array);
        let value = if compound { None } else { Some(call.value.clone()) };
        let (kind, value) =
            if ended { (Kind::Invalid, Some(Value::from(type_name(node)))) } else { (rule.kind, value) };
        // Of what occurs twice the API server only says that it does.
        let detail = if kind == Kind::Duplicate { String::new() } else { detail };
        let mut error = FieldError::at(at, kind, value, detail);
        if let Some(field) = &rule.field {
            let dot = if field.shown.starts_with('[') && at.is_root() { "" } else { "." };
            error.field =
                if at.is_root() { field.shown.clone() } else { format!("{}{dot}{}", error.field, field.shown) };
            error.path.extend(field.segments.iter().cloned());
        }
        if !rule.uses_old_self && ratchet.excuses() {
            self.judgement.warnings.push(error.to_string());
        } else {
            self.judgement.errors.push(error);
        }
        if ended { Err(Spent) } else { Ok(()) }
    }

    fn message(&mut self, call: &Call<'_>, program: &Program) -> Made {
        let (outcome, cost) = call.run(program);
        let Some(left) = self.left.checked_sub(cost) else {
            let detail = "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
            return Made::Spent(detail.to_owned());
        };
        match outcome {
            Err(error) if error.reason == Reason::CostExceeded => Made::Spent(format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {}",
                go::quote(program.source())
            )),
            outcome => {
                self.left = left;
                let text = outcome.ok().and_then(|value| value.as_str().map(|text| text.trim().to_owned()));
                let fits = |text: &String| !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
                text.filter(fits).map_or(Made::Nothing, Made::Text)
            }
        }
    }
}

/// What is shown where a rule cannot be asked: the type of the value, which int-or-string has not.
fn type_name(node: &Node) -> &'static str {
    match node.types.as_slice() {
        [only] => only.name(),
        _ => "",
    }
}

/// What became of a message.
enum Made {
    Text(String),
    /// It cannot be used; the rule's own is.
    Nothing,
    Spent(String),
}

const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// What an expression is asked about.
#[derive(Clone, Copy)]
struct Call<'a> {
    value: &'a Value,
    old: Option<&'a Value>,
    rules: &'a Rules,
    optional: bool,
}

impl<'a> Call<'a> {
    /// The outcome, and what it cost.
    ///
    /// A value that does not fit its schema is an error only where the expression reaches it: `self.a || true` is
    /// true whatever `self` is. So it is left out, and takes the place of the error that this makes.
    fn run(&self, program: &'a Program) -> (Result<Cel<'a>, RunError>, u64) {
        let declared = &self.rules.declared;
        let old = match (self.old, self.optional) {
            // Even an old value that does not fit is one.
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
