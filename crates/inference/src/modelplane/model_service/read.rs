//! Reads a request into the inputs of the rules: the endpoints that the entries select, and the gateway.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, Selector};
use serde_json::Value;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{SelectedEndpoint, ServiceBackend, ServiceInputs};
use super::spec::{ModelServiceSpec, ServiceEntry};
use crate::modelplane::destination::Destination;
use crate::modelplane::labels::INFERENCE_GATEWAY;
use crate::modelplane::lookups::Answer;
use crate::modelplane::resources::{INFERENCE_GATEWAYS, MODEL_ENDPOINTS, kind};
use crate::modelplane::subject::Subject;

/// The lookup of the gateway.
const GATEWAY: &str = "inference-gateway";

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// The lookups of a service: the gateway, and the endpoints of each entry. They have no namespace, as in Modelplane, so that
/// endpoints of other namespaces can be named.
pub(super) fn lookups(spec: &ModelServiceSpec) -> BTreeMap<String, Selector> {
    let mut lookups = BTreeMap::new();
    lookups.insert(GATEWAY.to_owned(), lookup_of(kind(&INFERENCE_GATEWAYS), None, INFERENCE_GATEWAY));
    for (index, ServiceEntry { selector, .. }) in spec.endpoints.iter().enumerate() {
        let labels: Vec<_> = selector.match_labels.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        lookups.insert(endpoints(index), lookup_all(kind(&MODEL_ENDPOINTS), None, &labels));
    }
    lookups
}

/// Reads the inputs. `route` is the observed HTTPRoute.
pub(super) fn read(request: &ComposeRequest, route: Option<&Value>) -> Result<ServiceInputs, Fault> {
    let service: Subject<ModelServiceSpec> = Subject::read(request, definition())?;
    let gateway = Answer::of(request, GATEWAY);
    let is_kept = route.is_some() && !gateway.is_resolved();
    let mut inputs = ServiceInputs {
        gateway: gateway.first().and_then(|it| it.object().ok()).map(address).unwrap_or_default(),
        known_address: if is_kept { text(request.composite()?, "status.address").to_owned() } else { String::new() },
        resolved: gateway.is_resolved(),
        groups: Vec::with_capacity(service.spec.endpoints.len()),
        elsewhere: BTreeSet::new(),
        service,
    };
    // The first entry that selects an endpoint has it.
    let mut taken = BTreeSet::new();
    for index in 0..inputs.service.spec.endpoints.len() {
        let answer = Answer::of(request, &endpoints(index));
        inputs.resolved &= answer.is_resolved();
        let mut group = Vec::new();
        for endpoint in answer.all().iter().filter_map(|it| it.object().ok()) {
            let (name, namespace) = (text(endpoint, "metadata.name"), text(endpoint, "metadata.namespace"));
            if name.is_empty() {
                continue;
            }
            if namespace != inputs.service.namespace {
                // A backend in another namespace would be looked for in this one.
                inputs.elsewhere.insert(format!("{namespace}/{name}"));
            } else if taken.insert(name) {
                group.push(selected(endpoint, route));
            }
        }
        inputs.groups.push(group);
    }
    Ok(inputs)
}

fn endpoints(index: usize) -> String {
    format!("endpoints-{index}")
}

fn address(gateway: &Value) -> String {
    text(gateway, "status.address").to_owned()
}

fn selected(endpoint: &Value, route: Option<&Value>) -> SelectedEndpoint {
    let name = text(endpoint, "status.routing.backendName");
    let of_url = || Destination::of(text(endpoint, "spec.url")).map(|destination| destination.port);
    let port = Some(name).filter(|name| !name.is_empty()).and_then(|name| of_url().or_else(|| routed(route?, name)));
    let rewrite_path = text(endpoint, "spec.rewritePath").to_owned();
    SelectedEndpoint { backend: port.map(|port| ServiceBackend { name: name.to_owned(), port, rewrite_path }) }
}

/// The port that the observed route has for a backend. The Service of an endpoint keeps its port when the URL of the endpoint
/// becomes invalid.
fn routed(route: &Value, name: &str) -> Option<u16> {
    let backends = path::get(route, "spec.rules[0].backendRefs")?.as_array()?;
    let port = backends.iter().find(|backend| backend["name"] == name)?["port"].as_u64()?;
    u16::try_from(port).ok()
}

fn text<'v>(object: &'v Value, at: &str) -> &'v str {
    path::get(object, at).and_then(Value::as_str).unwrap_or_default()
}
