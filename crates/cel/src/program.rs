//! Programs: expressions that have been compiled and can run any number of times.

use crate::check::checked::{Checked, Reference};
use crate::check::scope::Scope;
use crate::check::{checker, validate};
use crate::environment::Environment;
use crate::error::{CompileError, Problem, RunError, Stage};
use crate::estimate;
use crate::estimate::range::Estimate;
use crate::eval::Evaluation;
use crate::plan::planner;
use crate::plan::steps::Plan;
use crate::syntax::parse;
use crate::types::Type;
use crate::value::Value;

/// An expression, compiled for an environment.
pub struct Program {
    source: String,
    output: Type,
    uses: Vec<&'static str>,
    estimate: Estimate,
    plan: Plan,
}

/// What came of an evaluation.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The value, or why there is none.
    pub outcome: Result<Value<'a>, RunError>,
    /// What it has cost, in the units of the API server. A caller with a budget for several evaluations takes it
    /// off that.
    pub cost: u64,
}

impl Program {
    /// Compiles an expression: parses it, checks its types, folds its constants and estimates its cost.
    ///
    /// # Errors
    /// [`CompileError`] with all that is wrong. It never panics, whatever the text.
    pub fn compile(environment: &Environment, text: &str) -> Result<Self, CompileError> {
        Self::compile_if(environment, text, |_| Ok(()))
    }

    /// The same, for expressions whose result must be of a certain type: `accept` gives the words for what is wrong
    /// with another. Rules must be boolean, and message expressions text.
    ///
    /// # Errors
    /// [`CompileError`], as for [`compile`](Self::compile), or with the words of `accept`.
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

    /// The text it was compiled from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The type of its result.
    pub fn output(&self) -> &Type {
        &self.output
    }

    /// Whether it refers to a variable of the environment: a rule that uses `oldSelf` is a transition rule.
    pub fn uses(&self, variable: &str) -> bool {
        self.uses.contains(&variable)
    }

    /// What a run costs at least and at most, as the API server estimates it from the sizes that types declare.
    pub fn estimate(&self) -> Estimate {
        self.estimate
    }

    /// Evaluates it. Each variable is bound to a value; one that is left out is an error when it is reached.
    ///
    /// The run ends with an error as soon as it costs more than `budget`.
    pub fn run<'a>(&'a self, bindings: &[(&str, Value<'a>)], budget: u64) -> Run<'a> {
        let mut evaluation = Evaluation::new(&self.plan, bindings, budget);
        let outcome = evaluation.run();
        Run { outcome, cost: evaluation.cost }
    }

    /// The error for a program whose result is not of the type that is asked for.
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
