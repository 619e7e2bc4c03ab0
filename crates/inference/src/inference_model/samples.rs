//! A step of an Operation: it stamps the memory that pods use on the Deployments of models, where that is more than was seen before.
//!
//! The operation looks up PodMetrics, models and Deployments for it, so the composition of a model does not: nobody can watch
//! PodMetrics. Only Deployments whose peak rose are written.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use budget::memory;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{Cause, Fault, ObservedObject, Severity};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use toolbox::composed::{self, Composed};
use toolbox::conditions::outcome;
use toolbox::fields::{self, field, list, map};
use toolbox::kind::Input;
use toolbox::observed::{Observed, ReadyWhen};
use toolbox::reasons::Reasons;
use toolbox::rule::{Plan, Rule, rule};
use toolbox::validation::Validator;

use super::deployed::OBSERVED_MEMORY;
use super::resources::{DEPLOYMENTS, kind};

/// API version of the step input.
pub const API_VERSION: &str = crate::options::API_VERSION;
/// Kind of the step input.
pub const KIND: &str = "ModelSamples";

/// The names under which the operation looks things up.
const LOOKUPS: [&str; 3] = ["pod-metrics", "models", "deployments"];
/// The labels of pods of models.
const NAME: &str = "app.kubernetes.io/name";
const MANAGED: &str = "inference.eh-ops.io/managed";
/// The container whose memory counts.
const CONTAINER: &str = "inference";

/// The row of the step input.
pub(crate) const INPUT: Input = Input { api_version: API_VERSION, kind: KIND, definition, step: Some(compose) };

/// The generated CustomResourceDefinition of the step input.
fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("samples.json")));
    &DEFINITION
}

/// Generates the CustomResourceDefinition of the step input.
#[cfg(feature = "generate")]
pub fn generated() -> Value {
    use toolbox::definition::input_definition;
    use toolbox::structural::schema_of;
    input_definition(API_VERSION, KIND, "modelsamples", schema_of::<ModelSamples>())
}

/// The step input. It has no fields.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
struct ModelSamples {}

/// A sample that is more than was seen before.
struct Sample {
    namespace: String,
    name: String,
    memory: String,
}

/// The Deployment of a model, as far as it is written.
#[rustfmt::skip]
const DEPLOYMENT: &[Rule<Sample>] = &[
    rule("metadata.name", "name of the model", &[], |s| Some(json!(s.name))),
    rule("metadata.namespace", "that of the model", &[], |s| Some(json!(s.namespace))),
    rule("metadata.annotations[inference.eh-ops.io/observed-memory]", "its pods use more memory than was seen before", &[], |s| Some(json!(s.memory))),
];

/// Stamps the samples that are new peaks.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    if let Some(input) = &request.input {
        let read = definition().whole(input).map(|IgnoredAny| ());
        read.map_err(|problems| Fault::many(Cause::Input, problems))?;
    }
    let missing: Vec<_> = LOOKUPS.into_iter().filter(|name| !request.lookups.contains_key(*name)).collect();
    if !missing.is_empty() {
        let message = format!(
            "the operation does not look up {}, so nothing is stamped; state it as a requirement of the step",
            missing.join(", ")
        );
        let response = ComposeResponse {
            results: vec![outcome(Severity::Warning, "NotLookedUp", message)],
            output: Some(json!({"stamped": []})),
            ..ComposeResponse::default()
        };
        return Ok((response, Reasons::default()));
    }
    let samples = samples(request);
    let stamped: Vec<Value> =
        samples.iter().map(|it| json!({"namespace": it.namespace, "name": it.name, "memory": it.memory})).collect();
    let composed: Vec<_> = samples.iter().map(composed).collect();
    let reasons = Reasons::of(request, &composed);
    let response = ComposeResponse {
        resources: composed::desired(composed, &Observed::default()),
        output: Some(json!({"stamped": stamped})),
        ..ComposeResponse::default()
    };
    Ok((response, reasons))
}

/// What is written of a Deployment. A namespace has no dot, so no two have the same key.
fn composed(sample: &Sample) -> Composed {
    let plan = Plan::of_kind(kind(&DEPLOYMENTS)).and(DEPLOYMENT, sample);
    Composed::new(format!("{}.{}", sample.namespace, sample.name), plan).ready(ReadyWhen::Desired)
}

/// The samples that are more than was seen before, by namespace and name.
fn samples(request: &ComposeRequest) -> Vec<Sample> {
    let found = |name: &str| request.lookups.get(name).map(Vec::as_slice).unwrap_or_default();
    let mut used: BTreeMap<(&str, &str), (i128, &str)> = BTreeMap::new();
    for pod in read_all(found(LOOKUPS[0])) {
        let labels = &pod.metadata.labels;
        let (Some(name), Some(&"true")) = (labels.get(NAME), labels.get(MANAGED)) else { continue };
        let own = pod.containers.iter().find(|it| it.name == CONTAINER);
        let text = own.or(pod.containers.first()).and_then(|it| it.usage.get("memory").copied());
        let Some((text, bytes)) = text.and_then(|text| Some((text, memory::bytes(text)?))) else { continue };
        let most = used.entry((pod.metadata.namespace, name)).or_insert((bytes, text));
        if bytes > most.0 {
            *most = (bytes, text);
        }
    }
    let mut seen: BTreeMap<(&str, &str), i128> = BTreeMap::new();
    let mut deployed: BTreeMap<(&str, &str), ()> = BTreeMap::new();
    for (lookup, is_deployment) in [(LOOKUPS[1], false), (LOOKUPS[2], true)] {
        for object in read_all(found(lookup)) {
            let place = (object.metadata.namespace, object.metadata.name);
            let stamped = object.metadata.annotations.get(OBSERVED_MEMORY).copied();
            let texts = stamped.into_iter().chain([object.status.observed_peak_memory]);
            let most = texts.filter_map(memory::bytes).max().unwrap_or_default();
            if is_deployment {
                deployed.insert(place, ());
            } else {
                seen.insert(place, 0);
            }
            if let Some(before) = seen.get_mut(&place) {
                *before = most.max(*before);
            }
        }
    }
    let rose = used.into_iter().filter(|(place, (bytes, _))| {
        deployed.contains_key(place) && seen.get(place).is_some_and(|before| bytes > before)
    });
    rose.map(|((namespace, name), (_, text))| Sample {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        memory: text.to_owned(),
    })
    .collect()
}

