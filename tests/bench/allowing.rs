//! A webhook that allows every review at once. Its server is like ours: the same TLS, HTTP and number of threads, but
//! no component, no metrics and no log. It reads only the uid of a review, which every webhook has to repeat.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::routing::post;
use axum_server::tls_rustls::{RustlsConfig, bind_rustls};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde::Deserialize;

#[derive(Deserialize)]
struct Review<'a> {
    #[serde(borrow)]
    request: Request<'a>,
}

#[derive(Deserialize)]
struct Request<'a> {
    uid: &'a str,
}

/// Serves at `address` with the certificate in the folder `certificates`, until it is killed.
pub(crate) fn serve(address: &str, certificates: &str) {
    let address: SocketAddr = address.parse().expect("an address");
    let config = RustlsConfig::from_config(Arc::new(config(Path::new(certificates))));
    let workers = available_parallelism().map_or(1, usize::from).clamp(2, 4);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build();
    let router = Router::new().route("/validate", post(allow));
    let served = async { bind_rustls(address, config).serve(router.into_make_service()).await };
    runtime.expect("a runtime").block_on(served).expect("it serves");
}

async fn allow(body: Bytes) -> ([(HeaderName, &'static str); 1], String) {
    let review: Review<'_> = serde_json::from_slice(&body).expect("a review");
    let uid = review.request.uid;
    let answer = format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{{"uid":"{uid}","allowed":true}}}}"#
    );
    ([(CONTENT_TYPE, "application/json")], answer)
}

fn config(certificates: &Path) -> ServerConfig {
    let chain = CertificateDer::pem_file_iter(certificates.join("tls.crt")).expect("certificates");
    let chain = chain.collect::<Result<Vec<_>, _>>().expect("certificates");
    let key = PrivateKeyDer::from_pem_file(certificates.join("tls.key")).expect("a key");
    let builder = ServerConfig::builder().with_no_client_auth();
    let mut config = builder.with_single_cert(chain, key).expect("they belong together");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}
