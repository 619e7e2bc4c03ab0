//! Rules of admission, and which of them an API server can evaluate by itself. The messages are those of [`super`] and
//! [`super::super::advice`].

use contract::catalog::Action::{self, Deny, Warn};
use toolbox::kind::{AdmissionRule, OTHERS, rule};
use toolbox::policy::PolicyRule;

/// The rules that CEL in an API server can state.
#[rustfmt::skip]
pub(in super::super) const POLICIES: &[PolicyRule] = &[
    name(Deny, "size(variables.name) <= 63",
        "'no Service can be named `' + variables.name + '`: the name is longer than 63 characters; use at most 63 lower-case letters, digits and `-`, starting with a letter'"),
    name(Deny, "!variables.name.contains('.')",
        "'no Service can be named `' + variables.name + '`: the name contains a dot; use at most 63 lower-case letters, digits and `-`, starting with a letter'"),
    name(Deny, "!variables.name.matches('^[0-9]')",
        "'no Service can be named `' + variables.name + '`: the name starts with a digit; use at most 63 lower-case letters, digits and `-`, starting with a letter'"),
    gpus("!has(object.spec.gpu) || object.spec.gpu <= 8 || !(object.spec.gpu in [16, 32, 64, 128, 256, 512, 1024])",
        "'no supported node has ' + string(object.spec.gpu) + ' GPUs: the largest has 8'"),
    gpus("!has(object.spec.gpu) || object.spec.gpu <= 8 || object.spec.gpu in [16, 32, 64, 128, 256, 512, 1024]",
        "'no supported node has ' + string(object.spec.gpu) + ' GPUs: the largest has 8; ' + string(object.spec.gpu) + ' is not a power of two: the model\\'s attention heads must divide evenly among as many GPUs'"),
    gpus("!has(object.spec.gpu) || object.spec.gpu > 8 || object.spec.gpu in [1, 2, 4, 8]",
        "string(object.spec.gpu) + ' is not a power of two: the model\\'s attention heads must divide evenly among as many GPUs'"),
];

/// All rules beyond the schema, in words.
#[rustfmt::skip]
pub(in super::super) const RULES: &[AdmissionRule] = &[
    rule(Deny, "metadata.name", "a new name that no Service can have", None),
    rule(Deny, "metadata.name", "objects on the target cluster that another LLMInference composes", Some(OTHERS)),
    rule(Deny, "spec.providerConfigName", "a provider configuration that does not exist", Some(OTHERS)),
    rule(Deny, "spec.ingressHost", "a host that another LLMInference has on the same cluster", Some(OTHERS)),
    rule(Warn, "spec.ingressHost", "a host that another LLMInference has on another cluster", Some(OTHERS)),
    rule(Deny, "spec.gpu", "a new model that cannot fit its GPUs, with option `llmInference.memoryAdvice: refuse`", Some(TABLES)),
    rule(Warn, "spec.gpu", "a model that cannot fit its GPUs", Some(TABLES)),
    rule(Warn, "spec.gpu", "more GPUs than a node has, or a number that is no power of two", None),
    rule(Warn, "spec.model", "a gated model, whose token secret must exist", Some(TABLES)),
    rule(Warn, "metadata", "a deletion that takes the model server of another LLMInference away", Some(OTHERS)),
];

const TABLES: &str = "what is known of models is a table, and a policy has none";

const fn name(action: Action, holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action, only_new: true, holds, says }
}

const fn gpus(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Warn, only_new: false, holds, says }
}
