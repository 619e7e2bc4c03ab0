//! Programs: compiled expressions, which can be evaluated any number of times.

use crate::check::checked::{Checked, Reference};
use crate::check::scope::Scope;
use crate::check::{checker, validate};
use crate::environment::Environment;
use crate::error::{CompileError, Problem, RunError, Stage};
use crate::estimate;
use crate::estimate::range::Estimate;
use crate::eval::Evaluation;
use crate::fuel::{Limits, WORK};
use crate::plan::planner;
use crate::plan::steps::Plan;
use crate::syntax::parse;
use crate::types::Type;
use crate::value::Value;

/// An expression that is compiled for an environment.
pub struct Program {
    source: String,
    output: Type,
    uses: Vec<&'static str>,
    estimate: Estimate,
    plan: Plan,
}

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The value, or the error.
    pub outcome: Result<Value<'a>, RunError>,
    /// The cost, in the units of the API server. A caller with a budget for several evaluations subtracts it from that.
    pub cost: u64,
    /// The work that was counted, in units of about a nanosecond of native code. It is the same on all machines.
    pub work: u64,
}

impl Program {
    /// Compiles an expression: parses it, checks its types, plans its evaluation and estimates its cost.
    ///
    /// # Errors
    /// [`CompileError`] with all problems. No text makes it panic.
    pub fn compile(environment: &Environment, text: &str) -> Result<Self, CompileError> {
        Self::compile_if(environment, text, |_| Ok(()))
    }

    /// The same, for expressions whose result must have a certain type: for any other type `accept` returns the message.
    ///
    /// # Errors
    /// [`CompileError`], as for [`compile`](Self::compile), or with the message of `accept`.
    pub fn compile_if(
        environment: &Environment,
        text: &str,
        accept: impl Fn(&Type) -> Result<(), String>,
    ) -> Result<Self, CompileError> {
        let scope = &environment.0;
        let (tree, root) = parse::parse(text, scope.dialect)?;
        let checked = checker::check(scope, text, &tree, root)?;
        let patterns = validate::validate(text, &tree, &checked, root)?;
        let output = checked.types[root as usize].clone();
        accept(&output).map_err(|message| CompileError::new(Problem::new(Stage::Result, text, None, message)))?;
        let plan = planner::plan(scope, &tree, &checked, patterns, root)
            .map_err(|error| CompileError::new(Problem::new(Stage::Plan, text, None, error.message)))?;
        let estimate = estimate::estimate(scope, &tree, &checked, root);
        Ok(Self { source: text.to_owned(), output, uses: uses(scope, &checked), estimate, plan })
    }

    /// The text of the expression.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The type of the result.
    pub fn output(&self) -> &Type {
        &self.output
    }

    /// Whether the expression uses a variable of the environment. A rule that uses `oldSelf` is a transition rule.
    pub fn uses(&self, variable: &str) -> bool {
        self.uses.contains(&variable)
    }

    /// The lowest and highest cost of an evaluation, as the API server estimates it from the declared sizes.
    pub fn estimate(&self) -> Estimate {
        self.estimate
    }

    /// Evaluates the expression with these values of its variables. A variable without a value is an error when it is used.
    ///
    /// The evaluation ends with an error as soon as it costs more than `budget`.
    pub fn run<'a>(&'a self, bindings: &[(&str, Value<'a>)], budget: u64) -> Run<'a> {
        self.run_within(bindings, Limits { cost: budget, work: WORK })
    }

    /// Evaluates the expression, with a limit of its own on the work too.
    pub fn run_within<'a>(&'a self, bindings: &[(&str, Value<'a>)], limits: Limits) -> Run<'a> {
        let mut evaluation = Evaluation::new(&self.plan, bindings, limits);
        let outcome = evaluation.run();
        Run { outcome, cost: evaluation.cost, work: evaluation.fuel.spent() }
    }

    /// The error for a program whose result does not have the required type.
    pub fn wrong_result(&self, message: String) -> CompileError {
        CompileError::new(Problem::new(Stage::Result, &self.source, None, message))
    }
}

fn uses(scope: &Scope, checked: &Checked) -> Vec<&'static str> {
    let used = |variable: &&str| {
        checked.references.iter().any(|reference| matches!(reference, Reference::Variable(name) if name == variable))
    };
    scope.variables().filter(used).collect()
}
