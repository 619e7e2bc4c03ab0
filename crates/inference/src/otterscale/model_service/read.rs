//! Reads a request into the inputs of the rules.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, ObservedObject, Selector};
use serde_json::Value;
use toolbox::builders::selectors::lookup_of;
use toolbox::observed::Observed;
use toolbox::validation::Validator;

use super::derive::existence::{OBJECTS, needed};
use super::derive::inputs::{Deployed, Holds, ServingInputs};
use super::names;
use super::spec::ServingSpec;
use crate::options::Options;
use crate::otterscale::resources::{API_SERVICES, CLUSTER_ROLE_BINDINGS, kind};
use crate::served::Served;

/// The lookup of the kind itself: without it, nobody knows that there is a cluster.
const OWN: (&str, &str) = ("model.otterscale.io", "v1alpha1.model.otterscale.io");
/// The lookup of the cluster-scoped binding.
const GRANT: &str = "grant";

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the composed resources of a request.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    Observed::of(request, |key| OBJECTS.iter().any(|row| row.key == key))
}

/// The lookups of a service: whether the cluster has the kinds that it needs, and what has the name of its grant.
pub(super) fn lookups(inputs: &ServingInputs) -> BTreeMap<String, Selector> {
    let of = |(name, service): &(&str, &str)| ((*name).to_owned(), lookup_of(kind(&API_SERVICES), None, service));
    let mut lookups = BTreeMap::new();
    lookups.extend([&OWN].into_iter().chain(needed(inputs)).map(of));
    if inputs.composes_grant() {
        lookups.insert(GRANT.to_owned(), lookup_of(kind(&CLUSTER_ROLE_BINDINGS), None, &inputs.grant()));
    }
    lookups
}

/// Reads the inputs.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<ServingInputs, Fault> {
    let options = Options::read(request.input.as_ref())?;
    let service: Served<ServingSpec> = Served::read(request, definition())?;
    let deployed = |key: &str| observed.get(key).map(Deployed::of);
    let mut inputs = ServingInputs {
        picker: names::picker(&service.name),
        decode: deployed("decode"),
        prefill: deployed("prefill").filter(|_| service.spec.prefill.is_some()),
        holds: Holds { ready: options.ttl, waiting: options.ttl_waiting },
        options: options.model_service,
        missing: Vec::new(),
        grant_is_taken: false,
        service,
    };
    if is_found(request, OWN.0) == Some(true) {
        let absent = |(group, _): &&(&'static str, &'static str)| is_found(request, group) == Some(false);
        inputs.missing = needed(&inputs).filter(absent).map(|(group, _)| *group).collect();
    }
    inputs.grant_is_taken = inputs.composes_grant() && answer(request, GRANT).iter().any(|it| !is_ours(it, &inputs));
    Ok(inputs)
}

/// Whether the cluster has an API group. `None` while nobody has looked.
fn is_found(request: &ComposeRequest, lookup: &str) -> Option<bool> {
    request.lookups.get(lookup).map(|found| !found.is_empty())
}

fn answer<'a>(request: &'a ComposeRequest, lookup: &str) -> &'a [ObservedObject] {
    request.lookups.get(lookup).map(Vec::as_slice).unwrap_or_default()
}

/// Whether a binding is that of the service: it has one subject, which is its endpoint picker.
fn is_ours(binding: &ObservedObject, inputs: &ServingInputs) -> bool {
    let subjects = binding.object().ok().and_then(|binding| binding["subjects"].as_array());
    let [subject] = subjects.map(Vec::as_slice).unwrap_or_default() else { return false };
    let is = |key: &str, want: &str| subject.get(key).and_then(Value::as_str) == Some(want);
    is("kind", "ServiceAccount") && is("name", &inputs.picker) && is("namespace", &inputs.service.namespace)
}
