//! Sends spans by OTLP over gRPC. An endpoint that does not answer is said once, until it answers again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use opentelemetry_otlp::{SpanExporter as OtlpExporter, WithExportConfig as _, WithTonicConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use super::destination::{Destination, TlsFiles};
use crate::foreign::{cut, visible};
use crate::read;

/// The largest file of a certificate or key, in bytes. All authorities of a system are less.
const MAX_PEM: usize = 4 << 20;

/// The largest text about a failure in a record of the log, in bytes.
const MAX_LOGGED: usize = 384;

/// How the exporter begins what it says about failures.
const FAILED: &str = "TonicTracesClient export failed with gRPC code: ";

/// Sends spans.
#[derive(Debug)]
pub(super) struct Sender {
    exporter: Arc<OtlpExporter>,
    /// Where it computes, because the thread that asks for it has no timers.
    runtime: Handle,
    /// The longest time for a batch.
    time: Duration,
    /// Whether the last batch was not sent.
    failing: AtomicBool,
}

impl Sender {
    /// A sender to `to`. It connects when there is something to send, on this runtime.
    ///
    /// # Errors
    /// When there can be no such endpoint, or a certificate cannot be read.
    pub(super) fn new(to: &Destination) -> Result<Self> {
        let exporter = OtlpExporter::builder().with_tonic().with_endpoint(&to.endpoint).with_timeout(to.timeout);
        let exporter = match &to.tls {
            None => exporter,
            Some(files) => exporter.with_tls_config(tls(files)?),
        };
        Ok(Self {
            exporter: Arc::new(exporter.build()?),
            runtime: Handle::current(),
            time: to.timeout,
            failing: AtomicBool::new(false),
        })
    }

    /// Logs when batches cannot be sent any more, and when they can again.
    fn say(&self, sent: &OTelSdkResult) {
        let failed_before = self.failing.swap(sent.is_err(), Ordering::Relaxed);
        match sent {
            Err(error) if !failed_before => {
                tracing::warn!(error = why(error), "traces cannot be sent, and are thrown away until they can");
            }
            Ok(()) if failed_before => tracing::info!("traces are sent again"),
            _ => {}
        }
    }
}

impl SpanExporter for Sender {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let (exporter, time) = (Arc::clone(&self.exporter), self.time);
        let sending = self.runtime.spawn(async move { timeout(time, exporter.export(batch)).await });
        let sent = match sending.await {
            Ok(Ok(sent)) => sent,
            Ok(Err(_late)) => Err(OTelSdkError::Timeout(time)),
            Err(_) => return Err(OTelSdkError::AlreadyShutdown),
        };
        self.say(&sent);
        sent
    }

    fn shutdown_with_timeout(&self, time: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(time)
    }

    fn set_resource(&mut self, resource: &Resource) {
        // No batch is being sent yet.
        if let Some(exporter) = Arc::get_mut(&mut self.exporter) {
            exporter.set_resource(resource);
        }
    }
}

/// Why a batch was not sent.
fn why(error: &OTelSdkError) -> String {
    let text = match error {
        OTelSdkError::InternalFailure(text) => text.trim_start_matches(FAILED).to_owned(),
        OTelSdkError::Timeout(time) => format!("no answer within {} s", time.as_secs_f64()),
        OTelSdkError::AlreadyShutdown => "it was ended".to_owned(),
    };
    // A cause may repeat what it is the cause of.
    let mut parts: Vec<_> = text.split(": ").collect();
    parts.dedup();
    cut(&visible(&parts.join(": ")), MAX_LOGGED).into_owned()
}

fn tls(files: &TlsFiles) -> Result<ClientTlsConfig> {
    let pem = |path: &Path| read::file(path, MAX_PEM).with_context(|| format!("cannot read {}", path.display()));
    let config = match &files.authorities {
        Some(path) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem(path)?)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    Ok(match &files.identity {
        Some([certificate, key]) => config.identity(Identity::from_pem(pem(certificate)?, pem(key)?)),
        None => config,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_in_words() {
        let said = |text: &str| why(&OTelSdkError::InternalFailure(text.to_owned()));
        for (text, expected) in [
            (
                "TonicTracesClient export failed with gRPC code: Unavailable: transport error: tcp connect error: \
                 tcp connect error: Connection refused (os error 111)",
                "Unavailable: transport error: tcp connect error: Connection refused (os error 111)",
            ),
            ("TonicTracesClient export failed with gRPC code: Unauthenticated", "Unauthenticated"),
            ("a\u{1b}", "a\\u{1b}"),
        ] {
            assert_eq!(said(text), expected);
        }
        assert_eq!(why(&OTelSdkError::Timeout(Duration::from_millis(2500))), "no answer within 2.5 s");
    }
}
