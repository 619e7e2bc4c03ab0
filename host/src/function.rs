//! `sailplane function`: a Crossplane composition function.
//!
//! Data flows in one direction, with a file for each step: the protocol's request is [decoded](decode) to a request of
//! the contract, a module answers it, the answer is [encoded](encode) and [merged](merge) into the desired state of
//! earlier pipeline steps. A call without an answer becomes a [refusal](refuse), which changes nothing.
//! The [messages] say why they are not those of the official SDK. The [server] is ours, because the SDK's has no bounds: any
//! client could take all memory and all connections. [Intake](intake) reads a request before it is decoded.

mod args;
mod counts;
mod decode;
mod elements;
mod encode;
mod ending;
mod intake;
mod merge;
mod messages;
mod metrics;
mod refuse;
mod server;
mod service;
mod subject;
mod tls;
mod trace;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use server::RequestBounds;

use crate::allocator::small_pages;
use crate::engine::Engine;
use crate::logging;
use crate::metrics::text;
use crate::serving::{Budget, Listener, Transport, probes, runtime_of, serve_metrics, stop_signal};
use crate::traces::Traces;

pub use args::FunctionArgs;
pub use merge::MAX_RESPONSE;
pub use metrics::METRICS;
pub use service::Function;

/// How long calls may take to be answered once the process is told to stop, besides the time of a call.
const ANSWERING: Duration = Duration::from_secs(5);

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
    logging::start(args.debug);
    small_pages();
    let settings = args.settings();
    tracing::info!(
        largest_request = args.max_request(),
        memory_of_a_call = settings.memory,
        calls_of_a_module_at_once = settings.calls,
        "limits, in bytes"
    );
    let engine = args.modules.load_with(&settings)?;
    let runtime = runtime_of(&engine).context("cannot start the runtime")?;
    let served = runtime.block_on(serve(engine, args));
    // Nobody waits for the calls that still run.
    runtime.shutdown_background();
    served
}

/// The gRPC services of a function, for a server of the caller's own. A request may have `most` bytes, and a minute to come.
///
/// # Errors
/// When the description of the services is broken.
pub async fn services(function: Function, most: usize) -> Result<Router> {
    let budget = Budget::new(u64::MAX, most);
    server::router(function, RequestBounds { most, patience: Duration::from_secs(60), budget }).await
}

async fn serve(engine: Engine, args: &FunctionArgs) -> Result<()> {
    let stopping = Arc::new(AtomicBool::new(false));
    let stop = stop_signal()?;
    let transport = Transport::Grpc(args.certificates().filter(|_| !args.insecure).map(tls::mutual).transpose()?);
    let cannot_serve = || format!("cannot serve on {}", args.address);
    let listener =
        Listener::bind(args.address, args.clients.bounds(args.memory.bytes())).await.with_context(cannot_serve)?;
    probes(&args.monitoring, &args.clients, {
        let stopping = Arc::clone(&stopping);
        move || if stopping.load(Ordering::Relaxed) { Err("stopping") } else { Ok(()) }
    });
    let traces = Traces::start("sailplane-function");
    let function = Function::new(engine).within(args.call_timeout());
    let registry = Arc::new(function.registry());
    serve_metrics(&args.monitoring, &args.clients, move || text(&registry));
    let router = server::router(function, args.request_bounds()).await?;
    let stop = async move {
        stop.await;
        tracing::info!("shutting down");
        stopping.store(true, Ordering::Relaxed);
    };
    tracing::info!(address = %args.address, insecure = args.insecure, "serving FunctionRunnerService");
    let left = listener.serve(transport, router, stop, args.call_timeout() + ANSWERING).await;
    traces.end(left).await;
    Ok(())
}
