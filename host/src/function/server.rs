//! The gRPC server: the services that the official SDK's server has, with bounds that it cannot set.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::any;
use tonic::codegen::BoxFuture;
use tonic::server::{Grpc, UnaryService};
use tonic::service::Routes;
use tonic::{Request, Status};
use tonic_health::ServingStatus;
use tonic_health::server::health_reporter;
use tonic_prost::ProstCodec;

use super::counts::count;
use super::intake::{Intake, take_in};
use super::messages::{RUN_FUNCTION, RunFunctionRequest, RunFunctionResponse, SERVICE};
use super::service::Function;
use super::trace::trace;
use crate::serving::{Budget, Endless};
use crate::traces;

/// The description of the service for reflection: a `FileDescriptorSet`, as the official SDK has it.
const DESCRIPTION: &[u8] = include_bytes!("messages/description.bin");

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
/// When the description of the service is broken.
pub(super) async fn router(function: Function, bounds: RequestBounds) -> Result<Router> {
    let RequestBounds { most, patience, budget } = bounds;
    let counts = function.counts();
    let function = Arc::new(function);
    let run_function = move |request| run_function(Arc::clone(&function), most, request);
    let function = Router::new().route(RUN_FUNCTION, any(run_function));
    let function = function.route_layer(from_fn_with_state(Intake { most, patience, budget }, take_in));
    let function = if traces::are_on() { function.route_layer(from_fn(trace)) } else { function };

    let (reporter, health) = health_reporter();
    for service in ["", SERVICE] {
        reporter.set_service_status(service, ServingStatus::Serving).await;
    }
    let described = || tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(DESCRIPTION);
    let questions = Routes::new(health.max_decoding_message_size(MAX_QUESTION))
        .add_service(described().build_v1()?.max_decoding_message_size(MAX_QUESTION))
        .add_service(described().build_v1alpha()?.max_decoding_message_size(MAX_QUESTION));
    // A client may watch the health, or keep on asking, for ever.
    let questions = questions.into_axum_router().route_layer(map_response(endless));

    Ok(questions.merge(function).layer(from_fn_with_state(counts, count)))
}

/// Answers a call, whose message may have so many bytes.
async fn run_function(function: Arc<Function>, most: usize, request: axum::extract::Request) -> Response {
    let mut grpc = Grpc::new(ProstCodec::default()).max_decoding_message_size(most);
    grpc.unary(RunFunction(function), request).await.map(Body::new)
}

/// The method of the service.
struct RunFunction(Arc<Function>);

impl UnaryService<RunFunctionRequest> for RunFunction {
    type Response = RunFunctionResponse;
    type Future = BoxFuture<tonic::Response<RunFunctionResponse>, Status>;

    fn call(&mut self, request: Request<RunFunctionRequest>) -> Self::Future {
        Box::pin(Arc::clone(&self.0).run(request))
    }
}

async fn endless(mut response: Response) -> Response {
    response.extensions_mut().insert(Endless);
    response
}
