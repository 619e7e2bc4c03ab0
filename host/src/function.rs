//! `sailplane function`: a Crossplane composition function.
//!
//! One direction, a file each: the protocol's request is [decoded](decode) to the contract's, a module
//! answers it, and the answer is [merged](merge) over what earlier steps of the pipeline desire.
//! A call without an answer becomes a [refusal](refuse), and leaves everything as it is.
//! The official SDK serves the protocol itself.

mod args;
mod decode;
mod encode;
mod json;
mod merge;
mod refuse;
mod service;
mod subject;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use function_sdk_rust::{Server, logging};

use crate::engine::Engine;
use crate::serving::{probes, runtime, told_to_stop};

pub use args::Args;
pub use merge::MAX_RESPONSE;
pub use service::Function;

/// Serves until SIGTERM or SIGINT, then finishes the calls in flight.
///
/// # Errors
/// When neither certificates nor `--insecure` are given, a module cannot be loaded, or the gRPC port
/// cannot be listened on.
pub fn run(args: &Args) -> Result<()> {
    ensure!(
        args.insecure || args.certificates().is_some(),
        "no certificates: give --tls-certs-dir or TLS_SERVER_CERTS_DIR, or serve without any with --insecure"
    );
    logging::Builder::new(args.debug).quiet(["wasmtime", "cranelift_codegen"]).init();
    let engine = args.modules.load_with(&args.settings())?;
    let runtime = runtime().context("cannot start the runtime")?;
    let served = runtime.block_on(serve(engine, args));
    // What still runs has nobody waiting for it.
    runtime.shutdown_background();
    served
}

async fn serve(engine: Engine, args: &Args) -> Result<()> {
    let stopping = Arc::new(AtomicBool::new(false));
    let told = told_to_stop()?;
    tokio::spawn({
        let stopping = Arc::clone(&stopping);
        async move {
            told.await;
            stopping.store(true, Ordering::Relaxed);
        }
    });
    // The calls in flight are then finished by the SDK's server, and no new ones should come.
    probes(
        args.monitoring.health_address,
        move || if stopping.load(Ordering::Relaxed) { Err("stopping") } else { Ok(()) },
    );
    Server::new(Function::new(engine), &args.for_sdk()).serve().await.context("cannot serve")
}
