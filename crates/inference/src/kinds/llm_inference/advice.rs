//! What may still work but should be looked at: stated as conditions, never fatal.
//!
//! Every composite has every condition, so that programs can wait for one, and branch on its reason.

use super::derive::{GPUS_PER_NODE, Inputs};
use super::memory::{CARDS_AS_OF, Fit, Memory, Needs, fit, gigabytes};
use crate::compose::{Condition, ConditionStatus};
use crate::conditions::condition;
use crate::names::ServiceName;

/// What is to be said about one matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// As a condition.
    pub condition: Condition,
    /// Whether it is a warning.
    pub warning: bool,
}

impl Advice {
    /// The warning in words, if it is one.
    pub fn warning(&self) -> Option<&str> {
        self.condition.message.as_deref().filter(|_| self.warning)
    }
}

/// Everything there is to say about the composite, in a fixed order.
pub fn advice(inputs: &Inputs) -> Vec<Advice> {
    vec![name(inputs), gpus(inputs), memory(inputs), token(inputs)]
}

/// Type of the condition on memory.
const MEMORY: &str = "MemorySufficient";

/// Why the model cannot fit its GPUs, if it cannot.
pub fn too_large(inputs: &Inputs) -> Option<String> {
    match fit(inputs) {
        Fit::TooLarge(needs, memory) => Some(too_large_words(inputs, needs, &memory)),
        _ => None,
    }
}

/// The operator names a Service as the composite, and a Service's name is a DNS label.
fn name(inputs: &Inputs) -> Advice {
    let problems = ServiceName::problems(&inputs.name);
    let Some(first) = problems.first() else { return fine("NameUsable", "Usable", "") };
    let reason = match first {
        ServiceName::TooLong => "TooLong",
        ServiceName::HasDot => "HasDot",
        ServiceName::StartsWithDigit => "StartsWithDigit",
    };
    let words = problems.iter().map(|problem| problem.words()).collect::<Vec<_>>().join(" and ");
    warning(
        "NameUsable",
        ConditionStatus::False,
        reason,
        format!("no Service can be named `{}`: the name {words}", inputs.name),
    )
}

/// vLLM wants the attention heads to divide evenly among the shards, and a replica to be on one node.
fn gpus(inputs: &Inputs) -> Advice {
    const TYPE: &str = "GPUCountSupported";
    let gpus = inputs.gpus();
    let odd = (!gpus.is_power_of_two()).then(|| {
        format!("{gpus} is not a power of two: the model's attention heads must divide evenly among as many GPUs")
    });
    let many = (gpus > GPUS_PER_NODE)
        .then(|| format!("{gpus} GPUs are more than the {GPUS_PER_NODE} of the largest supported node"));
    let reason = if many.is_some() { "OverOneNode" } else { "NotPowerOfTwo" };
    match [many, odd].into_iter().flatten().collect::<Vec<_>>() {
        words if words.is_empty() => fine(TYPE, "Supported", ""),
        words => warning(TYPE, ConditionStatus::False, reason, words.join("; ")),
    }
}

fn memory(inputs: &Inputs) -> Advice {
    let unknown = |reason, message: String| Advice {
        condition: condition(MEMORY, ConditionStatus::Unknown, reason, message),
        warning: false,
    };
    match fit(inputs) {
        Fit::ModelUnknown => unknown("ModelSizeUnknown", String::new()),
        Fit::CardUnknown(needs) => {
            unknown("GPUMemoryUnknown", format!("`{}` needs {}", inputs.spec.model, words(needs)))
        }
        Fit::Fits(needs, memory) => {
            fine(MEMORY, "Fits", format!("`{}` needs {}; {}", inputs.spec.model, words(needs), has(inputs, &memory)))
        }
        Fit::TooLarge(needs, memory) => {
            warning(MEMORY, ConditionStatus::False, "TooLarge", too_large_words(inputs, needs, &memory))
        }
    }
}

/// The secret is on the target cluster, where nobody looks from here.
fn token(inputs: &Inputs) -> Advice {
    const TYPE: &str = "TokenRequired";
    if !inputs.profile().gated {
        return Advice { condition: condition(TYPE, ConditionStatus::False, "NotGated", ""), warning: false };
    }
    let (secret, namespace) = (&inputs.options.token_secret, inputs.target_namespace());
    let message = format!(
        "`{}` is gated: secret `{}` with a Hugging Face token under `{}` must exist in namespace `{namespace}` of the target cluster",
        inputs.spec.model, secret.name, secret.key,
    );
    warning(TYPE, ConditionStatus::True, "Gated", message)
}

fn fine(condition_type: &str, reason: &str, message: impl Into<String>) -> Advice {
    Advice { condition: condition(condition_type, ConditionStatus::True, reason, message), warning: false }
}

fn warning(condition_type: &str, status: ConditionStatus, reason: &str, message: String) -> Advice {
    Advice { condition: condition(condition_type, status, reason, message), warning: true }
}

fn too_large_words(inputs: &Inputs, needs: Needs, memory: &Memory) -> String {
    format!("`{}` cannot fit: it needs {}, and {}", inputs.spec.model, words(needs), has(inputs, memory))
}

fn words(needs: Needs) -> String {
    let [total, weights, overhead] = [needs.total(), needs.weights, needs.overhead].map(gigabytes);
    format!("at least {total} of GPU memory ({weights} for weights, {overhead} for cache and overhead)")
}

fn has(inputs: &Inputs, memory: &Memory) -> String {
    let total = gigabytes(memory.total);
    let gpus = match inputs.gpus() {
        1 => "1 GPU has".to_owned(),
        gpus => format!("{gpus} GPUs have"),
    };
    match (memory.assumed, inputs.options.gpu_memory) {
        (Some(card), _) => {
            format!("{gpus} {total} even with the largest card as of {CARDS_AS_OF} (NVIDIA {})", card.name)
        }
        (None, Some(each)) => format!("{gpus} {total} ({each} each)"),
        (None, None) => format!("{gpus} {total}"),
    }
}
