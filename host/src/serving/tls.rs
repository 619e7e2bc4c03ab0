//! TLS with a certificate that may be replaced.

use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context as _, Result};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The TLS configuration for new connections. Clones share it.
#[derive(Clone)]
pub(crate) struct Tls(Arc<RwLock<Arc<ServerConfig>>>);

impl Tls {
    pub(crate) fn new(config: Arc<ServerConfig>) -> Self {
        Self(Arc::new(RwLock::new(config)))
    }

    /// Takes another configuration for new connections. Open ones stay as they are.
    pub(crate) fn replace(&self, config: Arc<ServerConfig>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = config;
    }

    /// The configuration for a new connection.
    pub(super) fn current(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The certificates of a text in PEM, of which there is at least one.
///
/// # Errors
/// When there is none, or one is broken.
pub(crate) fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>> {
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>().context("no certificate")?;
    certificates.first().context("no certificate")?;
    Ok(certificates)
}

/// The private key of a text in PEM.
///
/// # Errors
/// When there is none, or it is broken.
pub(crate) fn private_key(pem: &[u8]) -> Result<PrivateKeyDer<'static>> {
    PrivateKeyDer::from_pem_slice(pem).context("no private key")
}
