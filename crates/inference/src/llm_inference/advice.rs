//! The conditions of a composite. They warn of what may work but should be looked at, and are never fatal.

use super::derive::{GPUS_PER_NODE, Inputs};
use super::hub::{self, Meant, Mistake};
use super::memory::{Fit, Memory, Needs, fit, gigabytes};
use crate::clouds::accelerators::AS_OF;
use contract::types::ConditionStatus::{False, True, Unknown};
use toolbox::conditions::{ConditionRow, Reported, note, warning};
use toolbox::names::ServiceName;

/// All conditions with all of their reasons, also for documentation.
pub const CONDITIONS: &[ConditionRow] = &[
    NAME_USABLE,
    NAME_TOO_LONG,
    NAME_HAS_DOT,
    NAME_STARTS_WITH_DIGIT,
    GPUS_SUPPORTED,
    GPUS_OVER_ONE_NODE,
    GPUS_NOT_POWER_OF_TWO,
    MEMORY_FITS,
    MEMORY_TOO_SMALL,
    MEMORY_OF_MODEL_UNKNOWN,
    MEMORY_OF_GPU_UNKNOWN,
    TOKEN_NOT_NEEDED,
    TOKEN_NEEDED,
    MODEL_NAMED,
    MODEL_IS_URL,
    MODEL_IN_OBJECT_STORAGE,
    MODEL_IS_PATH,
    MODEL_WITHOUT_ORGANISATION,
    MODEL_NOT_A_REPOSITORY,
];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const NAME_USABLE: ConditionRow = note("NameUsable", True, "Usable", "a Service can have the composite's name");
    pub(super) const NAME_TOO_LONG: ConditionRow = warning("NameUsable", False, "TooLong", "the composite's name is longer than that of a Service may be");
    pub(super) const NAME_HAS_DOT: ConditionRow = warning("NameUsable", False, "HasDot", "the composite's name has a dot, which that of a Service may not");
    pub(super) const NAME_STARTS_WITH_DIGIT: ConditionRow = warning("NameUsable", False, "StartsWithDigit", "the composite's name starts with a digit, which that of a Service may not");

    pub(super) const GPUS_SUPPORTED: ConditionRow = note("GPUCountSupported", True, "Supported", "one node can have as many GPUs, and vLLM can use them");
    pub(super) const GPUS_OVER_ONE_NODE: ConditionRow = warning("GPUCountSupported", False, "OverOneNode", "no supported node has as many GPUs, and a replica is on one node");
    pub(super) const GPUS_NOT_POWER_OF_TWO: ConditionRow = warning("GPUCountSupported", False, "NotPowerOfTwo", "vLLM wants the attention heads to divide evenly among the GPUs, which few models' do");

    pub(super) const MEMORY_FITS: ConditionRow = note("MemorySufficient", True, "Fits", "the model's weights fit the GPUs");
    pub(super) const MEMORY_TOO_SMALL: ConditionRow = warning("MemorySufficient", False, "TooLarge", "the model's weights cannot fit the GPUs");
    pub(super) const MEMORY_OF_MODEL_UNKNOWN: ConditionRow = note("MemorySufficient", Unknown, "ModelSizeUnknown", "the model's name does not say how large it is");
    pub(super) const MEMORY_OF_GPU_UNKNOWN: ConditionRow = note("MemorySufficient", Unknown, "GPUMemoryUnknown", "the platform's options do not say how much memory a GPU has; the largest would do");

    pub(super) const TOKEN_NOT_NEEDED: ConditionRow = note("TokenRequired", False, "NotGated", "the model is not known to be gated");
    pub(super) const TOKEN_NEEDED: ConditionRow = warning("TokenRequired", True, "Gated", "the model is gated: a secret with a Hugging Face token must exist on the target cluster");

    pub(super) const MODEL_NAMED: ConditionRow = note("ModelNameUsable", True, "Usable", "the model is named as a repository of Hugging Face, with its organisation");
    pub(super) const MODEL_IS_URL: ConditionRow = warning("ModelNameUsable", False, "URL", "the model is a URL, which vLLM would take for the name of a repository");
    pub(super) const MODEL_IN_OBJECT_STORAGE: ConditionRow = warning("ModelNameUsable", False, "ObjectStorage", "the model is in object storage, for which vLLM would have no credentials and no arguments");
    pub(super) const MODEL_IS_PATH: ConditionRow = warning("ModelNameUsable", False, "Path", "the model is a path, where vLLM would find nothing: no volume is composed");
    pub(super) const MODEL_WITHOUT_ORGANISATION: ConditionRow = warning("ModelNameUsable", False, "NoOrganisation", "the model is named without its organisation, and vLLM would find only a few old repositories so");
    pub(super) const MODEL_NOT_A_REPOSITORY: ConditionRow = warning("ModelNameUsable", False, "NotARepository", "no repository can have the model's name, and vLLM would not start");
}
use rows::*;

/// The conditions of the composite, in a fixed order.
pub fn advice(inputs: &Inputs) -> Vec<Reported> {
    vec![name(inputs), gpus(inputs), memory(inputs), token(inputs), model(inputs)]
}

/// The fields that the conditions are about, in the same order.
pub const FIELDS: [&str; 5] = ["metadata.name", "spec.gpu", "spec.gpu", "spec.model", "spec.model"];

