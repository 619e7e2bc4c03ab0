//! Reads a request into the inputs of the rules, by the definition of the kind.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Edit, Fault, Problem};
use serde_json::Value;
use toolbox::conditions;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::charts;
use super::derive::kinds::{AKS_CLUSTERS, EKS_CLUSTERS, GKE_CLUSTERS};
use super::derive::objects::has_store;
use super::derive::{control_plane, pools};
use super::inputs::{ChosenBy, ClusterInputs, Seen};
use super::options::ProviderName;
use super::render::is_ours;
use super::spec::CloudClusterSpec;
use crate::clouds::Cloud;
use crate::clouds::drivers::Drivers;
use crate::clouds::machines::Machine;
use crate::options::Options;

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Where the composite says its provider.
const SELECTED: &str = "spec.crossplane.compositionSelector.matchLabels.provider";
const SERVICE: &str = "spec.crossplane.compositionSelector.matchLabels.cluster";
pub(super) const COMPOSITION: &str = "spec.crossplane.compositionRef.name";

/// The composed resources of a request that are ours.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    let name = text(request.composite()?, "metadata.name");
    Observed::of(request, |key| is_ours(&name, key))
}

/// Reads the inputs of the rules from a request.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<ClusterInputs, Fault> {
    let options = Options::read(request.input.as_ref())?;
    inputs(request.composite()?, options, observed)
}

/// Reads the inputs of the rules from a composite, options and observed state.
fn inputs(composite: &Value, options: Options, observed: &Observed<'_>) -> Result<ClusterInputs, Fault> {
    let fault = |cause, problems: Vec<Problem>| Err(Fault::many(cause, problems));
    let mut inputs = match assembled(composite, &options) {
        Ok(inputs) => inputs,
        Err(problems) => return fault(Cause::Composite, problems),
    };
    if let Some(problem) = moved(observed, &inputs.name, inputs.provider) {
        return fault(Cause::Composite, vec![problem]);
    }
    let wrong = wrong_options(&inputs);
    if !wrong.is_empty() {
        return fault(Cause::Input, wrong);
    }
    let wrong = wrong_parameters(&inputs);
    if !wrong.is_empty() {
        return fault(Cause::Composite, wrong);
    }
    inputs.seen = seen(composite, observed, &inputs);
    Ok(inputs)
}

/// The inputs without what was observed. Whether they can be composed was not asked yet.
///
/// # Errors
/// What is wrong with the composite by its schema, with its name, and with what chooses its cloud.
pub(super) fn assembled(composite: &Value, options: &Options) -> Result<ClusterInputs, Vec<Problem>> {
    let (name, namespace) = (text(composite, "metadata.name"), text(composite, "metadata.namespace"));
    let mut problems = Vec::new();
    if name.is_empty() {
        let message = "missing: the cluster and everything in it is named so";
        problems.push(Problem::new("metadata.name", Code::Required, message));
    }
    if namespace.is_empty() {
        let message = "missing: a Cluster lives in a namespace, and so does what it composes";
        problems.push(Problem::new("metadata.namespace", Code::Required, message));
    }
    let provider = provider(composite, options.cluster.provider).map_err(|problem| problems.push(problem)).ok();
    let spec = definition().spec::<CloudClusterSpec>(composite).map_err(|found| problems.extend(found)).ok();
    match (provider, spec) {
        (Some((provider, chosen_by)), Some(spec)) if problems.is_empty() => Ok(ClusterInputs {
            name,
            namespace,
            provider,
            chosen_by,
            parameters: spec.parameters,
            options: options.cluster.clone(),
            ttl: options.ttl,
            ttl_waiting: options.ttl_waiting,
            seen: Seen::default(),
        }),
        _ => Err(problems),
    }
}

