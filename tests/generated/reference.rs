//! The reference pages of kinds: fields, rules, options and conditions, each generated from its table, and further sections
//! of single kinds.

use std::fmt::Write as _;

use contract::catalog::{Action, Scope};
use inference::options;
use serde_json::Value;
use toolbox::definition;
use toolbox::kind::Kind;

use crate::files::File;
use crate::schema::fields;
use crate::table::{code, table};
use crate::{gpu_cluster, inference_model, llm_inference, modelplane};

/// The page of one kind.
struct Page {
    kind: &'static str,
    /// Its file name in `docs/`.
    file: &'static str,
    /// The example at the start of the page.
    example: &'static str,
    /// The description of the kind in a few sentences.
    summary: &'static str,
    /// Which conditions a composite has, in a sentence. Empty when the table says it all.
    conditions: &'static str,
    /// The section of the options for the kind. Empty when there is none.
    options: &'static str,
    /// Sections between the fields and the rules.
    before_rules: fn() -> String,
    /// Sections after the rules.
    after_rules: fn() -> String,
}

/// A page without sections of its own.
const PLAIN: Page = Page {
    kind: "",
    file: "",
    example: "",
    summary: "",
    conditions: "",
    options: "",
    before_rules: String::new,
    after_rules: String::new,
};

const PAGES: &[Page] = &[
    Page {
        kind: "Cluster",
        file: "cluster.md",
        example: "aws-eks-gpu",
        summary: "A managed cluster on AWS, Azure or Google Cloud, with GPUs and software.",
        conditions: "Every composite has each of these types.",
        options: "cluster",
        before_rules: gpu_cluster::before_rules,
        ..PLAIN
    },
    Page {
        kind: "LLMInference",
        file: "llm-inference.md",
        example: "llm-qwen",
        summary: "One model, served by vLLM, on one target cluster.",
        conditions: "Every composite has each of these types.",
        options: "llmInference",
        before_rules: llm_inference::before_rules,
        after_rules: llm_inference::after_rules,
    },
    Page {
        kind: "InferenceModel",
        file: "inference-model.md",
        example: "model-shared-pool",
        summary: "A model that has memory of a pool while it is active, sleeps when nobody asks for it, and waits for what it depends on.",
        conditions: "Every composite has each of these types.",
        options: "inferenceModel",
        before_rules: inference_model::reservations,
        ..PLAIN
    },
    Page {
        kind: "InferenceClass",
        file: "inference-class.md",
        example: "class-h100",
        summary: "What a node of a pool has, and how a cloud makes one. Nothing is composed of it.",
        ..PLAIN
    },
    Page {
        kind: "InferenceCluster",
        file: "inference-cluster.md",
        example: "cluster-existing",
        summary: "A GPU cluster of the fleet, with what serves models on it. A cloud makes it, or it exists.",
        options: "modelplane",
        after_rules: modelplane::queues,
        ..PLAIN
    },
    Page {
        kind: "InferenceGateway",
        file: "inference-gateway.md",
        example: "gateway",
        summary: "The gateway of the control plane: Traefik, and the definitions of Gateway API that it watches.",
        options: "modelplane",
        ..PLAIN
    },
    Page {
        kind: "GKECluster",
        file: "gke-cluster.md",
        example: "gke-cluster",
        summary: "A cluster in Google Kubernetes Engine. InferenceClusters compose one each.",
        ..PLAIN
    },
    Page {
        kind: "EKSCluster",
        file: "eks-cluster.md",
        example: "eks-cluster",
        summary: "A cluster in Amazon EKS. InferenceClusters compose one each.",
        ..PLAIN
    },
    Page {
        kind: "AKSCluster",
        file: "aks-cluster.md",
        example: "aks-cluster",
        summary: "A cluster in Azure Kubernetes Service. InferenceClusters compose one each.",
        ..PLAIN
    },
    Page {
        kind: "NebiusCluster",
        file: "nebius-cluster.md",
        example: "nebius-cluster",
        summary: "A cluster in Nebius Managed Kubernetes. InferenceClusters compose one each.",
        ..PLAIN
    },
    Page {
        kind: "VultrCluster",
        file: "vultr-cluster.md",
        example: "vultr-cluster",
        summary: "A cluster in Vultr Kubernetes Engine. InferenceClusters compose one each.",
        ..PLAIN
    },
    Page {
        kind: "ServingStack",
        file: "serving-stack.md",
        example: "stack",
        summary: "What serves models on one cluster. InferenceClusters compose one for each of theirs.",
        ..PLAIN
    },
    Page {
        kind: "ModelCache",
        file: "model-cache.md",
        example: "cache-kimi",
        summary: "The weights of a model, downloaded once for each cluster that it selects.",
        ..PLAIN
    },
    Page {
        kind: "ModelDeployment",
        file: "model-deployment.md",
        example: "deployment-qwen",
        summary: "A model with a number of replicas, each placed on a cluster that has the nodes and devices for it.",
        options: "modelplane",
        before_rules: modelplane::places,
        ..PLAIN
    },
    Page {
        kind: "ModelEndpoint",
        file: "model-endpoint.md",
        example: "endpoint-external",
        summary: "A URL where a model is served. ModelDeployments compose one for each replica that serves.",
        ..PLAIN
    },
    Page {
        kind: "ModelReplica",
        file: "model-replica.md",
        example: "replica-qwen",
        summary: "One replica of a model, on one cluster. ModelDeployments compose them.",
        options: "modelplane",
        before_rules: modelplane::backends,
        ..PLAIN
    },
    Page {
        kind: "ModelService",
        file: "model-service.md",
        example: "service-weighted",
        summary: "One address for the endpoints that it selects, with a weight for each group of them.",
        ..PLAIN
    },
    Page {
        kind: "ModelArtifact",
        file: "otterscale-model-artifact.md",
        example: "import-opt",
        summary: "A model from a hub, imported once and pushed to a registry as an OCI artifact.",
        conditions: "Every composite has one of these.",
        ..PLAIN
    },
    Page {
        kind: "ModelService",
        file: "otterscale-model-service.md",
        example: "serve-qwen",
        summary: "A model, served in the cluster itself: pods with one role or two, an endpoint picker, a pool and a route.",
        conditions: "Every composite has each of these types.",
        options: "modelService",
        ..PLAIN
    },
];

