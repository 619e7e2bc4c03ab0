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
mod trace;
mod warnings;

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};

use self::judge::Judge;
use self::lifecycle::Lifecycle;
use self::lookups::Lookups;
use self::metrics::Metrics;
use self::options::{Options, OptionsFile};
use self::tls::CertificateDir;
use crate::allocator::small_pages;
use crate::engine::Engine;
use crate::logging;
use crate::metrics::text;
use crate::serving::{Listener, Tls, Transport, probes, runtime_of, serve_metrics, stop_signal};
use crate::traces::Traces;

pub use adapter::{Adapter, ReviewAnswer, ReviewCall};
pub use args::AdmissionArgs;
pub use certificate::{CertificateArgs, make as make_certificate};
pub use metrics::METRICS;
pub use mode::{Mode, Webhook};

/// The namespace label that sets the mode for the namespace's objects: `enforce` (the default), `warn` or `audit`.
pub const MODE_LABEL: &str = "sailplane.fn.crossplane.io/admission";
/// Namespaces whose objects are never judged, so that no webhook prevents the start of a cluster or a repair of
/// Crossplane.
pub const LEFT_OUT: [&str; 2] = ["crossplane-system", "kube-system"];
/// How long reviews may take to be answered once the server accepts no more, besides the time of a review.
const ANSWERING: std::time::Duration = std::time::Duration::from_secs(1);

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
    logging::start(args.debug);
    small_pages();
    let engine = args.modules.load_with(&args.settings())?;
    let runtime = runtime_of(&engine).context("cannot start the runtime")?;
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
    probes(&args.monitoring, &args.clients, lifecycle.readiness(lookups.clone()));
    let registry = Arc::new(metrics.registry(&engine));
    serve_metrics(&args.monitoring, &args.clients, move || text(&registry));
    let tls = certificate(&args.certificates, &metrics)?;
    let traces = Traces::start("sailplane-admission");
    let adapter = Adapter::with(Judge { engine, options, lookups }, metrics.clone());
    let router = server::router(adapter, metrics, args);
    let listener = Listener::bind(args.address, args.clients.bounds(args.memory.bytes())).await;
    let listener = listener.with_context(|| format!("cannot serve on {}", args.address))?;
    let stop = lifecycle.until_drained(stop, &args.limits);
    let left = listener.serve(Transport::Http(tls), router, stop, args.limits.timeout() + ANSWERING).await;
    traces.end(left).await;
    Ok(())
}

/// The certificate to serve with. `None` for plain HTTP.
fn certificate(args: &args::Certificates, metrics: &Metrics) -> Result<Option<Tls>> {
    let Some(dir) = args.dir().filter(|_| !args.insecure) else { return Ok(None) };
    let (dir, certificate) = CertificateDir::open(&dir)?;
    metrics.certificate_expiry.set(certificate.expiry);
    let tls = Tls::new(certificate.config);
    tokio::spawn(dir.watch(tls.clone(), metrics.clone()));
    Ok(Some(tls))
}
