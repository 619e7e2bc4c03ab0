//! Reads a request: the model by the definition of its kind, what it looks up, and what is composed already.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use budget::memory;
use budget::pool;
use budget::siblings::Sibling;
use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Condition, Fault, ObservedObject, Problem, Selector};
use quantity::Time;
use serde_json::Value;
use toolbox::builders::selectors::lookup_all;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::backend::{ENDPOINTS, Service};
use super::deployed::DeployedModel;
use super::options::InferenceModelOptions;
use super::resources::{ENDPOINT_SLICES, INFERENCE_MODELS, kind};
use super::spec::ModelSpec;
use super::totals::{self, Totals};
use crate::options::Options;
use crate::served::Served;

/// The key of the Deployment.
pub(super) const DEPLOYMENT: &str = "deployment";
/// The key of the Service.
pub(super) const SERVICE: &str = "service";
/// The lookup of models.
const MODELS: &str = "models";

/// What a request says.
#[derive(Debug)]
pub(super) struct ModelRead<'a> {
    /// The model.
    pub(super) model: Served<ModelSpec>,
    /// The same as it is observed.
    pub(super) composite: &'a Value,
    /// The platform's options.
    pub(super) options: InferenceModelOptions,
    /// How long a response holds while pods are awaited, in milliseconds.
    pub(super) awaits: u64,
    /// Where the time comes from.
    pub(super) clock: Clock,
    /// The time of the call.
    pub(super) now: Option<Time>,
    /// What is composed already.
    pub(super) observed: Observed<'a>,
    /// What its Deployment says.
    pub(super) deployed: Option<DeployedModel<'a>>,
    /// The pool that it wants.
    pub(super) pool: String,
    /// The memory that it declares, in bytes. `None` when no model can have it.
    pub(super) memory: Option<i128>,
    /// The memory of pools.
    pub(super) totals: Totals,
    /// The other models. `None` while nobody has looked for them.
    pub(super) siblings: Option<Vec<Sibling>>,
    /// Whether its external backend has a ready endpoint. `None` when nobody has looked.
    pub(super) endpoint: Option<bool>,
    /// Everything that it looks up.
    pub(super) lookups: BTreeMap<String, Selector>,
}

/// Where the time of a call comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// From the caller.
    Given,
    /// From the options, where it stands still.
    Fixed,
    /// There is none.
    Missing,
}

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads a request. `failed` makes the conditions of a composite that is invalid.
pub(super) fn read(request: &ComposeRequest, failed: fn(&[Problem]) -> Vec<Condition>) -> Result<ModelRead<'_>, Fault> {
    let all = Options::read(request.input.as_ref())?;
    let awaits = all.ttl_waiting.as_millis();
    let options = all.inference_model;
    let model: Served<ModelSpec> = Served::read(request, definition()).map_err(|mut fault| {
        if fault.cause == Cause::Composite {
            fault.conditions = failed(&fault.problems);
        }
        fault
    })?;
    let (clock, now) = time(request, &options)?;
    let composite = request.composite()?;
    let observed = Observed::of(request, |key| key == DEPLOYMENT || key == SERVICE)?;
    let labels = model.spec.node_selector.iter().map(|(label, value)| (label.as_str(), value.as_str()));
    let pool = pool::key(labels);
    let is_external = model.spec.is_external();
    let totals = if is_external {
        Totals { limits: Some(Default::default()), ..Totals::default() }
    } else {
        totals::read(request, &options, &model.namespace, &pool)
    };
    let mut lookups = totals.lookups.clone();
    let backend = Service::of(&model.spec.backend_url, &model.namespace).filter(|_| is_external);
    let endpoint = backend.filter(|_| options.endpoint_discovery).and_then(|service| {
        let labels = [("kubernetes.io/service-name", service.name.as_str())];
        lookups.insert(ENDPOINTS.to_owned(), lookup_all(kind(&ENDPOINT_SLICES), Some(&service.namespace), &labels));
        request.lookups.get(ENDPOINTS).map(|slices| slices.iter().any(super::backend::is_ready))
    });
    let siblings = match &totals.limits {
        _ if is_external => Some(Vec::new()),
        None => None,
        Some(limits) => {
            let reserved = path::get(composite, "status.reservedPool").and_then(Value::as_str);
            let limited = limits.limits(&pool) || reserved.is_some_and(|pool| limits.limits(pool));
            let within = (!limited).then_some(model.namespace.as_str());
            if limited || options.dependencies {
                lookups.insert(MODELS.to_owned(), lookup_all(kind(&INFERENCE_MODELS), within, &[]));
                request.lookups.get(MODELS).map(|models| siblings_in(models, now))
            } else {
                Some(Vec::new())
            }
        }
    };
    Ok(ModelRead {
        memory: memory::declared(&model.spec.memory),
        deployed: observed.get(DEPLOYMENT).map(DeployedModel::of),
        model,
        composite,
        options,
        awaits,
        clock,
        now,
        observed,
        pool,
        totals,
        siblings,
        endpoint,
        lookups,
    })
}

fn siblings_in(models: &[ObservedObject], now: Option<Time>) -> Vec<Sibling> {
    models.iter().filter_map(|object| Sibling::read(object, now)).collect()
}

/// The time of the call: that of the options, else that of the caller.
fn time(request: &ComposeRequest, options: &InferenceModelOptions) -> Result<(Clock, Option<Time>), Fault> {
    let Some(fixed) = &options.now else {
        let now = request.now.and_then(|seconds| i64::try_from(seconds).ok()).map(Time::from_seconds);
        return Ok((if now.is_some() { Clock::Given } else { Clock::Missing }, now));
    };
    match fixed.to_ascii_uppercase().parse() {
        Ok(now) => Ok((Clock::Fixed, Some(now))),
        Err(_) => {
            let message = "no time; give one like `2026-01-31T12:00:00Z`";
            Err(Fault::new(Cause::Input, Problem::new("inferenceModel.now", Code::Invalid, message)))
        }
    }
}
