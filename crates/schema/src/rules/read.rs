//! Reads and compiles rules. The errors are those of the API server when a definition is created.

use cel::{CompileError, Declared, Environment, Program, Stage};
use serde_json::{Map, Value};

use super::cost::{Costs, Repetition};
use super::field_path::field_path;
use super::rule::{FieldPath, Rule, Rules};
use crate::error::{FieldError, Kind, WHOLE};
use crate::go;
use crate::node::Node;
use crate::path::Place;

/// The context of a schema with rules.
#[derive(Clone, Copy)]
pub(crate) struct SchemaContext<'a> {
    /// The place of the schema.
    pub(crate) at: &'a Place<'a>,
    /// Whether it is the schema of a whole resource.
    pub(crate) resource: bool,
    /// How often its values can occur.
    pub(crate) times: Repetition,
    /// The place of a list above whose items have no old values.
    pub(crate) uncorrelated: Option<&'a Place<'a>>,
}

/// The errors of a schema's rules that are found without compiling them.
pub(crate) fn syntax_errors(schema: &Map<String, Value>, node: &Node, context: SchemaContext<'_>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    each(schema, node, context, |reader| errors.extend(reader.syntax_errors()));
    errors
}

/// Compiles the rules of a schema, whose other keywords are in `node`. Errors are added to `errors`.
pub(crate) fn read(
    schema: &Map<String, Value>,
    node: &Node,
    context: SchemaContext<'_>,
    costs: &mut Costs,
    errors: &mut Vec<FieldError>,
) -> Option<Rules> {
    schema.get(KEYWORD)?.as_array().filter(|rules| !rules.is_empty())?;
    if let Some(error) = costs.declare(&context.at.field(KEYWORD), schema) {
        errors.push(error);
        return None;
    }
    let declared = Declared::from_schema(&Value::Object(schema.clone()), context.resource)?;
    // All rules of a schema have the same variables, but for `optionalOldSelf`.
    let environments = [false, true].map(|optional| Environment::rule(&declared, optional));
    let mut rules = Vec::new();
    each(schema, node, context, |reader| {
        // The schema cannot be used, and nobody reads more errors.
        if errors.len() < WHOLE {
            rules.extend(reader.compile(&declared, &environments, costs, errors));
        }
    });
    Some(Rules { declared, rules })
}

const KEYWORD: &str = "x-kubernetes-validations";

fn each(schema: &Map<String, Value>, node: &Node, context: SchemaContext<'_>, mut act: impl FnMut(&RuleReader<'_>)) {
    let place = context.at.field(KEYWORD);
    for (index, rule) in schema.get(KEYWORD).and_then(Value::as_array).into_iter().flatten().enumerate() {
        act(&RuleReader { rule, at: &place.index(index), node, context });
    }
}

struct RuleReader<'a> {
    rule: &'a Value,
    at: &'a Place<'a>,
    node: &'a Node,
    context: SchemaContext<'a>,
}

