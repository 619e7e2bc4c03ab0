//! Mutual TLS with the certificates that Crossplane made.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};

use crate::read;
use crate::serving::{Tls, certificates, private_key};

/// The largest file of a certificate or key, in bytes. A Secret is no larger.
const MAX_PEM: usize = 1 << 20;

/// Reads `tls.crt`, `tls.key` and `ca.crt`. Clients must have a certificate of that authority.
///
/// # Errors
/// When a file cannot be read, or is wrong.
pub(super) fn mutual(dir: &Path) -> Result<Tls> {
    let read = |name: &str| {
        let path = dir.join(name);
        read::file(&path, MAX_PEM)
            .with_context(|| format!("cannot read TLS certificate or key from {}", path.display()))
    };
    let (chain, key, authority) = (read("tls.crt")?, read("tls.key")?, read("ca.crt")?);
    config(&chain, &key, &authority).with_context(|| format!("cannot serve with the certificates in {}", dir.display()))
}

fn config(chain: &[u8], key: &[u8], authority: &[u8]) -> Result<Tls> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(authority).context("ca.crt")? {
        roots.add(certificate).context("ca.crt")?;
    }
    let clients = WebPkiClientVerifier::builder(roots.into()).build()?;
    let server = ServerConfig::builder().with_client_cert_verifier(clients);
    let (chain, key) = (certificates(chain).context("tls.crt")?, private_key(key).context("tls.key")?);
    let mut config = server.with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(Tls::new(Arc::new(config)))
}
