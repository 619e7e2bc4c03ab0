//! Why an expression is false: the term that decides it, with its operands.
//!
//! The text of the expression is split at its operators, and the parts are evaluated as expressions of their own. So
//! evaluation itself knows nothing of explanations, and what is said of a term was evaluated.

use crate::environment::Environment;
use crate::program::Program;
use crate::syntax::split::{self, Outermost};
use crate::value::Value;

/// The longest explanation, in bytes.
pub const MOST_BYTES: usize = 200;

/// The parts of an expression that are evaluated for one explanation.
const MOST_PARTS: u32 = 64;

/// The longest operand that is shown, in bytes.
const MOST_OPERAND: usize = 90;

/// The longest value that is shown, in bytes.
const MOST_VALUE: usize = 40;

/// Why an expression is not true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The term that decides, with its operands: `device.driver: "a" != "b"`. One line of at most [`MOST_BYTES`].
    pub text: String,
    /// An expression that is true and says the same. `None` when the term fails with an error, which `text` names.
    pub holds: Option<String>,
}

/// Why an expression is false, or fails, with these values of its variables. Of several terms it names the first one.
///
/// It costs several evaluations, each with at most `budget`. `None` when the expression is true, does not compile, or is too
/// much work.
pub fn explain(environment: &Environment, text: &str, bindings: &[(&str, Value<'_>)], budget: u64) -> Option<Because> {
    let mut explaining = Explaining { environment, bindings, budget, parts: MOST_PARTS };
    let because = match explaining.evaluate(text)? {
        Found::Bool(false) => explaining.why(text, false),
        Found::Failed(message) => explaining.failure(text, &message),
        Found::Bool(true) | Found::Other(..) => None,
    }?;
    Some(Because { text: clip(&because.text, MOST_BYTES), ..because })
}

impl Because {
    /// A term that fails with an error.
    pub(crate) fn failed(term: &str, message: &str) -> Self {
        Self { text: clip(&format!("{}: {}", operand(term), line(message)), MOST_BYTES), holds: None }
    }
}

struct Explaining<'e, 'v> {
    environment: &'e Environment,
    bindings: &'e [(&'e str, Value<'v>)],
    budget: u64,
    /// The parts that may still be evaluated.
    parts: u32,
}

/// What a part evaluates to.
enum Found {
    Bool(bool),
    /// Another value: as it is shown, and as an integer if it is one.
    Other(String, Option<i64>),
    Failed(String),
}

impl Found {
    fn shown(&self) -> String {
        match self {
            Found::Bool(value) => value.to_string(),
            Found::Other(text, _) => text.clone(),
            Found::Failed(message) => message.clone(),
        }
    }
}

impl Explaining<'_, '_> {
    /// Evaluates a part. `None` when that is too much work, or the part means nothing without what is around it.
    fn evaluate(&mut self, text: &str) -> Option<Found> {
        self.parts = self.parts.checked_sub(1)?;
        let program = Program::compile(self.environment, text).ok()?;
        let found = match program.run(self.bindings, self.budget).outcome {
            Ok(Value::Bool(value)) => Found::Bool(value),
            Ok(Value::Int(int)) => Found::Other(int.to_string(), Some(int)),
            Ok(value) => Found::Other(shown(&value), None),
            Err(error) if error.is_final() => return None,
            Err(error) => Found::Failed(error.to_string()),
        };
        Some(found)
    }

    fn is(&mut self, text: &str, value: bool) -> Option<bool> {
        self.evaluate(text).map(|found| matches!(found, Found::Bool(it) if it == value))
    }

    /// Why a part is true or false, which it `is`.
    fn why(&mut self, text: &str, is: bool) -> Option<Because> {
        let shape = split::shape(text);
        let found = match &shape {
            Outermost::Or(parts) | Outermost::And(parts) => {
                for part in parts {
                    if self.is(part, is)? {
                        return self.why(part, is);
                    }
                }
                None
            }
            Outermost::Not(part) => return self.why(part, !is),
            Outermost::Choice([condition, truthy, falsy]) => {
                let chosen = if self.is(condition, true)? { truthy } else { falsy };
                return self.why(chosen, is);
            }
            Outermost::Relation { left, operator, right } => self.relation(left, operator, right, is),
            Outermost::Call { target, name, arguments } => match (*target, *name, arguments.as_slice()) {
                (None, "has", [field]) => {
                    let state = if is { "is present" } else { "is absent" };
                    self.holding(format!("{} {state}", operand(field)), text, is)
                }
                (Some(left), "isGreaterThan" | "isLessThan", &[right])
                | (None, "isGreaterThan" | "isLessThan", &[left, right]) => self.order(left, right),
                (Some(range), "all" | "exists", &[variable, body]) => {
                    self.elements(text, (range, variable, body), name, is)
                }
                _ => None,
            },
            Outermost::Term => None,
        };
        found.or_else(|| self.whole(text, &shape, is))
    }

    /// An explanation, if the part is what it says.
    fn holding(&mut self, says: String, part: &str, is: bool) -> Option<Because> {
        let holds = if is { format!("({part}\n)") } else { format!("!({part}\n)") };
        self.is(&holds, true)?.then_some(Because { text: says, holds: Some(holds) })
    }

    /// A part that is shown as it is.
    fn whole(&mut self, text: &str, shape: &Outermost<'_>, is: bool) -> Option<Because> {
        let mut says = format!("{}: {is}", operand(text));
        if let Outermost::Call { target: Some(target), .. } = shape
            && let Some(found) = self.evaluate(target)
            && !matches!(found, Found::Failed(_))
        {
            says.push_str(" for ");
            says.push_str(&found.shown());
        }
        self.holding(says, text, is)
    }

    fn relation(&mut self, left: &str, operator: &str, right: &str, is: bool) -> Option<Because> {
        if split::plain(right) == "0"
            && let Outermost::Call { target, name: "compareTo", arguments } = split::shape(left)
        {
            let found = match (target, arguments.as_slice()) {
                (Some(left), &[right]) | (None, &[left, right]) => self.order(left, right),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        let actual = if is { operator } else { opposite(operator)? };
        let says = format!("{} {actual} {}", self.side(left)?, self.side(right)?);
        let holds = match actual {
            "not in" => format!("!(({left}\n) in ({right}\n))"),
            _ => format!("({left}\n) {actual} ({right}\n)"),
        };
        self.holding(says, &holds, true)
    }

    /// How two quantities or versions are ordered.
    fn order(&mut self, left: &str, right: &str) -> Option<Because> {
        let compared = format!("({left}\n).compareTo({right}\n)");
        let Found::Other(_, Some(order)) = self.evaluate(&compared)? else { return None };
        let actual = match order {
            ..0 => "<",
            0 => "==",
            1.. => ">",
        };
        let says = format!("{} {actual} {}", self.side(left)?, self.side(right)?);
        self.holding(says, &format!("{compared} {actual} 0"), true)
    }

    /// A side of a relation: its value, and its text if that says more.
    fn side(&mut self, text: &str) -> Option<String> {
        let found = self.evaluate(text)?;
        if matches!(found, Found::Failed(_)) {
            return None;
        }
        Some(if split::is_constant(text) { found.shown() } else { format!("{}: {}", operand(text), found.shown()) })
    }

    /// The first element that decides `all` or `exists`, or the number of elements when all do.
    fn elements(
        &mut self,
        text: &str,
        (range, variable, body): (&str, &str, &str),
        name: &str,
        is: bool,
    ) -> Option<Because> {
        let (among, what) = (operand(range), operand(body));
        if is == (name == "all") {
            let size = self.evaluate(&format!("size({range}\n)"))?;
            let Found::Other(size, Some(_)) = size else { return None };
            let says = match (size.as_str(), is) {
                ("0", _) => format!("{among} is empty"),
                (_, true) => format!("all {size} of {among}: {what}"),
                (_, false) => format!("none of {size} in {among}: {what}"),
            };
            return self.holding(says, text, is);
        }
        let deciding = if is { format!("({body}\n)") } else { format!("!({body}\n)") };
        let found = self.evaluate(&format!("({range}\n).filter({variable}, {deciding})[0]"))?;
        if matches!(found, Found::Failed(_)) {
            return None;
        }
        let says = format!("{} = {} in {among}: {what} is {is}", split::plain(variable), found.shown());
        self.holding(says, text, is)
    }

    /// The first part that fails as the whole does.
    fn failure(&mut self, text: &str, message: &str) -> Option<Because> {
        let parts = match split::shape(text) {
            Outermost::Or(parts) | Outermost::And(parts) => parts,
            Outermost::Not(part) => vec![part],
            Outermost::Choice(parts) => parts.to_vec(),
            Outermost::Relation { left, right, .. } => vec![left, right],
            Outermost::Call { .. } | Outermost::Term => Vec::new(),
        };
        for part in parts {
            if let Some(Found::Failed(of_part)) = self.evaluate(part)
                && of_part == message
            {
                return self.failure(part, message);
            }
        }
        Some(Because::failed(text, message))
    }
}

/// The operator that is true when the given one is false.
fn opposite(operator: &str) -> Option<&'static str> {
    const OPPOSITES: &[(&str, &str)] =
        &[("==", "!="), ("!=", "=="), ("<", ">="), (">=", "<"), (">", "<="), ("<=", ">")];
    if operator == "in" {
        return Some("not in");
    }
    OPPOSITES.iter().find(|row| row.0 == operator).map(|row| row.1)
}

/// The text of a part on one line. Of a long one its end, which says most of a path.
fn operand(text: &str) -> String {
    let plain = split::plain(text);
    let Some(skipped) = plain.len().checked_sub(MOST_OPERAND).filter(|skipped| *skipped > 0) else { return plain };
    let from = (skipped + '…'.len_utf8()..plain.len()).find(|at| plain.is_char_boundary(*at));
    format!("…{}", from.and_then(|from| plain.get(from..)).unwrap_or_default())
}

/// A text without line breaks and other control characters.
fn line(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

fn clip(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most.saturating_sub('…'.len_utf8())).rev().find(|at| text.is_char_boundary(*at));
    format!("{}…", end.and_then(|end| text.get(..end)).unwrap_or_default())
}

/// A value as an expression would spell it, if it is short.
fn shown(value: &Value<'_>) -> String {
    let text = match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => format!("{value}u"),
        Value::Double(value) => value.to_string(),
        Value::String(text) => return format!("\"{}\"", clip(&line(text), MOST_VALUE)),
        Value::Quantity(amount) => amount.shared.to_string(),
        Value::Version(version) => version.to_string(),
        Value::Ip(ip) => ip.to_string(),
        Value::Cidr(cidr) => cidr.to_string(),
        Value::List(list) => {
            let items: Vec<_> = list.as_they_are().take(4).map(|item| shown(&item)).collect();
            let more = if list.len() > items.len() { ", …" } else { "" };
            return format!("[{}{more}]", items.join(", "));
        }
        other => format!("a value of type {}", other.ty()),
    };
    clip(&text, MOST_VALUE)
}