/// The pages of all kinds.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let page = |kind: &Kind| {
        // Two kinds of different groups may have one name, but not one example.
        let of_kind =
            |page: &&Page| page.kind == kind.kind && kind.examples.iter().any(|example| example.name == page.example);
        let page = PAGES.iter().find(of_kind).expect("every kind has a row");
        File::new(format!("docs/{}", page.file), text(kind, page))
    };
    kinds.iter().map(page).collect()
}

fn text(kind: &Kind, page: &Page) -> String {
    let schema = schema_of(definition::definition(kind));
    let example = kind.examples.iter().find(|example| example.name == page.example).expect("an example");
    let scope = match kind.scope {
        Scope::Namespaced => "namespaced",
        Scope::Cluster => "cluster-scoped",
    };
    let Page { summary, conditions: which, .. } = page;
    let which = if which.is_empty() { String::new() } else { format!("{which} ") };
    let sections = [
        section("Fields", "Under `spec`:", &field_table(&schema["properties"]["spec"], &[])),
        (page.before_rules)(),
        section("Rules", RULES, &rules(kind)),
        (page.after_rules)(),
        section("Status", STATUS, &field_table(&schema["properties"]["status"], &[])),
        section("Conditions", &format!("{which}{WARNINGS}"), &conditions(kind)),
        section("Admission", ADMISSION, &[admission(kind), written(kind)].concat()),
        options_of(page),
    ];
    let head = format!(
        "<!-- Generated from the Rust types and tables: run `make generate`. -->\n\n# {}\n\n`{}`, {scope}. {summary}\n\n\
         ```yaml\n{}```\n\n",
        kind.kind, kind.api_version, example.text,
    );
    format!("{head}{}\n", sections.concat().trim_end())
}

const RULES: &str = "Every value that is written, and why. A value whose condition does not hold is left out. `sailplane explain` \
                     prints the same for one composite.";
const STATUS: &str = "Under `status`, besides Crossplane's own conditions `Synced` and `Ready`:";
const WARNINGS: &str = "A warning is also an event, once, when it changes.";
const ADMISSION: &str = "What the webhooks judge beyond the fields above, where `sailplane admission` is installed. What was \
                         stored before stays editable.";

/// A section, unless it has no content.
fn section(head: &str, says: &str, content: &str) -> String {
    let content = content.trim_matches('\n');
    if content.is_empty() { String::new() } else { format!("## {head}\n\n{says}\n\n{content}\n\n") }
}

fn schema_of(definition: Value) -> Value {
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

/// The section about the options, if there are some for the kind.
fn options_of(page: &Page) -> String {
    if page.options.is_empty() {
        return String::new();
    }
    let others = PAGES.iter().map(|page| page.options).filter(|section| *section != page.options);
    let besides: Vec<_> = ["apiVersion", "kind", "metadata"].into_iter().chain(others).collect();
    let says = format!(
        "The input of the Composition's step, `{}` `{}`. All are optional, and an unknown one is an error.",
        options::API_VERSION,
        options::KIND,
    );
    section("Options", &says, &field_table(&schema_of(options::generated()), &besides))
}

/// The fields of a schema, except those in `besides` and below.
fn field_table(schema: &Value, besides: &[&str]) -> String {
    let first = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
    let shown = fields(schema).into_iter().filter(|field| !besides.contains(&first(&field.path).as_str()));
    filled(
        &["Field", "Type", "Default", "Meaning"],
        shown.map(|field| [code(&field.path), field.kind, field.default, field.meaning]),
    )
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

/// The table of conditions.
fn conditions(kind: &Kind) -> String {
    let rows = kind.conditions.iter().map(|row| {
        let warning = if row.warning { "yes" } else { "" };
        [
            code(row.condition_type),
            code(row.status.as_str()),
            code(row.reason),
            row.meaning.to_owned(),
            warning.to_owned(),
        ]
    });
    filled(&["Type", "Status", "Reason", "Meaning", "Warning"], rows)
}

/// The table of rules of admission.
fn admission(kind: &Kind) -> String {
    let rows = kind.admission.rules.iter().map(|rule| {
        let then = match rule.action {
            Action::Deny => "refused",
            Action::Warn => "warned of",
        };
        let policy = if rule.beyond_policies.is_none() { "yes" } else { "" };
        [rule.meaning.to_owned(), code(rule.path), then.to_owned(), policy.to_owned()]
    });
    filled(&["What", "Field", "Is", "By policy too"], rows)
}

/// A table, or nothing when it has no rows.
fn filled<const N: usize>(heads: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut rows = rows.peekable();
    if rows.peek().is_none() { String::new() } else { table(heads, rows) }
}

/// The table of defaults that admission writes.
fn written(kind: &Kind) -> String {
    let Some(defaults) = (kind.admission.defaults)() else { return String::new() };
    let rows = defaults.rules.iter().map(|rule| {
        let causes: Vec<_> = rule.causes.iter().map(|cause| code(cause)).collect();
        [code(rule.path), rule.because.to_owned(), causes.join(", ")]
    });
    format!(
        "\nWhat is absent is written, so that it stays when the platform's options change:\n\n{}\n",
        table(&["Value", "Why", "From"], rows)
    )
}
