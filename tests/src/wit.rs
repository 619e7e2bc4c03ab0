//! Converts native requests to requests of the contract, for suites that call the component.

use contract::compose::{Capabilities, ComposeRequest, DesiredComposite};
use contract::types::{ConnectionDetails, ObservedObject, Readiness};
use host::wit::compose as wit;
use host::wit::types::{self as wit_types, ConnectionDetail, KindRef, LookupAnswer, SchemaAnswer};

/// The same request, in the types with which the host calls a module.
pub fn request(request: &ComposeRequest) -> wit::Request {
    wit::Request {
        composite: request.composite.as_ref().map(object),
        observed: request
            .observed
            .iter()
            .map(|(name, resource)| wit::ObservedResource { name: name.clone(), state: object(resource) })
            .collect(),
        desired: wit::DesiredState {
            composite: desired_composite(&request.desired.composite),
            resources: request
                .desired
                .resources
                .iter()
                .map(|(name, desired)| wit::DesiredResource {
                    name: name.clone(),
                    object: desired.object.to_string(),
                    readiness: readiness(desired.readiness),
                })
                .collect(),
        },
        input: request.input.as_ref().map(ToString::to_string),
        context: request
            .context
            .iter()
            .map(|(key, value)| wit::ContextEntry { key: key.clone(), value: value.to_string() })
            .collect(),
        credentials: request
            .credentials
            .iter()
            .map(|(name, data)| wit::Credential { name: name.clone(), data: details(data) })
            .collect(),
        lookups: request
            .lookups
            .iter()
            .map(|(name, found)| LookupAnswer { name: name.clone(), objects: found.iter().map(object).collect() })
            .collect(),
        schemas: request
            .schemas
            .iter()
            .map(|(name, schema)| SchemaAnswer {
                name: name.clone(),
                openapi_v3: schema.as_ref().map(ToString::to_string),
            })
            .collect(),
        capabilities: request.capabilities.map(capabilities),
        now: request.now,
        explain: request.explain,
    }
}

/// The kind of a request's composite. Empty when it states none.
pub fn kind_of(request: &wit::Request) -> KindRef {
    let object = request.composite.as_ref().map_or("null", |composite| &composite.object);
    let kind = contract::types::KindRef::of(&serde_json::from_str(object).unwrap_or_default());
    KindRef { api_version: kind.api_version, kind: kind.kind }
}

fn object(resource: &ObservedObject) -> wit_types::ObservedObject {
    let object = resource.object().expect("requests of tests are JSON").to_string();
    wit_types::ObservedObject { object, connection_details: details(&resource.connection_details) }
}

fn details(details: &ConnectionDetails) -> Vec<ConnectionDetail> {
    details.iter().map(|(key, value)| ConnectionDetail { key: key.clone(), value: value.clone() }).collect()
}

fn desired_composite(desired: &DesiredComposite) -> wit::DesiredComposite {
    wit::DesiredComposite {
        status: desired.status.as_ref().map(ToString::to_string),
        connection_details: details(&desired.connection_details),
        readiness: readiness(desired.readiness),
    }
}

fn readiness(readiness: Readiness) -> host::wit::types::Readiness {
    match readiness {
        Readiness::Unspecified => host::wit::types::Readiness::Unspecified,
        Readiness::NotReady => host::wit::types::Readiness::NotReady,
        Readiness::Ready => host::wit::types::Readiness::Ready,
    }
}

fn capabilities(stated: Capabilities) -> wit::Capabilities {
    let Capabilities { required_resources, credentials, conditions, required_schemas } = stated;
    wit::Capabilities { required_resources, credentials, conditions, required_schemas }
}
