//! Certificates of the server's own making, for clusters without anything that issues them.
//!
//! Replicas share them through a Secret: the first one makes them, the others read them. A change is told to the API
//! server before anyone serves with it, and what counted before counts until its end, so that no connection fails.

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

/// How often the Secret and the webhook configurations are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How long API servers may take to notice which authorities they are to trust.
const SETTLES_WITHIN: Duration = Duration::from_secs(5);

/// What keeps the certificates.
pub(super) struct Keeper {
    args: SelfSigned,
    client: Client,
    config: RustlsConfig,
    /// What is served with.
    served: Material,
    metrics: Metrics,
}

impl Keeper {
    /// Takes up the certificate that the replicas share, and makes one when there is none. Tries until it can.
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

    /// What to serve with, and whether the API server has only now been told to trust it.
    async fn first(args: &SelfSigned, client: &Client) -> Result<(Material, Certificate, bool)> {
        let material = secret::shared(client, args, SystemTime::now()).await?;
        let certificate = Certificate::new(material.chain.as_bytes(), material.key.as_bytes())?;
        let told = webhooks::tell(client, &args.webhook_configuration, &material.bundle).await;
        let changed = told.as_ref().is_ok_and(|told| told.changed > 0);
        if let Err(error) = told {
            tracing::error!("the API server was not told whom to trust: {error:#}");
        }
        Ok((material, certificate, changed))
    }

    /// Keeps them in step with the Secret, and the Secret with the time, for as long as the process lives.
    pub(super) async fn keep(mut self) {
        let mut told = String::new();
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            match self.look().await {
                Ok(()) => told.clear(),
                Err(error) => {
                    let error = format!("{error:#}");
                    if error != told {
                        self.metrics.reloaded("certificate", false);
                        tracing::error!("the certificate stays as it was: {error}");
                        told = error;
                    }
                }
            }
        }
    }

    async fn look(&mut self) -> Result<()> {
        let shared = secret::shared(&self.client, &self.args, SystemTime::now()).await?;
        let told = webhooks::tell(&self.client, &self.args.webhook_configuration, &shared.bundle).await?;
        if shared == self.served {
            return Ok(());
        }
        let certificate = Certificate::new(shared.chain.as_bytes(), shared.key.as_bytes())?;
        ensure!(told.found > 0, "there is no webhook configuration `{}`", self.args.webhook_configuration);
        tokio::time::sleep(SETTLES_WITHIN).await;
        self.config.reload_from_config(certificate.config);
        self.metrics.certificate_expiry.set(certificate.expiry);
        self.metrics.reloaded("certificate", true);
        self.served = shared;
        tracing::info!("took up a changed certificate");
        Ok(())
    }
}