fn read_all(objects: &[ObservedObject]) -> impl Iterator<Item = ReadObject<'_>> {
    let read = |object| fields::read::<ReadObject<'_>>(object).ok();
    objects.iter().filter_map(read).filter(|object| !object.metadata.name.is_empty())
}

/// PodMetrics, a model or a Deployment.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadObject<'a> {
    #[serde(borrow, deserialize_with = "field")]
    metadata: ReadObjectMetadata<'a>,
    #[serde(borrow, deserialize_with = "field")]
    status: ReadPeak<'a>,
    #[serde(borrow, deserialize_with = "list")]
    containers: Vec<ReadUsage<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadObjectMetadata<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(deserialize_with = "field")]
    namespace: &'a str,
    #[serde(borrow, deserialize_with = "map")]
    labels: BTreeMap<&'a str, &'a str>,
    #[serde(borrow, deserialize_with = "map")]
    annotations: BTreeMap<&'a str, &'a str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadPeak<'a> {
    #[serde(deserialize_with = "field")]
    observed_peak_memory: &'a str,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadUsage<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(borrow, deserialize_with = "map")]
    usage: BTreeMap<&'a str, &'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod(name: &str, memory: &str) -> Value {
        let labels = json!({"app.kubernetes.io/name": name, "inference.eh-ops.io/managed": "true"});
        let containers =
            json!([{"name": "proxy", "usage": {"memory": "99Gi"}}, {"name": "inference", "usage": {"memory": memory}}]);
        json!({"metadata": {"namespace": "ml", "name": format!("{name}-x"), "labels": labels}, "containers": containers})
    }

    fn model(name: &str, peak: &str) -> Value {
        json!({"metadata": {"namespace": "ml", "name": name}, "status": {"observedPeakMemory": peak}})
    }

    fn deployment(name: &str, stamped: &str) -> Value {
        json!({"metadata": {"namespace": "ml", "name": name, "annotations": {OBSERVED_MEMORY: stamped}}})
    }

    #[track_caller]
    fn check(pods: &[Value], models: &[Value], deployments: &[Value], want: &[(&str, &str)]) {
        let answers = LOOKUPS.into_iter().zip([pods, models, deployments]);
        let lookups = answers
            .map(|(name, found)| (name.to_owned(), found.iter().cloned().map(ObservedObject::from).collect()))
            .collect();
        let request = ComposeRequest { lookups, explain: true, ..ComposeRequest::default() };
        let (response, reasons) = compose(&request).expect("a response");
        let written: Vec<_> = response
            .resources
            .iter()
            .map(|(key, it)| {
                (
                    key.clone(),
                    it.object["metadata"]["annotations"][OBSERVED_MEMORY].as_str().unwrap_or_default().to_owned(),
                )
            })
            .collect();
        let want: Vec<_> = want.iter().map(|(key, memory)| ((*key).to_owned(), (*memory).to_owned())).collect();
        assert_eq!(written, want);
        assert_eq!(reasons.derivations().len(), 3 * want.len());
    }

    #[test]
    fn new_peaks_are_stamped() {
        check(&[pod("a", "75Gi")], &[model("a", "")], &[deployment("a", "")], &[("ml.a", "75Gi")]);
        check(
            &[pod("a", "75Gi"), pod("a", "50Gi"), pod("b", "1Gi")],
            &[model("a", "60Gi"), model("b", "2Gi")],
            &[deployment("a", "70Gi"), deployment("b", "")],
            &[("ml.a", "75Gi")],
        );
        check(&[pod("a", "75Gi")], &[model("a", "75Gi")], &[deployment("a", "")], &[]);
        check(&[pod("a", "75Gi")], &[model("a", "")], &[deployment("a", "76Gi")], &[]);
        // What is no model, or has no Deployment, is left alone.
        check(&[pod("a", "75Gi")], &[], &[deployment("a", "")], &[]);
        check(&[pod("a", "75Gi")], &[model("a", "")], &[], &[]);
        check(&[pod("a", "much"), pod("a", "-1")], &[model("a", "")], &[deployment("a", "")], &[]);
        let mut other = pod("a", "75Gi");
        other["metadata"]["labels"][MANAGED] = "false".into();
        check(&[other], &[model("a", "")], &[deployment("a", "")], &[]);
    }

    #[test]
    fn requirements_that_are_missing() {
        let (response, _) = compose(&ComposeRequest::default()).expect("a response");
        let messages: Vec<_> = response.results.into_iter().map(|it| it.message).collect();
        assert_eq!(
            messages,
            [
                "the operation does not look up pod-metrics, models, deployments, so nothing is stamped; state it as a requirement of the step"
            ]
        );
        assert_eq!(response.resources.len(), 0);
    }
}
