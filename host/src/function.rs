//! `sailplane function`: a Crossplane composition function.
//!
//! One direction, a file each: the protocol's request is [decoded](decode) to the contract's, a module
//! answers it, and the answer is [merged](merge) over what earlier steps of the pipeline desire.
//! A call without an answer becomes a [refusal](refuse), and leaves everything as it is.
//! The official SDK serves the protocol itself.

mod args;
mod decode;
mod encode;
mod health;
mod json;
mod merge;
mod refuse;
mod service;
mod subject;
mod threads;

use std::thread::available_parallelism;

use anyhow::{Context as _, Result, ensure};
use function_sdk_rust::{Server, logging};
use tokio::runtime::{Builder, Runtime};

use crate::engine::Engine;

pub use args::{Args, Listen};
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
    let engine = Engine::load(&args.settings(), args.no_default_module, &args.modules)?;
    let runtime = runtime().context("cannot start the runtime")?;
    let served = runtime.block_on(serve(engine, args));
    // What still runs has nobody waiting for it.
    runtime.shutdown_background();
    served
}

async fn serve(engine: Engine, args: &Args) -> Result<()> {
    health::spawn(args.health_address)?;
    Server::new(Function::new(engine), &args.for_sdk()).serve().await.context("cannot serve")
}

/// Few threads move bytes, and all but one of them may [compute](threads). For further calls there are more
/// threads than processors, so that a module that runs into its deadline does not hold up the others.
fn runtime() -> std::io::Result<Runtime> {
    let processors = available_parallelism().map_or(1, usize::from);
    Builder::new_multi_thread()
        .worker_threads(processors.clamp(2, 4))
        .max_blocking_threads(processors.saturating_mul(4).clamp(16, 128))
        .enable_all()
        .build()
}
