//! `sailplane function`: a Crossplane composition function.
//!
//! Data flows in one direction, with a file for each step: the protocol's request is [decoded](decode) to a request of
//! the contract, a module answers it, the answer is [encoded](encode) and [merged](merge) into the desired state of
//! earlier pipeline steps. A call without an answer becomes a [refusal](refuse), which changes nothing.
//! The official SDK serves the protocol.

mod args;
mod decode;
mod encode;
mod merge;
mod refuse;
mod service;
mod subject;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use function_sdk_rust::{Server, logging};

use crate::engine::Engine;
use crate::serving::{probes, runtime, stop_signal};

pub use args::FunctionArgs;
pub use merge::MAX_RESPONSE;
pub use service::Function;

/// Serves until SIGTERM or SIGINT, then answers the calls in flight.
///
/// # Errors
/// When there are neither certificates nor `--insecure`, when a module cannot be loaded, and when the server cannot
/// listen on the gRPC port.
pub fn run(args: &FunctionArgs) -> Result<()> {
    ensure!(
        args.insecure || args.certificates().is_some(),
        "no certificates: give --tls-certs-dir or TLS_SERVER_CERTS_DIR, or serve without any with --insecure"
    );
    logging::Builder::new(args.debug).quiet(["wasmtime", "cranelift_codegen"]).init();
    let engine = args.modules.load_with(&args.settings())?;
    let runtime = runtime().context("cannot start the runtime")?;
    let served = runtime.block_on(serve(engine, args));
    // Nobody waits for the calls that still run.
    runtime.shutdown_background();
    served
}

async fn serve(engine: Engine, args: &FunctionArgs) -> Result<()> {
    let stopping = Arc::new(AtomicBool::new(false));
    let stop = stop_signal()?;
    tokio::spawn({
        let stopping = Arc::clone(&stopping);
        async move {
            stop.await;
            stopping.store(true, Ordering::Relaxed);
        }
    });
    // After the signal, the SDK's server answers the calls in flight; the probe stops new ones.
    probes(
        args.monitoring.health_address,
        move || if stopping.load(Ordering::Relaxed) { Err("stopping") } else { Ok(()) },
    );
    Server::new(Function::new(engine), &args.for_sdk()).serve().await.context("cannot serve")
}
