//! The step `compose-usages`: what a provider configuration is used by is deleted before it.
//!
//! The step acts on what earlier steps desire, of composites of any kind. For each Release and Object that names a ProviderConfig it
//! composes a Usage, and gives the Release or Object a label by which the Usage finds it. Everything else stays as it is.

use std::sync::LazyLock;

use contract::compose::{ComposeRequest, ComposeResponse, DesiredResource};
use contract::types::{Cause, Fault, Outcome, Readiness, Severity};
use serde::Deserialize;
use serde_json::{Value, json};
use toolbox::builders::{managed, usage};
use toolbox::composed::{self, Composed};
use toolbox::data;
use toolbox::hashed::sha256;
use toolbox::kind::{FollowingStep, Input};
use toolbox::names::LONGEST_LABEL;
use toolbox::observed::{Observed, ReadyWhen};
use toolbox::path;
use toolbox::reasons::Reasons;
use toolbox::resources::{OBJECTS, RELEASES, USAGES};
use toolbox::rule::{Plan, Rule, constant, rule};
use toolbox::validation::Validator;

use super::labels::USAGE_CONSUMER;
use crate::options::API_VERSION;

/// Kind of the step input.
pub const KIND: &str = "Usages";

/// The row of the step input.
pub(crate) const INPUT: Input = Input { api_version: API_VERSION, kind: KIND, definition, step: Some(compose) };

/// The step after that of a kind.
pub(crate) const FOLLOWING: FollowingStep = FollowingStep { name: "compose-usages", input: &INPUT };

/// The same step in a Composition.
#[cfg(feature = "generate")]
pub(crate) const STEP: toolbox::published::PipelineStep = toolbox::published::PipelineStep {
    name: FOLLOWING.name,
    input: Some(|_| json!({"apiVersion": API_VERSION, "kind": KIND})),
};

/// The step that composes a Usage for each Release and Object of earlier steps that names a ProviderConfig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct UsagesInput {}

/// The generated CustomResourceDefinition of the step input.
pub fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("usages/definition.json")));
    &DEFINITION
}

/// Generates the CustomResourceDefinition of the step input from its type.
#[cfg(feature = "generate")]
pub fn generated() -> Value {
    use toolbox::definition::input_definition;
    use toolbox::structural::schema_of;
    input_definition(API_VERSION, KIND, "usages", schema_of::<UsagesInput>())
}

/// The composition resource name of what a Usage of this name is for. That of anything else is its own.
pub fn consumer(key: &str) -> &str {
    key.strip_prefix(PREFIX).unwrap_or(key)
}

/// The beginning of the composition resource names of Usages.
const PREFIX: &str = "usage-pc-";

/// How long Crossplane may keep a response, in milliseconds.
const TTL: u64 = 60_000;

/// What uses a provider configuration.
struct Consumer<'a> {
    key: &'a str,
    /// The namespace of the composite.
    namespace: &'a str,
    object: &'a Value,
    readiness: Readiness,
    /// The name of the provider configuration.
    config: &'a str,
}

#[rustfmt::skip]
impl<'a> Consumer<'a> {
    /// What is added to the consumer.
    const LABEL: &'a [Rule<Self>] = &[
        rule("metadata.labels[modelplane.ai/usage-consumer]", "its Usage finds it by this", &[], |c| Some(json!(c.label()))),
    ];

    /// Its Usage.
    const USAGE: &'a [Rule<Self>] = &[
        rule("metadata.namespace", "the namespace of the composite", &["metadata.namespace"], |c| Some(json!(c.namespace))),
        rule(usage::OF, "the provider configuration stays", &[], |c| Some(usage::named((c.text("apiVersion"), "ProviderConfig"), c.config))),
        rule(usage::BY, "while it is used", &[], |c| Some(usage::selected((c.text("apiVersion"), c.text("kind")), &[(USAGE_CONSUMER, &c.label())]))),
        constant(usage::REPLAY_DELETION, "always: what was refused is deleted as soon as it may be", data!(true)),
    ];
}

