//! A server like ours, but without the component: it answers every call with one recorded response.

use std::env;

use function_sdk_rust::proto::v1::function_runner_service_server::FunctionRunnerService;
use function_sdk_rust::proto::v1::{RunFunctionRequest, RunFunctionResponse};
use mimalloc::MiMalloc;
use prost::Message as _;
use tonic::{Request, Response, Status};

/// The allocator of our binary too.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

struct Canned(RunFunctionResponse);

#[tonic::async_trait]
impl FunctionRunnerService for Canned {
    async fn run_function(
        &self,
        _request: Request<RunFunctionRequest>,
    ) -> Result<Response<RunFunctionResponse>, Status> {
        Ok(Response::new(self.0.clone()))
    }
}

/// Serves the response in a file at an address until it is killed.
#[tokio::main]
async fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, file] = arguments.as_slice() else { panic!("usage: canned ADDRESS FILE") };
    let bytes = std::fs::read(file).expect("the recorded response");
    let response = RunFunctionResponse::decode(bytes.as_slice()).expect("a response");
    let arguments = function_sdk_rust::Args {
        debug: false,
        address: address.clone(),
        tls_certs_dir: None,
        insecure: true,
        max_recv_message_size: Some(64 << 20),
        metrics_address: String::new(),
    };
    function_sdk_rust::serve(Canned(response), &arguments).await.expect("it serves");
}
