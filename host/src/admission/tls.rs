//! Certificates from a directory, which are read again when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow, ensure};
use rustls::ServerConfig;

use super::metrics::Metrics;
use crate::read;
use crate::serving::{Tls, certificates, private_key};

/// How often the files of certificates and options are read again. Each time wakes the process.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The largest file of a certificate or key, in bytes. A Secret is no larger.
const MAX_PEM: usize = 1 << 20;

/// A certificate to serve with.
pub(super) struct Certificate {
    /// The TLS configuration with it.
    pub(super) config: Arc<ServerConfig>,
    /// When it expires, in seconds since the Unix epoch.
    pub(super) expiry: i64,
}

impl Certificate {
    /// Reads a certificate chain and the private key of its first certificate, in PEM.
    ///
    /// # Errors
    /// When one of them is not valid, or the key does not match.
    pub(super) fn new(chain: &[u8], key: &[u8]) -> Result<Self> {
        let chain = certificates(chain)?;
        let leaf = chain.first().context("no certificate")?;
        let (_, parsed) =
            x509_parser::parse_x509_certificate(leaf).map_err(|error| anyhow!("no certificate: {error}"))?;
        let expiry = parsed.validity().not_after.timestamp();
        let config = ServerConfig::builder().with_no_client_auth();
        let mut config = config.with_single_cert(chain, private_key(key)?)?;
        // With HTTP/2, API servers send all reviews over one connection. When it ends, GOAWAY tells them which reviews
        // were not processed.
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config), expiry })
    }

    /// Checks that the certificate may take the place of one that expires at `served`.
    ///
    /// # Errors
    /// When it has expired, and the other has not.
    pub(super) fn may_replace(&self, served: i64, now: SystemTime) -> Result<()> {
        let now = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let expired = |expiry: i64| u64::try_from(expiry).is_ok_and(|expiry| expiry < now);
        ensure!(!expired(self.expiry) || expired(served), "it has expired, and the one in use has not");
        Ok(())
    }
}

/// The directory with the certificate and its key.
pub(super) struct CertificateDir {
    dir: PathBuf,
    /// Its content when it was last read, valid or not.
    seen: Pair,
    /// When the certificate in use expires, in seconds since the Unix epoch.
    expiry: i64,
}

/// Certificate and key.
type Pair = (Vec<u8>, Vec<u8>);

impl CertificateDir {
    /// Reads the certificate for the first time.
    ///
    /// # Errors
    /// When it cannot be read, or is not valid.
    pub(super) fn open(dir: &Path) -> Result<(Self, Certificate)> {
        let seen = read(dir)?;
        let certificate = checked(dir, &seen)?;
        Ok((Self { dir: dir.to_owned(), seen, expiry: certificate.expiry }, certificate))
    }

    /// Reads the directory again and again, and takes up changes, until the process ends. Open connections continue.
    pub(super) async fn watch(mut self, tls: Tls, metrics: Metrics) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            match self.refresh() {
                Ok(None) => {}
                Ok(Some(certificate)) => {
                    tls.replace(certificate.config);
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

    /// The certificate in the directory, when it has changed.
    ///
    /// # Errors
    /// When it is not valid. It is an error once, not at each later call.
    fn refresh(&mut self) -> Result<Option<Certificate>> {
        // While a volume is updated, there may be no files for a moment.
        let Ok(now) = read(&self.dir) else { return Ok(None) };
        if now == self.seen {
            return Ok(None);
        }
        self.seen = now;
        let certificate = checked(&self.dir, &self.seen)?;
        certificate.may_replace(self.expiry, SystemTime::now())?;
        self.expiry = certificate.expiry;
        Ok(Some(certificate))
    }
}

fn checked(dir: &Path, (chain, key): &Pair) -> Result<Certificate> {
    let wrong = || format!("cannot serve with {0}/tls.crt and {0}/tls.key", dir.display());
    Certificate::new(chain, key).with_context(wrong)
}

fn read(dir: &Path) -> Result<Pair> {
    let file = |name: &str| {
        let path = dir.join(name);
        read::file(&path, MAX_PEM).with_context(|| format!("cannot read {}", path.display()))
    };
    Ok((file("tls.crt")?, file("tls.key")?))
}
