//! Sections of the reference page of LLMInference: sizes, models and cards.

use inference::clouds::accelerators::{ACCELERATORS, AS_OF};
use inference::llm_inference::derive::{self, Inputs};
use inference::llm_inference::profile;
use inference::options::Options;
use serde_json::{Value, json};
use toolbox::rule::Plan;

use crate::table::{code, table};

/// The sections before the rules.
pub(crate) fn before_rules() -> String {
    format!("## Sizes\n\n{}\n", sizes())
}

/// The sections after the rules.
pub(crate) fn after_rules() -> String {
    format!(
        "## Models\n\nWhat is known of models; the first row that matches counts. Any other model is served as it is.\n\n{}\n\
         ## Memory\n\n{}\n",
        models(),
        cards(),
    )
}

/// A table of sizes for each number of GPUs, computed by the rules.
fn sizes() -> String {
    let at = |gpus: u16, path: &str| {
        let manifest = Plan::of(derive::RUNTIME, &inputs(gpus)).into_object();
        match manifest.pointer(path) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(list)) => list.iter().filter_map(|v| v["value"].as_str()).collect::<Vec<_>>().join(", "),
            Some(value) => value.to_string(),
            None => "–".to_owned(),
        }
    };
    let columns = [
        "/spec/deploymentConfig/resources/cpu",
        "/spec/deploymentConfig/resources/memory",
        "/spec/deploymentConfig/shmSize",
        "/spec/vllmConfig/tensorParallelSize",
        "/spec/vllmConfig/env",
        "/metadata/annotations/inference.devopstoolkit.ai~1initial-delay-seconds",
    ];
    let heads = ["`gpu`", "CPU", "memory", "shared memory", "shards", "worker method", "start-up delay in s"];
    let row = |gpus: u16| -> [String; 7] {
        let mut cells = columns.iter().map(|column| at(gpus, column));
        std::array::from_fn(|i| if i == 0 { gpus.to_string() } else { cells.next().unwrap_or_default() })
    };
    table(&heads, (1..=8).map(row))
}

fn models() -> String {
    let rows = profile::PROFILES.iter().map(|profile| {
        let matches = match profile.matches {
            profile::Match::Exactly(name) => code(name),
            profile::Match::Prefix(start) => code(&format!("{start}*")),
        };
        let class = match profile.class {
            profile::Class::Generative => "generative",
            profile::Class::Embedding => "embedding",
        };
        let parser = profile.tool_call_parser.map(code).unwrap_or_default();
        let arguments = profile.extra_args.join(" ");
        let arguments = if arguments.is_empty() { arguments } else { code(&arguments) };
        let gated = if profile.gated { "yes" } else { "no" };
        [matches, class.to_owned(), gated.to_owned(), parser, arguments]
    });
    table(&["Model", "Class", "Gated", "Tool calls", "Further arguments"], rows)
}

fn cards() -> String {
    let largest = ACCELERATORS.last().expect("there are cards");
    format!(
        "A model needs its weights divided by 0.9, the share of GPU memory that the server may use. Weights come from a table of \
         published sizes, or from the name, e.g. `7B`, `30B-A3B` (30 B in memory) or `-FP8`; a name that says nothing gets no \
         advice. The GPUs have `gpu` times the option `llmInference.gpuMemory`; without it, they are taken for the largest card there is (NVIDIA \
         {}, {} GB, {}), so that only the impossible is named.\n",
        largest.name, largest.gigabytes, AS_OF,
    )
}

/// The inputs of the rules for a composite with `gpu` GPUs.
fn inputs(gpu: u16) -> Inputs {
    let spec = json!({"model": "Qwen/Qwen2.5-1.5B-Instruct", "gpu": gpu, "providerConfigName": "gpu-cluster"});
    let options = Options::default();
    Inputs {
        name: "qwen".to_owned(),
        namespace: "team-a".to_owned(),
        spec: serde_json::from_value(spec).expect("the spec is sound"),
        options: options.llm_inference,
        ttl: options.ttl,
        ttl_waiting: options.ttl_waiting,
        model_status: None,
    }
}
