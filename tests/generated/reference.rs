//! The reference pages of kinds: fields, rules, options and conditions, each generated from its table, and further sections
//! of single kinds.

use std::fmt::Write as _;

use contract::catalog::{Action, Scope};
use inference::options;
use serde_json::Value;
use toolbox::definition;
use toolbox::kind::Kind;

use crate::files::File;
use crate::llm_inference;
use crate::schema::fields;
use crate::table::{code, table};

/// The page of one kind.
struct Page {
    kind: &'static str,
    /// Its file name in `docs/`.
    file: &'static str,
    /// The example at the start of the page.
    example: &'static str,
    /// The description of the kind in one sentence.
    summary: &'static str,
    /// The section of the options for the kind.
    options: &'static str,
    /// Sections between the fields and the rules.
    before_rules: fn() -> String,
    /// Sections after the rules.
    after_rules: fn() -> String,
}

const PAGES: &[Page] = &[Page {
    kind: "LLMInference",
    file: "llm-inference.md",
    example: "llm-qwen",
    summary: "One model, served by vLLM, on one target cluster.",
    options: "llmInference",
    before_rules: llm_inference::before_rules,
    after_rules: llm_inference::after_rules,
}];

/// The pages of all kinds.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let page = |kind: &Kind| {
        let page = PAGES.iter().find(|page| page.kind == kind.kind).expect("every kind has a row");
        File::new(format!("docs/{}", page.file), text(kind, page))
    };
    kinds.iter().map(page).collect()
}

fn text(kind: &Kind, page: &Page) -> String {
    let schema_of = |definition: Value| definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
    let schema = schema_of(definition::definition(kind));
    let input = schema_of(options::generated());
    let others = PAGES.iter().map(|page| page.options).filter(|section| *section != page.options);
    let besides: Vec<_> = ["apiVersion", "kind", "metadata"].into_iter().chain(others).collect();
    let example = kind.examples.iter().find(|example| example.name == page.example).expect("an example");
    let scope = match kind.scope {
        Scope::Namespaced => "namespaced",
        Scope::Cluster => "cluster-scoped",
    };
    format!(
        "<!-- Generated from the Rust types and tables: run `make generate`. -->\n\n\
         # {name}\n\n\
         `{api}`, {scope}. {summary}\n\n\
         ```yaml\n{example}```\n\n\
         ## Fields\n\nUnder `spec`:\n\n{spec}\n\
         {before_rules}\
         ## Rules\n\nEvery value that is written, and why. A value whose condition does not hold is left out. `sailplane explain` \
         prints the same for one composite.\n\n{rules}\
         {after_rules}\
         ## Status\n\nUnder `status`, besides Crossplane's own conditions `Synced` and `Ready`:\n\n{status}\n\
         ## Conditions\n\nEvery composite has each of these types. A warning is also an event, once, when it changes.\n\n{conditions}\n\
         ## Admission\n\nWhat the webhooks judge beyond the fields above, where `sailplane admission` is installed. What was stored before stays \
         editable.\n\n{admission}\n{written}\
         ## Options\n\nThe input of the Composition's step, `{input_api}` `{input_kind}`. All are optional, and an unknown one is an error.\n\n{options}",
        name = kind.kind,
        api = kind.api_version,
        summary = page.summary,
        example = example.text,
        spec = field_table(&schema["properties"]["spec"], &[]),
        before_rules = (page.before_rules)(),
        rules = rules(kind),
        after_rules = (page.after_rules)(),
        status = field_table(&schema["properties"]["status"], &[]),
        conditions = conditions(kind),
        admission = admission(kind),
        written = written(kind),
        input_api = options::API_VERSION,
        input_kind = options::KIND,
        options = field_table(&input, &besides),
    )
}

/// The fields of a schema, except those in `besides` and below.
fn field_table(schema: &Value, besides: &[&str]) -> String {
    let first = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
    let shown = fields(schema).into_iter().filter(|field| !besides.contains(&first(&field.path).as_str()));
    table(
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
    table(&["Type", "Status", "Reason", "Meaning", "Warning"], rows)
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
    table(&["What", "Field", "Is", "By policy too"], rows)
}

/// The table of defaults that admission writes.
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
