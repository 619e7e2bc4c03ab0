//! The socket of a connection, which the server gets back when it is done with it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::seats::Seat;

/// How long a client may take to read the last bytes, and to close the connection.
const LINGER: Duration = Duration::from_secs(1);

/// The socket of a connection. When it is dropped, it is given back.
pub(super) struct Socket {
    stream: Option<TcpStream>,
    back: Option<oneshot::Sender<TcpStream>>,
    seat: Arc<Seat>,
}

impl Socket {
    /// The socket, and where it comes back.
    pub(super) fn new(stream: TcpStream, seat: Arc<Seat>) -> (Self, oneshot::Receiver<TcpStream>) {
        let (back, given_back) = oneshot::channel();
        (Self { stream: Some(stream), back: Some(back), seat }, given_back)
    }

    /// The stream. It is there until the socket is dropped.
    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    fn wrote(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.seat.wrote();
        }
        written
    }
}

/// Closes a connection once the client has the last bytes. When a socket is closed while it has bytes that nobody read,
/// the system drops what was not sent yet; so they are read.
pub(super) async fn linger(mut stream: TcpStream) {
    let to_the_end = async {
        stream.shutdown().await?;
        let mut unread = [0; 4096];
        while stream.read(&mut unread).await? > 0 {}
        io::Result::Ok(())
    };
    // However it ends, the connection is over.
    let _ = timeout(LINGER, to_the_end).await;
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let (Some(stream), Some(back)) = (self.stream.take(), self.back.take()) {
            // Nobody waits for the socket of a connection that was cut off.
            let _ = back.send(stream);
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_read(cx, into)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write(cx, bytes);
        self.wrote(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write_vectored(cx, bytes);
        self.wrote(written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(cx)
    }
}
