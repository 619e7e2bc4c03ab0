//! The fields of the kind. Only its schema is generated from these types: composing needs nothing but the URL.

#![expect(dead_code, reason = "only the schemas of the types are used")]

use schemars::JsonSchema;

use crate::modelplane::package::StatusCondition;

/// A URL where a model is served.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EndpointSpec {
    /// URL of the endpoint, e.g. `http://203.0.113.7/v1`. Requests go to its host and port. Its path is not used: see
    /// `rewritePath`.
    #[schemars(length(min = 1))]
    url: String,

    /// The path that takes the place of the path of a ModelService in requests, e.g. `/v1/`.
    rewrite_path: Option<String>,

    /// The API that is served there. It is kept for those who read it.
    #[schemars(extend("enum" = ["OpenAI"]))]
    api: Option<String>,

    /// Credentials of the API. They are kept for those who read them: no request gets them.
    auth: Option<EndpointAuth>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EndpointAuth {
    /// The Secret with the credentials.
    secret_ref: EndpointSecret,
}

#[derive(JsonSchema)]
struct EndpointSecret {
    /// Name of the Secret.
    #[schemars(length(min = 1))]
    name: String,
}

/// The observed state of an endpoint.
#[derive(JsonSchema)]
pub(super) struct EndpointStatus {
    /// What ModelServices need for their routes.
    routing: Option<Routing>,

    /// What is known about the endpoint.
    conditions: Option<Vec<StatusCondition>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Routing {
    /// Name of the Service that leads to the endpoint. It is absent until routes can use it.
    backend_name: Option<String>,
}