/// Why the model cannot fit its GPUs, or `None` when it may fit.
pub fn too_large(inputs: &Inputs) -> Option<String> {
    match fit(inputs) {
        Fit::TooLarge(needs, memory) => Some(too_large_words(inputs, needs, &memory)),
        _ => None,
    }
}

/// The operator gives its Service the name of the composite, and the name of a Service is a DNS label.
fn name(inputs: &Inputs) -> Reported {
    let problems = ServiceName::problems(&inputs.name);
    let row = match problems.first() {
        None => return NAME_USABLE.report(""),
        Some(ServiceName::TooLong) => NAME_TOO_LONG,
        Some(ServiceName::HasDot) => NAME_HAS_DOT,
        Some(ServiceName::StartsWithDigit) => NAME_STARTS_WITH_DIGIT,
    };
    let words = problems.iter().map(|problem| problem.words()).collect::<Vec<_>>().join(" and ");
    row.report(format!("no Service can be named `{}`: the name {words}", inputs.name))
}

fn gpus(inputs: &Inputs) -> Reported {
    let gpus = inputs.gpus();
    let many =
        (gpus > GPUS_PER_NODE).then(|| format!("no supported node has {gpus} GPUs: the largest has {GPUS_PER_NODE}"));
    let odd = (!gpus.is_power_of_two()).then(|| {
        format!("{gpus} is not a power of two: the model's attention heads must divide evenly among as many GPUs")
    });
    match (many, odd) {
        (None, None) => GPUS_SUPPORTED.report(""),
        (None, Some(odd)) => GPUS_NOT_POWER_OF_TWO.report(odd),
        (Some(many), None) => GPUS_OVER_ONE_NODE.report(many),
        (Some(many), Some(odd)) => GPUS_OVER_ONE_NODE.report(format!("{many}; {odd}")),
    }
}

fn memory(inputs: &Inputs) -> Reported {
    let model = &inputs.spec.model;
    match fit(inputs) {
        Fit::ModelUnknown => MEMORY_OF_MODEL_UNKNOWN.report(""),
        Fit::CardUnknown(needs) => MEMORY_OF_GPU_UNKNOWN.report(format!("`{model}` needs {}", needed(needs))),
        Fit::Fits(needs, memory) => {
            MEMORY_FITS.report(format!("`{model}` needs {}; {}", needed(needs), available(inputs, &memory)))
        }
        Fit::TooLarge(needs, memory) => MEMORY_TOO_SMALL.report(too_large_words(inputs, needs, &memory)),
    }
}

/// Whether the Secret exists is unknown, because it is on the target cluster.
fn token(inputs: &Inputs) -> Reported {
    if !inputs.profile().gated {
        return TOKEN_NOT_NEEDED.report("");
    }
    let (secret, namespace) = (&inputs.options.token_secret, inputs.target_namespace());
    TOKEN_NEEDED.report(format!(
        "`{}` is gated: secret `{}` with a Hugging Face token under `{}` must exist in namespace `{namespace}` of the target cluster",
        inputs.spec.model, secret.name, secret.key,
    ))
}

/// Whether the repository exists is unknown, because nobody asks the hub.
fn model(inputs: &Inputs) -> Reported {
    let model = &inputs.spec.model;
    let Some(mistake) = hub::mistake(model) else { return MODEL_NAMED.report("") };
    let (row, words) = match mistake {
        Mistake::Url => (MODEL_IS_URL, "is a URL: vLLM would take it for the name of a repository, and find none"),
        Mistake::ObjectStorage => (
            MODEL_IN_OBJECT_STORAGE,
            "is in object storage: vLLM would read it with the Run:ai streamer, without credentials and arguments",
        ),
        Mistake::Path => (MODEL_IS_PATH, "is a path: vLLM would look for it in its container, where no volume is"),
        Mistake::NoOrganisation => {
            (MODEL_WITHOUT_ORGANISATION, "has no organisation: vLLM would find only a few old repositories so")
        }
        Mistake::NotARepository => (MODEL_NOT_A_REPOSITORY, "cannot name a repository: vLLM would not start"),
    };
    let advice = match hub::meant(model) {
        Some(Meant::Certainly(repository)) => format!("write `{repository}`"),
        Some(Meant::Perhaps(repository)) => format!("perhaps `{repository}` is meant"),
        None => "name a repository of Hugging Face, as `organisation/name`".to_owned(),
    };
    row.report(format!("`{model}` {words}; {advice}"))
}

fn too_large_words(inputs: &Inputs, needs: Needs, memory: &Memory) -> String {
    format!("`{}` cannot fit: it needs {}, and {}", inputs.spec.model, needed(needs), available(inputs, memory))
}

fn needed(needs: Needs) -> String {
    let [total, weights, overhead] = [needs.total(), needs.weights, needs.overhead].map(gigabytes);
    format!("at least {total} of GPU memory ({weights} for weights, {overhead} for cache and overhead)")
}

fn available(inputs: &Inputs, memory: &Memory) -> String {
    let total = gigabytes(memory.total);
    let gpus = match inputs.gpus() {
        1 => "1 GPU has".to_owned(),
        gpus => format!("{gpus} GPUs have"),
    };
    match (memory.assumed, &inputs.options.gpu_memory) {
        (Some(card), _) => {
            format!("{gpus} {total} even with the largest card as of {AS_OF} (NVIDIA {})", card.name)
        }
        (None, Some(each)) => format!("{gpus} {total} ({each} each)"),
        (None, None) => format!("{gpus} {total}"),
    }
}
