//! Certificates that the server makes itself, for clusters without an issuer.
//!
//! Replicas share the certificates in a Secret: the first replica makes them, the others read them. The webhook
//! configurations get a new authority before any replica serves with it, and earlier authorities stay trusted until
//! they expire. So no connection fails.

pub(super) mod args;
mod material;
mod secret;
mod webhooks;

use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, ensure};
use axum_server::tls_rustls::RustlsConfig;
use kube::Client;

use self::args::SelfSigned;
use self::material::Material;
use super::metrics::Metrics;
use super::tls::Certificate;

/// How often the Secret and the webhook configurations are read.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How long API servers may take to read a changed webhook configuration.
const SETTLES_WITHIN: Duration = Duration::from_secs(5);

/// Keeps certificate, Secret and webhook configurations up to date.
pub(super) struct Keeper {
    args: SelfSigned,
    client: Client,
    config: RustlsConfig,
    /// The certificate that is in use.
    served: Material,
    metrics: Metrics,
}

impl Keeper {
    /// Reads the certificate that the replicas share, or makes it. Tries again until it succeeds.
    ///
    /// # Errors
    /// When the environment names no cluster.
    pub(super) async fn start(args: &SelfSigned, metrics: &Metrics) -> Result<(Self, RustlsConfig)> {
        let client = Client::try_default().await.context("no cluster to keep certificates in")?;
        loop {
            match Self::first(args, &client).await {
                Ok((served, certificate, changed)) => {
                    if changed {
                        tokio::time::sleep(SETTLES_WITHIN).await;
                    }
                    metrics.certificate_expiry.set(certificate.expiry);
                    let config = RustlsConfig::from_config(certificate.config);
                    let (args, metrics) = (args.clone(), metrics.clone());
                    return Ok((Self { args, client, config: config.clone(), served, metrics }, config));
                }
                Err(error) => tracing::error!("no certificate to serve with yet: {error:#}"),
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// The certificate to serve with, and whether a webhook configuration was changed for it.
    async fn first(args: &SelfSigned, client: &Client) -> Result<(Material, Certificate, bool)> {
        let material = secret::shared(client, args, SystemTime::now()).await?;
        let certificate = Certificate::new(material.chain.as_bytes(), material.key.as_bytes())?;
        let written = webhooks::write_bundle(client, &args.webhook_configuration, &material.bundle).await;
        let changed = written.as_ref().is_ok_and(|configurations| configurations.changed > 0);
        if let Err(error) = written {
            tracing::error!("the API server was not told whom to trust: {error:#}");
        }
        Ok((material, certificate, changed))
    }

    /// Takes up changes of the Secret, and renews it in time, until the process ends.
    pub(super) async fn keep(mut self) {
        let mut logged = String::new();
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            match self.look().await {
                Ok(()) => logged.clear(),
                Err(error) => {
                    let error = format!("{error:#}");
                    if error != logged {
                        self.metrics.reloaded("certificate", false);
                        tracing::error!("the certificate stays as it was: {error}");
                        logged = error;
                    }
                }
            }
        }
    }

    async fn look(&mut self) -> Result<()> {
        let shared = secret::shared(&self.client, &self.args, SystemTime::now()).await?;
        let written = webhooks::write_bundle(&self.client, &self.args.webhook_configuration, &shared.bundle).await?;
        if shared == self.served {
            return Ok(());
        }
        let certificate = Certificate::new(shared.chain.as_bytes(), shared.key.as_bytes())?;
        ensure!(written.found > 0, "there is no webhook configuration `{}`", self.args.webhook_configuration);
        tokio::time::sleep(SETTLES_WITHIN).await;
        self.config.reload_from_config(certificate.config);
        self.metrics.certificate_expiry.set(certificate.expiry);
        self.metrics.reloaded("certificate", true);
        self.served = shared;
        tracing::info!("took up a changed certificate");
        Ok(())
    }
}
