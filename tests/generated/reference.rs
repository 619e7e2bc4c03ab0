//! The reference of LLMInference for people: fields, rules, models, options and conditions, each from its table.

use std::fmt::Write as _;

use contract::catalog::Action;
use contract::types::KindRef;
use inference::KINDS;
use inference::llm_inference::derive::{self, Inputs};
use inference::llm_inference::{memory, profile};
use inference::options::{self, Options};
use serde_json::{Value, json};
use toolbox::definition;
use toolbox::kind::Kind;
use toolbox::rule::Plan;

use crate::files::File;
use crate::schema::fields;

const EXAMPLE: &str = include_str!("../../examples/llm-inference/llm-qwen.yaml");

/// The page.
pub(crate) fn file() -> File {
    let kind = KindRef { api_version: "inference.devopstoolkit.ai/v1alpha1".into(), kind: "LLMInference".into() };
    let kind: &Kind = KINDS.find(&kind).expect("it is in the table");
    let schema_of = |definition: Value| definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
    let schema = schema_of(definition::definition(kind));
    let options = schema_of(inference::options::generated());
    let page = format!(
        "<!-- Generated from the Rust types and tables: run `make generate`. -->\n\n\
         # LLMInference\n\n\
         `{api}`, namespaced. One model, served by vLLM, on one target cluster.\n\n\
         ```yaml\n{example}```\n\n\
         ## Fields\n\nUnder `spec`:\n\n{spec}\n\
         ## Sizes\n\n{sizes}\n\
         ## Rules\n\nEvery value that is written, and why. A value whose condition does not hold is left out. `sailplane explain` \
         prints the same for one composite.\n\n{rules}\
         ## Models\n\nWhat is known of models; the first row that matches counts. Any other model is served as it is.\n\n{models}\n\
         ## Memory\n\n{memory}\n\
         ## Status\n\nUnder `status`, besides Crossplane's own conditions `Synced` and `Ready`:\n\n{status}\n\
         ## Conditions\n\nEvery composite has each of these types. A warning is also an event, once, when it changes.\n\n{conditions}\n\
         ## Admission\n\nWhat the webhooks judge beyond the fields above, where `sailplane admission` is installed. What was stored before stays \
         editable.\n\n{concerns}\n{written}\
         ## Options\n\nThe input of the Composition's step, `{input_api}` `{input_kind}`. All are optional, and an unknown one is an error.\n\n{options}",
        api = kind.api_version,
        example = EXAMPLE,
        spec = field_table(&schema["properties"]["spec"], ""),
        sizes = sizes(),
        rules = rules(kind),
        models = models(),
        memory = cards(),
        status = field_table(&schema["properties"]["status"], ""),
        conditions = conditions(kind),
        concerns = concerns(kind),
        written = written(kind),
        input_api = options::API_VERSION,
        input_kind = options::KIND,
        options = field_table(&options, "apiVersion kind metadata"),
    );
    File::new("docs/llm-inference.md", page)
}

/// The fields of a schema, but for those named in `besides`.
fn field_table(schema: &Value, besides: &str) -> String {
    let besides: Vec<_> = besides.split(' ').collect();
    let shown = fields(schema).into_iter().filter(|field| !besides.contains(&field.path.as_str()));
    table(
        &["Field", "Type", "Default", "Meaning"],
        shown.map(|field| [code(&field.path), field.kind, field.default, field.meaning]),
    )
}

/// What a number of GPUs makes of a composite, worked out by the rules themselves.
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

fn rules(kind: &Kind) -> String {
    let mut text = String::new();
    for rules in (kind.rules)() {
        let rows = rules.rules.iter().map(|rule| {
            let causes: Vec<_> = rule.causes.iter().map(|cause| code(cause)).collect();
            [code(rule.path), rule.because.to_owned(), causes.join(", ")]
        });
        let _ = writeln!(text, "### {}\n\n{}", rules.heading(), table(&["Value", "Why", "From"], rows));
    }
    text
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
    let largest = memory::CARDS.last().expect("there are cards");
    format!(
        "A model needs its weights divided by 0.9, the share of GPU memory that the server may use. Weights come from a table of \
         published sizes, or from the name, e.g. `7B`, `30B-A3B` (30 B in memory) or `-FP8`; a name that says nothing gets no \
         advice. The GPUs have `gpu` times the option `llmInference.gpuMemory`; without it, they are taken for the largest card there is (NVIDIA \
         {}, {} GB, {}), so that only the impossible is named.\n",
        largest.name,
        largest.gigabytes,
        memory::CARDS_AS_OF,
    )
}

/// Everything that conditions can say.
fn conditions(kind: &Kind) -> String {
    let rows = kind.statements.iter().map(|said| {
        let warning = if said.warning { "yes" } else { "" };
        [
            code(said.condition_type),
            code(said.status.as_str()),
            code(said.reason),
            said.meaning.to_owned(),
            warning.to_owned(),
        ]
    });
    table(&["Type", "Status", "Reason", "Meaning", "Warning"], rows)
}

/// Everything that admission judges.
fn concerns(kind: &Kind) -> String {
    let rows = kind.admission.concerns.iter().map(|concern| {
        let then = match concern.action {
            Action::Deny => "refused",
            Action::Warn => "warned of",
        };
        let policy = if concern.beyond_policies.is_none() { "yes" } else { "" };
        [concern.meaning.to_owned(), code(concern.path), then.to_owned(), policy.to_owned()]
    });
    table(&["What", "Field", "Is", "By policy too"], rows)
}

/// What admission writes.
fn written(kind: &Kind) -> String {
    let Some(defaults) = (kind.admission.defaults)() else { return String::new() };
    let rows = defaults.rules.iter().map(|rule| {
        let causes: Vec<_> = rule.causes.iter().map(|cause| code(cause)).collect();
        [code(rule.path), rule.because.to_owned(), causes.join(", ")]
    });
    format!(
        "What is absent is written, so that it stays when the platform's options change:\n\n{}\n",
        table(&["Value", "Why", "From"], rows)
    )
}

/// What the rules read of a composite with so many GPUs.
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

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn table<const N: usize>(heads: &[&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&heads.map(str::to_owned));
    text.push_str(&format!("{}|\n", "|---".repeat(N)));
    for row in rows {
        text.push_str(&line(&row.map(|cell| cell.replace('|', "\\|"))));
    }
    text
}
