//! `sailplane preview`: serves the preview page, which runs the component in the browser. The page sends nothing to the
//! server. It consists of static files, so any other file server works too.

mod files;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http_body_util::BodyExt as _;
use hyper::body::Frame;
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use self::files::{Files, MAX_FILE, codings};
use crate::serving::{Budget, Clients, Held, Listener, Transport, address, memory, stop_signal};

/// The content security policy: the page may run its own scripts and WebAssembly, and read its own files. The page
/// itself has the same policy in a `meta` element, without `frame-ancestors`.
pub const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; \
                                    connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                                    form-action 'none'; frame-ancestors 'none'";

/// Files that are read at once.
const READERS: usize = 4;
/// How long answers may take once the server is told to stop.
const ANSWERING: Duration = Duration::from_secs(2);

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

    /// The limits of clients.
    #[command(flatten)]
    clients: Clients,
}

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
/// When there is no page, and when the server cannot listen on the address.
pub fn run(args: &PageArgs) -> Result<()> {
    let files = match &args.files {
        Some(folder) => Files::in_folder(folder),
        None => Files::embedded(),
    };
    let hint = match &args.files {
        Some(folder) => format!("no page in {}: it has no index.html", folder.display()),
        None => "this binary was built without the page: build it with `make web`, and give --files target/web/dist"
            .to_owned(),
    };
    ensure!(files.read("index.html").is_some(), hint);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(READERS)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let served = runtime.block_on(serve(files, args));
    // Nobody waits for a file that is still being read.
    runtime.shutdown_background();
    served
}

async fn serve(files: Files, args: &PageArgs) -> Result<()> {
    let stop = stop_signal()?;
    let page = Page { files, budget: Budget::new(memory() / 32, MAX_FILE) };
    let router = Router::new().fallback(get(file)).with_state(page).layer(map_response(with_headers));
    let listener = Listener::bind(args.address, args.clients.bounds(memory())).await;
    let listener = listener.with_context(|| format!("cannot listen on {}", args.address))?;
    eprintln!("the preview page is at http://{}/", listener.address().unwrap_or(args.address));
    listener.serve(Transport::Http(None), router, stop, ANSWERING).await;
    Ok(())
}

/// The page, and the bytes of its files that may be held at once.
#[derive(Clone)]
struct Page {
    files: Files,
    budget: Budget,
}

async fn file(State(Page { files, budget }): State<Page>, uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html".to_owned(),
        path => path.to_owned(),
    };
    // The name of an asset changes with its content.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let of_file = [(CONTENT_TYPE, content_type(&path)), (CACHE_CONTROL, cache), (VARY, "accept-encoding")];
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    // A file system may be slow.
    let read = move || files.read_coded(&path, codings(&accepted));
    let Some((content, coding)) = spawn_blocking(read).await.ok().flatten() else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let coding = coding.map(|coding| [header((CONTENT_ENCODING, coding.name))]);
    let mut room = budget.share(Some(content.len()));
    if room.grow(content.len(), Instant::now()).await.is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many files at once\n").into_response();
    }
    // It is held until it is sent.
    let body = Body::from(content).map_frame(move |frame| with(&room, frame));
    (of_file.map(header), coding, Body::new(body)).into_response()
}

/// The frame. Until it is there, `_room` is taken.
fn with(_room: &Held, frame: Frame<Bytes>) -> Frame<Bytes> {
    frame
}

/// The answer, whichever it is, with the headers that all answers have.
async fn with_headers(mut response: Response) -> Response {
    response.headers_mut().extend(HEADERS.map(header));
    response
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
