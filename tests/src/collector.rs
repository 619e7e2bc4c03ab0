//! A collector of traces: a server of OTLP that keeps what it gets.

use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use tonic::metadata::MetadataMap;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Request, Response, Status};

use crate::function::{eventually, free_address};

/// A running collector. It runs until the tests end.
#[derive(Debug)]
pub struct Collector {
    /// The address for OTLP over gRPC.
    pub address: SocketAddr,
    batches: Arc<Mutex<Vec<Batch>>>,
}

/// A batch of spans.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The metadata of the call.
    pub metadata: MetadataMap,
    /// Who sent it: attributes as `key=value`.
    pub resource: Vec<String>,
    /// The spans.
    pub spans: Vec<Span>,
}

impl Collector {
    /// Starts a collector without TLS, and waits until it listens.
    pub fn start() -> Self {
        Self::start_at(free_address(), None)
    }

    /// Starts a collector, with TLS or without, and waits until it listens.
    pub fn start_at(address: SocketAddr, tls: Option<ServerTlsConfig>) -> Self {
        let batches = Arc::default();
        let service = TraceServiceServer::new(Service(Arc::clone(&batches)));
        thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
            let mut server = Server::builder();
            if let Some(tls) = tls {
                server = server.tls_config(tls).expect("the certificates are sound");
            }
            runtime.block_on(server.add_service(service).serve(address)).expect("it serves");
        });
        eventually("the collector listens", || TcpStream::connect(address).is_ok());
        Self { address, batches }
    }

    /// The URL of the collector.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All batches until now.
    pub fn batches(&self) -> Vec<Batch> {
        self.batches.lock().expect("nobody panicked").clone()
    }

    /// All spans until now.
    pub fn spans(&self) -> Vec<Span> {
        self.batches().into_iter().flat_map(|batch| batch.spans).collect()
    }

    /// Waits for so many spans.
    pub fn wait_for(&self, count: usize) -> Vec<Span> {
        eventually("the collector has the spans", || self.spans().len() >= count);
        self.spans()
    }
}

/// Attributes as `key=value`, sorted.
pub fn attributes(attributes: &[KeyValue]) -> Vec<String> {
    let shown = |value: &AnyValue| match &value.value {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    let mut all: Vec<_> = attributes
        .iter()
        .map(|it| format!("{}={}", it.key, it.value.as_ref().map(shown).unwrap_or_default()))
        .collect();
    all.sort();
    all
}

struct Service(Arc<Mutex<Vec<Batch>>>);

#[tonic::async_trait]
impl TraceService for Service {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let batches = message.resource_spans.into_iter().map(|from| Batch {
            metadata: metadata.clone(),
            resource: from.resource.map(|resource| attributes(&resource.attributes)).unwrap_or_default(),
            spans: from.scope_spans.into_iter().flat_map(|scope| scope.spans).collect(),
        });
        self.0.lock().expect("nobody panicked").extend(batches);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}
