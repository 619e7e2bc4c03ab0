//! `ModelEndpoint`: a URL where a model is served, as a backend for routes.
//!
//! A ModelDeployment composes one for each replica that serves. Users write them for models that are served elsewhere. An
//! endpoint becomes a Service without selector and an EndpointSlice that leads to the host of the URL. ModelServices route
//! to the Service.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;

use self::read::{definition, read};
use self::status::CONDITIONS;
use super::resources::{ENDPOINT_SLICES, MODEL_ENDPOINTS as ENDPOINTS, SERVICES};
use crate::options::Options;

mod admit;
pub mod derive;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
#[cfg(feature = "generate")]
mod spec;
mod status;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["me"],
    api: "modelplane",
    composes: &[ENDPOINT_SLICES, SERVICES],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: CONDITIONS,
    compose: Some(compose),
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::data(ENDPOINTS.api_version, ENDPOINTS.kind, ENDPOINTS.plural, definition)
};

const EXAMPLES: &[Example] = &[example!("modelplane", "endpoint-external", "an endpoint of somebody else")];

/// Composes the Service and the EndpointSlice.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let options = Options::read(request.input.as_ref())?;
    let inputs = read(request)?;
    let resources = render::resources(&inputs);
    let reasons = Reasons::of(request, &resources).with_status(derive::EndpointInputs::STATUS, &inputs);
    Ok((status::respond(request, &options, &inputs, resources), reasons))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use contract::types::{ConditionStatus, ObservedObject, Readiness};
    use serde_json::{Value, json};

    use super::*;
    use crate::KINDS;

    /// The endpoint in a request, with a condition of an earlier call.
    fn request(url: &str, condition: Value, observed: &[(&str, Value)]) -> ComposeRequest {
        let composite = json!({
            "apiVersion": "modelplane.ai/v1alpha1",
            "kind": "ModelEndpoint",
            "metadata": {"name": "provider", "namespace": "ml"},
            "spec": {"url": url, "rewritePath": "/v1/", "api": "OpenAI", "auth": {"secretRef": {"name": "key"}}},
            "status": {"conditions": [condition]},
        });
        let observed = observed.iter().map(|(key, object)| ((*key).to_owned(), ObservedObject::from(object.clone())));
        ComposeRequest { composite: Some(composite.into()), observed: observed.collect(), ..ComposeRequest::default() }
    }

    fn service(port: u16) -> Value {
        json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "ml"},
            "spec": {"ports": [{"port": port, "protocol": "TCP"}]},
        })
    }

    fn slice(address_type: &str, host: &str, port: u16) -> Value {
        json!({
            "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
            "metadata": {"namespace": "ml", "labels": {"kubernetes.io/service-name": "provider-1ab"}},
            "addressType": address_type,
            "ports": [{"name": "", "port": port, "protocol": "TCP"}],
            "endpoints": [{"addresses": [host], "conditions": {"ready": true}}],
        })
    }

    /// The object as the cluster has it: with a name, and with what the API server and Crossplane write.
    fn applied(mut object: Value, name: &str) -> Value {
        object["metadata"]["name"] = name.into();
        object["metadata"]["uid"] = "1".into();
        object["metadata"]["labels"]["crossplane.io/composite"] = "provider".into();
        if object["kind"] == "Service" {
            object["spec"]["clusterIP"] = "10.96.0.7".into();
            object["spec"]["ports"][0]["targetPort"] = object["spec"]["ports"][0]["port"].clone();
        }
        object
    }

    struct Want<'w> {
        resources: &'w [(&'w str, Value, Readiness)],
        condition: (ConditionStatus, &'w str, Option<&'w str>),
        status: Option<Value>,
        events: &'w [&'w str],
    }

    #[track_caller]
    fn check(request: &ComposeRequest, want: Want<'_>) {
        let response = KINDS.compose(request).expect("a valid endpoint");
        let resources: Vec<_> =
            response.resources.iter().map(|(key, it)| (key.as_str(), it.object.clone(), it.readiness)).collect();
        assert_eq!(resources, want.resources);
        let conditions: Vec<_> =
            response.conditions.iter().map(|it| (it.status, &*it.reason, it.message.as_deref())).collect();
        assert_eq!(conditions, [want.condition]);
        assert_eq!(response.composite.status, want.status);
        assert_eq!(response.composite.readiness, Readiness::Unspecified);
        assert_eq!(response.results.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), want.events);
        assert_eq!(response.ttl, Some(60_000));
        let request = ComposeRequest { explain: true, ..request.clone() };
        let explained = KINDS.compose(&request).expect("a valid endpoint").derivations;
        let of_objects = explained.iter().filter(|it| !it.resource.is_empty()).map(|it| it.resource.as_str());
        let keys: BTreeMap<_, _> = of_objects.map(|key| (key, ())).collect();
        assert_eq!(keys.into_keys().collect::<Vec<_>>(), response.resources.keys().collect::<Vec<_>>());
    }

    #[test]
    fn an_endpoint_needs_three_calls() {
        use ConditionStatus::{False, True};
        use Readiness::{Ready, Unspecified};

        let url = "https://user@API.example.org/v1";
        let (service, slice) = (service(443), slice("FQDN", "api.example.org", 443));
        let waiting = (False, "WaitingForBackend", None);
        check(
            &request(url, json!(null), &[]),
            Want {
                resources: &[("service", service.clone(), Unspecified)],
                condition: waiting,
                status: Some(json!({})),
                events: &[],
            },
        );
        let observed = [("service", applied(service.clone(), "provider-1ab"))];
        check(
            &request(url, json!(null), &observed),
            Want {
                resources: &[("endpointslice", slice.clone(), Unspecified), ("service", service.clone(), Ready)],
                condition: waiting,
                status: Some(json!({})),
                events: &[],
            },
        );
        let [service_observed] = observed;
        let observed = [service_observed, ("endpointslice", applied(slice.clone(), "provider-2cd"))];
        check(
            &request(url, json!(null), &observed),
            Want {
                resources: &[("endpointslice", slice, Ready), ("service", service, Ready)],
                condition: (True, "BackendConfigured", None),
                status: Some(json!({"routing": {"backendName": "provider-1ab"}})),
                events: &[],
            },
        );
    }

    #[test]
    fn addresses_of_each_type() {
        #[track_caller]
        fn check(url: &str, address_type: &str, host: &str, port: u16) {
            let observed = [("service", applied(service(1), "provider-1ab"))];
            let response = KINDS.compose(&request(url, json!(null), &observed)).expect("a valid endpoint");
            assert_eq!(
                response.resources.get("endpointslice").map(|it| &it.object),
                Some(&slice(address_type, host, port))
            );
            assert_eq!(response.resources.get("service").map(|it| &it.object), Some(&service(port)));
        }
        check("http://203.0.113.7/ml/qwen/v1", "IPv4", "203.0.113.7", 80);
        check("http://[2001:DB8::1]:8000/v1", "IPv6", "2001:db8::1", 8000);
        check("http://1.2.3", "FQDN", "1.2.3", 80);
    }

    /// An edit to a URL that leads nowhere takes nothing away.
    #[test]
    fn what_serves_is_held() {
        use ConditionStatus::False;
        use Readiness::{Ready, Unspecified};

        let (service, slice) = (service(80), slice("IPv4", "203.0.113.7", 80));
        let both = [
            ("service", applied(service.clone(), "provider-1ab")),
            ("endpointslice", applied(slice.clone(), "provider-2cd")),
        ];
        let message = "Invalid spec.url: 203.0.113.7:80";
        let invalid = (False, "InvalidURL", Some(message));
        let held = [("endpointslice", slice.clone(), Ready), ("service", service.clone(), Ready)];
        check(
            &request("203.0.113.7:80", json!(null), &both),
            Want { resources: &held, condition: invalid, status: None, events: &[message] },
        );
        let known = json!({"type": "RoutingReady", "status": "False", "reason": "InvalidURL", "message": message});
        check(
            &request("203.0.113.7:80", known, &both),
            Want { resources: &held, condition: invalid, status: None, events: &[] },
        );
        check(
            &request("203.0.113.7:80", json!(null), &[]),
            Want { resources: &[], condition: invalid, status: None, events: &[message] },
        );
        check(
            &request("a\nb", json!(null), &[]),
            Want {
                resources: &[],
                condition: (False, "InvalidURL", Some("Invalid spec.url: a b")),
                status: None,
                events: &["Invalid spec.url: a b"],
            },
        );
        // Somebody has deleted the Service: the EndpointSlice waits for it.
        check(
            &request("http://203.0.113.7", json!(null), &both[1..]),
            Want {
                resources: &[("endpointslice", slice, Ready), ("service", service, Unspecified)],
                condition: (False, "WaitingForBackend", None),
                status: Some(json!({})),
                events: &[],
            },
        );
    }

    #[test]
    fn what_the_schema_refuses_changes_nothing() {
        let composite = json!({"apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelEndpoint", "spec": {"url": ""}});
        let request = ComposeRequest { composite: Some(composite.into()), ..ComposeRequest::default() };
        let fault = KINDS.compose(&request).expect_err("an empty URL");
        assert_eq!(fault.problems.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["spec.url"]);
    }
}
