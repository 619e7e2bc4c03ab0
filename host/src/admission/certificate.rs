//! `sailplane admission-certificate`: makes the certificate of the webhooks, in clusters without cert-manager.
//!
//! It runs once, as a Job, because it needs a right that no running webhook should have: to change webhook configurations.
//! The configurations get the new authority before the Secret gets the certificate, and earlier authorities stay trusted
//! until they expire. So no connection fails when a certificate is replaced.

mod args;
mod bindings;
mod material;
mod secret;
mod webhooks;

use std::time::{Duration, Instant, SystemTime};

use crate::logging;
use anyhow::{Context as _, Result, bail};
use kube::Client;

use self::material::Material;
use crate::serving::{runtime, stop_signal};

pub use args::CertificateArgs;

/// How long it tries. The webhook configurations may be applied after the Job.
const TRY_FOR: Duration = Duration::from_secs(5 * 60);
/// How long API servers may take to read a changed webhook configuration.
const SETTLES_WITHIN: Duration = Duration::from_secs(5);
/// Attempts to write the Secret, while another process writes it too.
const ATTEMPTS: usize = 5;

/// Makes the certificate when there is none, or an old one, and writes its authority into the webhook configurations.
///
/// # Errors
/// When there is no cluster, when it takes too long, and on SIGTERM or SIGINT.
pub fn make(args: &CertificateArgs) -> Result<()> {
    logging::start(args.debug);
    let runtime = runtime(0).context("cannot start the runtime")?;
    runtime.block_on(async {
        let stop = stop_signal()?;
        let client = Client::try_default().await.context("no cluster to make a certificate for")?;
        tokio::select! {
            made = persist(&client, args) => made?,
            () = stop => bail!("told to stop before the certificate was made"),
        }
        match &args.delete_bindings {
            Some(name) => bindings::delete(&client, &args.namespace, name).await,
            None => Ok(()),
        }
    })
}

/// Tries again and again, for [`TRY_FOR`].
async fn persist(client: &Client, args: &CertificateArgs) -> Result<()> {
    let begun = Instant::now();
    let mut logged = String::new();
    loop {
        match attempt(client, args).await {
            Ok(()) => return Ok(()),
            Err(error) if begun.elapsed() > TRY_FOR => return Err(error),
            Err(error) => {
                let error = format!("{error:#}");
                if error != logged {
                    tracing::warn!("no certificate yet: {error}");
                    logged = error;
                }
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn attempt(client: &Client, args: &CertificateArgs) -> Result<()> {
    let names = args.names();
    for _ in 0..ATTEMPTS {
        let now = SystemTime::now();
        let stored = secret::read(client, args).await?;
        let known = stored.as_ref().and_then(secret::material);
        if let Some(known) = known.as_ref().filter(|known| !known.is_due(&names, now)) {
            webhooks::write_bundle(client, &args.webhook_configuration, &known.bundle).await?;
            tracing::info!("the certificate in Secret {}/{} stays", args.namespace, args.secret);
            return Ok(());
        }
        let trusted = known.map(|known| known.bundle).unwrap_or_default();
        let made = Material::make(&names, &trusted, now).context("cannot make a certificate")?;
        webhooks::write_bundle(client, &args.webhook_configuration, &made.bundle).await?;
        if !trusted.is_empty() {
            tokio::time::sleep(SETTLES_WITHIN).await;
        }
        if secret::write(client, args, stored, &made).await? {
            tracing::info!("wrote a certificate into Secret {}/{}", args.namespace, args.secret);
            return Ok(());
        }
    }
    bail!("cannot write Secret {}/{}: another process keeps changing it", args.namespace, args.secret)
}
