//! Functions of the tests' own, which play those of others.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context as _, Result};
use function_sdk_rust::proto::v1::function_runner_service_server::{
    FunctionRunnerService, FunctionRunnerServiceServer,
};
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};

/// Serves a function on loopback until the test process ends, with the certificates in `certificates`.
pub(crate) fn serve(function: impl FunctionRunnerService, port: u16, certificates: &Path) -> Result<()> {
    let read = |name: &str| std::fs::read(certificates.join(name)).with_context(|| format!("cannot read {name}"));
    let tls = ServerTlsConfig::new()
        .identity(Identity::from_pem(read("tls.crt")?, read("tls.key")?))
        .client_ca_root(Certificate::from_pem(read("ca.crt")?));
    let server = Server::builder().tls_config(tls)?.add_service(FunctionRunnerServiceServer::new(function));
    let runtime = tokio::runtime::Runtime::new()?;
    std::thread::spawn(move || runtime.block_on(server.serve(SocketAddr::from(([127, 0, 0, 1], port)))));
    Ok(())
}