impl<'a> Consumer<'a> {
    /// The consumer, if a desired resource is one. One without a kind of reference means a ProviderConfig.
    fn of(namespace: &'a str, key: &'a str, desired: &'a DesiredResource) -> Option<Self> {
        let object = &desired.object;
        let group = |version: &str| version.split('/').next().unwrap_or_default().to_owned();
        let is = object["apiVersion"].as_str().map(group);
        let known =
            [&OBJECTS, &RELEASES].iter().any(|it| object["kind"] == it.kind && is.as_deref() == Some(it.group()));
        let reference = path::get(object, managed::PROVIDER_CONFIG).filter(|_| known)?;
        let kind = reference.get("kind").and_then(Value::as_str).unwrap_or("ProviderConfig");
        let config = reference.get("name")?.as_str().filter(|name| !name.is_empty() && kind == "ProviderConfig")?;
        Some(Self { key, namespace, object, readiness: desired.readiness, config })
    }

    fn text(&self, field: &str) -> &'a str {
        self.object[field].as_str().unwrap_or_default()
    }

    fn usage_key(&self) -> String {
        format!("{PREFIX}{}", self.key)
    }

    /// The value of the label: its key, or a hash of one that no label can have.
    fn label(&self) -> String {
        let bytes = self.key.as_bytes();
        let ends = [bytes.first(), bytes.last()].iter().all(|byte| byte.is_some_and(u8::is_ascii_alphanumeric));
        let inside = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte));
        if ends && inside && bytes.len() <= LONGEST_LABEL {
            return self.key.to_owned();
        }
        let digits: String = sha256([self.key]).chars().take(16).collect();
        format!("key-{digits}")
    }

    /// Itself with its label, and its Usage.
    fn composed(&self) -> [Composed; 2] {
        let labelled = Plan::on(self.object.clone()).and(Self::LABEL, self);
        let usage = Plan::of_kind((USAGES.api_version, USAGES.kind)).and(Self::USAGE, self);
        [Composed::new(self.key, labelled), Composed::new(self.usage_key(), usage).ready(ReadyWhen::Desired)]
    }
}

/// The consumers that earlier steps desire, and the keys of Usages that somebody else has taken. In an object without a namespace
/// there are none: nothing could be said about it.
fn consumers<'a>(request: &'a ComposeRequest, namespace: &'a str) -> (Vec<Consumer<'a>>, Vec<String>) {
    let desired = &request.desired.resources;
    let all = desired.iter().filter(|_| !namespace.is_empty());
    let all = all.filter_map(|(key, desired)| Consumer::of(namespace, key, desired));
    let (taken, consumers): (Vec<_>, Vec<_>) = all.partition(|it| desired.contains_key(&it.usage_key()));
    (consumers, taken.iter().map(Consumer::usage_key).collect())
}

fn namespace(request: &ComposeRequest) -> Result<&str, Fault> {
    if let Some(input) = &request.input {
        definition().whole::<UsagesInput>(input).map_err(|problems| Fault::many(Cause::Input, problems))?;
    }
    Ok(path::get(request.composite()?, "metadata.namespace").and_then(Value::as_str).unwrap_or_default())
}

/// Composes the Usages.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let (consumers, taken) = consumers(request, namespace(request)?);
    let composed: Vec<_> = consumers.iter().flat_map(Consumer::composed).collect();
    let reasons = Reasons::of(request, &composed);
    let mut resources = composed::desired(composed, &Observed::default());
    for Consumer { key, readiness, .. } in &consumers {
        if let Some(consumer) = resources.get_mut(*key) {
            consumer.readiness = *readiness;
        }
    }
    let exists = |key: &String| Outcome {
        severity: Severity::Warning,
        message: format!("cannot compose Usage: desired resource '{key}' already exists"),
        reason: None,
        target: None,
    };
    let results = taken.iter().map(exists).collect();
    Ok((ComposeResponse { resources, results, ttl: Some(TTL), ..ComposeResponse::default() }, reasons))
}

#[cfg(test)]
mod tests;