pub(super) fn text(object: &Value, path: &str) -> String {
    path::get(object, path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The cloud, and what chose it.
pub(super) fn provider(composite: &Value, option: Option<ProviderName>) -> Result<(Cloud, ChosenBy), Problem> {
    if let Some(option) = option {
        let cloud = match option {
            ProviderName::Aws => Cloud::Aws,
            ProviderName::Azure => Cloud::Azure,
            ProviderName::Google => Cloud::Google,
        };
        return Ok((cloud, ChosenBy::Options));
    }
    let selected = text(composite, SELECTED);
    if !selected.is_empty() {
        let known = Cloud::named(&selected).map(|cloud| (cloud, ChosenBy::Selector));
        return known.ok_or_else(|| unknown(&selected));
    }
    let service = text(composite, SERVICE);
    if let Some(cloud) = Cloud::ALL.into_iter().find(|cloud| cloud.service().eq_ignore_ascii_case(&service)) {
        return Ok((cloud, ChosenBy::Service));
    }
    match named_by_composition(&text(composite, COMPOSITION)) {
        Some(named) => match Cloud::named(named) {
            Some(cloud) => Ok((cloud, ChosenBy::Composition)),
            None => Err(Problem::new(
                "spec.crossplane.compositionRef.name",
                Code::NotSupported,
                format!("no cloud is named `{named}`, as the name says after `cluster-`; {CLOUDS}"),
            )),
        },
        None => Ok((Cloud::Aws, ChosenBy::Nothing)),
    }
}

/// The cloud in the name of a Composition. In the group of a renamed kind the group follows the name, after a dot.
pub(super) fn named_by_composition(name: &str) -> Option<&str> {
    name.split('.').next().and_then(|name| name.strip_prefix("cluster-"))
}

const CLOUDS: &str =
    "there are `aws`, `azure` and `google`; the option `cluster.provider` of the step's input comes first";

fn unknown(name: &str) -> Problem {
    let message = format!("no cloud is named `{name}`; {CLOUDS}");
    let problem = Problem::new("spec.crossplane.compositionSelector.matchLabels.provider", Code::NotSupported, message);
    match quantity::nearest(Cloud::ALL.into_iter().map(Cloud::as_str), name) {
        Some(near) => problem.with_fix(Edit::Replace(near.into())),
        None => problem,
    }
}

/// The cloud of the observed control plane.
fn running(observed: &Observed<'_>, name: &str) -> Option<Cloud> {
    let is = |key: &str, kind: &contract::catalog::ApiResource| {
        let group = |version: &str| version.split('/').next().unwrap_or_default().to_owned();
        observed.get(key).is_some_and(|object| {
            object["kind"] == kind.kind && group(object["apiVersion"].as_str().unwrap_or_default()) == kind.group()
        })
    };
    let key = control_plane::KEY.replace("{n}", name);
    let rows = [
        (control_plane::EKS_KEY, &EKS_CLUSTERS, Cloud::Aws),
        (key.as_str(), &AKS_CLUSTERS, Cloud::Azure),
        (key.as_str(), &GKE_CLUSTERS, Cloud::Google),
    ];
    rows.into_iter().find(|(key, kind, _)| is(key, kind)).map(|row| row.2)
}

/// No edit makes a running cluster anew in another cloud.
fn moved(observed: &Observed<'_>, name: &str, chosen: Cloud) -> Option<Problem> {
    let running = running(observed, name).filter(|running| *running != chosen)?;
    let message = format!(
        "the cluster runs in `{}`, and `{}` would delete it for a new one; delete this composite, or make another with a new name",
        running.as_str(),
        chosen.as_str(),
    );
    Some(Problem::new("spec.crossplane", Code::Forbidden, message))
}

/// What is wrong with the options for this cloud.
fn wrong_options(inputs: &ClusterInputs) -> Vec<Problem> {
    let mut problems = Vec::new();
    let why = Drivers::of(inputs.provider).and_then(|it| it.not_by_operator);
    if let (true, Some(why)) = (inputs.drivers_by_operator(), why) {
        let message = format!("`operator` installs no driver on {}: {why}; use `cloud`", inputs.provider.service());
        problems.push(Problem::new("cluster.drivers", Code::NotSupported, message));
    }
    for name in inputs.options.chart_versions.keys().filter(|name| charts::release(name).is_none()) {
        let mut message = format!("no release is named `{name}`");
        if let Some(near) = quantity::nearest(charts::RELEASES.iter().map(|it| it.name), name) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        problems.push(Problem::new("cluster.chartVersions", Code::NotSupported, message));
    }
    problems
}

/// What is wrong with the parameters in this cloud, and could not be composed.
pub(super) fn wrong_parameters(inputs: &ClusterInputs) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(pool) = inputs.gpu()
        && inputs.gpu_machine(pool).is_none()
    {
        let wanted = pool.accelerator.map_or("", |it| it.as_str());
        let has = Machine::accelerators(inputs.provider).join(", ");
        let message = format!("{} has no nodes with {wanted}; it has {has}", inputs.provider.service());
        problems.push(Problem::new("spec.parameters.gpu.accelerator", Code::NotSupported, message));
    }
    if has_store(inputs) && inputs.parameters.creds.is_none() && inputs.provider != Cloud::Azure {
        let message = format!("missing: a secret store on {} needs cloud credentials", inputs.provider.service());
        problems.push(Problem::new("spec.parameters.creds", Code::Required, message));
    }
    let vault = inputs.parameters.apps.external_secrets.as_ref().and_then(|it| it.azure_vault_url.as_deref());
    if has_store(inputs) && inputs.provider == Cloud::Azure && vault.unwrap_or_default().is_empty() {
        let message = "missing: a secret store on AKS needs the URL of its vault";
        problems.push(Problem::new("spec.parameters.apps.externalSecrets.azureVaultUrl", Code::Required, message));
    }
    problems
}

/// What was observed. What is not observed at the moment stays as the status has it.
fn seen(composite: &Value, observed: &Observed<'_>, inputs: &ClusterInputs) -> Seen {
    let key = |template: &str| template.replace("{n}", &inputs.name);
    let status = |field: &str| path::get(composite, field).and_then(Value::as_str).map(str::to_owned);
    let (plane, pool, gpu) = match inputs.provider {
        Cloud::Aws => (control_plane::EKS_KEY, pools::EKS_KEY, pools::EKS_GPU_KEY),
        Cloud::Azure => (control_plane::KEY, control_plane::KEY, pools::GPU_KEY),
        Cloud::Google => (control_plane::KEY, pools::KEY, pools::GPU_KEY),
    };
    let reason = |template: &str, field: &str| {
        let object = observed.get(&key(template));
        object.and_then(reason).or_else(|| status(field))
    };
    let range = observed.get(&key(control_plane::KEY)).filter(|_| inputs.provider == Cloud::Google);
    let range = range.map(|object| text(object, "status.atProvider.clusterIpv4Cidr")).filter(|range| !range.is_empty());
    Seen {
        control_plane: reason(plane, "status.controlPlaneStatus"),
        node_pool: reason(pool, "status.nodePoolStatus"),
        gpu_pool: inputs.gpu().and_then(|_| reason(gpu, "status.gpuNodePoolStatus")),
        pod_range: range.or_else(|| status("status.field1").filter(|_| inputs.provider == Cloud::Google)),
        has_nodes: observed.has(&key(pool)),
    }
}

/// The reason of the condition `Ready`, else of the first condition.
fn reason(object: &Value) -> Option<String> {
    let condition = conditions::find(object, "Ready").or_else(|| conditions::all(object).next())?;
    Some(condition.reason.to_owned()).filter(|reason| !reason.is_empty())
}
