//! `sailplane admission`: admission webhooks.
//!
//! Data flows in one direction, with a file for each step: an AdmissionReview is [read](review), a module
//! [judges](judge) the object and gets the answers to its [lookups], and the answer is [written](respond). The [server]
//! limits how many reviews run at once. When a module cannot judge an object, the review is allowed with a warning.
//! When a module fails, the answer is an error, so the webhook's failure policy decides.

mod adapter;
mod args;
mod certificate;
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
use self::options::{Options, OptionsFile};
use self::tls::CertificateDir;
use crate::engine::Engine;
use crate::serving::{probes, runtime, stop_signal};

pub use adapter::{Adapter, ReviewAnswer, ReviewCall};
pub use args::AdmissionArgs;
pub use certificate::{CertificateArgs, make as make_certificate};
pub use mode::{Mode, Webhook};

/// The namespace label that sets the mode for the namespace's objects: `enforce` (the default), `warn` or `audit`.
pub const MODE_LABEL: &str = "sailplane.fn.crossplane.io/admission";
/// Namespaces whose objects are never judged, so that no webhook prevents the start of a cluster or a repair of
/// Crossplane.
pub const LEFT_OUT: [&str; 2] = ["crossplane-system", "kube-system"];
/// How long a client may take to send the headers of a request (HTTP/1.1), and how long a connection may be idle before
/// the server sends a ping (HTTP/2).
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves until SIGTERM or SIGINT, then answers the reviews in flight.
///
/// # Errors
/// When there are neither certificates nor `--insecure`, when a module cannot be loaded, when the options are wrong, and
/// when the server cannot listen on the port.
pub fn run(args: &AdmissionArgs) -> Result<()> {
    ensure!(
        args.certificates.insecure || args.certificates.dir().is_some(),
        "no certificates: give --tls-certs-dir or TLS_SERVER_CERTS_DIR, or serve without any with --insecure"
    );
    logging::Builder::new(args.debug).quiet(["wasmtime", "cranelift_codegen", "kube_client"]).init();
    let engine = args.modules.load_with(&args.limits.settings())?;
    let runtime = runtime().context("cannot start the runtime")?;
    let served = runtime.block_on(serve(engine, args));
    // Nobody waits for the calls that still run.
    runtime.shutdown_background();
    served
}

async fn serve(engine: Engine, args: &AdmissionArgs) -> Result<()> {
    let stop = stop_signal()?;
    let (metrics, options, lifecycle) = (Metrics::default(), Options::default(), Lifecycle::default());
    if let Some(path) = &args.options {
        let file = OptionsFile::open(path, &engine, &options)?;
        tokio::spawn(file.watch(engine.clone(), options.clone(), metrics.clone()));
    }
    let lookups = if args.no_lookups { None } else { Some(Lookups::start(&engine, &metrics).await?) };
    probes(args.monitoring.health_address, lifecycle.readiness(lookups.clone()));
    metrics::serve(args.monitoring.metrics_address, metrics.clone());
    let certificate = certificate(&args.certificates, &metrics)?;
    let adapter = Adapter::with(Judge { engine, options, lookups }, metrics.clone());
    let router = server::router(adapter, metrics, args.mode, &args.limits);
    let handle = Handle::new();
    let mut listening = std::pin::pin!(listen(args.address, certificate, router, handle.clone()));
    let served = tokio::select! {
        served = &mut listening => served, // the server cannot listen
        () = lifecycle.drain(stop, handle, &args.limits) => listening.await,
    };
    served.with_context(|| format!("cannot serve on {}", args.address))
}

/// The certificate to serve with. `None` for plain HTTP.
fn certificate(args: &args::Certificates, metrics: &Metrics) -> Result<Option<RustlsConfig>> {
    let Some(dir) = args.dir().filter(|_| !args.insecure) else { return Ok(None) };
    let (dir, certificate) = CertificateDir::open(&dir)?;
    metrics.certificate_expiry.set(certificate.expiry);
    let config = RustlsConfig::from_config(certificate.config);
    tokio::spawn(dir.watch(config.clone(), metrics.clone()));
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
        Some(config) => with_timeouts(bind_rustls(address, config)).handle(handle).serve(service).await,
        None => with_timeouts(axum_server::bind(address)).handle(handle).serve(service).await,
    }
}

/// The server, with [`CLIENT_TIMEOUT`] for its clients.
fn with_timeouts<Acceptor>(mut server: Server<SocketAddr, Acceptor>) -> Server<SocketAddr, Acceptor> {
    let builder = server.http_builder();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(CLIENT_TIMEOUT);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(CLIENT_TIMEOUT);
    server
}
