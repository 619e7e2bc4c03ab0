//! The gRPC server: the services of the official SDK's server, with bounds that it cannot set.

use std::time::Duration;

use anyhow::Result;
use axum::Router;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use function_sdk_rust::proto::FILE_DESCRIPTOR_SET;
use function_sdk_rust::proto::v1::function_runner_service_server::{FunctionRunnerServiceServer, SERVICE_NAME};
use tonic::service::Routes;
use tonic_health::ServingStatus;
use tonic_health::server::health_reporter;

use super::counts::count;
use super::intake::{Intake, take_in};
use super::service::Function;
use crate::serving::{Budget, Endless};

/// The largest message about health or reflection, in bytes.
const MAX_QUESTION: usize = 64 << 10;

/// The bounds of a request.
pub(super) struct RequestBounds {
    /// Its largest size, in bytes.
    pub(super) most: usize,
    /// Its longest time on the way.
    pub(super) patience: Duration,
    /// The bytes of all requests together.
    pub(super) budget: Budget,
}

/// The services: the function, health, and reflection in both versions.
///
/// # Errors
/// When the SDK's description of its service is broken.
pub(super) async fn router(function: Function, bounds: RequestBounds) -> Result<Router> {
    let RequestBounds { most, patience, budget } = bounds;
    let counts = function.counts();
    let function = FunctionRunnerServiceServer::new(function).max_decoding_message_size(most);
    let function = Routes::new(function).into_axum_router();
    let function = function.route_layer(from_fn_with_state(Intake { most, patience, budget }, take_in));

    let (reporter, health) = health_reporter();
    for service in ["", SERVICE_NAME] {
        reporter.set_service_status(service, ServingStatus::Serving).await;
    }
    let described =
        || tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET);
    let questions = Routes::new(health.max_decoding_message_size(MAX_QUESTION))
        .add_service(described().build_v1()?.max_decoding_message_size(MAX_QUESTION))
        .add_service(described().build_v1alpha()?.max_decoding_message_size(MAX_QUESTION));
    // A client may watch the health, or keep on asking, for ever.
    let questions = questions.into_axum_router().route_layer(map_response(endless));

    let services = function.merge(questions.reset_fallback());
    Ok(services.layer(from_fn_with_state(counts, count)))
}

async fn endless(mut response: Response) -> Response {
    response.extensions_mut().insert(Endless);
    response
}
