//! What an API server can judge by itself. The words are those of [`super`] and [`super::super::advice`].

use crate::catalog::Action::{self, Deny, Warn};
use crate::policy::PolicyRule;

/// The rules that its expressions can state.
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

/// The rules that they cannot.
pub(in super::super) const BEYOND_POLICIES: &[&str] = &[
    "a model that cannot fit its GPUs: the sizes of models and cards are tables, and depend on the platform's options",
    "a gated model, whose token secret must exist: which models are gated is a table",
    "a provider configuration that does not exist: a policy sees no other objects",
    "a host, or objects on the target cluster, that another LLMInference has: a policy sees no other objects",
    "defaults written for people to see: a validating policy changes nothing",
];

const fn name(action: Action, holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action, only_new: true, holds, says }
}

const fn gpus(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Warn, only_new: false, holds, says }
}