impl RuleReader<'_> {
    fn text(&self, name: &str) -> &str {
        self.rule[name].as_str().unwrap_or_default()
    }

    fn error(&self, name: &str, kind: Kind, value: Option<Value>, detail: impl Into<String>) -> FieldError {
        FieldError::at(&self.at.field(name), kind, value, detail)
    }

    /// The errors of a rule that are found without compiling it.
    fn syntax_errors(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let (rule, message, path) = (self.text("rule"), self.text("message"), self.text("fieldPath"));
        let breaks = |text: &str| text.contains(['\n', '\r']);
        let invalid =
            |name: &str, value: &str, detail: &str| self.error(name, Kind::Invalid, Some(Value::from(value)), detail);
        if rule.trim().is_empty() {
            errors.push(self.error("rule", Kind::Required, None, "rule is not specified"));
        } else if !message.is_empty() && message.trim().is_empty() {
            errors.push(invalid("message", message, "must be non-empty if specified"));
        } else if breaks(message.trim()) {
            errors.push(invalid("message", message, "must not contain line breaks"));
        } else if breaks(rule.trim()) && message.trim().is_empty() {
            let detail = "message must be specified if rule contains line breaks";
            errors.push(self.error("message", Kind::Required, None, detail));
        }
        let expression = self.text("messageExpression");
        if !expression.is_empty() && expression.trim().is_empty() {
            let detail = "messageExpression must be non-empty if specified";
            errors.push(self.error("messageExpression", Kind::Required, None, detail));
        }
        if let (Some(reason), None) = (self.rule["reason"].as_str(), self.kind()) {
            let reasons: Vec<_> = REASONS.iter().map(|(name, _)| go::quote(name)).collect();
            let detail = format!("supported values: {}", reasons.join(", "));
            errors.push(self.error("reason", Kind::NotSupported, Some(Value::from(reason)), detail));
        }
        if !path.is_empty() && path.trim().is_empty() {
            errors.push(invalid("fieldPath", path, "must be non-empty if specified"));
        }
        if breaks(path) {
            errors.push(invalid("fieldPath", path, "must not contain line breaks"));
        }
        if !path.is_empty() && self.field().is_none() {
            errors.push(invalid("fieldPath", path, "must be a valid path"));
        }
        errors
    }

    fn kind(&self) -> Option<Kind> {
        let Some(reason) = self.rule["reason"].as_str() else { return Some(Kind::Invalid) };
        REASONS.iter().find(|(name, _)| *name == reason).map(|(_, kind)| *kind)
    }

    fn field(&self) -> Option<FieldPath> {
        field_path(self.text("fieldPath"), self.node)
    }

    fn compile(
        &self,
        declared: &Declared,
        environments: &[Environment; 2],
        costs: &mut Costs,
        errors: &mut Vec<FieldError>,
    ) -> Option<Rule> {
        let rule = self.text("rule");
        let optional = self.rule["optionalOldSelf"].as_bool();
        let environment = &environments[usize::from(optional.unwrap_or_default())];
        let times = self.context.times.unwrap_or_else(|| declared.most_in_a_request());
        let program = compiled(environment, rule, &cel::Type::Bool, "cel expression must evaluate to a bool");
        let uses_old_self = program.as_ref().is_ok_and(|program| program.uses("oldSelf"));
        match (uses_old_self, self.context.uncorrelated, optional) {
            (true, Some(within), _) => {
                let within = within.bracketed();
                let detail =
                    format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {within}");
                errors.push(self.error("rule", Kind::Invalid, Some(Value::from(rule)), detail));
            }
            (false, _, Some(optional)) => {
                let detail = "may not be set if oldSelf is not used in rule";
                errors.push(self.error("optionalOldSelf", Kind::Invalid, Some(Value::from(optional)), detail));
            }
            _ => {}
        }
        let program = match program {
            Ok(program) => program,
            Err(error) => {
                errors.push(self.uncompiled("rule", "compilation failed", error));
                return None;
            }
        };
        errors.extend(costs.add("rule", &self.at.field("rule"), program.estimate().max, times));
        let message_program = self.message(environment, costs, errors);
        let message = Some(self.text("message").trim()).filter(|message| !message.is_empty()).map(str::to_owned);
        Some(Rule {
            shown: message.clone().unwrap_or_else(|| rule.trim().to_owned()),
            message,
            kind: self.kind()?,
            field: self.field(),
            program,
            message_program,
            uses_old_self,
            optional_old_self: optional.unwrap_or_default(),
        })
    }

    fn message(&self, environment: &Environment, costs: &mut Costs, errors: &mut Vec<FieldError>) -> Option<Program> {
        let source = Some(self.text("messageExpression")).filter(|source| !source.is_empty())?;
        match compiled(environment, source, &cel::Type::String, "messageExpression must evaluate to a string") {
            Ok(program) => {
                // A message expression counts only once, even if the rule is evaluated many times.
                let at = self.at.field("messageExpression");
                errors.extend(costs.add("messageExpression", &at, program.estimate().max, 1));
                Some(program)
            }
            Err(error) => {
                errors.push(self.uncompiled("messageExpression", "messageExpression compilation failed", error));
                None
            }
        }
    }

    /// The error for an expression that does not compile. It shows the whole rule, as Go prints its type in the API server.
    fn uncompiled(&self, name: &str, what: &str, error: CompileError) -> FieldError {
        let wrong_type = error.problems.iter().any(|problem| problem.stage == Stage::Result);
        let detail = if wrong_type { error.to_string() } else { format!("{what}: {error}") };
        let text = |name: &str| go::json(&Value::from(self.text(name)));
        let rule = format!(
            "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{},\"FieldPath\":{},\"OptionalOldSelf\":{}}}",
            text("rule"),
            text("message"),
            text("messageExpression"),
            go::json(&self.rule["reason"]),
            text("fieldPath"),
            go::json(&self.rule["optionalOldSelf"]),
        );
        self.error(name, Kind::Invalid, None, format!("{rule}: {detail}"))
    }
}

/// Compiles an expression whose result must have the type `wanted`.
fn compiled(
    environment: &Environment,
    text: &str,
    wanted: &cel::Type,
    otherwise: &str,
) -> Result<Program, CompileError> {
    let program = Program::compile(environment, text)?;
    if program.output() == wanted { Ok(program) } else { Err(program.wrong_result(otherwise.to_owned())) }
}

/// The values of `reason`.
const REASONS: [(&str, Kind); 4] = [
    ("FieldValueDuplicate", Kind::Duplicate),
    ("FieldValueForbidden", Kind::Forbidden),
    ("FieldValueInvalid", Kind::Invalid),
    ("FieldValueRequired", Kind::Required),
];
