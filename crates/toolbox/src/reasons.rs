//! Why composed values are what they are.

use contract::compose::{ComposeRequest, Derivation};

use crate::composed::Composed;
use crate::rule::{Plan, Rule};

/// The rules behind what a step composes. They are spelled out only when somebody reads them: a preview composes again and again, and
/// shows what comes last.
#[derive(Debug, Default)]
pub struct Reasons {
    is_wanted: bool,
    plans: Vec<Behind>,
    known: Vec<Derivation>,
}

/// A plan, and where its object is.
#[derive(Debug)]
struct Behind {
    /// A composition resource name. Empty for the composite.
    resource: String,
    /// The path in the resource.
    under: &'static str,
    plan: Plan,
}

impl Reasons {
    /// The rules behind resources. None unless the request asks for them.
    pub fn of(request: &ComposeRequest, resources: &[Composed]) -> Self {
        let behind = |it: &Composed| Behind { resource: it.key.clone(), under: "", plan: it.plan.clone() };
        let plans = if request.explain { resources.iter().map(behind).collect() } else { Vec::new() };
        Self { is_wanted: request.explain, plans, known: Vec::new() }
    }

    /// What is spelled out already.
    pub fn known(derivations: Vec<Derivation>) -> Self {
        Self { known: derivations, ..Self::default() }
    }

    /// The same, with the rules of the composite's status.
    #[must_use]
    pub fn with_status<I>(mut self, rules: &[Rule<I>], inputs: &I) -> Self {
        if self.is_wanted {
            self.plans.push(Behind { resource: String::new(), under: "status", plan: Plan::of(rules, inputs) });
        }
        self
    }

    /// The rule behind each value.
    pub fn derivations(self) -> Vec<Derivation> {
        let of_plans = self.plans.iter().flat_map(|it| it.plan.derivations(&it.resource, it.under));
        of_plans.chain(self.known).collect()
    }
}
