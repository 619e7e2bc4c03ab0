//! `sailplane admission`: admission webhooks.
//!
//! One direction, a file each: an AdmissionReview is [read](review), [judged](judge) by a module, with what it
//! [looks up](lookups), and answered ([respond]). The [server] bounds how much of that happens at once.
//! What cannot be judged is allowed with a warning; what fails is an error, so that the webhook's failure policy decides.

mod adapter;
mod args;
mod client;
mod judge;
mod lifecycle;
mod lookups;
mod metrics;
mod mode;
mod options;
mod patch;
mod respond;
mod review;
mod self_signed;
mod server;
mod timeout;
mod tls;
mod warnings;

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum_server::tls_rustls::{RustlsConfig, bind_rustls};
use axum_server::{Handle, Server};
use function_sdk_rust::logging;
use hyper_util::rt::TokioTimer;

use self::judge::Judge;
use self::lifecycle::Lifecycle;
use self::lookups::Lookups;
use self::metrics::Metrics;
use self::options::Options;
use self::self_signed::Keeper;
use crate::engine::Engine;
use crate::serving::{probes, runtime, told_to_stop};

pub use adapter::{Adapter, Answer, Call};
pub use args::Args;
pub use mode::{Door, Mode};

/// The label of namespaces that states the mode for their objects: `enforce`, which is also what no label means, `warn`
/// or `audit`.
pub const MODE_LABEL: &str = "sailplane.fn.crossplane.io/admission";
/// Namespaces whose objects are never judged: a cluster must come up, and Crossplane be repaired, whatever a webhook
/// says.
pub const LEFT_OUT: [&str; 2] = ["crossplane-system", "kube-system"];
/// How long a client may take for the head of a request (HTTP/1.1), or be silent before it is asked whether it is still
/// there (HTTP/2).
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves until SIGTERM or SIGINT, then finishes the reviews in flight.
///
/// # Errors
/// When neither certificates nor `--insecure` are given, a module cannot be loaded, the options are wrong, or the
/// port cannot be listened on.
pub fn run(args: &Args) -> Result<()> {
    ensure!(
        args.certificates.insecure || args.certificates.self_signed.self_signed || args.certificates.dir().is_some(),
        "no certificates: give --tls-certs-dir or TLS_SERVER_CERTS_DIR, make some with --self-signed, or serve without \
         any with --insecure"
    );
    logging::Builder::new(args.debug).quiet(["wasmtime", "cranelift_codegen", "kube_client"]).init();
    let engine = args.modules.load_with(&args.limits.settings())?;
    let runtime = runtime().context("cannot start the runtime")?;
    let served = runtime.block_on(serve(engine, args));
    // What still runs has nobody waiting for it.
    runtime.shutdown_background();
    served
}

async fn serve(engine: Engine, args: &Args) -> Result<()> {
    let told = told_to_stop()?;
    let (metrics, options, lifecycle) = (Metrics::default(), Options::default(), Lifecycle::default());
    if let Some(path) = &args.options {
        let source = options::Source::open(path, &engine, &options)?;
        tokio::spawn(source.watch(engine.clone(), options.clone(), metrics.clone()));
    }
    let lookups = if args.no_lookups { None } else { Some(Lookups::start(&engine, &metrics).await?) };
    probes(args.monitoring.health_address, lifecycle.readiness(lookups.clone()));
    metrics::serve(args.monitoring.metrics_address, metrics.clone());
    let mut told = std::pin::pin!(told);
    let certificate = tokio::select! {
        certificate = certificate(&args.certificates, &metrics) => certificate?,
        () = &mut told => return Ok(()),
    };
    let adapter = Adapter::with(Judge { engine, options, lookups }, metrics.clone());
    let router = server::router(adapter, metrics, args.mode, &args.limits);
    let handle = Handle::new();
    let mut listening = std::pin::pin!(listen(args.address, certificate, router, handle.clone()));
    let served = tokio::select! {
        served = &mut listening => served, // nothing can be served
        () = lifecycle.drain(told, handle, &args.limits) => listening.await,
    };
    served.with_context(|| format!("cannot serve on {}", args.address))
}

/// What to serve with; nothing for plain HTTP.
async fn certificate(args: &args::Certificates, metrics: &Metrics) -> Result<Option<RustlsConfig>> {
    if args.self_signed.self_signed {
        let (keeper, config) = Keeper::start(&args.self_signed, metrics).await?;
        tokio::spawn(keeper.keep());
        return Ok(Some(config));
    }
    let Some(dir) = args.dir().filter(|_| !args.insecure) else { return Ok(None) };
    let (source, certificate) = tls::Source::open(&dir)?;
    metrics.certificate_expiry.set(certificate.expiry);
    let config = RustlsConfig::from_config(certificate.config);
    tokio::spawn(source.watch(config.clone(), metrics.clone()));
    Ok(Some(config))
}

async fn listen(
    address: SocketAddr,
    certificate: Option<RustlsConfig>,
    router: Router,
    handle: Handle<SocketAddr>,
) -> std::io::Result<()> {
    let service = router.into_make_service();
    match certificate {
        Some(config) => patient(bind_rustls(address, config)).handle(handle).serve(service).await,
        None => patient(axum_server::bind(address)).handle(handle).serve(service).await,
    }
}

/// A server that is patient with its clients, but not for ever.
fn patient<Acceptor>(mut server: Server<SocketAddr, Acceptor>) -> Server<SocketAddr, Acceptor> {
    let builder = server.http_builder();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(PATIENCE);
    server
}
