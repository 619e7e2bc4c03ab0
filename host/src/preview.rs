//! `sailplane preview`: serves the preview page, which runs the component in the browser. The page sends nothing to the
//! server. It consists of static files, so any other file server works too.

mod files;

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use self::files::Files;
use crate::serving::{address, stop_signal};

/// The content security policy: the page may run its own scripts and WebAssembly, and read its own files. The page
/// itself has the same policy in a `meta` element, without `frame-ancestors`.
pub const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; \
                                    connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                                    form-action 'none'; frame-ancestors 'none'";

/// Serve the preview page
///
/// The page shows what manifests become, as they are typed: every object that would exist, and why each value is what
/// it is. It runs the component in the browser; nothing is sent anywhere.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  Serve the page on this machine alone
    sailplane preview
  Serve it to others
    sailplane preview --address :8000")]
pub struct PageArgs {
    /// Where to listen: `HOST:PORT`, or `:PORT` for every interface
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000", value_parser = address)]
    address: SocketAddr,

    /// Folder with the page, instead of the one in this binary
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
}

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
/// When there is no page, and when the server cannot listen on the address.
pub fn run(args: &PageArgs) -> Result<()> {
    let files = match &args.files {
        Some(folder) => Files::in_folder(folder.clone()),
        None => Files::embedded(),
    };
    let hint = match &args.files {
        Some(folder) => format!("no page in {}: it has no index.html", folder.display()),
        None => "this binary was built without the page: build it with `make web`, and give --files target/web/dist"
            .to_owned(),
    };
    ensure!(files.read("index.html").is_some(), hint);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start the runtime")?;
    runtime.block_on(serve(files, args.address))
}

async fn serve(files: Files, address: SocketAddr) -> Result<()> {
    let stop = stop_signal()?;
    let router = Router::new().fallback(get(page)).with_state(files);
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let address = listener.local_addr().unwrap_or(address);
    eprintln!("the preview page is at http://{address}/");
    axum::serve(listener, router).with_graceful_shutdown(stop).await.context("cannot serve")
}

async fn page(State(files): State<Files>, uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(content) = files.read(path) else {
        return (StatusCode::NOT_FOUND, HEADERS.map(header), "no such file\n").into_response();
    };
    // The name of an asset changes with its content.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let of_file = [(CONTENT_TYPE, content_type(path)), (CACHE_CONTROL, cache)];
    (HEADERS.map(header), of_file.map(header), content).into_response()
}

const HEADERS: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, CONTENT_SECURITY),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

fn header((name, value): (HeaderName, &'static str)) -> (HeaderName, HeaderValue) {
    (name, HeaderValue::from_static(value))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
