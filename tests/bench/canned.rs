//! A server like ours, but without the component: it answers every call with one recorded response.

use function_sdk_rust::proto::v1::function_runner_service_server::FunctionRunnerService;
use function_sdk_rust::proto::v1::{RunFunctionRequest, RunFunctionResponse};
use prost::Message as _;
use tonic::{Request, Response, Status};

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

/// Serves the response in `file` at `address` until it is killed.
pub(crate) fn serve(address: &str, file: &str) {
    let bytes = std::fs::read(file).expect("the recorded response");
    let response = RunFunctionResponse::decode(bytes.as_slice()).expect("a response");
    let arguments = function_sdk_rust::Args {
        debug: false,
        address: address.to_owned(),
        tls_certs_dir: None,
        insecure: true,
        max_recv_message_size: Some(64 << 20),
        metrics_address: String::new(),
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(function_sdk_rust::serve(Canned(response), &arguments)).expect("it serves");
}
