//! A client that sends requests which are encoded in advance, and does not decode the responses.

use prost::bytes::{Buf as _, BufMut as _, Bytes};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

pub(crate) struct RawClient(Grpc<Channel>);

impl RawClient {
    pub(crate) fn new(channel: Channel) -> Self {
        Self(Grpc::new(channel))
    }

    /// Calls `RunFunction`.
    pub(crate) async fn send(&mut self, request: &Bytes) {
        self.try_send(request).await.expect("an answer");
    }

    /// Calls `RunFunction` with a request that may be refused.
    pub(crate) async fn try_send(&mut self, request: &Bytes) -> Result<Response<()>, Status> {
        let method = PathAndQuery::from_static("/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction");
        self.0.ready().await.expect("a connection");
        self.0.unary(Request::new(request.clone()), method, Raw).await
    }
}

struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = ();
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = ();
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<()>, Status> {
        buffer.advance(buffer.remaining());
        Ok(Some(()))
    }
}
