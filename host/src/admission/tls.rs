//! Certificates from a directory that may change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use axum_server::tls_rustls::RustlsConfig;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::metrics::Metrics;

/// How often files are looked at: those of the certificate here, that of the options there.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A certificate to serve with.
pub(super) struct Certificate {
    /// How connections are made with it.
    pub(super) config: Arc<ServerConfig>,
    /// When it ends, in seconds since the Unix epoch.
    pub(super) expiry: i64,
}

impl Certificate {
    /// A certificate, with those that lead to its authority, and its key, in PEM.
    ///
    /// # Errors
    /// When one of them is unusable, or they do not belong together.
    pub(super) fn new(chain: &[u8], key: &[u8]) -> Result<Self> {
        let chain: Vec<_> =
            CertificateDer::pem_slice_iter(chain).collect::<Result<_, _>>().context("no certificate")?;
        let leaf = chain.first().context("no certificate")?;
        let (_, parsed) =
            x509_parser::parse_x509_certificate(leaf).map_err(|error| anyhow!("no certificate: {error}"))?;
        let expiry = parsed.validity().not_after.timestamp();
        let key = PrivateKeyDer::from_pem_slice(key).context("no private key")?;
        let mut config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key)?;
        // API servers send all reviews over one connection then, and learn exactly which were not taken up when it ends.
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config), expiry })
    }
}

/// The directory that a certificate comes from.
pub(super) struct Source {
    dir: PathBuf,
    /// What it held when it was last looked at, sound or not.
    seen: Pair,
}

/// Certificate and key.
type Pair = (Vec<u8>, Vec<u8>);

impl Source {
    /// Reads a certificate for the first time.
    ///
    /// # Errors
    /// When it cannot be read, or is unusable.
    pub(super) fn open(dir: &Path) -> Result<(Self, Certificate)> {
        let seen = read(dir)?;
        let certificate = checked(dir, &seen)?;
        Ok((Self { dir: dir.to_owned(), seen }, certificate))
    }

    /// Takes up what the directory holds, for as long as the process lives. Connections that stand go on.
    pub(super) async fn watch(mut self, config: RustlsConfig, metrics: Metrics) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            match self.refresh() {
                Ok(None) => {}
                Ok(Some(certificate)) => {
                    config.reload_from_config(certificate.config);
                    metrics.certificate_expiry.set(certificate.expiry);
                    metrics.reloaded("certificate", true);
                    tracing::info!("took up a changed certificate");
                }
                Err(error) => {
                    metrics.reloaded("certificate", false);
                    tracing::error!("the certificate stays as it was: {error:#}");
                }
            }
        }
    }

    /// The certificate that the directory holds now, when that is another. What is wrong is told once.
    ///
    /// # Errors
    /// When it is unusable.
    fn refresh(&mut self) -> Result<Option<Certificate>> {
        // A volume that is being swapped has no files for a moment.
        let Ok(now) = read(&self.dir) else { return Ok(None) };
        if now == self.seen {
            return Ok(None);
        }
        self.seen = now;
        checked(&self.dir, &self.seen).map(Some)
    }
}

fn checked(dir: &Path, (chain, key): &Pair) -> Result<Certificate> {
    let wrong = || format!("cannot serve with {0}/tls.crt and {0}/tls.key", dir.display());
    Certificate::new(chain, key).with_context(wrong)
}

fn read(dir: &Path) -> Result<Pair> {
    let read = |file: &str| {
        let path = dir.join(file);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    Ok((read("tls.crt")?, read("tls.key")?))
}
