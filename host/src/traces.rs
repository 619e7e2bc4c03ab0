//! Traces, by OpenTelemetry: a span for each request of a server, and in it a span for each call of a module.
//!
//! They are sent only when the environment names an [endpoint](destination). Then [spans] wait in a queue of bounded length,
//! from which a thread [sends](sender) them in batches; no request waits for it. Without an endpoint no span is made, and there
//! is neither a queue nor a thread. Like the log, spans have names of objects and modules, and no values.

mod destination;
mod sender;
mod spans;

use std::time::Duration;

use anyhow::{Context as _, Result};
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::task::spawn_blocking;

use self::destination::Destination;
use self::sender::Sender;
use crate::causes::in_one_line;

pub(crate) use spans::{ModuleSpan, ServerSpan, about, are_on, carried, ended, note};

/// The longest time for sending the last spans when a server ends.
const SENDING: Duration = Duration::from_secs(5);

/// The traces of a server.
#[derive(Debug)]
pub(crate) struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Starts to send traces when the environment names an endpoint. `server` is the name of the service when the environment
    /// names none. When the environment is wrong, the log says so, and no traces are sent. It needs a runtime.
    pub(crate) fn start(server: &'static str) -> Self {
        let started = Destination::of(&variable).and_then(|to| to.map(|to| provider(server, &to)).transpose());
        let provider = started.unwrap_or_else(|error| {
            tracing::warn!(error = in_one_line(&error), "no traces are sent");
            None
        });
        if let Some(provider) = &provider {
            spans::start(provider.tracer("sailplane"));
        }
        Self(provider)
    }

    /// Sends the last spans, within `time`.
    pub(crate) async fn end(self, time: Duration) {
        let Some(provider) = self.0 else { return };
        // What goes wrong is said by the sender.
        let _ = spawn_blocking(move || provider.shutdown_with_timeout(time.min(SENDING))).await;
    }
}

fn provider(server: &'static str, to: &Destination) -> Result<SdkTracerProvider> {
    let sender = Sender::new(to).with_context(|| format!("cannot send traces to {}", to.shown()))?;
    tracing::info!(endpoint = to.shown(), "sending traces");
    Ok(SdkTracerProvider::builder().with_resource(resource(server)).with_batch_exporter(sender).build())
}

/// Who sends the spans.
fn resource(server: &'static str) -> Resource {
    let ours = [KeyValue::new("service.name", server), KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))];
    let resource = Resource::builder_empty()
        .with_attributes(ours)
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    match variable("OTEL_SERVICE_NAME") {
        Some(name) => resource.with_service_name(name).build(),
        None => resource.build(),
    }
}

/// A variable of the environment. An empty one counts as not set.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
