//! A port, and all that is served on it: HTTP/1.1 and HTTP/2, with TLS or without, within bounds.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use rustix::io::Errno;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;

use super::clients::{Bounds, STREAMS};
use super::seats::{InFlightRequest, Seat, Seats, TakenSeat};
use super::socket::{Socket, linger};
use super::tls::Tls;

/// How long no connection is accepted when there are no file descriptors left.
const PAUSE: Duration = Duration::from_millis(200);

/// The largest head of a request, in bytes.
const MAX_HEAD: usize = 64 << 10;

/// A port that a server listens on.
pub(crate) struct Listener {
    socket: TcpListener,
    bounds: Bounds,
}

/// What is spoken on a port.
#[derive(Clone)]
pub(crate) enum Transport {
    /// HTTP/1.1 and HTTP/2, with TLS or without.
    Http(Option<Tls>),
    /// gRPC, which is HTTP/2 only, with TLS or without.
    Grpc(Option<Tls>),
}

/// In the extensions of a response: it has no end. So the connection counts as one without a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endless;

impl Listener {
    /// Listens on `address`.
    ///
    /// # Errors
    /// When that is not possible.
    pub(crate) async fn bind(address: SocketAddr, bounds: Bounds) -> io::Result<Self> {
        Ok(Self { socket: TcpListener::bind(address).await?, bounds })
    }

    /// The address with the port that the system chose, when none was asked for.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Serves until `stop` completes. Then requests in flight are answered, and at the latest after `drain` all
    /// connections are closed. Returns what is left of `drain`.
    pub(crate) async fn serve(
        self,
        transport: Transport,
        router: Router,
        stop: impl Future<Output = ()>,
        drain: Duration,
    ) -> Duration {
        let serving = Arc::new(Serving { transport, router, bounds: self.bounds });
        let seats = Seats::new(self.bounds);
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        let mut short_of_files = false;
        loop {
            let accepted = tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = connections.join_next() => continue,
                accepted = self.socket.accept() => accepted,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) if is_shortage(&error) => {
                    if !short_of_files {
                        tracing::warn!(%error, "no connections are accepted for a moment");
                    }
                    short_of_files = true;
                    seats.make_room();
                    sleep(PAUSE).await;
                    continue;
                }
                Err(_) => continue, // the client has closed it
            };
            short_of_files = false;
            let seat = tokio::select! {
                () = &mut stop => break,
                seat = seats.take() => seat,
            };
            connections.spawn(Arc::clone(&serving).connection(stream, seat));
        }
        let stopped = Instant::now();
        drop(self.socket);
        seats.tell_all();
        let ended = async { while connections.join_next().await.is_some() {} };
        if timeout(drain, ended).await.is_err() {
            tracing::warn!(connections = connections.len(), "cut off, because the time to stop is over");
        }
        drain.saturating_sub(stopped.elapsed())
    }
}

/// Whether there are no descriptors or no memory for another connection.
fn is_shortage(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM))
}

/// What is served on a port.
struct Serving {
    transport: Transport,
    router: Router,
    bounds: Bounds,
}

impl Serving {
    async fn connection(self: Arc<Self>, stream: TcpStream, taken: TakenSeat) {
        let TakenSeat(seat) = &taken;
        // Answers are written whole, so there is nothing to wait for.
        let _ = stream.set_nodelay(true);
        let (socket, given_back) = Socket::new(stream, Arc::clone(seat));
        let to_the_end = async {
            self.exchange(socket, seat).await;
            if let Ok(stream) = given_back.await {
                linger(stream).await;
            }
        };
        tokio::select! {
            biased;
            () = seat.time_is_up() => {}
            () = to_the_end => {}
        }
    }

    async fn exchange(&self, socket: Socket, seat: &Arc<Seat>) {
        let (Transport::Http(tls) | Transport::Grpc(tls)) = &self.transport;
        match tls {
            None => self.requests(socket, seat).await,
            Some(tls) => {
                // A client that fails to shake hands learns why from the alert that it gets.
                if let Ok(stream) = TlsAcceptor::from(tls.current()).accept(socket).await {
                    self.requests(stream, seat).await;
                }
            }
        }
    }

    /// Answers the requests of a connection until it ends.
    async fn requests(&self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, seat: &Arc<Seat>) {
        let service = {
            let (router, seat) = (self.router.clone(), Arc::clone(seat));
            service_fn(move |request| answer(router.clone(), seat.request(), request))
        };
        let builder = self.builder();
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            _ = connection.as_mut() => return,
            () = seat.leave.notified() => connection.as_mut().graceful_shutdown(),
        }
        // However it ends, the client knows it.
        let _ = connection.await;
    }

    fn builder(&self) -> Builder<TokioExecutor> {
        let Bounds { patience, window, .. } = self.bounds;
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(MAX_HEAD);
        let mut http2 = builder.http2();
        http2.timer(TokioTimer::new()).keep_alive_interval(patience).keep_alive_timeout(patience);
        http2.max_concurrent_streams(STREAMS);
        http2.initial_connection_window_size(window).initial_stream_window_size(window);
        match self.transport {
            Transport::Http(_) => builder,
            Transport::Grpc(_) => builder.http2_only(),
        }
    }
}

/// The answer to a request. The request is in flight until the answer is sent.
async fn answer(
    mut router: Router,
    mut request_in_flight: InFlightRequest,
    request: Request<Incoming>,
) -> Result<Response<Answer>, Infallible> {
    let response = router.call(request).await?;
    request_in_flight.answered();
    let endless = response.extensions().get::<Endless>().is_some();
    let in_flight = (!endless).then_some(request_in_flight);
    Ok(response.map(|body| Answer { body, _in_flight: in_flight }))
}

/// The body of an answer.
struct Answer {
    body: Body,
    _in_flight: Option<InFlightRequest>,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
